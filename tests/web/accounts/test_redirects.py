"""A law of forms: they lead back to this site alone."""

import pytest
from django.test import RequestFactory

from antipodes.web.accounts.redirects import return_url


@pytest.mark.parametrize(
    ("given", "there"),
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
def test_a_form_leads_back_to_a_page_of_this_site(given, there):
    request = RequestFactory().post("/", {"next": given})
    assert return_url(request, "/following/") == there
