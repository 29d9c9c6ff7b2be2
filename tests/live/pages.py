"""Forms of pages, as used by a browser without scripts."""

from __future__ import annotations

import re

import httpx


def send_form(
    browser: httpx.Client, address: str, /, to: str = "", **fields: str
) -> httpx.Response:
    """Load a page and send a form of it, to the page itself or to another address."""
    page = browser.get(address)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert token is not None, f"no form at {address}: {page.status_code}"
    return browser.post(to or address, data={"csrfmiddlewaretoken": token[1], **fields})


def sign_in(browser: httpx.Client, name: str, password: str) -> None:
    send_form(browser, "/accounts/login/", login=name, password=password)


def is_signed_in(browser: httpx.Client) -> bool:
    """Return whether the browser is signed in to an account."""
    return browser.get("/accounts/tokens/").status_code == 200
