"""Laws of proofs as advice."""

import random

import pytest

from antipodes.games.hex import Hex
from antipodes.games.kernels import header
from antipodes.games.registry import make_game
from antipodes.search.proof.advisor import SolvingAdvisor, solving_advisor
from antipodes.search.proof.solver import Solver
from antipodes.search.thinking import Advice, Limits, Proven
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
                position = position.play(chance.choice(list(position.legal_moves)))
        if position.outcome is None:
            found.append(position)
    return found


def advised(advisor, position):
    """Return advice, which there must be."""
    assert advisor is not None
    advice = advisor.advise(position.kernel_state)
    assert advice is not None
    return advice


@pytest.mark.parametrize(("game_id", "options", "plies"), BOARDS)
def test_advice_is_what_the_solver_proves(game_id, options, plies):
    for position in positions(game_id, options, plies, 12):
        solver = Solver(position)
        assert solver.run(all_moves=True)
        advice = advised(solving_advisor(position), position)
        assert solver.winner is not None
        winner = position.game.kernel_colors.index(solver.winner)
        mover = int(position.kernel_state[header.COLOR])
        assert advice.winner in (None, winner)
        wins = set(solver.winning_moves)
        if winner == mover and advice.winner is not None:
            assert set(advice.moves or ()) <= wins
        elif winner == mover:
            assert set(advice.moves or ()) & wins


@pytest.mark.parametrize(("game_id", "options", "plies"), BOARDS)
def test_a_search_that_asks_again_and_again_claims_nothing_false(game_id, options, plies):
    for position in positions(game_id, options, plies - 3, 12):
        solver = Solver(position)
        assert solver.run()
        advisor = solving_advisor(position)
        search = TreeSearch(position, seed=1, advisor=advisor, advice_visits=5)
        search.run(Limits(visits=2_000))
        wins = solver.winner is position.to_move
        assert search.proven in (None, Proven.WIN if wins else Proven.LOSS)
        if search.proven is Proven.WIN:
            after = position.play(search.candidates()[0].move)
            if after.outcome is None:
                solver = Solver(after)
                assert solver.run()
                assert solver.winner is position.to_move


class Silent:
    """Knows which moves are legal, and nothing else."""

    def __init__(self, game):
        self.cells = game.topology.cell_count

    def advise(self, state):
        free = [c for c in range(self.cells) if state[header.HEADER + c] == 0]
        return Advice(None, tuple(free))


def test_a_little_effort_proves_what_connections_alone_do_not():
    position = Hex(size=4).initial()
    advisor = SolvingAdvisor(position.game, Silent(position.game), effort=50)
    advice = advised(advisor, position)
    assert advice.winner == 0
    assert advice.moves


class Changing:
    """Thinks one move enough at first, and later finds another one that wins."""

    def __init__(self):
        self.asked = 0

    def advise(self, _state):
        self.asked += 1
        return Advice(None, (7,)) if self.asked == 1 else Advice(0, (12,))


def test_a_winning_move_that_was_left_out_comes_back():
    position = make_game("hex", {"size": 5}).initial()
    search = TreeSearch(position, seed=1, advisor=Changing(), advice_visits=20)
    search.run(Limits(visits=2_000))
    assert search.proven is Proven.WIN
    assert search.candidates()[0].move == 12


def test_a_search_with_proofs_proves_the_empty_board():
    position = make_game("hex", {"size": 6, "swap": "off"}).initial()
    search = TreeSearch(position, seed=1, advisor=solving_advisor(position), advice_visits=100)
    search.run(Limits(visits=100_000))
    assert search.proven is Proven.WIN
    assert search.candidates()[0].proven is Proven.WIN
