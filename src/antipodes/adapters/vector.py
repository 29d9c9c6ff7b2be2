"""Many games at once: the vectorised environment, stepped by a few calls of kernels.

    >>> from antipodes.adapters.vector import VectorEnv
    >>> env = VectorEnv("hex", 64, size=5, seed=1)
    >>> env.observations.shape, env.legal.shape
    ((64, 7, 25), (64, 26))
    >>> step = env.step(env.random_actions())
    >>> step.rewards.shape, int(step.terminated.sum())
    ((64, 2), 0)

A game that ends starts again in the same step: its row of ``rewards`` and ``terminated`` tells of
the end, and its observation is that of the new game. All arrays are NumPy's, and so can be handed
to other libraries through DLPack without a copy (``torch.from_dlpack(env.observations)``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.adapters.kernels import antipalos, antipode, placement, steps
from antipodes.adapters.observation import Numbers, legal_mask, observe, rewards
from antipodes.adapters.plain_steps import plain_step
from antipodes.games.kernels import edition, header
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.search.kernels.choosing import generator_state

_FAMILIES = {"antipalos": antipalos, "antipode": antipode, "placement": placement}


@dataclass(frozen=True, slots=True)
class Step:
    """The result of a step.

    Attributes:
        rewards: shape ``(n, seats)``: where a game ended, :func:`observation.rewards`, otherwise
            0. Seats are counted in the order of the first turns.
        terminated: shape ``(n,)``: whether the game ended in this step and has started again.
    """

    rewards: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]


class VectorEnv:
    """A number of games of one kind, stepped together.

    A step changes the arrays below in place, and writes only what has changed: read them, and copy
    what you want to keep or change.

    Attributes:
        game: the game.
        observations: shape ``(n, planes, cells)``, truth values: the positions as the colours to
            move see them (:mod:`antipodes.adapters.observation`).
        legal: shape ``(n, game.move_count)``: whether each move is legal.
        to_move: shape ``(n,)``: the seat to move.
    """

    def __init__(self, game: str | Game, n: int, *, seed: int = 0, **options: int | str) -> None:
        """Start ``n`` games.

        Args:
            game: the id of a game, or a game.
            n: number of games.
            seed: for :meth:`random_actions`.
            options: options of the game, if it is an id.

        Raises:
            InvalidOptionsError: wrong options.
            ValueError: ``n`` is less than 1.
        """
        if n < 1:
            raise ValueError(f"n is {n}, but must be at least 1")
        self.game = make_game(game, options) if isinstance(game, str) else game
        start = self.game.initial()
        rows: tuple[Numbers, ...] = (
            start.searchable_state(self.game.max_plies),
            legal_mask(start).view(np.uint8),
            observe(start).astype(np.uint8),
        )
        # The kernels copy the last row, the start, to the row of a game that ends, whose last state
        # they copy to a row of its own between both.
        self._arrays = tuple(
            np.stack([row] * count)
            for row, count in zip(rows, (2 * n + 1, n + 1, n + 1), strict=True)
        )
        self._states, mask, planes = (array[:n] for array in self._arrays)
        self._ends = self._arrays[0][n:-1]
        self.to_move: npt.NDArray[np.int64] = self._states[:, header.SEAT]
        self.legal: npt.NDArray[np.bool_] = mask.view(np.bool_)
        self.observations: npt.NDArray[np.bool_] = planes.view(np.bool_)
        self._rng = np.array([generator_state(seed)], np.int64)
        self._choose = edition(steps, "choose_randomly")
        self._step: Callable[..., int] = partial(
            edition(_FAMILIES[self.game.family], "step")
            if self.game.family in _FAMILIES
            else plain_step(self.game),
            self.game.tables,
            np.array(
                [self.game.colors.index(color) for color in self.game.kernel_colors], np.int64
            ),
            _prizes(self.game),
            *self._arrays,
            self.game.work(),
            np.zeros(self.game.max_branching, np.int64),
        )

    def __len__(self) -> int:
        return len(self.legal)

    def reset(self) -> None:
        """Start all games again."""
        for array in self._arrays:
            array[: len(self)] = array[-1]

    def step(self, actions: npt.ArrayLike) -> Step:
        """Play a move in each game.

        Args:
            actions: shape ``(n,)``: a legal move of each game.

        Raises:
            IllegalMoveError: a move is not legal; no game has changed.
            ValueError: the shape is wrong.
        """
        moves = np.asarray(actions)
        if moves.shape != (len(self),) or moves.dtype.kind not in "iu":
            expected = f"{len(self)} whole numbers"
            raise ValueError(f"actions are {moves.dtype} of shape {moves.shape}, not {expected}")
        rewards = np.zeros((len(self), self.game.seats), np.float32)
        ended = np.zeros(len(self), np.uint8)
        wrong = self._step(np.ascontiguousarray(moves, np.int64), rewards, ended)
        if wrong >= 0:
            self.position(wrong).play(int(moves[wrong]))
        return Step(rewards, ended.view(np.bool_))

    def random_actions(self) -> npt.NDArray[np.int64]:
        """Return a random legal move of each game, uniformly."""
        actions = np.empty(len(self), np.int64)
        self._choose(self._arrays[1], self._rng, actions)
        return actions

    def position(self, number: int) -> Any:
        """Return one of the games as a position."""
        return self.game.wrap(self._states[number].copy())

    def end(self, number: int) -> Any:
        """Return the position in which a game ended last.

        Before its first end that is the start.
        """
        return self.game.wrap(self._ends[number].copy())


def _prizes(game: Game) -> npt.NDArray[np.float32]:
    """Return the rewards of all seats by whether seats have swapped and by the winner's number.

    The numbers are those of the kernels: 0 for games in progress, 1 + colour, or -1 for a draw,
    which as an index is the last row.
    """
    colors = game.kernel_colors
    table = np.zeros((2, len(colors) + 2, game.seats), np.float32)
    by_seats = game.swap_exchanges == "seats"
    for exchanged in (False, True):
        for index, color in enumerate(colors, start=1):
            winners = game.seats_of(color, exchanged=exchanged and by_seats)
            table[int(exchanged), index] = rewards(game, winners)
    return table
