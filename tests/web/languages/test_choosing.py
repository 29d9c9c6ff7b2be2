"""Tests of the language of pages and mails: chosen by browser, user and account."""

import re
from collections import Counter

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from antipodes.games.registry import game_ids
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
def test_the_language_is_that_of_the_browser(client, accepted, shown):
    response = client.get("/lobby/", HTTP_ACCEPT_LANGUAGE=accepted)
    assert f'<html lang="{shown}"' in response.content.decode()
    assert response.headers["Content-Language"] == shown


def test_a_choice_overrides_the_language_of_the_browser(client):
    response = client.post("/language", {"language": "fr", "next": "/rules/"}, **GERMAN)
    assert response.headers["Location"] == "/rules/"
    assert 'lang="fr"' in html_tag(client, **GERMAN)


def test_an_unknown_language_is_not_found_and_changes_nothing(client):
    assert client.post("/language", {"language": "tlh"}).status_code == 404
    assert 'lang="en-gb"' in html_tag(client)


def test_choosing_a_language_does_not_redirect_to_other_sites(client):
    response = client.post("/language", {"language": "de", "next": "//evil.example/"})
    assert response.headers["Location"] == "/"


def test_a_language_is_not_chosen_by_get(client):
    assert client.get("/language?language=de").status_code == 405


def test_an_account_has_its_language_in_other_browsers(client, ann):
    client.force_login(ann)
    client.post("/language", {"language": "de"})
    other = Client()
    other.post("/accounts/login/", {"login": "ann", "password": "a good secret 7"})
    assert 'lang="de"' in html_tag(other, HTTP_ACCEPT_LANGUAGE="fr")


def test_mails_are_in_the_latest_language_of_the_browser(client, ann):
    assert languages.language_of(ann) == "en-gb"
    client.post("/accounts/login/", {"login": "ann", "password": "a good secret 7"}, **GERMAN)
    assert languages.language_of(ann) == "de"


def test_a_language_that_was_removed_becomes_english(ann):
    LanguageRow.objects.create(user=ann, code="eo", is_chosen=True)
    assert languages.language_of(ann) == "en-gb"


def test_guests_have_their_choice_in_the_cookie_only(client):
    client.post("/play/hex/")
    client.post("/language", {"language": "de"})
    assert 'lang="de"' in html_tag(client)
    assert not LanguageRow.objects.exists()


def test_pages_vary_by_language_and_pictures_do_not(client):
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
def test_a_socket_has_the_language_of_its_browser(headers, code):
    scope = {"headers": list(headers.items())}
    assert languages.language_of_scope(scope) == code
    assert languages.language_of_scope({**scope, "query_string": b"language=tlh"}) == code


def test_a_socket_has_the_language_that_its_page_names():
    headers = [(b"accept-language", b"fr"), (b"cookie", b"language=en-gb")]
    for query in (b"language=de", b"moves=new&language=de"):
        scope = {"headers": headers, "query_string": query}
        assert languages.language_of_scope(scope) == "de"


_FORMS = ("/games/", "/tournaments/new/", *(f"/new/{one}/" for one in game_ids()))
_LABEL = re.compile(r"<label[^>]*>(?:<[^>]*>|\s)*([^<]+)")


@pytest.mark.parametrize("language", ["en-gb", "de", "fr"])
def test_no_form_has_two_fields_with_one_label(client, ann, language):
    client.force_login(ann)
    client.cookies["language"] = language
    for path in _FORMS:
        form = client.get(path).content.decode().split("<main", 1)[1].split("</main>")[0]
        labels = Counter(text.strip() for text in _LABEL.findall(form))
        assert [text for text, count in labels.items() if count > 1] == [], path
