"""The API with the game of the page "Adding a game": options, matches and records."""

import random

import pytest

from antipodes.games.registry import game_ids
from antipodes.records import read_record
from antipodes.search.levels import levels
from antipodes.web.api.endpoints import games


@pytest.mark.django_db
def test_the_game_is_listed_with_its_options(ask, crater):
    assert "crater" in [game["id"] for game in ask("GET", "games").data]
    found = ask("GET", "games/crater").data
    assert found["summary"] == crater.summary
    assert [option["name"] for option in found["options"]] == ["side", "first"]


def test_a_whole_match_is_played_and_downloaded(client, ask, token, people, crater):
    tokens = [token(user) for user in people[:2]]
    wanted = {"game": "crater", "options": {"side": 3}, "seat": 0}
    slug = ask("POST", "challenges", tokens[0], wanted).data["challenge"]["slug"]
    match = ask("POST", f"challenges/{slug}/join", tokens[1], {}).data["match"]["slug"]
    rng, position, answer = random.Random(1), crater(side=3).initial(), None
    while position.outcome is None:
        move = rng.choice(list(position.legal_moves))
        body = {"text": position.format_move(move), "ply": position.ply}
        answer = ask("POST", f"matches/{match}/moves", tokens[position.seat_to_move], body)
        assert answer.status_code == 200
        position = position.play(move)
    assert answer is not None
    assert answer.data["result"]
    assert client.get(f"/m/{match}/").status_code == 200
    assert "<svg" in client.get(f"/m/{match}/board.svg").content.decode()
    for kind in ("json", "sgf"):
        record = read_record(client.get(f"/m/{match}/record.{kind}").content.decode())
        assert record.final_position() == position


def test_the_computer_answers(ask, token, work_off, crater):
    wanted = {
        "game": crater.id,
        "options": {"side": 3, "first": "black"},
        "opponent": "computer",
        "seat": 0,
    }
    match = ask("POST", "challenges", token(), wanted).data["match"]["slug"]
    assert ask("POST", f"matches/{match}/moves", token(), {"text": "a1"}).status_code == 200
    work_off()
    assert len(ask("GET", f"matches/{match}").data["moves"]) == 2


def test_levels_are_listed_with_their_measured_ratings(ask, db):
    assert ask("GET", "levels").data == [
        {
            "number": level.number,
            "name": level.name,
            "description": level.description,
            "ratings": {
                game_id: rating
                for game_id in game_ids()
                if (rating := level.rating(game_id)) is not None
            },
        }
        for level in levels()
    ]
    missing = ask("GET", "games/chess")
    assert (missing.status_code, missing.data["code"]) == (404, "api/not-found")


def test_of_many_values_of_an_option_only_the_ends_are_listed():
    most = games._MOST_LISTED
    assert games._ends(range(most)) == list(range(most))
    assert games._ends(range(most + 1)) == [0, most]
