"""Readers ask for addresses that exist, and codes of authenticator apps are right."""

import base64
from types import SimpleNamespace
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.urls import resolve

from antipodes.web.town.clients import Page, Visit
from antipodes.web.town.habits import accounts, reader


def addresses():
    for table, names_of in (
        (reader._FETCHED, lambda names: names.split()),
        (reader._SENT, lambda sent: [name for name, _ in sent]),
    ):
        for pattern, names in table.items():
            for name in (".", *names_of(names)):
                yield urlsplit(urljoin(pattern.replace("*", "1"), name)).path


def test_addresses_that_readers_know_are_those_of_the_site():
    for address in addresses():
        resolve(address)


@pytest.mark.parametrize("text", ["", "\n ", "<!-- nothing new -->"])
def test_an_empty_part_of_a_page_has_no_links_and_forms(text):
    page = Page(Visit("GET", "/lobby/now/", 200, "text/html", text), "http://town.example")
    assert (page.links(), page.addresses(), page.forms()) == ([], [], [])


@pytest.mark.parametrize(
    ("path", "pattern", "fits"),
    [("/m/a/", "/m/*/", True), ("/m/a/embed/", "/m/*/", False), ("/games/", "/lobby/", False)],
)
def test_a_star_stands_for_one_part(path, pattern, fits):
    assert reader._fits(path, pattern) is fits


def test_the_code_of_an_app_is_that_of_rfc_6238():
    secret = base64.b32encode(b"12345678901234567890").decode()
    site = SimpleNamespace(now=lambda: 59_000)
    person: Any = SimpleNamespace(site=site, memory={"totp": secret})
    assert accounts._code(person) == "287082"
