"""The home page: new visitors can play at once, and viewing pages creates no rows."""

import json

import pytest

from antipodes.games.registry import game_ids, make_game
from antipodes.search.levels import levels
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.relations import services

pytestmark = pytest.mark.django_db

PAGES = [
    "/",
    "/lobby/",
    "/lobby/now/",
    "/rules/",
    "/tv/",
    "/robots.txt",
    "/accounts/login/",
    *(f"/{page}/{game_id}/" for page in ("rules", "new", "analysis") for game_id in game_ids()),
]


@pytest.mark.parametrize("address", PAGES)
def test_viewing_pages_creates_no_users_or_matches(client, address):
    assert client.get(address).status_code == 200
    assert not User.objects.exists()
    assert not MatchRow.objects.exists()
    assert "sessionid" not in client.cookies


@pytest.mark.parametrize("address", ["/play/hex/", "/c/x/join", "/c/x/cancel", "/theme"])
def test_actions_require_post(client, address):
    assert client.get(address).status_code == 405


def test_the_first_move_starts_a_match(client):
    fields = {"option-side": "4", "option-first": "black", "level": "2", "move": "1"}
    answer = client.post("/play/antipod/", fields)
    row = MatchRow.objects.get()
    assert answer.headers["Location"] == f"/m/{row.slug}/"
    assert row.options == {"side": 4, "first": "black"}
    assert [move.move for move in row.match().moves] == [1]
    guest, computer = (seat.user for seat in row.seats.all())
    assert guest.is_guest
    assert computer.computer == "computer:2"
    assert guest.pk == int(client.session["_auth_user_id"])


@pytest.mark.parametrize("move", ["", "9999", "-1", "e4", "٣", "9" * 5000])
def test_an_invalid_first_move_starts_the_match_without_it(client, move):
    client.post("/play/hex/", {"move": move})
    assert MatchRow.objects.get().match().ply == 0


@pytest.mark.parametrize(
    "fields", [{"level": "42"}, {"option-size": "1000"}, {"option-colour": "red"}]
)
def test_invalid_options_start_no_match(client, fields):
    answer = client.post("/play/hex/", fields)
    assert answer.status_code == 400
    assert b"Not possible" in answer.content
    assert not MatchRow.objects.exists()


def test_the_home_page_shows_the_board_that_is_played(client):
    context = client.get("/").context
    game = make_game(context["first_game"], context["first_options"])
    position = client.get(f"/positions.json?game={game.id}&side=4&first=black").json()
    board = client.get(position["board"]).json()
    shown = {"board": board, "pieces": position["pieces"], "legal": position["legal"]}
    assert json.loads(json.dumps(context["first_board"])) == shown
    assert len(shown["legal"]) == len(list(game.initial().legal_moves))


def test_the_home_page_offers_every_game_at_every_level(client):
    text = client.get("/").content.decode()
    for game_id in game_ids():
        assert f'action="/play/{game_id}/"' in text
    for level in levels():
        assert text.count(level.description) == len(game_ids()) + 1


def test_a_second_match_belongs_to_the_same_guest(client):
    client.post("/play/hex/")
    client.post("/play/hex/")
    assert User.objects.filter(is_guest=True).count() == 1
    assert len(client.get("/").context["own"]) == 2


def test_the_theme_is_stored_and_redirects_back(client):
    answer = client.post("/theme", {"theme": "dark", "next": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    assert b'data-theme="dark"' in client.get("/").content
    assert client.post("/theme", {"theme": "pink"}).status_code == 404
    external = client.post("/theme", {"theme": "light", "next": "//evil.example/"})
    assert external.headers["Location"] == "/"


def test_showing_the_form_creates_no_challenge(client):
    assert client.get("/new/hex/?opponent=anybody").status_code == 200
    assert not ChallengeRow.objects.exists()


def test_the_home_page_shows_the_games_in_progress_of_followed_players(client, people, begin):
    ann, _, cy, _ = people
    row = begin(size=3)
    client.force_login(cy)
    assert row.slug not in client.get("/").content.decode()
    services.follow(cy, ann)
    assert f"/m/{row.slug}/" in client.get("/").content.decode()
    MatchRow.objects.filter(pk=row.pk).update(is_private=True)
    assert row.slug not in client.get("/").content.decode()
