"""Puzzles to draw, and to save a position from a forced loss: proofs, and playing them."""

import random
from typing import Any

import pytest

from antipodes.games.registry import make_game
from antipodes.puzzles import store
from antipodes.puzzles.forced_wins import ForcedWins
from antipodes.puzzles.play import line_of, referee
from antipodes.puzzles.rescues import turns_to_end
from antipodes.puzzles.strategies import Rescue, StrategyError, check_rescue

ANTIPODE = make_game("antipode")
MAIL = make_game("antipalos", {"ruleset": "mail", "size": 4, "swap": "off"})


def value(position):
    """Return by the rules alone 1, 0 or -1: a win, draw or loss of the colour to move."""
    best = -1
    for move in position.legal_moves:
        after = position.play(move)
        if after.outcome is None:
            found = -value(after)
        else:
            winner = after.outcome.winner
            found = 0 if winner is None else 1 if winner is position.to_move else -1
        best = max(best, found)
        if best == 1:
            break
    return best


def late_position(game, chance, empty):
    while True:
        position = game.initial()
        while position.outcome is None:
            filled = len(position.tokens() if game is ANTIPODE else position.rods())
            if game.topology.cell_count - filled == empty:
                return position
            position = position.play(chance.choice(position.legal_moves))


def shipped(goal):
    """Return the position, the solution, the turns and the proof of a puzzle."""
    puzzle = next(one for one in store.chosen(game_id="antipode", goal=goal))
    position = puzzle.position
    proof: Any = store.proof_of(puzzle)
    return position, position.parse_move(puzzle.line[0]), puzzle.turns, proof


@pytest.fixture(scope="module")
def draw() -> Any:
    position, solution, _, proof = shipped("draw")
    return position, solution, proof


@pytest.mark.parametrize(("game", "empty"), [(ANTIPODE, 3), (MAIL, 4)])
def test_the_search_to_the_end_agrees_with_the_rules(game, empty):
    chance = random.Random(2)
    search = ForcedWins(game)
    for _ in range(6):
        position = late_position(game, chance, empty)
        turns = turns_to_end(position) or 0
        assert search.wins(position, turns) == (value(position) == 1)
        for move in list(position.legal_moves)[:6]:
            after = position.play(move)
            if after.outcome is None:
                assert search.wins(after, turns) == (value(after) == 1)


def test_a_draw_has_a_proof(draw):
    position, solution, proof = draw
    assert value(position) == 0
    check_rescue(proof, position, None, solution)
    other = next(move for move in position.legal_moves if move != solution)
    with pytest.raises(StrategyError):
        check_rescue(proof, position, None, other)


def test_each_part_of_a_draw_is_needed(draw):
    position, solution, proof = draw
    parts = (proof.losses, proof.hold, proof.limit)
    for place in range(3):
        fewer = [[] if n == place else part for n, part in enumerate(parts)]
        if parts[place]:
            with pytest.raises(StrategyError):
                check_rescue(Rescue(*fewer), position, None, solution)


def test_a_wrong_loss_is_refused_there(draw):
    position, solution, proof = draw
    *nodes, (_, default, others) = proof.losses
    move = next(position.format_move(m) for m in position.legal_moves if m != solution)
    wrong = Rescue([*nodes, [None, default, {**others, move: 999}]], proof.hold, proof.limit)
    with pytest.raises(StrategyError, match="999 is not the index"):
        check_rescue(wrong, position, None, solution)


def test_a_draw_is_played_until_there_is_a_choice(draw):
    position, solution, _ = draw
    ref = referee(ANTIPODE, "draw")
    line = line_of(position, solution, None, ref, 8)
    assert line is not None
    after = position.play(solution)
    assert ref.wins(after, None)
    wrong = next(move for move in position.legal_moves if move != solution)
    refuted = position.play(wrong)
    assert not ref.wins(refuted, None)
    for move in ref.refutation(refuted, None):
        refuted = refuted.play(move)
    assert refuted.outcome is not None
    assert refuted.outcome.winner is not None
    assert refuted.outcome.winner is not position.to_move


def test_a_save_is_proven_for_its_turns():
    position, solution, turns, proof = shipped("save")
    check_rescue(proof, position, turns, solution)
    assert referee(ANTIPODE, "save").is_clear(position.play(solution))
