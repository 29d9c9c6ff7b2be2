"""Games begun without a network come to the site once, and what browsers keep is complete."""

import json
import random
import re
import uuid

import pytest
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.test import Client

from antipodes.games.registry import game_ids, make_game
from antipodes.puzzles.play import judge
from antipodes.puzzles.store import all_puzzles
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import EventRow, MatchRow
from antipodes.web.matches.page_moves import module_file
from antipodes.web.offline import games
from antipodes.web.platform import static_files
from tests.web.file_client import FileClient

pytestmark = pytest.mark.django_db


def game_of(game_id="hex", count=3, **changes):
    """Return a game as browsers send it, with random moves."""
    position, chance = make_game(game_id).initial(), random.Random(3)
    moves: list[int] = []
    while len(moves) < count and position.outcome is None:
        moves.append(int(chance.choice(position.legal_moves)))
        position = position.play(moves[-1])
    game = {"key": str(uuid.uuid4()), "game": game_id, "level": 1, "seat": 0, "moves": moves}
    return game | changes


def send(client, game):
    return client.post("/offline/games", {"sent": json.dumps(game)})


def brought(client, game):
    answer = send(client, game)
    assert answer.status_code == 200, answer.content.decode()
    return MatchRow.objects.get(slug=answer.json()["url"].split("/")[2])


@pytest.mark.parametrize("game_id", game_ids())
def test_a_game_comes_to_a_guest_with_the_source_of_each_move(client, game_id):
    game = game_of(game_id, 6, seat=1)
    row = brought(client, game)
    match = row.match()
    assert [made.move for made in match.moves] == game["moves"]
    assert [made.source for made in match.moves] == [
        "hand" if made.seat == 1 else "device" for made in match.moves
    ]
    assert not row.rated
    assert [seat.user.computer for seat in row.seats.select_related("user")] == ["computer:1", ""]


def test_a_finished_game_is_over_at_the_site(client):
    row = brought(client, game_of(count=200))
    assert row.ended_at is not None
    assert row.reason == "connection"


def test_a_game_that_is_sent_twice_comes_once(client):
    game = game_of(count=7)
    first, second = brought(client, game), brought(client, game)
    assert first == second
    assert MatchRow.objects.count() == 1
    assert EventRow.objects.count() == 7


def test_a_game_that_has_gone_on_gets_the_moves_that_are_missing(client):
    game = game_of(count=8)
    brought(client, game | {"moves": game["moves"][:3]})
    row = brought(client, game)
    brought(client, game | {"moves": game["moves"][:5]})
    assert [made.move for made in row.match().moves] == game["moves"]


def test_a_match_that_went_on_with_other_moves_stays_as_it_is(client):
    game = game_of(count=4)
    row = brought(client, game)
    answer = send(client, game | {"moves": [*game["moves"][:3], game["moves"][3] ^ 1, 9]})
    assert answer.status_code == 400
    assert answer.json()["code"] in {"match/other-moves", "move/occupied"}
    row.refresh_from_db()
    assert [made.move for made in row.match().moves] == game["moves"]


def test_a_guest_whose_answer_was_lost_is_signed_in_by_the_next_one(client):
    game = game_of()
    row = brought(client, game)
    again = Client()  # without the cookie of the first answer
    assert brought(again, game) == row
    assert again.get("/m/" + row.slug + "/match.json").json()["own"] == [0]
    assert User.objects.filter(is_guest=True).count() == 1


def test_a_game_that_a_visitor_sends_twice_at_once_has_one_guest(client, monkeypatch):
    game, late = game_of(), Client()
    store = games._store

    def store_late(user, begun):
        """Store after a request that began later."""
        monkeypatch.setattr(games, "_store", store)
        brought(late, game)
        store(user, begun)

    monkeypatch.setattr(games, "_store", store_late)
    row = brought(client, game)
    for browser in (client, late):
        assert browser.get(f"/m/{row.slug}/match.json").json()["own"] == [0]


def test_a_game_of_a_guest_comes_to_the_account_that_sends_it_again(client, ann):
    game = game_of()
    row = brought(client, game)
    client.force_login(ann)
    assert brought(client, game) == row
    assert row.seats.filter(user=ann).exists()


def test_a_game_of_an_account_comes_to_no_other(client, ann, bob):
    game = game_of()
    client.force_login(ann)
    brought(client, game)
    client.force_login(bob)
    assert send(client, game).json()["code"] == "offline/not-yours"
    assert send(Client(), game).json()["code"] == "offline/not-yours"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"moves": [5, 5]}, "f1 is not legal"),
        ({"moves": [5, 700]}, "move 700 is not legal"),
        ({"moves": []}, "a game of 0 moves cannot be taken"),
        ({"seat": 3}, "there is no seat 3"),
        ({"game": "chess"}, "chess"),
        ({"key": "short"}, "short"),
        ({"moves": [5, "a1"]}, "a1"),
        ({"rated": True}, "rated"),
    ],
    ids=str,
)
def test_a_game_that_cannot_be_taken_is_refused_and_shown(client, changes, told):
    answer = send(client, game_of() | changes)
    assert answer.status_code == 400
    assert told in answer.json()["message"]
    assert not MatchRow.objects.exists()
    assert not User.objects.filter(is_guest=True).exists()


def test_a_level_that_does_not_play_in_pages_is_refused(client, monkeypatch):
    monkeypatch.setattr(games, "plays_on_device", lambda _game, level: level.number < 9)
    answer = send(client, game_of(level=9))
    assert answer.json()["code"] == "offline/level"
    assert "level 9 of hex does not play in pages" in answer.json()["message"]


def test_a_game_has_a_limited_number_of_moves(client, monkeypatch):
    monkeypatch.setenv("LIMIT_OFFLINE_MOVES", "3")
    assert send(client, game_of(count=3)).status_code == 200
    refused = send(client, game_of(count=4))
    assert "1 to 3 are allowed" in refused.json()["message"]


def test_games_begun_without_a_network_are_rate_limited(client, monkeypatch):
    monkeypatch.setenv("LIMIT_OFFLINE_GAMES", "2/hour")
    sent = [game_of() for _ in range(3)]
    assert [send(client, game).status_code for game in sent] == [200, 200, 429]
    assert send(client, sent[0]).status_code == 200  # a game that has come costs nothing


@pytest.mark.parametrize("sent", ["", "{", "[]", "null", '{"key": {}}'])
def test_what_is_no_game_is_refused(client, sent):
    answer = client.post("/offline/games", {"sent": sent})
    assert answer.status_code == 400
    assert answer.json()["message"]


@pytest.mark.skipif(module_file("placement") is None, reason="make setup builds the engine")
def test_everything_that_browsers_keep_can_be_loaded(client):
    kept = client.get("/offline/kept.json").json()
    assert {game["game"] for game in kept["games"]} == set(game_ids())
    for game in kept["games"]:
        assert list(game["levels"]) == [str(number) for number in range(1, 10)]
        kits = {level["engine"]["kit"] for level in game["levels"].values()}
        assert kits < set(kept["files"])
        assert len(kits) == (2 if game["game"] == "hex" else 1)  # one with the network
    assert len(kept["files"]) == len(set(kept["files"]))
    for url in kept["files"]:
        if url.startswith("/static/"):
            assert finders.find(static_files.path_of(url)), url
        else:
            assert client.get(url).status_code == 200, url
    assert 100_000 < kept["size"] < 1_000_000


def test_kept_answers_are_those_of_the_referee(client):
    puzzles = {puzzle.id: puzzle for puzzle in all_puzzles()}
    for kept in client.get("/offline/kept.json").json()["puzzles"]:
        puzzle = puzzles[kept["start"]["id"]]
        assert len(kept["answers"]) == puzzle.length
        [(_, first), *_] = kept["answers"].items()
        judged = judge(puzzle, puzzle.line[:1])
        assert judged.right
        assert (first["verdict"] == "solved") == (puzzle.length == 1)


def test_the_service_worker_names_the_release(client):
    version = client.get("/offline/kept.json").json()["version"]
    text = client.get("/service_worker.js").content.decode()
    assert f'const VERSION = "{version}";' in text
    assert "RELEASE" not in text


def test_kept_data_are_in_the_readers_language(client):
    kept = client.get("/offline/kept.json", headers={"Accept-Language": "de"}).json()
    assert static("antipodes/languages/de.js") in kept["files"]
    assert any("gewinnt" in result for result in kept["games"][0]["results"].values())


def test_the_service_worker_may_serve_the_whole_site(client):
    answer = client.get("/service_worker.js")
    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"
    kept = re.findall(r'"([\w-]+\.(?:css|svg))"', answer.content.decode())
    assert len(kept) > 3
    assert all(FileClient().head(f"/static/antipodes/{name}").status_code == 200 for name in kept)
