"""Turns in steps: choices come from the legal moves, and every legal move is reached."""

import random
from typing import Any

import pytest

from antipodes.core import Color, Move
from antipodes.games.registry import make_game
from antipodes.notation.scene import Rod
from antipodes.tui import turns

GAMES = [
    ("antipod", {"side": 3}),
    ("antipod", {"side": 2, "swap": "on"}),
    ("hex", {"size": 4}),
    ("cylindrical-hex", {"rows": 3, "columns": 4}),
    ("antipode", {}),
    ("antipalos", {"size": 12, "rods": 3}),
    ("antipalos", {"ruleset": "mail", "size": 4}),
]


def begin(position: Any) -> Any:
    """The turn at a position; what a step gives is looked at without asking which kind it is."""
    return turns.begin(position)


def reachable(turn):
    """All moves that steps from a turn lead to."""
    found = set()
    for cell in turn.cells:
        step = turn.choose(cell)
        if isinstance(step, Move):
            found.add(step)
        elif step.pending is not None:
            found.add(step.pending)
            turned = step.choose(cell)
            found.add(turned.pending)
        else:
            found |= reachable(step)
    return found


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_steps_reach_exactly_the_legal_moves(game_id, options):
    game: Any = make_game(game_id, options)
    position = game.initial()
    chance = random.Random(5)
    while position.outcome is None and position.ply < 10:
        swap = {getattr(game, "swap_move", None)}
        assert reachable(begin(position)) == set(position.legal_moves) - swap
        position = position.play(chance.choice(list(position.legal_moves)))


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_cells_of_a_move_lead_to_it(game_id, options):
    position: Any = make_game(game_id, options).initial()
    chance = random.Random(6)
    while position.outcome is None and position.ply < 9:
        move = chance.choice(list(position.legal_moves))
        step = begin(position)
        for cell in step.touched(move):
            assert cell in step.cells
            step = step.choose(cell)
        if step.__class__ is not Move and step.held:
            diagonals = {step.pending, step.choose(step.held[-1]).pending}
            assert move in diagonals
        position = position.play(move)


def test_no_cell_can_be_chosen_after_the_end():
    position: Any = make_game("hex", {"size": 2, "swap": "off"}).initial()
    for text in ("a1", "b1", "a2"):
        position = position.play(position.parse_move(text))
    assert position.outcome is not None
    turn = begin(position)
    assert turn.cells == frozenset()
    assert turn.choose(3) is turn


def test_antipode_shows_the_token_and_its_flips_before_the_slide():
    position: Any = make_game("antipode").initial()
    cell = position.game.topology.cell
    turn = begin(position)
    assert turn.flips(cell("a2")) == {cell("a1")}
    step = turn.choose(cell("a2"))
    assert step.held == (cell("a2"),)
    assert step.scene().stones[cell("a2")] is Color.BLUE
    assert step.scene().stones[cell("a1")] is Color.BLUE
    assert position.tokens()[cell("a1")] is Color.RED
    assert step.cells == frozenset(position.rests(cell("a2")))


def test_antipode_shows_what_a_slide_flips():
    position: Any = make_game("antipode").initial()
    game = position.game
    for move in position.legal_moves:
        token, rest = begin(position).touched(move)
        step = begin(position).choose(token)
        after = position.play(move).tokens()
        before = step.scene().stones
        assert step.flips(rest) == {c for c in after if before[c] is not after[c]}
    assert game.topology.cell_count == 61


def test_escape_takes_back_one_step_at_a_time():
    position: Any = make_game("antipode").initial()
    turn = begin(position)
    assert turn.back() is None
    step = turn.choose(min(turn.cells))
    assert step.back().held == ()


def test_a_rod_is_proposed_turned_and_confirmed():
    position: Any = make_game("antipalos").initial()
    square = position.game.topology.cell("B4")
    turn = begin(position).choose(square)
    assert position.format_move(turn.pending) == "B4*"
    assert turn.scene().rods[square] == Rod(Color.WHITE, "/")
    turned = turn.choose(square)
    assert position.format_move(turned.pending) == "*B4"
    assert position.format_move(turned.lay(square, "/").pending) == "B4*"
    assert turned.back().pending is None


def test_phase_two_takes_a_rod_up_and_lays_it_elsewhere():
    game: Any = make_game("antipalos", {"size": 12, "rods": 1})
    position = game.initial()
    for text in ("B4*", "C5*"):
        position = position.play(position.parse_move(text))
    assert position.phase == 2
    cell = game.topology.cell
    turn = begin(position)
    assert turn.cells == {cell("B4")}
    assert turn.lay(cell("D4"), "/") is turn
    taken = turn.choose(cell("B4"))
    assert cell("C5") not in taken.cells
    proposed = taken.lay(cell("D4"), "\\")
    assert position.format_move(proposed.pending) == "B4*-*D4"
    assert cell("B4") not in proposed.scene().rods
    assert proposed.back().held == (cell("B4"),)
    assert proposed.back().back().held == ()


def test_a_rod_turns_only_to_its_other_diagonal_within_its_square():
    game: Any = make_game("antipalos", {"size": 12, "rods": 1})
    position = game.initial()
    for text in ("B4*", "C5*"):
        position = position.play(position.parse_move(text))
    square = game.topology.cell("B4")
    taken = begin(position).choose(square)
    turned = taken.choose(square)
    assert position.format_move(turned.pending) == "B4*-*B4"
    assert taken.lay(square, "/") is taken
