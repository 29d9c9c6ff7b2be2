from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from antipodes.core import Color, Setup
from antipodes.games.kernels import header, native
from antipodes.games.registry import make_game
from antipodes.search.connection import (
    ConnectionLimits,
    ConnectionSearch,
    Rule,
)
from antipodes.search.kernels import connection as kernels
from antipodes.search.kernels import connection_store
from antipodes.search.proof.checker import ProofBoard
from antipodes.search.proof.derivations import Derivations, ProofDraft
from antipodes.search.proof.files import Proof
from antipodes.search.proof.knowledge import solver_knowledge
from tests.search.connection.solver import Solver, random_positions, small_game
from tests.thorough import sample

# Games with the most empty cells that the solver takes.
GAMES = [
    ("hex", {"size": 3, "swap": "off"}, 9),
    ("hex", {"size": 4, "swap": "off"}, 10),
    ("hex", {"size": 5, "swap": "off"}, 9),
    ("antipod", {"side": 2, "handicap": "none"}, 6),
    ("antipod", {"side": 3}, 10),
    ("antipod", {"side": 3, "handicap": "none"}, 10),
    ("antipod", {"side": 4, "handicap": "two"}, 9),
    ("cylindrical-hex", {"rows": 3, "columns": 3}, 9),
    ("cylindrical-hex", {"rows": 4, "columns": 3}, 10),
    ("cylindrical-hex", {"rows": 3, "columns": 4}, 10),
    ("cylindrical-hex", {"rows": 2, "columns": 7}, 10),
]
LITTLE = ConnectionLimits(steps=60, fulls=2, semis=3)


def after(game, moves, to_move=None):
    stones = tuple((point, color) for point, color in moves.items())
    return game.position(Setup(stones=stones, to_move=to_move, composed=True))


@pytest.mark.parametrize("limits", [ConnectionLimits(), LITTLE], ids=["usual", "little"])
@pytest.mark.parametrize(("game_id", "options", "empties"), sample(GAMES, 5))
def test_results_agree_with_brute_force(game_id, options, empties, limits):
    game = small_game(game_id, options)
    solver, search = Solver(game), ConnectionSearch(game, limits)
    seen: Counter[str] = Counter()
    for position in random_positions(game, empties, 60, seed=11):
        result = search.run(position)
        if result.winner is not None:
            seen["winner"] += 1
            assert result.winner is solver.winner(position)
            if result.move is not None:
                assert solver.winner(position, result.move) is result.winner
        elif result.must_play is not None:
            seen["must play"] += 1
            for move in set(position.legal_moves) - result.must_play:
                assert solver.winner(position, move) is not position.to_move
    assert seen["winner"] > 20


@pytest.mark.parametrize(("game_id", "options", "empties"), GAMES)
def test_nearly_every_small_position_is_decided(game_id, options, empties):
    game = small_game(game_id, options)
    search = ConnectionSearch(game)
    results = [search.run(one) for one in random_positions(game, empties, 100, seed=3)]
    assert sum(result.winner is not None for result in results) >= 90


def check(connection, near):
    """Follow a derivation and check each step of it; return how many steps there are."""
    one, other = connection.ends
    assert not connection.carrier & (one.nodes | other.nodes)
    parents = connection.parents
    assert all(one.nodes | other.nodes for one, other in (p.ends for p in parents))
    if connection.rule is Rule.STEP:
        assert connection.full
        assert not connection.carrier
        assert any(near(a, b) for a in one.nodes for b in other.nodes)
    elif connection.rule is Rule.AND:
        left, right = parents
        assert left.full
        assert right.full
        assert not left.carrier & right.carrier
        assert {*left.ends, *right.ends} == {one, other, connection.key}
        assert connection.full is not connection.key.empty
        key = connection.key.nodes if connection.key.empty else frozenset()
        assert connection.carrier == left.carrier | right.carrier | key
    elif connection.rule is Rule.OR:
        assert all(p.ends == connection.ends and not p.full for p in parents)
        assert all(p.winding == connection.winding for p in parents)
        assert not frozenset.intersection(*(p.carrier for p in parents))
        assert connection.carrier == frozenset.union(*(p.carrier for p in parents))
    return 1 + sum(check(parent, near) for parent in parents)


@pytest.mark.parametrize(("game_id", "options", "empties"), GAMES[1:])
def test_derivations_follow_the_rules(game_id, options, empties):
    game = small_game(game_id, options)
    neighbours = game.topology.neighbours
    cells = game.topology.cell_count

    def near(a, b):
        if max(a, b) >= cells:
            return any(node == max(a, b) for node, _ in game._borders_of(min(a, b)))
        return b in neighbours[a]

    search = ConnectionSearch(game)
    steps = 0
    for position in random_positions(game, empties, 30, seed=2):
        result = search.run(position)
        connections = [search.derive(row) for row in result.goals]
        for connection in connections:
            if connection.rule is Rule.RING:
                assert connection.key is not None
                (ring,) = connection.parents
                assert connection.carrier == ring.carrier | connection.key.nodes
                connection = ring  # noqa: PLW2901
            steps += check(connection, near)
        if result.winner is not None:
            assert result.carrier == frozenset.union(*(c.carrier for c in connections))
            full = connections[0].full and len(connections) == 1
            if result.winner is not position.to_move and not full:
                assert not frozenset.intersection(*(c.carrier for c in connections))
    assert steps > 50


@pytest.mark.parametrize(
    ("stones", "to_move", "winner"),
    [
        # The ziggurat: a stone on the third row is joined to the edge if two cells lie beside it.
        ({"d1": "black", "d2": "black", "d3": "black", "d4": "black"}, "white", Color.BLACK),
        # A bridge to the second row, and one from there to the edge.
        ({"e1": "black", "e2": "black", "e3": "black", "d5": "black"}, "white", Color.BLACK),
    ],
)
def test_edge_templates_of_hex_are_found(stones, to_move, winner):
    game = small_game("hex", {"size": 6, "swap": "off"})
    result = ConnectionSearch(game).run(after(game, stones, to_move))
    assert result.winner is winner
    assert result.must_play == frozenset()


def test_a_full_may_be_the_union_of_more_than_four_semis():
    """The win needs edge templates that no four semis make; the checker accepts their proof."""
    position = small_game("hex", {"size": 11, "swap": "off"}).initial()
    for move in ["c2", "b9", "d8", "d7", "e7", "e6", "f6", "f5", "g5", "c10", "h5"]:
        position = position.play(move)
    search = ConnectionSearch(position.game, ConnectionLimits(10_000_000, fulls=30, semis=60))
    result = search.run(position)
    assert result.winner is Color.BLACK
    knowledge = solver_knowledge(position, effort=0)
    known = None if knowledge is None else knowledge.query(position.kernel_state)
    assert known is None or known.winner == 0  # with the limits of players
    goals = search.derive_all(result.goals)
    assert max(map(most_parents, goals)) > 4
    draft = ProofDraft(ProofBoard(position.game.topology, "black"))
    derivations = Derivations(position.game, position.kernel_state, draft)
    parts = [derivations.line(goal) for goal in goals]
    lines = draft.needed_by(parts[0] if len(parts) == 1 else draft.either(parts))
    Proof(position, Color.BLACK, lines).verify()


def most_parents(connection):
    return max([len(connection.parents), *map(most_parents, connection.parents)])


def test_the_ziggurat_needs_the_cells_that_hex_players_know():
    game = small_game("hex", {"size": 6, "swap": "off"})
    stones = {"d1": "black", "d2": "black", "d3": "black", "d4": "black"}
    result = ConnectionSearch(game).run(after(game, stones, "white"))
    carrier = {game.topology.name(cell) for cell in result.carrier}
    left = {"c4", "b5", "c5", "d5", "a6", "b6", "c6", "d6"}
    right = {"e4", "c5", "d5", "e5", "b6", "c6", "d6", "e6"}
    assert carrier in (left, right)


def test_a_ring_of_bridges_round_the_pole_is_whites():
    game = small_game("antipod", {"side": 4})
    board = game.topology
    pole = board.rims["poles"][0]
    inner = set(board.neighbours[pole])
    second = {c for cell in inner for c in board.neighbours[cell]} - inner - {pole}
    # Each other cell of the second ring: neighbours are a bridge apart.
    corners = [c for c in second if len(inner & set(board.neighbours[c])) == 1]
    between = sorted(second - set(corners))
    stones = dict.fromkeys(game.start_stones(), None)
    stones.update(dict.fromkeys(between, Color.WHITE))
    setup = Setup(
        stones=tuple(
            (board.name(c), (game.start_stones().get(c) or Color.WHITE).value) for c in stones
        ),
        to_move="black",
        composed=True,
    )
    result = ConnectionSearch(game).run(game.position(setup))
    assert result.winner is Color.WHITE
    assert result.carrier == frozenset(corners) | frozenset(inner)


def test_there_is_no_result_while_a_swap_is_open():
    game = small_game("hex", {"size": 3})
    position = game.initial()
    result = ConnectionSearch(game).run(position)
    assert result.winner is Color.BLACK
    swappable = position.play(result.move)
    assert ConnectionSearch(game).run(swappable).winner is None


def test_a_finished_game_is_refused():
    game = small_game("hex", {"size": 2, "swap": "off"})
    position = after(game, {"a1": "black", "a2": "black"}, "white")
    with pytest.raises(ValueError, match="the game is over"):
        ConnectionSearch(game).run(position)


def test_tight_limits_leave_results_unknown_but_never_wrong():
    game = small_game("antipod", {"side": 6})
    search = ConnectionSearch(game, ConnectionLimits(rows=600))
    for position in random_positions(game, 60, 20, seed=4):
        search.run(position)


def test_both_editions_give_the_same_results():
    game = small_game("antipod", {"side": 3})
    fast = ConnectionSearch(game)
    with native.plainly():
        slow = ConnectionSearch(game)
    assert slow._find_sure_win is kernels.find_sure_win
    for position in random_positions(game, 8, 10, seed=6):
        assert slow.run(position) == fast.run(position)
        assert np.array_equal(
            slow.buffers[2][: slow.buffers[0][2]], fast.buffers[2][: slow.buffers[0][2]]
        )


@pytest.mark.skipif(not native.enabled(), reason="connections need compiled kernels")
@pytest.mark.parametrize(("game_id", "options", "empties"), GAMES[:3])
def test_knowledge_names_the_winner_as_kernels_count(game_id, options, empties):
    game = small_game(game_id, options)
    solver = Solver(game)
    knowledge = solver_knowledge(game.initial(), effort=0)
    assert knowledge is not None
    for position in random_positions(game, empties, 20, seed=8):
        answer = knowledge.query(position.state)
        if answer is not None and answer.winner is not None:
            winner = solver.winner(position)
            assert game.kernel_colors[answer.winner] is winner
            assert answer.moves is not None
            assert bool(answer.moves) == (answer.winner == position.state[header.COLOR])
            for move in answer.moves:
                assert solver.winner(position, move) is winner


def test_games_without_connections_have_no_knowledge():
    assert solver_knowledge(make_game("antipode", {}).initial()) is None


def test_no_more_goals_are_kept_than_there_is_room_for():
    """Positions with few points have short carriers, but lists of the usual length."""
    board = ConnectionSearch(small_game("hex", {"size": 14, "swap": "off"})).buffers
    most = connection_store.MOST_GOALS
    board.numbers[connection_store.WORDS] = 1
    pairs = list(combinations(range(1, 62), 2))[: most + 40]
    for row, (low, high) in enumerate(pairs):
        board.sets[row] = 1 | 1 << low | 1 << high  # none of these is part of another
        connection_store.add_goal(board, row)
    assert board.numbers[connection_store.GOALS] == most
    assert board.numbers[connection_store.OVERFLOW] == 1
