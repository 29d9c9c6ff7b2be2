"""Proof search as knowledge for a tree search."""

import random

import pytest

from antipodes.games.kernels import header
from antipodes.games.registry import make_game
from antipodes.search.interface import Knowledge, Limits, Proven
from antipodes.search.proof.knowledge import solver_knowledge
from antipodes.search.proof.solver import Solver
from antipodes.search.tree import TreeSearch

BOARDS = [
    ("hex", {"size": 5}, 8),
    ("antipod", {"side": 3, "handicap": "none"}, 6),
    ("cylindrical-hex", {"rows": 4, "columns": 5}, 6),
]


def positions(game_id, options, plies, count):
    """Return positions after random moves."""
    game = make_game(game_id, options)
    found = []
    for number in range(count):
        chance = random.Random(number)
        position = game.initial()
        for _ in range(plies):
            if position.outcome is None:
                position = position.play(chance.choice(position.legal_moves))
        if position.outcome is None:
            found.append(position)
    return found


def known(knowledge, position):
    """Return the knowledge of a position, which must exist."""
    assert knowledge is not None
    answer = knowledge.query(position.kernel_state)
    assert answer is not None
    return answer


@pytest.mark.parametrize(("game_id", "options", "plies"), BOARDS)
def test_knowledge_agrees_with_the_solver(game_id, options, plies):
    for position in positions(game_id, options, plies, 12):
        solver = Solver(position)
        assert solver.run(all_moves=True)
        answer = known(solver_knowledge(position), position)
        assert solver.winner is not None
        winner = position.game.kernel_colors.index(solver.winner)
        mover = int(position.kernel_state[header.COLOR])
        assert answer.winner in (None, winner)
        wins = set(solver.winning_moves)
        if winner == mover and answer.winner is not None:
            assert set(answer.moves or ()) <= wins
        elif winner == mover:
            assert set(answer.moves or ()) & wins


@pytest.mark.parametrize(("game_id", "options", "plies"), BOARDS)
def test_a_search_with_frequent_queries_proves_nothing_false(game_id, options, plies):
    for position in positions(game_id, options, plies - 3, 12):
        solver = Solver(position)
        assert solver.run()
        knowledge = solver_knowledge(position)
        search = TreeSearch(position, seed=1, knowledge=knowledge, query_visits=5)
        search.run(Limits(visits=2_000))
        wins = solver.winner is position.to_move
        assert search.proven in (None, Proven.WIN if wins else Proven.LOSS)
        if search.proven is Proven.WIN:
            after = position.play(search.candidates()[0].move)
            if after.outcome is None:
                solver = Solver(after)
                assert solver.run()
                assert solver.winner is position.to_move


def _few_moves_left(size, plies):
    """Return a position of Hex in which few moves may win, as far as connections tell."""
    for position in positions("hex", {"size": size, "swap": "off"}, plies, 100):
        answer = known(solver_knowledge(position, effort=0), position)
        if answer.winner is None and answer.moves and len(answer.moves) <= 24:
            return position
    raise AssertionError("no position was found")


def test_a_short_proof_search_proves_more_than_connections():
    position = _few_moves_left(7, 16)
    knowledge = solver_knowledge(position)
    assert knowledge is not None
    answer = knowledge.prove(position.kernel_state, 1_000)
    solver = Solver(position)
    assert solver.run()
    assert solver.winner is not None
    assert answer is not None
    assert answer.winner == position.game.kernel_colors.index(solver.winner)


def test_queries_on_large_boards_can_do_without_proof_searches():
    def searched(position, **settings):
        knowledge = solver_knowledge(position, **settings)
        known(knowledge, position)
        return 0 if knowledge is None else knowledge.search.nodes

    large, small = _few_moves_left(9, 30), _few_moves_left(7, 16)
    assert searched(large, short_proofs=False) == 0
    assert 0 < searched(large) <= 3
    assert 3 < searched(small, short_proofs=False) <= 12


class Changing:
    """Thinks one move enough at first, and then proves that another one wins."""

    def query(self, _state):
        return Knowledge(None, (7,))

    def prove(self, _state, _effort):
        return Knowledge(0, (12,))


def test_a_winning_move_that_was_removed_is_restored():
    position = make_game("hex", {"size": 5}).initial()
    search = TreeSearch(position, seed=1, knowledge=Changing(), query_visits=20)
    search.run(Limits(visits=2_000))
    assert search.proven is Proven.WIN
    assert search.candidates()[0].move == 12


def test_a_search_with_proofs_proves_the_empty_board():
    position = make_game("hex", {"size": 6, "swap": "off"}).initial()
    search = TreeSearch(position, seed=1, knowledge=solver_knowledge(position), query_visits=100)
    search.run(Limits(visits=100_000))
    assert search.proven is Proven.WIN
    assert search.candidates()[0].proven is Proven.WIN
