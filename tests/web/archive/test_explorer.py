"""The opening explorer: how games went on after the first moves, whatever their orientation."""

import pytest

from antipodes.games.registry import make_game
from antipodes.lab.atlas import shipped_atlases
from antipodes.web.archive.explorer import explore
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
