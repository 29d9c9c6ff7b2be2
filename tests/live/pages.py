"""Pages as a browser without scripts uses them."""

from __future__ import annotations

import re

import httpx


def send_form(
    browser: httpx.Client, address: str, /, to: str = "", **fields: str
) -> httpx.Response:
    """Open a page and send a form that is on it, to the page itself unless told otherwise."""
    page = browser.get(address)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
    assert token is not None, f"no form at {address}: {page.status_code}"
    return browser.post(to or address, data={"csrfmiddlewaretoken": token[1], **fields})


def sign_in(browser: httpx.Client, name: str, password: str) -> None:
    """Sign in with a name and a password."""
    send_form(browser, "/accounts/login/", login=name, password=password)


def is_signed_in(browser: httpx.Client) -> bool:
    """Return whether pages know an account."""
    return browser.get("/accounts/tokens/").status_code == 200
