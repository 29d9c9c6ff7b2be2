"""Redirects after a form."""

import pytest
from django.test import RequestFactory

from antipodes.web.accounts.redirects import return_url


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("/lobby/?speed=blitz", "/lobby/?speed=blitz"),
        ("", "/following/"),
        ("https://evil.example/", "/following/"),
        ("//evil.example/", "/following/"),
        ("/\\evil.example/", "/following/"),
        ("javascript:alert(1)", "/following/"),
        ("lobby/", "/following/"),
        ("https://testserver/lobby/", "/following/"),
    ],
)
def test_redirects_stay_on_this_site(given, expected):
    request = RequestFactory().post("/", {"next": given})
    assert return_url(request, "/following/") == expected
