"""The boards on which a network is trained, with all that positions on them need."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.games.antipod import Antipod, AntipodOptions
from antipodes.games.kernels import Array, edition, header, placement
from antipodes.games.placement import PlacementGame
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.search.kernels import network_inputs
from antipodes.search.network.directions import directed_neighbours
from antipodes.search.network.evaluator import frames_of, goals_of, is_rhombus

Floats = npt.NDArray[np.float32]
Cells = npt.NDArray[np.int8]

# The sizes of the boards of each game.
SIZES = {"hex": (2, 19), "cylindrical-hex": (3, 19), "antipod": (2, 10)}

# Antipod is learned with different numbers of White's stones, since six leave White few chances
# and none leaves none: shares of the games with each handicap; "some" is six and a random number of
# extra stones, at most three for each point of a side.
HANDICAPS = {"six": 0.2, "some": 0.6, "two": 0.1, "none": 0.1}


class Board:
    """A board of one game and size."""

    def __init__(self, game_id: str, size: int) -> None:
        """Make the board.

        Args:
            game_id: a game of ``SIZES``.
            size: rows and columns, or the side of the sphere.
        """
        self.game = _make(game_id, size)
        self.cells = self.game.topology.cell_count
        self.frames = frames_of(self.game)
        self.goals = goals_of(self.game)
        self.is_rhombus = is_rhombus(self.game)
        self.work = self.game.work()

    def new_scratch(self) -> Array:
        """Return a work array for the kernels of the inputs; each thread needs its own."""
        return np.zeros(network_inputs.ROOM * self.cells, np.int64)

    @cached_property
    def neighbours(self) -> Array:
        """The neighbours of each cell by direction, shape ``(cells, 7)``."""
        return directed_neighbours(self.game.topology)

    @cached_property
    def _origins(self) -> Array:
        """For each symmetry and cell, the cell whose image it is."""
        return np.argsort(np.array(self.game.topology.symmetries), axis=1)

    def start(self, rng: np.random.Generator) -> Array:
        """Return the state at the start of a game, with random options."""
        game: Game = self.game
        if isinstance(game, Antipod):
            game = make_game(game.id, _random_options(game.topology.size[0], rng))
        state: Array = game.initial().searchable_state(self.cells)
        return state

    def opening(self, stones: int, rng: np.random.Generator) -> Array:
        """Return the state after some random moves, in which the game is not over."""
        while True:
            state = self.start(rng)
            empty = np.flatnonzero(state[header.HEADER : header.HEADER + self.cells] == 0)
            for cell in rng.permutation(empty)[:stones].tolist():
                if not state[header.WINNER]:
                    edition(placement, "play")(self.game.tables, state, self.work, cell)
            if not state[header.WINNER]:
                return state

    def seen(self, state: Array) -> tuple[Cells, int]:
        """Return the owners of the cells as the network sees them, and the colour to move.

        Owners are 0 none, 1 Black and 2 White. On a rhombus the board is turned over for White, who
        is then seen as Black.
        """
        owners = state[header.HEADER : header.HEADER + self.cells]
        color = int(state[header.COLOR])
        if not self.is_rhombus:
            return owners.astype(np.int8), color
        cells = np.zeros(self.cells, np.int8)
        own, other = 1 + color, 2 - color
        cells[self.frames[color]] = np.select([owners == own, owners == other], [1, 2], 0)
        return cells, 0

    def turned(
        self, cells: Cells, policies: Floats, rng: np.random.Generator
    ) -> tuple[Cells, Floats]:
        """Return positions and policies after a random symmetry each."""
        origins = self._origins[rng.integers(0, len(self._origins), len(cells))]
        return np.take_along_axis(cells, origins, 1), np.take_along_axis(policies, origins, 1)

    def inputs(self, cells: Cells, colors: npt.NDArray[np.int8]) -> Floats:
        """Return the inputs of the network, shape ``(positions, planes, cells)``."""
        found = np.zeros((len(cells), network_inputs.PLANES, self.cells), np.float32)
        state = np.zeros(header.HEADER + self.cells, np.int64)
        owners = np.ascontiguousarray(cells)
        board = (self.game.tables, state, self.new_scratch(), self.goals, np.arange(self.cells))
        edition(network_inputs, "write_samples")(owners, colors.astype(np.int64), *board, found)
        return found


def _random_options(side: int, rng: np.random.Generator) -> dict[str, object]:
    handicap = str(rng.choice(list(HANDICAPS), p=list(HANDICAPS.values())))
    first = str(rng.choice(["white", "black"]))
    if handicap != "some":
        return {"side": side, "handicap": handicap, "first": first}
    most = min(3 * side, AntipodOptions(side=side).most_extra_stones)
    return {"side": side, "extra_stones": int(rng.integers(0, most + 1)), "first": first}


@lru_cache(maxsize=64)
def board_of(game_id: str, size: int) -> Board:
    """Return the board of a game and size."""
    return Board(game_id, size)


def _make(game_id: str, size: int) -> PlacementGame[Any, Any]:
    options: dict[str, dict[str, object]] = {
        "hex": {"size": size, "swap": "off"},
        "cylindrical-hex": {"rows": size, "columns": size},
        "antipod": {"side": size},
    }
    game = make_game(game_id, options[game_id])
    assert isinstance(game, PlacementGame)
    return game
