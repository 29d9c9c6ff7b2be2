"""Pairings: found without search, believed by the checker alone, and never wrong."""

import pytest

from antipodes.boards import hexhex
from antipodes.core import Color
from antipodes.games.pairing_strategy import opposites
from antipodes.games.registry import make_game
from antipodes.search.proof.checker import ProofBoard, ProofError
from antipodes.search.proof.files import Proof, read_proof
from antipodes.search.proof.pairing_strategy import find_pairing_strategy
from antipodes.search.proof.solver import Solver
from tests.search.proof.brute_force import BOARDS, endings, game_of, winner_of
from tests.thorough import repetitions, sample

SIDES = [("antipod", {"side": side, "handicap": "none"}) for side in range(2, 11)]
CYLINDERS = [
    ("cylindrical-hex", {"rows": rows, "columns": columns})
    for rows, columns in ((2, 4), (2, 26), (3, 4), (5, 6), (11, 12), (26, 4), (26, 26))
]


def strategy_of(position):
    """Return the pairing strategy of a position that has one."""
    found = find_pairing_strategy(position)
    assert found is not None
    return found


def position_of(game_id, options, moves=""):
    position = make_game(game_id, options).initial()
    for move in moves.split():
        position = position.play(position.parse_move(move))
    return position


@pytest.mark.parametrize("first", ["black", "white"])
@pytest.mark.parametrize(("game_id", "options"), [*SIDES, *CYLINDERS])
def test_black_wins_every_symmetric_board_by_a_pairing(game_id, options, first):
    position = position_of(game_id, {**options, "first": first})
    solver = Solver(position)
    assert solver.run(all_moves=True)
    assert solver.nodes == 0
    assert solver.winner is Color.BLACK
    wins = len(position.legal_moves) if first == "black" else 0
    assert len(solver.winning_moves) == wins
    assert read_proof(solver.prove().text()).verify().safe


def test_the_pairs_are_the_opposite_points():
    position = position_of(*SIDES[4])
    strategy = strategy_of(position)
    opposite = opposites(position.game)
    cell = position.game.topology.cell
    assert len(strategy.pairs) == 75
    assert all(opposite[cell(one)] == cell(other) for one, other in strategy.pairs)


@pytest.mark.parametrize(("game_id", "options"), [("hex", {"size": 5}), ("antipod", {"side": 4})])
def test_other_boards_have_no_pairing_at_the_start(game_id, options):
    assert find_pairing_strategy(position_of(game_id, options)) is None


def test_an_odd_cylinder_has_no_pairing():
    assert find_pairing_strategy(position_of("cylindrical-hex", {"rows": 4, "columns": 5})) is None


@pytest.mark.parametrize(("game_id", "options", "empty"), sample(BOARDS, 3))
def test_a_pairing_is_never_wrong(game_id, options, empty):
    game = game_of(game_id, options)
    known: dict[object, int] = {}
    for state in endings(game, empty, repetitions(15, 400), seed=11):
        position = game.wrap(state)
        strategy = find_pairing_strategy(position)
        if strategy is not None:
            assert game.kernel_colors[winner_of(game, state, known) - 1] is strategy.winner
            Proof(position, strategy.winner, strategy.lines()).verify()


CHAINS = [
    ("hex", {"size": 4, "swap": "off"}, "b2 d2 b4 d1", "black"),  # a bridge, and the two rims
    ("hex", {"size": 4, "swap": "off"}, "a1 b2 b4 d1", "white"),
    ("antipod", {"side": 3, "handicap": "none"}, "b3", "black"),  # the answer is a move
    (
        "cylindrical-hex",
        {"rows": 5, "columns": 4, "first": "white"},
        "b3 b1 d2 d1 d3 c1 a4",
        "white",
    ),
]


@pytest.mark.parametrize(("game_id", "options", "moves", "winner"), CHAINS)
def test_a_chain_of_pairs_wins_a_position(game_id, options, moves, winner):
    position = position_of(game_id, options, moves)
    strategy = strategy_of(position)
    assert strategy.winner is Color(winner)
    Proof(position, strategy.winner, strategy.lines()).verify()


def test_a_wrong_pairing_is_refused():
    position = position_of("antipod", {"side": 3, "handicap": "none"})
    kind, stones, pairs = strategy_of(position).lines()[0]
    wrong = {
        "neither join": [kind, stones, pairs[1:]],
        "is not a pair of two points": [kind, stones, [*pairs, pairs[0]]],
        "is not a pair of two": [kind, stones, [["a1", "a1"]]],
        "not a point": [kind, stones, [["a1", "zz"]]],
        "not among the stones": [kind, stones[1:], pairs],
        "no path, chain": [kind, stones],
    }
    swapped = [[pairs[0][0], pairs[1][0]], [pairs[0][1], pairs[1][1]], *pairs[2:]]
    for message, line in [*wrong.items(), ("half turn", [kind, stones, swapped])]:
        with pytest.raises(ProofError, match=message):
            Proof(position, Color.BLACK, [line]).verify()
    with pytest.raises(ProofError, match="half turn"):
        Proof(position, Color.WHITE, [[kind, [], pairs]]).verify()


def test_a_half_turn_needs_a_board_without_an_edge():
    """On the rhombus the reflection of each row keeps Black's borders, and proves nothing."""
    position = position_of("hex", {"size": 2, "swap": "off"})
    with pytest.raises(ProofError, match="half turn"):
        Proof(position, Color.BLACK, [["pairing", [], [["a1", "b1"], ["a2", "b2"]]]]).verify()


def test_a_board_that_the_checker_does_not_know_has_no_pairing():
    """A game from elsewhere on another kind of board could not be analysed."""
    with pytest.raises(ProofError, match="hexhex"):
        ProofBoard(hexhex(3), "black")
