"""The home page and the lists of the lobby; viewing pages creates no rows."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from antipodes.clocks import DAY, MINUTE, read_control
from antipodes.games.registry import game_ids, make_game
from antipodes.match import Play, Resign, Terms
from antipodes.search.levels import levels
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent, request_game
from antipodes.web.lobby.selectors import live_matches, lobby_lists
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matchmaking.services import seek
from antipodes.web.platform import heartbeats
from antipodes.web.platform.clock import now
from antipodes.web.platform.models import ProcessKind
from antipodes.web.relations import services
from tests.thorough import sample
from tests.web.tournaments.conftest import event_of

pytestmark = pytest.mark.django_db

GAMES = sample(game_ids(), 2)
PAGES = [
    "/",
    "/lobby/",
    "/lobby/now/",
    "/rules/",
    "/tv/",
    "/robots.txt",
    "/accounts/login/",
    *(f"/{page}/{game_id}/" for page in ("rules", "new", "analysis") for game_id in GAMES),
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
    shown = {"board": board, "turn": position["toMove"]}
    shown |= {name: position[name] for name in ("pieces", "legal")}
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


def test_the_home_page_shows_the_games_in_progress_of_followed_players(client, ann, cy, row):
    client.force_login(cy)
    assert row.slug not in client.get("/").content.decode()
    services.follow(cy, ann)
    assert f"/m/{row.slug}/" in client.get("/").content.decode()
    MatchRow.objects.filter(pk=row.pk).update(is_private=True)
    assert row.slug not in client.get("/").content.decode()


def test_the_home_page_of_regulars_has_what_waits_for_them_and_no_first_board(client, ann, bob):
    client.force_login(ann)
    assert 'id="first-board"' in client.get("/").text, "a new account sees the board"
    waiting = match_of(ann, bob, moves=1)
    to_move = match_of(ann, bob, moves=2)
    invited = request_game(
        bob, GameRequest(game=make_game("hex"), opponent=Opponent.PEOPLE, people=(ann,))
    )
    event = event_of(ann, title="My cup")
    client.cookies["pairing"] = "game=antipode&board=standard&control=5m%2B5s"
    page = client.get("/").text
    assert 'id="first-board"' not in page
    places = [page.index(f'href="/m/{row.slug}/"') for row in (to_move, waiting)]
    assert places == sorted(places), "my turn comes first"
    assert f"/c/{invited.slug}/" in page
    assert reverse("tournament", args=[event.slug]) in page
    assert '<option value="antipode" selected>' in page
    assert "Puzzle of the day" in page


@pytest.mark.parametrize(("loser", "level"), [(0, 1), (1, 2)])
def test_guests_who_have_played_are_offered_the_level_that_follows(client, loser, level):
    assert "Play again" not in client.get("/").text
    client.post("/play/antipod/", {"level": "1", "option-side": "4", "option-first": "black"})
    row = MatchRow.objects.get()
    assert "Play again" not in client.get("/").text
    carry_out(row.slug, Resign(seat=loser, ply=0, key="resigned"))
    page = client.get("/")
    assert f"Play again, level {level}" in page.text
    assert page.context["first_level"] == str(level)
    assert 'id="first-board"' in page.text


def test_the_kept_form_of_a_seek_has_the_values_of_its_own_visitor(client, ann):
    def shown(browser):
        page = browser.get("/lobby/").content.decode()
        form = page[page.index('id="quick"') : page.index("Filter challenges")]
        return 'value="hex" selected' in form, " disabled" in form

    other = Client()
    other.force_login(ann, "django.contrib.auth.backends.ModelBackend")
    other.cookies["pairing"] = "game=hex"
    assert shown(client) == shown(client) == (False, True)
    assert shown(other) == shown(other) == (True, False)


def test_the_lobby_counts_who_is_online_and_names_friends_who_follow_back(ann, bob, cy, client):
    services.follow(ann, bob)
    services.follow(ann, cy)
    services.follow(cy, ann)
    online = {ann.pk, bob.pk, cy.pk}
    heartbeats.ProcessHeartbeat(ProcessKind.WEB, list_online=lambda: online)._note()
    lists = lobby_lists(ann)
    assert (lists.online, lists.friends) == (3, [cy])
    assert "3 players online" in client.get("/lobby/").text
    assert lobby_lists(None).friends == []


def test_the_lobby_shows_the_events_that_start_within_a_week(ann):
    soon = event_of(ann, title="Soon", starts_at=now() + DAY)
    event_of(ann, title="Later", starts_at=now() + 8 * DAY)
    event_of(ann, title="Some day", starts_at=None)
    assert lobby_lists(ann).events == [soon]


def match_of(*users, moves=0, control="5m+5s", game_id="hex"):
    """Begin a match, and make its first moves."""
    players = tuple(str(user.pk) for user in users)
    game = make_game(game_id)
    terms = Terms(game=game, players=players, control=read_control(control))
    row = begin_match(terms, users)
    for ply in range(moves):
        carry_out(row.slug, Play(seat=ply % 2, ply=ply, key=f"{row.slug} {ply}", move=ply))
    return row


def slugs_of(lists):
    """Return the slugs in each list of the lobby."""
    return {
        name: [line.row.slug for line in getattr(lines, "lines", lines)]
        for name, lines in vars(lists).items()
        if name not in {"online", "friends", "events"}
    }


def test_each_match_and_challenge_is_in_its_list_of_the_lobby(ann, bob, cy, dee):
    game = make_game("hex")
    own = request_game(ann, GameRequest(game=game, opponent=Opponent.ANYBODY))
    invited = request_game(bob, GameRequest(game=game, opponent=Opponent.PEOPLE, people=(ann,)))
    found = seek(ann, game_id="hex", board="small", control="10m+5s", rated=False)
    others = match_of(cy, dee, moves=1)
    to_move, to_wait = match_of(ann, bob, moves=2), match_of(ann, bob, moves=1)
    finished = match_of(ann, bob, moves=2)
    carry_out(finished.slug, Resign(seat=0, ply=2, key="resigned"))
    assert slugs_of(lobby_lists(ann)) == {
        "my_turn": [to_move.slug],
        "waiting": [to_wait.slug],
        "invitations": [invited.slug],
        "own_challenges": [own.slug],
        "open_challenges": [],
        "seeks": [found.slug],
        "open_seeks": [],
        "live": [others.slug],
        "finished": [finished.slug],
    }
    assert slugs_of(lobby_lists(None)) == {
        "my_turn": [],
        "waiting": [],
        "invitations": [],
        "own_challenges": [],
        "open_challenges": [own.slug],
        "seeks": [],
        "open_seeks": [found.slug],
        "live": [to_wait.slug, to_move.slug, others.slug],
        "finished": [],
    }


def test_live_matches_have_moved_within_a_quarter_of_an_hour(people, clocks):
    begun, slow = match_of(*people[:2]), match_of(*people[:2], moves=1, control="3d/move+10d")
    old, recent = match_of(*people[:2], moves=1), match_of(*people[:2], moves=1)
    other = match_of(*people[:2], moves=1, game_id="cylindrical-hex")
    assert live_matches(None, 9) == [other, recent, old]
    assert live_matches(None, 9, "hex") == [recent, old]
    assert live_matches(None, 1) == [other]
    assert live_matches(people[0], 9) == []
    MatchRow.objects.filter(pk=old.pk).update(changed_at=now() - 15 * MINUTE)
    MatchRow.objects.filter(pk=recent.pk).update(changed_at=now() - 15 * MINUTE + 1)
    assert live_matches(people[2], 9, "hex") == [recent]
    assert {begun.pk, slow.pk} <= set(MatchRow.objects.values_list("pk", flat=True))


def test_matches_between_people_are_live_before_those_with_the_computer(client, people):
    between = match_of(*people[:2], moves=1)
    client.post("/play/hex/", {"level": "1", "move": "1"})
    MatchRow.objects.exclude(pk=between.pk).update(control="5m+5s")
    with_computer = MatchRow.objects.exclude(pk=between.pk).get()
    assert slugs_of(lobby_lists(None))["live"] == [between.slug, with_computer.slug]


@pytest.mark.parametrize("is_private", [False, True])
def test_a_small_image_of_a_version_is_kept_forever(client, people, is_private):
    row = match_of(*people[:2])
    MatchRow.objects.update(is_private=is_private)
    client.force_login(people[0])
    address = f"/m/{row.slug}/small.svg"
    named, other = (client.get(address, {"v": version}) for version in ("0", "1"))
    who = "private" if is_private else "public"
    assert named.headers["Cache-Control"] == f"{who}, max-age=31536000, immutable"
    assert other.headers["Cache-Control"] == "no-cache"
    assert b"<svg" in named.content
    assert b"<text" not in named.content
    assert b"<text" in client.get(f"/m/{row.slug}/board.svg").content


def test_search_engines_leave_out_accounts_and_new_games(client):
    lines = ["User-agent: *", "Disallow: /accounts/", "Disallow: /c/", "Disallow: /new/", ""]
    assert client.get("/robots.txt").content.decode().split("\n") == lines
