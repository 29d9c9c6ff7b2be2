"""Languages: chosen by the browser, by hand, and by an account for all its browsers."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from antipodes.web.accounts import languages
from antipodes.web.accounts.models import LanguageRow

pytestmark = pytest.mark.django_db

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-AT,de;q=0.9,en;q=0.5"}


@pytest.fixture
def ann():
    return get_user_model().objects.create_user("ann", "ann@example.org", "a good secret 7")


def html_tag(client, **headers):
    return client.get("/lobby/", **headers).content.decode().split(">", 2)[1]


@pytest.mark.parametrize(
    ("accepted", "shown"),
    [("de-AT,de;q=0.9", "de"), ("fr", "fr"), ("en-US", "en-gb"), ("ja", "en-gb"), ("", "en-gb")],
)
def test_a_browser_says_what_its_owner_reads(client, accepted, shown):
    answer = client.get("/lobby/", HTTP_ACCEPT_LANGUAGE=accepted)
    assert f'<html lang="{shown}"' in answer.content.decode()
    assert answer.headers["Content-Language"] == shown


def test_a_choice_goes_before_what_the_browser_says(client):
    answer = client.post("/language", {"language": "fr", "next": "/rules/"}, **GERMAN)
    assert answer.headers["Location"] == "/rules/"
    assert 'lang="fr"' in html_tag(client, **GERMAN)


def test_an_unknown_language_is_not_found_and_changes_nothing(client):
    assert client.post("/language", {"language": "tlh"}).status_code == 404
    assert 'lang="en-gb"' in html_tag(client)


def test_nobody_is_led_to_another_site(client):
    answer = client.post("/language", {"language": "de", "next": "//evil.example/"})
    assert answer.headers["Location"] == "/"


def test_a_language_is_not_chosen_by_looking(client):
    assert client.get("/language?language=de").status_code == 405


def test_an_account_finds_its_language_in_its_next_browser(client, ann):
    client.force_login(ann)
    client.post("/language", {"language": "de"})
    other = Client()
    other.post("/accounts/login/", {"login": "ann", "password": "a good secret 7"})
    assert 'lang="de"' in html_tag(other, HTTP_ACCEPT_LANGUAGE="fr")


def test_mails_are_in_the_language_that_the_browser_asked_for_last(client, ann):
    assert languages.language_of(ann) == "en-gb"
    client.post("/accounts/login/", {"login": "ann", "password": "a good secret 7"}, **GERMAN)
    assert languages.language_of(ann) == "de"


def test_a_language_that_the_site_speaks_no_more_is_english(ann):
    LanguageRow.objects.create(user=ann, code="eo", is_chosen=True)
    assert languages.language_of(ann) == "en-gb"


def test_guests_have_their_choice_in_the_cookie_alone(client):
    client.post("/play/hex/")
    client.post("/language", {"language": "de"})
    assert 'lang="de"' in html_tag(client)
    assert not LanguageRow.objects.exists()


def test_caches_learn_that_pages_differ_and_pictures_do_not(client):
    page = client.get("/lobby/").headers["Vary"]
    assert "Accept-Language" in page
    assert "Cookie" in page
    assert "Accept-Language" not in client.get("/rules/hex.svg").headers.get("Vary", "")


def test_each_language_is_named_in_itself(client):
    page = client.get("/lobby/", HTTP_ACCEPT_LANGUAGE="fr").content.decode()
    for code, name in (("en-gb", "English"), ("de", "Deutsch"), ("fr", "Français")):
        assert f'value="{code}" lang="{code}"' in page
        assert f">{name}</button>" in page


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "en-gb"),
        ({b"accept-language": b"fr-CA"}, "fr"),
        ({b"accept-language": b"fr", b"cookie": b"a=b; language=de"}, "de"),
        ({b"accept-language": b"fr", b"cookie": b'\xff"broken'}, "fr"),
    ],
)
def test_a_socket_speaks_as_the_page_that_opened_it(headers, code):
    assert languages.language_of_scope({"headers": list(headers.items())}) == code
