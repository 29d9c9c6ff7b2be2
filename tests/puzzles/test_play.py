"""Judging a solver's moves: right, alternative and wrong ones, and the replies to them."""

import pytest

from antipodes.errors import IllegalMoveError, InputError
from antipodes.games.placement import PlacementGame
from antipodes.puzzles import store
from antipodes.puzzles.play import judge, referee
from tests.thorough import repetitions, sample

FOUND = [
    one
    for game_id in ("hex", "antipalos", "antipode", "antipod")
    for one in sample(store.puzzles(game_id), repetitions(3, 12))
]
FOUND += [sample(store.chosen(goal=goal), 1)[0] for goal in ("draw", "save")]

every_puzzle = pytest.mark.parametrize("puzzle", FOUND, ids=lambda one: f"{one.game_id}-{one.id}")


@every_puzzle
def test_the_line_is_right_and_solves_the_puzzle(puzzle):
    ref = referee(puzzle.game, puzzle.goal)
    for count in range(1, len(puzzle.line) + 1, 2):
        found = judge(puzzle, puzzle.line[:count], ref)
        assert found.right
        assert found.refutation == ()
        assert found.solved == (count == len(puzzle.line))
        if not found.solved:
            assert found.reply is not None
            assert found.position.to_move is puzzle.solver


@every_puzzle
def test_other_first_moves_are_wrong_and_are_refuted(puzzle):
    position = puzzle.position
    others = [move for move in position.legal_moves if move != puzzle.solution]
    ref = referee(puzzle.game, puzzle.goal)
    for move in sample(others, repetitions(3, 10)):
        found = judge(puzzle, [position.format_move(move)], ref)
        assert found.right is False
        assert not found.solved
        if found.position.outcome is not None:
            continue
        after = found.position
        for reply in found.refutation:
            after = after.play(reply)
        assert found.refutation
        if after.outcome is not None:
            assert after.outcome.winner is not puzzle.solver


@every_puzzle
def test_alternatives_after_the_first_move_are_right(puzzle):
    """Whatever wins later on counts, and the opponent always has a legal reply."""
    if len(puzzle.line) < 3:
        return
    position = puzzle.position.play(puzzle.line[0]).play(puzzle.line[1])
    ref = referee(puzzle.game, puzzle.goal)
    judged = {
        position.format_move(move): judge(
            puzzle, [*puzzle.line[:2], position.format_move(move)], ref
        )
        for move in sample(list(position.legal_moves), repetitions(6, 30))
    }
    assert judge(puzzle, puzzle.line[:3], ref).right
    for found in judged.values():
        if found.right and not found.solved:
            assert found.position.to_move is puzzle.solver
        if found.right is False and isinstance(puzzle.game, PlacementGame):
            assert found.refutation or found.position.outcome is not None


def test_the_last_move_must_be_the_solvers():
    puzzle = FOUND[0]
    for moves in ([], ["a1", "a2"]):
        with pytest.raises(InputError) as raised:
            judge(puzzle, moves)
        assert raised.value.code == "puzzle/turn"


def test_illegal_moves_are_refused():
    puzzle = store.puzzles("hex")[0]
    taken, _ = puzzle.setup.stones[0]
    with pytest.raises(IllegalMoveError):
        judge(puzzle, [taken])


def test_a_wrong_move_in_a_win_in_one_gets_a_legal_reply():
    puzzle = next(one for one in store.all_puzzles() if one.id == "b849282304")
    assert puzzle.turns == 1
    ref = referee(puzzle.game, puzzle.goal)
    for move in puzzle.position.legal_moves:
        if move != puzzle.solution:
            found = judge(puzzle, [puzzle.position.format_move(move)], ref)
            if found.position.outcome is None:
                (reply,) = found.refutation
                assert reply in found.position.legal_moves
