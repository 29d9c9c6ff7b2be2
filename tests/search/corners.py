"""A game made up for tests, whose family of kernels the search does not know."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from antipodes.boards import rhombus
from antipodes.core import Color, Move, Setup
from antipodes.games.base import BoardGame
from antipodes.games.kernels import header
from antipodes.games.options import Options, whole
from antipodes.games.position import BoardPosition
from antipodes.games.tables import hash_keys, read_stones
from antipodes.notation.scene import Scene


@dataclass(frozen=True, kw_only=True)
class CornersOptions(Options):
    """Options of Corners."""

    size: int = whole(4, 2, 8, "rows and columns of the board")


class Corners(BoardGame[CornersOptions, "CornersPosition"]):
    """Two players place stones; the first with two corners wins."""

    id = "corners"
    title = "Corners"
    summary = "Place stones; the first with two corners wins."
    family = "corners"
    options_type = CornersOptions
    symmetries = (0,)
    colors = (Color.BLACK, Color.WHITE)

    @property
    def topology(self):
        return rhombus(self.options.size)

    @property
    def move_count(self):
        return self.topology.cell_count

    max_plies = max_branching = identity_size = move_count

    @property
    def state_size(self):
        return header.HEADER + self.topology.cell_count

    def make_tables(self):
        cells, size = self.topology.cell_count, self.options.size
        corners = [0, size - 1, cells - size, cells - 1]
        return np.array([cells, *corners, *hash_keys(self.id, 2 * cells)], np.int64)

    def transform(self, move, symmetry):
        return Move(move)

    def _fill(self, setup, state, faults):
        for cell, owner in read_stones(setup, self.topology, self.colors, faults).items():
            state[header.HEADER + cell] = 1 + owner
        state[header.PLY] = len(setup.stones)
        names = [color.value for color in self.colors]
        turn = len(setup.stones) % 2
        state[header.COLOR] = names.index(setup.to_move) if setup.to_move else turn


class CornersPosition(BoardPosition[Corners]):
    """A position of Corners."""

    __slots__ = ()

    def stones(self):
        owners = self.kernel_state[header.HEADER :].tolist()[: self.game.topology.cell_count]
        return {cell: self.game.colors[owner - 1] for cell, owner in enumerate(owners) if owner}

    def _read(self, text):
        cell = self.game.topology.cell(text)
        return None if cell is None else Move(cell)

    def _move_help(self):
        return self.game.point_names.span()

    def format_move(self, move, seat=None):
        return self.game.topology.name(move)

    def to_setup(self):
        name = self.game.topology.name
        turn = self.game.colors[len(self.stones()) % 2]
        return Setup(
            stones=tuple((name(cell), color.value) for cell, color in self.stones().items()),
            to_move=self.to_move.value,
            composed=self.to_move is not turn,
        )

    def scene(self):
        return Scene(
            topology=self.game.topology,
            title=self.caption(),
            stones=self.stones(),
            last=self.last_cell,
        )


Corners.position_type = CornersPosition
