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


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/accounts/",
        "/accounts/data.json",
        "/accounts/delete/",
        "/accounts/notices/",
        "/accounts/away/",
        "/accounts/profile/",
        "/accounts/limits/",
        "/accounts/tokens/",
        "/accounts/tokens/new/",
        "/accounts/mail/token/",
        "/following/",
    ],
)
def test_signing_in_leads_back_to_the_page_that_asks_for_it(client, path):
    response = client.get(path)
    assert response.status_code == 302
    assert response.url == f"/accounts/login/?next={path}"
