"""The opening explorer: how games went on after the first moves, whatever their orientation."""

from datetime import UTC, datetime
from operator import itemgetter

import pytest

from antipodes.games.registry import make_game
from antipodes.lab.atlas import shipped_atlases
from antipodes.web.archive import explorer_views
from antipodes.web.archive.explorer_views import explore
from antipodes.web.archive.models import BucketRow, GameRow
from tests.web.archive.conftest import abort, resign

pytestmark = pytest.mark.django_db
SMALL = {"size": 3, "swap": "off"}


def moves_of(game, *texts):
    position, found = game.initial(), []
    for text in texts:
        found.append(int(position.parse_move(text)))
        position = position.play(found[-1])
    return found


def shown(found):
    return {one.text: (one.games, dict(one.wins)) for one in found.continuations}


def test_continuations_are_counted_with_their_winners(finish):
    finish(moves=["a2", "b2"], by=resign, **SMALL)
    finish(moves=["a2", "b2", "c1"], by=resign, **SMALL)
    finish(moves=["a2", "c1"], by=resign, **SMALL)
    game = make_game("hex", SMALL)
    assert shown(explore(game, [])) == {"a2": (3, {"white": 2, "black": 1})}
    found = explore(game, moves_of(game, "a2"))
    assert shown(found) == {
        "b2": (2, {"white": 1, "black": 1}),
        "c1": (1, {"white": 1}),
    }
    assert found.games == 3


def test_games_in_another_orientation_are_found_in_the_shown_one(finish):
    finish(moves=["a2", "c1"], by=resign, **SMALL)
    game = make_game("hex", SMALL)
    # Half a turn takes a2 to c2, and c1 to a3.
    assert shown(explore(game, moves_of(game, "c2"))) == {"a3": (1, {"white": 1})}


def test_moves_that_are_the_same_by_symmetry_are_one_with_all_cells(finish):
    finish(moves=["a2", "c1"], by=resign, **SMALL)
    [one] = explore(make_game("hex", SMALL), []).continuations
    assert len(one.cells) == len(one.moves) == 2


def test_private_and_aborted_games_are_not_counted(finish):
    finish(moves=["a2", "c1"], by=resign, is_private=True, **SMALL)
    finish(by=abort, **SMALL)
    assert explore(make_game("hex", SMALL), []).games == 0


@pytest.mark.parametrize("atlas", shipped_atlases(), ids=lambda one: f"{one.game}-{one.options}")
def test_first_moves_have_the_values_of_the_shipped_atlas(atlas):
    found = explore(atlas.make_game(), [])
    values = {one.value for one in found.continuations}
    assert values == {one.value for one in atlas.moves}
    assert len(found.continuations) == len(atlas.moves)


def test_the_explorer_answers_pages_and_refuses_what_it_cannot_read(client, finish):
    finish(moves=["a2", "c1"], by=resign, **SMALL)
    found = client.get("/explorer.json", {"game": "hex", **SMALL}).json()
    assert [one["text"] for one in found["moves"]] == ["a2"]
    assert [one["result"] for one in found["latest"]]
    page = client.get(found["search"])
    assert page.context["page"].count == 1
    assert client.get("/explorer.json", {"game": "hex", "moves": "0,x"}).status_code == 400
    assert client.get("/explorer.json", {"game": "hex", "moves": "0,0"}).status_code == 400
    assert client.get("/explorer.json", {"game": "chess"}).status_code == 400


def test_only_games_with_the_same_second_move_continue_a_line(finish):
    finish(moves=["a2", "b2", "c1"], by=resign, **SMALL)
    finish(moves=["a2", "c1", "b2"], by=resign, **SMALL)
    finish(moves=["b2", "c1", "a2"], by=resign, **SMALL)
    game = make_game("hex", SMALL)
    assert shown(explore(game, moves_of(game, "a2", "b2"))) == {"c1": (1, {"black": 1})}


def test_games_that_end_after_the_opening_have_no_next_move(finish):
    finish(moves=["a2"], by=resign, **SMALL)
    finish(moves=["a2", "b2"], by=resign, **SMALL)
    game = make_game("hex", SMALL)
    found = explore(game, moves_of(game, "a2"))
    assert shown(found) == {"b2": (1, {"white": 1})}
    assert explore(game, moves_of(game, "a2", "b2")).games == 0


def test_games_from_a_position_are_not_counted(finish):
    finish(moves=["a2", "c1"], by=resign, **SMALL)
    BucketRow.objects.update(from_position=True)
    game = make_game("hex", SMALL)
    assert explore(game, []).games == explore(game, moves_of(game, "a2")).games == 0


def test_drawn_games_are_won_by_no_colour(finish):
    finish(moves=["a2", "c1"], by=resign, **SMALL)
    BucketRow.objects.update(winner="")
    game = make_game("hex", SMALL)
    assert shown(explore(game, [])) == {"a2": (1, {})}
    assert shown(explore(game, moves_of(game, "a2"))) == {"c1": (1, {})}


@pytest.mark.parametrize(
    ("most", "texts", "is_sample"),
    [(1, {"b2"}, True), (2, {"b2", "c1"}, True), (3, {"b2", "c1"}, False)],
)
def test_after_a_move_only_the_latest_games_are_counted(
    finish, monkeypatch, most, texts, is_sample
):
    for moves in (["a2", "c1"], ["a2", "b2"]):
        row = finish(moves=moves, by=resign, **SMALL)
        GameRow.objects.filter(pk=row.pk).update(ended_at=len(moves) + row.pk)
    monkeypatch.setattr(explorer_views, "_MOST_READ", most)
    game = make_game("hex", SMALL)
    found = explore(game, moves_of(game, "a2"))
    assert (shown(found).keys(), found.games) == (texts, len(texts))
    assert found.is_sample is is_sample
    assert not explore(game, []).is_sample


def test_moves_are_ordered_by_games_then_by_value_then_by_number(finish):
    [atlas] = [one for one in shipped_atlases() if one.game == "hex"][:1]
    game = atlas.make_game()
    found = explore(game, []).continuations
    assert [one.games for one in found] == [0] * len(found)
    assert found == sorted(found, key=lambda one: (-(one.value or 0), one.moves))
    assert {one.is_fair for one in found} == {True, False}
    for one in found:
        assert one.value is not None
        assert one.is_fair is atlas.is_fair(one.value)


def test_the_whole_answer_of_the_explorer(client, finish):
    first = finish(moves=["a2", "c1"], by=resign, **SMALL)
    last = finish(moves=["a2", "b2", "c1"], by=resign, **SMALL)
    game = make_game("hex", SMALL)
    a2, b2, c1 = (int(game.initial().parse_move(text)) for text in ("a2", "b2", "c1"))
    found = client.get("/explorer.json", {"game": "hex", "moves": f"{a2}", **SMALL})
    assert found.headers["Cache-Control"] == "private, max-age=60"
    rest = {"same": 0, "games": 1, "value": None, "proven": None, "isFair": False}
    moves = [
        {"move": c1, "text": "c1", "cells": [c1], "wins": {"white": 1}, **rest},
        {"move": b2, "text": "b2", "cells": [b2], "wins": {"black": 1}, **rest},
    ]
    date = datetime.fromtimestamp((last.ended_at or 0) / 1000, UTC).date().isoformat()
    players = {"players": ["ann", "bob"], "date": date}
    assert found.json() == {
        "games": 2,
        "isSample": False,
        "moves": sorted(moves, key=itemgetter("move")),
        "colors": ["black", "white"],
        "latest": [
            {"address": f"/m/{last.slug}/", "result": "Black wins by resignation", **players},
            {"address": f"/m/{first.slug}/", "result": "White wins by resignation", **players},
        ],
        "search": "/games/?game=hex&options=size%3D3%2Cswap%3Doff&opening=a2",
    }
    start = client.get("/explorer.json", {"game": "hex", **SMALL}).json()["moves"]
    assert [one["same"] for one in start] == [1]


def test_an_opening_without_games_has_no_search(client, finish):
    finish(moves=["e6", "d4"], by=resign)
    found = client.get("/explorer.json", {"game": "hex"}).json()
    assert found["search"] == "/games/?game=hex&options=usual&opening="
    found = client.get("/explorer.json", {"game": "hex", **SMALL}).json()
    assert (found["games"], found["latest"], found["search"]) == (0, [], None)


@pytest.mark.parametrize(("count", "status"), [(8, 200), (9, 400)])
def test_an_opening_has_eight_moves_at_most(client, db, count, status):
    moves = ",".join(map(str, range(count)))
    answer = client.get(
        "/explorer.json", {"game": "hex", "size": 11, "swap": "off", "moves": moves}
    )
    assert answer.status_code == status
    if status == 400:
        assert "must be up to 8 numbers" in answer.json()["message"]
