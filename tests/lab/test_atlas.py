"""Atlases of first moves."""

import json

import pytest

from antipodes.errors import InvalidOptionsError
from antipodes.games.registry import make_game
from antipodes.games.symmetry import cells_of, first_moves
from antipodes.lab import atlas
from antipodes.lab.atlas import FirstMove, Question, make_atlas, shipped_atlas
from antipodes.lab.atlas_maps import heat_map, swap_map
from antipodes.search import factory
from tests.cli.tools import run

QUICK = Question(visits=(20, 1000), games=1, player="random")


def test_first_moves_are_joined_by_symmetry():
    game = make_game("hex", {"size": 3})
    moves = first_moves(game)
    assert len(moves) == 5
    assert frozenset().union(*(cells_of(game, move) for move in moves)) == set(range(9))
    assert len(first_moves(make_game("antipod", {"side": 6}))) < 144 / 12


def test_first_moves_of_a_solved_board_are_proven():
    found = make_atlas(make_game("hex", {"size": 3, "swap": "pieces"}), QUICK)
    proven = {one.move: one.proven for one in found.moves}
    # Black joins top and bottom, and a stone in Black's own border row is too far from the other.
    assert proven == {"a1": "loss", "b1": "loss", "c1": "win", "a2": "win", "b2": "win"}
    assert all(one.games == 1 for one in found.moves)
    assert found.options["swap"] == "off"
    scene = swap_map(found)
    assert {cell for cell, mark in scene.overlay.marks.items() if mark == "S"} == {2, 3, 4, 5, 6}
    assert set(heat_map(found).overlay.marks.values()) == {"W", "L"}
    assert set(swap_map(found, ["a1"]).overlay.marks) == {1, 2, 3, 4, 5, 6, 7}


def test_known_moves_are_not_searched_again(tmp_path):
    game = make_game("hex", {"size": 3})
    known = [FirstMove("a1", {"20": 0.25, "1000": 0.25})]
    seen: list[int] = []
    found = make_atlas(game, QUICK, known=known, watch=lambda one: seen.append(len(one.moves)))
    assert found.moves[0] == known[0]
    assert seen[-1] == 5
    atlas.save_atlases(tmp_path / "found.json", [found])
    assert atlas.read_atlases(tmp_path / "found.json") == [found]


def test_values_of_the_network_are_fair_in_a_wider_range():
    """Random games bring all values closer to one half than the chances of good players."""
    moves = (
        FirstMove("a1", {"20": 0.5}),
        FirstMove("a2", {"20": 0.54}),
        FirstMove("b1", {"20": 0.56}),
    )
    for network, fair in ((False, ["a1"]), (True, ["a1", "a2"])):
        question = Question((20,), network=network)
        one = atlas.Atlas("hex", {"size": 3, "swap": "off"}, question, "", moves)
        assert [move.move for move in one.fair] == fair


@pytest.mark.parametrize("network", [False, True])
def test_searches_use_the_network_that_the_question_names(monkeypatch, network):
    used = []

    def make_search(position, settings, *, seed):
        used.append(settings.network)
        return factory.make_search(position, settings, seed=seed)

    monkeypatch.setattr(atlas, "make_search", make_search)
    make_atlas(make_game("hex", {"size": 2}), Question((5,), network=network))
    assert set(used) == {network}


def test_a_file_that_is_no_atlas_is_refused(tmp_path):
    path = tmp_path / "other.json"
    path.write_text('[{"game": "hex"}]')
    with pytest.raises(InvalidOptionsError, match="is not a file of atlases"):
        atlas.read_atlases(path)


def test_shipped_atlases_are_whole():
    boards = [("hex", {"size": size}) for size in (9, 11, 13, 14)]
    boards += [("antipod", {"side": side}) for side in (4, 5, 6)]
    boards += [("cylindrical-hex", {}), ("antipode", {}), ("antipalos", {"size": 12})]
    for game_id, options in boards:
        found = shipped_atlas(make_game(game_id, options))
        assert found is not None
        game = found.make_game()
        texts = [game.initial().format_move(move) for move in first_moves(game)]
        assert [one.move for one in found.moves] == texts
        assert all(0 <= value <= 1 for one in found.moves for value in one.values.values())
        assert [len(one) for one in found.fair_openings()] == [1] * len(found.fair)


def test_the_command_shows_shipped_and_new_atlases(tmp_path):
    shown = run("lab", "openings", "hex", "--json")
    assert json.loads(shown.stdout)["game"] == "hex"
    fair = run("lab", "openings", "hex", "--fair").stdout
    assert all(line.partition("#")[0].strip() for line in fair.splitlines())
    new = ("lab", "openings", "hex", "--set", "size=2", "--visits", "5,9")
    files = ("--out", tmp_path / "two.json", "--picture", tmp_path / "two.svg")
    table = run(*new, *files).stdout
    assert table.splitlines()[0].split() == ["move", "5", "9", "proven"]
    assert run(*new, *files).stdout == table
    assert (tmp_path / "two.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hex", "--set", "size=4"), "no atlas of"),
        (("hex", "--visits", "9,5"), "'9,5' is not a list of rising numbers"),
        (("antipalos", "--set", "seats=cutthroat3", "--visits", "5"), "has 3"),
        (("hex", "--visits", "5", "--player", "ghost"), "'ghost' is not a player"),
    ],
)
def test_wrong_questions_are_refused(arguments, message):
    result = run("lab", "openings", *arguments)
    assert result.exit_code
    assert message in result.stderr
