"""Parts of pages that are rendered once: what a visitor sees never depends on earlier visitors."""

import re
import runpy

import pytest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse

from antipodes.web.accounts.models import User
from antipodes.web.archive.models import GameRow
from antipodes.web.archive.selectors import GameLine
from antipodes.web.platform.templatetags import fragments
from antipodes.web.ratings.models import Unrated
from tests.web.archive.conftest import finisher, resign

pytestmark = pytest.mark.django_db

_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
_PATHS = ("/", "/games/", "/games/?game=hex", "/no-such-page/")


@pytest.fixture(autouse=True)
def _none_is_kept():
    fragments.forget()


def shown(source, **values):
    return Template("{% load fragments i18n %}" + source).render(Context(values))


class Counted:
    """A value that counts how often a template shows it."""

    def __init__(self):
        self.count = 0

    def __str__(self):
        self.count += 1
        return "text"


def test_a_fragment_is_rendered_once_for_equal_values():
    source = "{% fragment key %}{{ key }}: {{ value }}{% endfragment %}"
    value = Counted()
    for _ in range(3):
        assert shown(source, key=1, value=value) == "1: text"
    assert value.count == 1
    assert shown(source, key=2, value=value) == "2: text"
    assert value.count == 2


def test_a_fragment_has_the_csrf_token_of_each_visitor():
    source = "{% fragment %}<form>{% csrf_token %}</form>{% endfragment %}"
    for token in ("first", "second"):
        assert _TOKEN.findall(shown(source, csrf_token=token)) == [token]


def test_no_text_on_a_page_is_taken_for_a_csrf_token():
    source = "{% fragment text %}{{ text }}<form>{% csrf_token %}</form>{% endfragment %}"
    for text in ("csrf_token", "csrfmiddlewaretoken", "csrf-token-of-the-visitor"):
        assert shown(source, text=text, csrf_token="token").startswith(f"{text}<form>")
    # Each process has a placeholder of its own, which no page shows.
    assert fragments._PLACEHOLDER not in shown(source, text="text", csrf_token="token")
    other_process = runpy.run_path(fragments.__file__)
    assert other_process["_PLACEHOLDER"] != fragments._PLACEHOLDER


def clients(people):
    """Return a visitor, a guest, two accounts and a moderator, each with a browser."""
    guest = User.objects.create(username="Guest 7", is_guest=True)
    moderator = User.objects.create(username="mod", is_staff=True, is_superuser=True)
    users = (None, guest, *people[:2], moderator)
    for user in users:
        client = Client()
        if user is not None:
            client.force_login(user)
        yield client


def pages(client):
    """Return what a visitor sees of some pages in two languages and themes, without tokens."""
    seen = {}
    for path in _PATHS:
        for language, theme in (("en-gb", "dark"), ("de", "light")):
            client.cookies["language"], client.cookies["theme"] = language, theme
            page = client.get(path).content.decode()
            tokens = {token[-64:] for token in _TOKEN.findall(page)}
            assert len(tokens) <= 1, path
            assert fragments._PLACEHOLDER not in page, path
            seen[path, language] = _TOKEN.sub("", page)
    return seen


def test_what_visitors_see_does_not_depend_on_earlier_ones(people, settings):
    settings.SOURCE_URL = "https://example.org/source"
    finish = finisher(people)
    finish(moves=["a1"], by=resign, size=3, swap="off")
    private = finish(moves=["a1"], by=resign, size=3, swap="off", is_private=True)
    visitors = list(clients(people))
    with_earlier_ones = [pages(client) for client in visitors]
    for client, before in zip(visitors, with_earlier_ones, strict=True):
        fragments.forget()
        assert pages(client) == before
    assert private.slug not in with_earlier_ones[0]["/games/", "de"]
    assert private.slug in with_earlier_ones[2]["/games/", "de"]


def test_a_kept_line_of_a_game_follows_names_and_voidings(people, client):
    row = finisher(people)(moves=["a1"], by=resign, size=3, swap="off", rated=True)
    before = client.get(reverse("games")).content.decode()
    assert people[0].username in before
    people[0].username = "renamed"
    people[0].save()
    assert "renamed" in client.get(reverse("games")).content.decode()
    Unrated.objects.create(match=row, reason=Unrated.Reason.VOIDED)
    assert "rating voided" in client.get(reverse("games")).content.decode()
    assert "rating voided" not in before


def test_the_players_of_a_line_are_read_once(people, django_assert_num_queries):
    row = finisher(people)(moves=["a1"], by=resign, size=3, swap="off")
    line = GameLine(GameRow.objects.get(match=row))
    assert set(line.key) >= {user.name for user in people[:2]}
    with django_assert_num_queries(0):
        assert {player.user for player in line.players} == set(people[:2])
