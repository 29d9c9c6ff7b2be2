"""The stored language of an account, and of the browsers in which its owner signs in."""

import pytest
from django.conf import settings as site_settings
from django.http import HttpResponse
from django.utils import translation

from antipodes.errors import InputError
from antipodes.web.accounts import languages
from antipodes.web.accounts.models import LanguageRow

pytestmark = pytest.mark.django_db

COOKIE = site_settings.LANGUAGE_COOKIE_NAME


@pytest.fixture
def ann(people):
    return people[0]


def sign_in(rf, user, browser="en-gb", cookie=""):
    """Return the language that a browser has after a user has signed in; ``None`` for as before."""
    request, response = rf.get("/"), HttpResponse()
    if cookie:
        request.COOKIES[COOKIE] = cookie
    with translation.override(browser):
        languages.keep_on_sign_in(request, user)
    languages.set_wanted_cookie(request, response)
    return response.cookies[COOKIE].value if COOKIE in response.cookies else None


def stored(user):
    return LanguageRow.objects.values_list("code", "is_chosen").get(user=user)


def test_an_account_has_the_language_of_its_last_browser_until_its_owner_chooses_one(rf, ann):
    assert languages.language_of(ann) == "en-gb"
    for browser in ("de", "fr"):
        assert sign_in(rf, ann, browser) is None
        assert stored(ann) == (browser, False)
        assert languages.language_of(ann) == browser
    assert sign_in(rf, ann, "de", cookie="de") is None
    assert stored(ann) == ("de", True)
    assert sign_in(rf, ann, "fr", cookie="fr") == "de"
    assert stored(ann) == ("de", True)


def test_a_chosen_language_that_the_site_no_longer_has_is_replaced(rf, ann):
    LanguageRow.objects.create(user=ann, code="eo", is_chosen=True)
    assert sign_in(rf, ann, "fr") is None
    assert stored(ann) == ("fr", False)


def test_a_choice_is_stored_in_the_browser_and_with_the_account(rf, ann):
    request, response = rf.get("/"), HttpResponse()
    request.user = ann
    languages.choose(request, response, "de")
    assert response.cookies[COOKIE].value == "de"
    assert stored(ann) == ("de", True)
    with pytest.raises(InputError) as caught:
        languages.choose(request, response, "x" * 30)
    assert caught.value.code == "language/unknown"
    assert caught.value.faults[0].message == (
        f"the site has no language {'x' * 20!r}; it has en-gb, de, fr"
    )
    assert stored(ann) == ("de", True)


def test_a_choice_of_a_guest_is_stored_in_the_browser_only(rf, ann):
    request, response = rf.get("/"), HttpResponse()
    ann.is_guest = True
    request.user = ann
    languages.choose(request, response, "de")
    assert response.cookies[COOKIE].value == "de"
    assert not LanguageRow.objects.exists()
