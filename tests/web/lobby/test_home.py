"""The home page: a newcomer plays at once, and looking alone creates no rows."""

import pytest

from antipodes.games.registry import game_ids, make_game
from antipodes.search.levels import levels
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow

pytestmark = pytest.mark.django_db

LOOKED_AT = [
    "/",
    "/lobby/",
    "/lobby/now/",
    "/rules/",
    "/robots.txt",
    "/accounts/login/",
    *(f"/{page}/{game_id}/" for page in ("rules", "new", "analysis") for game_id in game_ids()),
]


@pytest.mark.parametrize("address", LOOKED_AT)
def test_looking_at_pages_creates_no_users_or_matches(client, address):
    assert client.get(address).status_code == 200
    assert not User.objects.exists()
    assert not MatchRow.objects.exists()
    assert "sessionid" not in client.cookies


@pytest.mark.parametrize("address", ["/play/hex/", "/c/x/join", "/c/x/cancel", "/theme"])
def test_actions_require_post(client, address):
    assert client.get(address).status_code == 405


def test_the_first_move_begins_a_match(client):
    fields = {"option-side": "4", "option-first": "black", "level": "2", "move": "1"}
    answer = client.post("/play/antipod/", fields)
    row = MatchRow.objects.get()
    assert answer.headers["Location"] == f"/m/{row.slug}/"
    assert row.options == {"side": 4, "first": "black"}
    assert [made.move for made in row.match().moves] == [1]
    guest, robot = (seat.user for seat in row.seats.all())
    assert guest.is_guest
    assert robot.computer == "computer:2"
    assert guest.pk == int(client.session["_auth_user_id"])


@pytest.mark.parametrize("move", ["", "9999", "-1", "e4", "٣"])
def test_an_invalid_first_move_starts_the_match_without_it(client, move):
    client.post("/play/hex/", {"move": move})
    assert MatchRow.objects.get().match().ply == 0


@pytest.mark.parametrize(
    "fields", [{"level": "42"}, {"option-size": "1000"}, {"option-colour": "red"}]
)
def test_invalid_options_start_no_match(client, fields):
    answer = client.post("/play/hex/", fields)
    assert answer.status_code == 400
    assert b"That is not possible" in answer.content
    assert not MatchRow.objects.exists()


def test_the_board_of_the_first_page_is_the_one_that_is_played(client):
    context = client.get("/").context
    game = make_game(context["first_game"], context["first_options"])
    position = client.get(f"/positions.json?game={game.id}&side=4&first=black").json()
    assert position["board"] == context["first_board"]
    assert len(position["legal"]) == len(list(game.initial().legal_moves))


def test_every_game_can_be_played_at_every_level_from_the_first_page(client):
    text = client.get("/").content.decode()
    for game_id in game_ids():
        assert f'action="/play/{game_id}/"' in text
    for level in levels():
        assert text.count(level.description) == len(game_ids()) + 1


def test_a_second_match_is_the_same_guests(client):
    client.post("/play/hex/")
    client.post("/play/hex/")
    assert User.objects.filter(is_guest=True).count() == 1
    assert len(client.get("/").context["own"]) == 2


def test_the_theme_is_kept_and_leads_back(client):
    answer = client.post("/theme", {"theme": "dark", "next": "/rules/"})
    assert answer.headers["Location"] == "/rules/"
    assert b'data-theme="dark"' in client.get("/").content
    assert client.post("/theme", {"theme": "pink"}).status_code == 404
    away = client.post("/theme", {"theme": "light", "next": "//evil.example/"})
    assert away.headers["Location"] == "/"


def test_no_challenge_is_made_by_the_form_alone(client):
    assert client.get("/new/hex/?opponent=anybody").status_code == 200
    assert not ChallengeRow.objects.exists()
