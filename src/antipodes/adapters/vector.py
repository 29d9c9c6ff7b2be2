"""Many games at once: the vectorised environment, stepped by a few calls of compiled kernels.

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
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.adapters.kernels import vector as vector_kernels
from antipodes.adapters.observation import observe, piece_kinds, plane_names, rewards
from antipodes.games.kernels import compiled_rules, header, jit
from antipodes.games.kernels.registry import KERNELS
from antipodes.games.position import Game
from antipodes.games.registry import make_game

# Families whose states the kernels can read; positions of other games are drawn one by one.
_LAYOUTS = {
    "placement": vector_kernels.STONES_ON_CELLS,
    "antipalos": vector_kernels.PIECES_ON_CELLS,
    "antipode": vector_kernels.SETS_OF_CELLS,
}


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

    Attributes:
        game: the game.
        observations: shape ``(n, planes, cells)``, truth values: the positions as the colours to
            move see them (:mod:`antipodes.adapters.observation`); each step overwrites it.
        legal: shape ``(n, game.move_count)``: whether each move is legal; overwritten by each
            step.
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
        self._layout = _LAYOUTS.get(self.game.family, vector_kernels.UNKNOWN)
        self._kinds = len(piece_kinds(self.game))
        self._rules = compiled_rules(self.game.family)
        self._kernels = _kernels()
        self._start = self.game.initial().searchable_state(self.game.max_plies)
        self._states = np.tile(self._start, (n, 1))
        self._work = self.game.work()
        self._listing = np.zeros(self.game.max_branching, np.int64)
        self._ends = np.zeros((n, 2), np.int64)
        self._actions = np.zeros(n, np.int64)
        self._rng = np.array([2 * seed + 1], np.int64)
        self._rewards = _rewards(self.game)
        colors = self.game.colors
        self._places = np.array([colors.index(c) for c in self.game.kernel_colors], np.int64)
        cells = self.game.topology.cell_count
        self._planes = np.zeros((n, len(plane_names(self.game)), cells), np.uint8)
        self.observations = self._planes.view(np.bool_)
        self._mask = np.zeros((n, self.game.move_count), np.uint8)
        self.legal = self._mask.view(np.bool_)
        self.to_move = self._states[:, header.SEAT]
        self._look()

    def __len__(self) -> int:
        """Return the number of games."""
        return len(self._states)

    def reset(self) -> None:
        """Start all games again."""
        self._states[:] = self._start
        self._look()

    def step(self, actions: npt.ArrayLike) -> Step:
        """Play a move in each game.

        Args:
            actions: shape ``(n,)``: a legal move of each game.

        Raises:
            IllegalMoveError: a move is not legal; no game has changed.
            ValueError: the shape is wrong.
        """
        moves = np.asarray(actions)
        if moves.shape != (len(self),) or not np.issubdtype(moves.dtype, np.integer):
            expected = f"{len(self)} whole numbers"
            raise ValueError(f"actions are {moves.dtype} of shape {moves.shape}, not {expected}")
        self._actions[:] = moves
        rules, tables = self._rules, self.game.tables
        wrong = self._kernels["first_illegal"](
            rules.judge, tables, self._states, self._work, self._actions
        )
        if wrong >= 0:
            self.position(wrong).play(int(moves[wrong]))
        self._kernels["step_games"](
            rules.play,
            rules.moves,
            self._layout,
            self._kinds,
            tables,
            self._places,
            self._start,
            self._states,
            self._work,
            self._listing,
            self._actions,
            self._ends,
            self._mask,
            self._planes,
        )
        self._draw_unknown_games()
        winners, swapped = self._ends.T
        return Step(self._rewards[np.minimum(swapped, 1), winners], winners != 0)

    def random_actions(self) -> npt.NDArray[np.int64]:
        """Return a random legal move of each game, uniformly."""
        actions = np.zeros(len(self), np.int64)
        self._kernels["choose_randomly"](self._mask, self._rng, actions)
        return actions

    def position(self, number: int) -> Any:
        """Return one of the games as a position."""
        return self.game.wrap(self._states[number].copy())

    def _look(self) -> None:
        """Write what learners see of the games."""
        self._kernels["look"](
            self._rules.moves,
            self._layout,
            self._kinds,
            self.game.tables,
            self._places,
            self._states,
            self._work,
            self._listing,
            self._mask,
            self._planes,
        )
        self._draw_unknown_games()

    def _draw_unknown_games(self) -> None:
        """Write the planes of games whose states the kernels cannot read."""
        if self._layout == vector_kernels.UNKNOWN:
            for number in range(len(self)):
                self.observations[number] = observe(self.position(number))


def _kernels() -> dict[str, Callable[..., int]]:
    """Return the kernels, compiled if Numba is installed."""
    name = vector_kernels.__name__
    if jit.enabled():
        return dict(jit.compiled(name))
    return {one: function for one, (function, _) in KERNELS[name].items()}


def _rewards(game: Game) -> npt.NDArray[np.float32]:
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
