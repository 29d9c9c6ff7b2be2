"""Laws of what a tree search proves, against searches by brute force."""

import functools
import random
from typing import Any

import numpy as np
import pytest

from antipodes.core import Move
from antipodes.games.kernels import header
from antipodes.games.registry import make_game
from antipodes.search.interface import Knowledge, Limits, Proven
from antipodes.search.mcts_tree import TreeSettings
from antipodes.search.tree import TreeSearch

PLANS = [
    TreeSettings(),
    TreeSettings(threshold=1),
    TreeSettings(batches=True, exploration=0.02, threshold=1),
    TreeSettings(batches=True, exploration=0.02, threshold=3, bridges=True),
]
GAMES = [
    ("hex", {"size": 3, "swap": "off"}),
    ("hex", {"size": 3, "swap": "sides"}),
    ("hex", {"size": 3, "swap": "pieces"}),
    ("cylindrical-hex", {"rows": 3, "columns": 3}),
    ("antipod", {"side": 2, "handicap": "none"}),
    ("antipod", {"side": 2, "handicap": "none", "first": "black"}),
]


def value_of(position):
    """Return the value of a position for its seat to move by brute force: 1, 0.5 or 0."""
    return _value(position)


@functools.cache
def _value(position):
    best = 0.0
    for move in position.legal_moves:
        best = max(best, _after(position, move))
        if best == 1.0:
            break
    return best


def _after(position, move):
    """Return the value of a move for the seat that makes it, with two seats."""
    after = position.play(move)
    if after.outcome is None:
        value: float = _value(after)
        return value if after.seat_to_move == position.seat_to_move else 1.0 - value
    if after.outcome.winner is None:
        return 0.5
    return float(position.seat_to_move in after.seat_of(after.outcome.winner))


def proven_value(proven):
    """Return the value of a proven result, or ``None``."""
    return {Proven.WIN: 1.0, Proven.DRAW: 0.5, Proven.LOSS: 0.0}.get(proven)


def positions_of(game_id, options, count, least):
    """Return random positions of a game with ``least`` to ``least + 3`` moves to the end."""
    game = make_game(game_id, options)
    rng = random.Random(f"{game_id}{options}")
    found: list[Any] = []
    while len(found) < count:
        position = game.initial()
        plies = max(0, game.max_plies - least - rng.randrange(4))
        while position.outcome is None and position.ply < plies:
            position = position.play(rng.choice(position.legal_moves))
        if position.outcome is None:
            found.append(position)
    return found


@pytest.mark.parametrize("settings", PLANS)
@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_small_games_are_proven_as_brute_force_finds_them(game_id, options, settings):
    for position in positions_of(game_id, options, 4, 6):
        search = TreeSearch(position, settings=settings, memory=16)
        search.run(Limits(visits=200_000))
        assert search.proven is not None
        assert proven_value(search.proven) == value_of(position) == search.value()
        for candidate in search.candidates():
            if candidate.proven is not None:
                assert proven_value(candidate.proven) == _after(position, candidate.move)
                assert candidate.error == 0
        assert search.candidates()[0].value == value_of(position)


def test_a_draw_is_proven():
    game = make_game("antipode", {})
    rng = random.Random(3)
    seen = set()
    for _ in range(400):
        position = game.initial()
        while position.outcome is None and position.ply < 52:
            position = position.play(rng.choice(position.legal_moves))
        if position.outcome is not None:
            continue
        search = TreeSearch(position, memory=16)
        search.run(Limits(visits=20_000))
        if search.proven is not None and len(position.legal_moves) < 60:
            assert proven_value(search.proven) == value_of(position)
            seen.add(search.proven)
        if seen == set(Proven):
            return
    pytest.fail(f"only {seen} came up")


def test_three_sides_prove_only_what_none_can_prevent():
    """Whatever is proven of a cut-throat game stays so against all replies of the two others."""
    game = make_game(
        "antipalos", {"size": 12, "rods": 1, "seats": "cutthroat3", "phase_two_limit": 1}
    )
    search = TreeSearch(game.initial(), memory=16)
    search.run(Limits(visits=3_000))
    # Three rods connect nothing on this board, so no win can be proven.
    assert search.proven is not Proven.WIN
    assert all(candidate.proven is not Proven.WIN for candidate in search.candidates())


class Oracle:
    """A source that knows the result by brute force and returns a part of it."""

    def __init__(self, game, kind):
        self.game, self.kind, self.asked = game, kind, 0

    def query(self, state):
        self.asked += 1
        assert state[header.WINNER] == 0
        assert state[header.SWAP_OPEN] == 0
        position = self.game.wrap(np.array(state))
        winning = tuple(m for m in position.legal_moves if _after(position, m) == 1.0)
        own = int(state[header.COLOR])
        if self.kind == "winner":
            return Knowledge(own, winning) if winning else Knowledge(1 - own)
        if self.kind == "pruning":
            return Knowledge(None, winning[:1])
        return None


@pytest.mark.parametrize("kind", ["winner", "pruning", "silent"])
@pytest.mark.parametrize("settings", PLANS[1:3])
@pytest.mark.parametrize(("game_id", "options"), GAMES[:1] + GAMES[3:])
def test_knowledge_changes_the_speed_and_not_the_result_of_proofs(game_id, options, settings, kind):
    for position in positions_of(game_id, options, 3, 6):
        oracle = Oracle(position.game, kind)
        search = TreeSearch(
            position, settings=settings, knowledge=oracle, memory=16, query_visits=8
        )
        search.run(Limits(visits=100_000))
        assert oracle.asked > 0
        assert proven_value(search.proven) == value_of(position)
        best = search.candidates()[0]
        assert best.move in position.legal_moves
        assert proven_value(best.proven) == _after(position, best.move)


def test_pruned_moves_are_never_selected():
    class Narrow:
        def query(self, state):
            return Knowledge(None, (3, 5))

    position = make_game("hex", {"size": 5, "swap": "off"}).initial()
    search = TreeSearch(position, knowledge=Narrow(), memory=16)
    search.run(Limits(visits=500))
    assert {candidate.move for candidate in search.candidates()} <= {Move(3), Move(5)}


def test_a_position_known_to_be_lost_is_still_searched_for_the_hardest_answer():
    class Pessimist:
        def query(self, state):
            return Knowledge(1 - int(state[header.COLOR]))

    position = make_game("hex", {"size": 5, "swap": "off"}).initial()
    search = TreeSearch(position, knowledge=Pessimist(), memory=16, query_visits=100)
    search.run(Limits(visits=50))
    assert sum(candidate.visits for candidate in search.candidates()) >= 40
    search.run(Limits(visits=200))
    assert search.proven is Proven.LOSS
    assert search.visits == 100


def test_a_proof_ends_the_run_and_its_line_bears_it():
    position = make_game("hex", {"size": 3, "swap": "off"}).initial()
    search = TreeSearch(position, memory=16)
    search.run(Limits(visits=100_000))
    assert search.proven is Proven.WIN
    visits = search.visits
    search.run(Limits(visits=200_000))
    assert search.visits == visits
    best = search.candidates()[0]
    assert best.proven is Proven.WIN
    assert _after(position, best.move) == 1.0
    for move in best.line:
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner is make_game("hex", {}).initial().to_move


def test_after_any_move_out_of_a_decided_position_there_are_candidates_still():
    class Optimist:
        def query(self, state):
            return Knowledge(int(state[header.COLOR])) if int(state[header.PLY]) == 1 else None

    position = make_game("hex", {"size": 5, "swap": "off"}).initial()

    def decided():
        search = TreeSearch(position, knowledge=Optimist(), memory=16, query_visits=60)
        search.run(Limits(visits=500))
        lost = [one.move for one in search.candidates() if one.proven is Proven.LOSS]
        search.play(lost[0])
        return search

    search = decided()
    assert search.proven is Proven.WIN
    for candidate in search.candidates():
        tree = decided()
        tree.play(candidate.move)
        tree.run(Limits(visits=20))
        assert tree.candidates()
