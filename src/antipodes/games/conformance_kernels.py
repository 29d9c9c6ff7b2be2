"""The kernels in the test kit: the plain and the compiled edition agree."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np

from antipodes.games.kernels import Array, Rules, compiled_rules, header, plain_rules
from antipodes.games.position import Game, Position

Require = Callable[[object, str], None]


class Walk:
    """A game played by both editions of the kernels, in place on one array each."""

    def __init__(self, game: Game, require: Require) -> None:
        """Begin at the start position of the game."""
        self.game = game
        self.require = require
        self.editions = (plain_rules(game.family), compiled_rules(game.family))
        self.states = [game.initial().searchable_state(0) for _ in self.editions]
        self.work = game.work()
        for rules, state in zip(self.editions, self.states, strict=True):
            rules.start(game.tables, state, self.work)
        self._compare(game.initial().kernel_state, "start")

    def play(self, move: int, expected: Array) -> None:
        """Play a move on both arrays; both must then begin with the ``expected`` state."""
        for index, rules in enumerate(self.editions):
            # Room for one more key of a history, where the game keeps one.
            room = max(len(expected), len(self.states[index]))
            state = np.zeros(room, np.int64)
            state[: len(self.states[index])] = self.states[index]
            rules.play(self.game.tables, state, self.work, move)
            self.states[index] = state
        self._compare(expected, f"play of move {move}")

    def _compare(self, expected: Array, name: str) -> None:
        plain, compiled = self.states
        self.require(np.array_equal(plain, compiled), f"{name}: both editions write the same state")
        same = np.array_equal(plain[: len(expected)], expected)
        self.require(same, f"{name}: the position has the state that kernels write in place")
        self.require(not self.work.any(), f"{name}: the work array is zero afterwards")


def compare(position: Position, moves: Sequence[int], rng: random.Random, require: Require) -> None:
    """Require equal results of all kernels in both editions, and zeros in the work array."""
    game = position.game
    plain, compiled = plain_rules(game.family), compiled_rules(game.family)
    seed = rng.randrange(1, 2**62)
    names = ("rebuild", "judge", "moves", "sample", "chain")
    found = [_answers(rules, position, moves, seed, require) for rules in (plain, compiled)]
    for name, one, other in zip(names, *found, strict=True):
        require(np.array_equal(one, other), f"{name}: both editions answer alike")


def _answers(
    rules: Rules, position: Position, moves: Sequence[int], seed: int, require: Require
) -> tuple[Array, ...]:
    """Return the results of all kernels for a position, as arrays."""
    game, state = position.game, position.kernel_state
    tables, work = game.tables, game.work()
    chain_work = np.zeros(game.chain_work_size, np.int64)
    before = state.tobytes()
    judged = np.array([rules.judge(tables, state, work, move) for move in moves], np.int64)
    listed = np.zeros(game.max_branching, np.int64)
    count = rules.moves(tables, state, work, listed)
    chain = np.zeros(game.topology.cell_count + 8, np.int64)
    length = rules.chain(tables, state, chain_work, chain)
    drawn = np.zeros(5, np.int64)
    if state[header.WINNER] == 0:
        numbers = np.array([seed], np.int64)
        drawn = np.array([rules.sample(tables, state, work, numbers) for _ in range(5)], np.int64)
        require(set(drawn) <= set(listed[:count].tolist()), "sample: draws legal moves")
    require(state.tobytes() == before, "kernels that only look leave the state alone")
    rebuilt = position.searchable_state(1)
    winners = rules.rebuild(tables, rebuilt, work)
    require(not work.any() and not chain_work.any(), "the work arrays are zero after every call")
    return (
        np.append(rebuilt, winners),
        judged,
        listed[:count],
        drawn,
        chain[:length],
    )
