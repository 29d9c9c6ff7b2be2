"""Solved openings: the shipped facts hold, and searches use them and pairings at once."""

import random

import pytest

from antipodes.core import Color
from antipodes.games.kernels import header
from antipodes.games.registry import make_game
from antipodes.search.analysis import analyze
from antipodes.search.interface import Limits, Proven
from antipodes.search.proof.openings import (
    OpeningKnowledge,
    all_facts,
    board_key,
    first_moves,
    openings_of,
    solve_opening,
)
from antipodes.search.proof.solver import Solver
from tests.search.proof.brute_force import game_of
from tests.thorough import sample

FACTS = [fact for fact in all_facts() if fact.move]
SMALL = [fact for fact in FACTS if fact.options.get("size", 0) < 6]


@pytest.mark.parametrize("fact", sample(SMALL, 5), ids=str)
def test_a_fact_can_be_proven_again(fact):
    again = solve_opening(fact.game, fact.options, fact.move)
    assert again.winner == fact.winner
    if fact.reply:
        position = make_game(fact.game, fact.options).initial().play(fact.move).play(fact.reply)
        solver = Solver(position)
        assert position.outcome is not None or solver.run()
        assert solver.winner is Color(fact.winner)


def test_facts_are_kept_once():
    boards = [(board_key(game_of(fact.game, fact.options)), fact.move) for fact in FACTS]
    assert len(set(boards)) == len(boards)
    assert all("swap" not in fact.options for fact in FACTS)


def test_symmetric_moves_share_a_fact():
    game = game_of("hex", {"size": 5, "swap": "off"})
    openings = openings_of(game)
    assert openings.start is Color.BLACK
    assert len(openings.winners) == 25
    assert len(first_moves(game)) == 13
    wins = openings.winning_moves(Color.BLACK)
    assert wins == sorted(24 - move for move in wins)


def test_an_analysis_of_a_solved_board_is_proven_without_search():
    game = game_of("hex", {"size": 5, "swap": "off"})
    position = game.initial()
    result = analyze(position, limits=Limits(visits=1))
    assert result.proven is Proven.WIN
    best = result.candidates[0].move
    assert best in openings_of(game_of("hex", {"size": 5, "swap": "off"})).winning_moves(
        Color.BLACK
    )
    lost = analyze(position.play("a1"), limits=Limits(visits=1))
    assert lost.proven is Proven.WIN  # of White, who answers


@pytest.mark.parametrize("options", [{"size": 5}, {"size": 9, "swap": "off"}])
def test_nothing_is_known_before_a_swap_or_on_large_boards(options):
    game = game_of("hex", options)
    assert OpeningKnowledge(game).query(game.initial().kernel_state) is None


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("hex", {"size": 4, "swap": "sides"}),
        ("hex", {"size": 4, "swap": "pieces"}),
        ("antipod", {"side": 3, "handicap": "two", "first": "white", "swap": "on"}),
    ],
)
def test_the_winner_is_known_where_a_swap_is_open_and_after_it(game_id, options):
    """The answers are those of the solver, which does without facts."""
    game = game_of(game_id, options)
    knowledge = OpeningKnowledge(game)
    for move, owner in sorted(openings_of(game).winners.items()):
        position = game.initial().play(move)
        swapped = position.play(position.parse_move("swap"))
        answer = knowledge.query(position.kernel_state)
        after_swap = knowledge.query(swapped.kernel_state)
        assert answer is not None
        assert after_swap is not None
        assert answer.winner == position.kernel_state[header.COLOR]
        assert answer.moves is not None
        solver = Solver(swapped)
        assert solver.run()
        is_right = solver.winner is not swapped.to_move
        assert is_right == (owner is game.first)
        assert (position.game.move_count - 1 in answer.moves) == is_right
        assert game.kernel_colors[after_swap.winner] is solver.winner
        for won, moves in ((position, answer.moves), (swapped, after_swap.moves)):
            for reply in moves or ():
                following = won.play(reply)
                solver = Solver(following)
                assert solver.run()
                assert following.seat_of(solver.winner) == (won.seat_to_move,)


def test_a_pairing_is_known_to_the_end_of_the_game():
    """Black follows the knowledge against random moves, and it is never lost."""
    game = game_of("antipod", {"side": 4, "handicap": "none"})
    knowledge = OpeningKnowledge(game)
    lots = random.Random(3)
    position = game.initial()
    while position.outcome is None:
        answer = knowledge.query(position.kernel_state)
        assert answer is not None
        assert answer.winner == 0
        moves = answer.moves or tuple(position.legal_moves)
        position = position.play(lots.choice(moves))
    assert position.outcome.winner is Color.BLACK
    state = game.initial().play("d3").kernel_state.copy()
    state[header.COLOR] = 1
    assert knowledge.query(state) is None  # White would move twice
