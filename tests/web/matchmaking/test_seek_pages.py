"""Pages of seeks: the form, and the page that waits for an opponent."""

import re

import pytest
from django.test import Client

from antipodes.clocks import DAY
from antipodes.errors import InputError
from antipodes.search.levels import Level, levels
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matchmaking import services, views
from antipodes.web.matchmaking.forms import COOKIE, SeekForm
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.platform.clock import now
from tests.raising import raising
from tests.web.matchmaking.seeks import CORRESPONDENCE, seek

pytestmark = pytest.mark.django_db

BACKEND = "django.contrib.auth.backends.ModelBackend"
FORM = {"game": "hex", "board": "small", "control": "5m+5s"}


def test_both_browsers_are_redirected_to_the_match(browsers):
    ann, bob, *_ = browsers
    waiting = ann.post("/pair/", FORM).headers["Location"]
    page = ann.get(waiting)
    assert b'http-equiv="refresh"' in page.content
    answer = ann.get(f"{waiting}now")
    assert ann.get(f"{waiting}now", {"v": answer.context["version"]}).status_code == 204
    match = bob.post("/pair/", FORM).headers["Location"]
    assert match == f"/m/{MatchRow.objects.get().slug}/"
    assert ann.get(waiting).headers["Location"] == match
    assert ann.get(f"{waiting}now").headers["HX-Redirect"] == match
    assert bob.get(waiting).status_code == 404


def test_a_seek_in_the_lobby_can_be_played(browsers):
    ann, bob, *_ = browsers
    waiting = ann.post("/pair/", FORM).headers["Location"]
    assert f"{waiting}play" not in ann.get("/lobby/").text, "one does not play oneself"
    assert f'action="{waiting}play"' in bob.get("/lobby/").text
    match = bob.post(f"{waiting}play").headers["Location"]
    assert ann.get(f"{waiting}now").headers["HX-Redirect"] == match
    answer = bob.post(f"{waiting}play")
    assert answer.status_code == 409
    assert "this search has ended" in answer.text
    assert f"{waiting}play" not in bob.get("/lobby/").text


def test_a_visitor_plays_a_casual_seek_as_a_guest_and_no_rated_one(client, browsers):
    waiting = browsers[0].post("/pair/", FORM).headers["Location"]
    rated = browsers[1].post("/pair/", {**FORM, "board": "large", "rated": "on"})
    page = client.get("/lobby/").text
    assert f"{waiting}play" in page
    assert f"{rated.headers['Location']}play" not in page
    assert "this game is rated; sign up to play it" in page
    assert client.post(f"{waiting}play").status_code == 302
    assert MatchRow.objects.get().seats.filter(user__is_guest=True).exists()


def test_forms_in_the_lists_of_the_lobby_are_accepted(ann):
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann, backend=BACKEND)
    row = seek(ann)
    first, again = client.get("/lobby/"), client.get("/lobby/now/")
    assert first.context["now"][1] == again.context["now"][1], "a token is no change"
    fields = re.findall('name="csrfmiddlewaretoken" value="([^"]+)"', again.text)
    answer = client.post(f"/pair/{row.slug}/stop", {"csrfmiddlewaretoken": fields[-1]})
    assert answer.status_code == 302
    assert not SeekRow.objects.exists()


def test_polling_the_page_keeps_a_seek_alive(browsers):
    waiting = browsers[0].post("/pair/", FORM).headers["Location"]
    SeekRow.objects.update(seen_at=now() - 5_000)
    browsers[0].get(f"{waiting}now")
    assert now() - SeekRow.objects.get().seen_at < 5_000
    SeekRow.objects.all().delete()
    assert b"This search has ended" in browsers[0].get(f"{waiting}now").content


def test_a_seek_of_a_new_visitor_creates_a_guest(client, browsers):
    client.post("/pair/", FORM)
    browsers[0].post("/pair/", FORM)
    assert any(seat.user.is_guest for seat in MatchRow.objects.get().seats.all())


def test_after_a_while_the_computer_is_offered_and_plays(browsers):
    waiting = browsers[0].post("/pair/", FORM).headers["Location"]
    assert b"Play the computer" not in browsers[0].get(waiting).content
    SeekRow.objects.update(entered_at=now() - 30_000)
    assert b"Play the computer" in browsers[0].get(waiting).content
    assert browsers[1].post(f"{waiting}computer").status_code == 404
    browsers[0].post(f"{waiting}computer")
    assert any(seat.user.is_computer for seat in MatchRow.objects.get().seats.all())
    assert not SeekRow.objects.exists()


def test_a_game_with_the_computer_that_is_refused_says_why(browsers, monkeypatch):
    waiting = browsers[0].post("/pair/", FORM).headers["Location"]
    monkeypatch.setattr(
        views,
        "request_game",
        raising(InputError.single("limits/too-many", "you play too many games")),
    )
    answer = browsers[0].post(f"{waiting}computer")
    assert answer.status_code == 409
    assert "you play too many games" in answer.text
    assert not MatchRow.objects.exists()


def test_where_levels_are_unrated_the_middle_one_is_offered(monkeypatch):
    monkeypatch.setattr(Level, "rating", lambda *_: None)
    assert services.level_for("hex", 1_000.0) == levels()[len(levels()) // 2]


@pytest.mark.parametrize(
    ("rating", "number"), [(0, 1), (1_000, 1), (1_112, 1), (1_113, 2), (2_078, 7), (9_999, 9)]
)
def test_the_level_closest_to_the_rating_is_offered(rating, number):
    assert services.level_for("hex", rating).number == number


@pytest.mark.parametrize(
    ("waited", "rating", "shown"),
    [
        (12_345, 1_500, ("10\xa0s", 1_200, 1_800, 2, False)),
        (19_999, 100, ("15\xa0s", 0, 450, 3, False)),
        (20_000, 1_500, ("20\xa0s", 1_100, 1_900, 4, True)),
    ],
)
def test_the_page_of_a_seek_shows_the_accepted_ratings(
    people, browsers, clocks, waited, rating, shown
):
    seek(people[0], control="3m+2s"), seek(people[1], board="large")
    SeekRow.objects.update(rating=rating, deviation=100)
    clocks.advance(waited)
    row = SeekRow.objects.get(user=people[0])
    context = browsers[0].get(f"/pair/{row.slug}/").context
    step = int(context["version"].partition(".")[0])
    limits = (context["lowest"], context["highest"])
    assert (context["waited"], *limits, step, context["is_long"]) == shown
    assert (context["rating"], context["others"]) == (rating, [])
    line = context["line"]
    assert (line.row, line.title, line.clock) == (
        row,
        "Hex · size 8",
        "3 minutes + 2 seconds a move",
    )


def test_a_correspondence_seek_does_not_offer_the_computer(people, browsers, clocks):
    row = seek(people[0], **CORRESPONDENCE)
    clocks.advance(DAY)
    assert browsers[0].get(f"/pair/{row.slug}/").context["is_long"] is False


@pytest.mark.parametrize("action", ["stop", "computer"])
def test_a_seek_that_was_paired_meanwhile_leads_to_its_match(people, browsers, action):
    row = seek(people[0])
    match = seek(people[1]).match
    assert browsers[0].post(f"/pair/{row.slug}/{action}").url == f"/m/{match.slug}/"
    assert MatchRow.objects.get() == match


def test_a_seek_that_is_refused_says_why(people, browsers, monkeypatch):
    monkeypatch.setattr(services, "MOST_SEEKS", 0)
    answer = browsers[0].post("/pair/", {**FORM, "control": "1d/move"})
    assert answer.status_code == 409
    assert "you have 0 searches; cancel one first" in answer.text


def test_the_form_lists_the_searches_of_its_user_and_offers_rated_games_to_accounts(
    people, browsers, client
):
    row = seek(people[0], **CORRESPONDENCE)
    context = browsers[0].get("/pair/").context
    assert [line.row for line in context["seeks"]] == [row]
    assert not context["form"].fields["rated"].disabled
    assert browsers[1].get("/pair/").context["seeks"] == []
    guest = User.objects.create(username="Guest 1", is_guest=True)
    for _ in range(2):
        context = client.get("/pair/").context
        assert context["seeks"] == []
        assert context["form"].fields["rated"].disabled
        client.force_login(guest, BACKEND)


@pytest.mark.parametrize(
    ("cookie", "values"),
    [
        ("", {"rated": False, "is_flexible": False}),
        ("game=chess&board=huge&control=unlimited", {"rated": False, "is_flexible": False}),
        (
            "game=hex&board=large&control=1d%2Fmove&rated=True&is_flexible=True",
            {
                "game": "hex",
                "board": "large",
                "control": "1d/move",
                "rated": True,
                "is_flexible": True,
            },
        ),
    ],
)
def test_only_valid_values_of_a_seek_are_remembered(cookie, values):
    assert SeekForm.remembered({COOKIE: cookie}) == values


def test_the_cookie_of_a_seek_names_what_was_chosen(browsers):
    browsers[0].post("/pair/", {**FORM, "rated": "on"})
    cookie = browsers[0].cookies[COOKIE].value
    assert cookie == "game=hex&board=small&control=5m%2B5s&rated=True"
    browsers[1].post("/pair/", FORM)
    assert browsers[1].cookies[COOKIE].value == "game=hex&board=small&control=5m%2B5s"


def test_the_form_is_remembered_and_the_lobby_lists_seeks(browsers):
    ann = browsers[0]
    ann.post("/pair/", {**FORM, "control": "1d/move"})
    lobby = ann.get("/lobby/")
    assert lobby.context["seek_form"].initial["control"] == "1d/move"
    assert "Your searches" in lobby.context["now"][0]
    stop = f"/pair/{SeekRow.objects.get().slug}/stop"
    browsers[1].post(stop)
    assert SeekRow.objects.exists()
    ann.post(stop)
    assert "Your searches" not in ann.get("/lobby/").context["now"][0]


@pytest.mark.parametrize("wrong", [{"game": "chess"}, {"control": "unlimited"}, {"board": ""}])
def test_an_invalid_form_shows_errors(browsers, wrong):
    assert browsers[0].post("/pair/", {**FORM, **wrong}).status_code == 400
    assert not SeekRow.objects.exists()


def test_a_game_with_one_board_ignores_the_chosen_board(browsers):
    browsers[0].post("/pair/", {**FORM, "game": "antipode", "board": "large"})
    assert SeekRow.objects.get().board == "standard"
