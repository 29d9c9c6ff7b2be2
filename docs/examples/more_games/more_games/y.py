"""The game of Y (Claude Shannon, about 1952): join all three sides of a triangle."""

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Any, ClassVar

from antipodes.boards import Label, Place, Shape, Topology
from antipodes.boards.topology import letter
from antipodes.games.kernels import header, placement, rules_of
from antipodes.games.kernels.placement import judge, moves, pieces, sample, start
from antipodes.games.options import Options, choice, whole
from antipodes.games.placement import PlacementGame, PlacementPosition

__all__ = ["Y", "YOptions", "judge", "moves", "pieces", "sample", "start"]

# --- the board -------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def triangle(size):
    """Return the triangle with ``size`` cells along each side, row by row from the top.

    Rims: ``left``, ``right`` and ``bottom``.
    """
    cells = [(row, column) for row in range(size) for column in range(row + 1)]
    index = {cell: number for number, cell in enumerate(cells)}
    steps = ((0, 1), (0, -1), (1, 0), (1, 1), (-1, 0), (-1, -1))
    names = [f"{letter(column)}{row + 1}" for row, column in cells]
    height = math.sqrt(3) / 2
    return Topology(
        kind="triangle",
        size=(size,),
        neighbours=tuple(
            tuple(sorted(index[r + dr, c + dc] for dr, dc in steps if (r + dr, c + dc) in index))
            for r, c in cells
        ),
        names=tuple((name,) for name in names),
        places=tuple(
            Place(number, 0, column - row / 2, row * height, names[number])
            for number, (row, column) in enumerate(cells)
        ),
        labels=(
            *(Label(str(row + 1), -row / 2 - 1, row * height) for row in range(size)),
            *(Label(letter(c), c - size / 2, size * height) for c in range(size)),
        ),
        rims={
            "left": tuple(index[row, 0] for row in range(size)),
            "right": tuple(index[row, row] for row in range(size)),
            "bottom": tuple(index[size - 1, column] for column in range(size)),
        },
        symmetries=tuple(images(size, index)),
        shape=Shape.POINTY,
        factory=triangle,
    )


def images(size, index):
    """Yield the six symmetries: a cell has a distance to each side, and they are permuted."""
    for order in permutations(range(3)):
        image = []
        for row, column in index:
            distances = (column, row - column, size - 1 - row)
            left, right = distances[order[0]], distances[order[1]]
            image.append(index[left + right, left])
        yield tuple(image)


# --- the rules, in plain Python --------------------------------------------------------------


def board_of(tables):
    return triangle(math.isqrt(2 * int(tables[placement.CELLS])))


def joined(tables, state, cell):
    """Return the chain of a stone if it touches all sides, or nothing."""
    board = board_of(tables)
    owners = state[header.HEADER : header.HEADER + board.cell_count].tolist()
    chain, edge = {cell}, [cell]
    while edge:
        for near in board.neighbours[edge.pop()]:
            if owners[near] == owners[cell] and near not in chain:
                chain.add(near)
                edge.append(near)
    return sorted(chain) if all(chain.intersection(rim) for rim in board.rims.values()) else []


def settle(tables, state, cell):
    if state[header.WINNER] == 0 and joined(tables, state, cell):
        state[header.WINNER] = state[header.HEADER + cell]
        state[header.REASON] = header.CONNECTION
        state[header.POINTS] = 1


def play(tables, state, work, move):
    rules_of("placement").play(tables, state, work, move)
    if move < tables[placement.CELLS]:
        settle(tables, state, move)
        if state[header.WINNER] != 0:
            state[header.SWAP_OPEN] = 0
    return 0


def rebuild(tables, state, work):
    rules_of("placement").rebuild(tables, state, work)
    for cell in board_of(tables).rims["left"]:
        if state[header.HEADER + cell] != 0:
            settle(tables, state, cell)
    return int(state[header.WINNER] != 0)


def chain(tables, state, work, out):
    if state[header.WINNER] == 0:
        return 0
    for cell in board_of(tables).rims["left"]:
        if state[header.HEADER + cell] == state[header.WINNER]:
            cells = joined(tables, state, cell)
            if cells:
                out[: len(cells)] = cells
                return len(cells)
    return 0


# --- the game --------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class YOptions(Options):
    """Options of Y."""

    size: int = whole(11, 2, 26, "cells along each side of the triangle")
    swap: str = choice("on", "off", help="whether the second player may exchange seats")


class Y(PlacementGame[YOptions, PlacementPosition[Any]]):
    """Both colours join all three sides of a triangle; a corner belongs to two sides."""

    id = "y"
    title = "Y"
    summary = "Join all three sides of a triangle; a corner belongs to two of them."
    rules_text = """
Black begins, and each turn places a stone on an empty cell. Stones stay.

The colour whose chain touches all three sides wins. A full board always has one winner.
"""
    family = __name__
    options_type = YOptions
    position_type = PlacementPosition
    goals: ClassVar = {}

    @property
    def topology(self):
        """The triangle."""
        return triangle(self.options.size)

    @property
    def swap_mode(self):
        """The kind of swap for kernels."""
        return placement.SWAP_SEATS if self.options.swap == "on" else placement.NO_SWAPS

    @property
    def goals_in_words(self):
        """The same goal for both colours."""
        return dict.fromkeys(self.colors, "join all three sides")

    # The tables of placement games also describe terminals and a seam, which Y does not have: two
    # nodes that nothing touches.

    def _border_owners(self):
        return [0, 0]

    def _terminals(self):
        return self.topology.cell_count, self.topology.cell_count + 1

    def _winding(self, cell, neighbour):
        return 0
