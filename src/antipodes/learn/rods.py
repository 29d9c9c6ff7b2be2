"""Rods of Antipalos as pairs of grid points: touching, zigzags, Vs, and crossings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from antipodes.core import Color, Move
from antipodes.errors import InputError
from antipodes.games.antipalos import AntipalosPosition
from antipodes.games.position import Position
from antipodes.notation.rods import rod_points

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PlacedRod:
    """A rod on the board.

    Attributes:
        square: column and row, from 0 at the lower left corner.
        points: the grid points that it joins.
        color: of the rod; ``None`` if it does not matter.
    """

    square: Point
    points: frozenset[Point]
    color: Color | None = None


def placed(position: Position) -> dict[Point, PlacedRod]:
    """Return all rods of a position by square."""
    assert isinstance(position, AntipalosPosition)
    size = int(position.game.options.size)
    found = {}
    for cell, rod in position.rods().items():
        row, column = divmod(cell, size)
        found[column, row] = _rod(row, column, rod.diagonal, rod.color)
    return found


def moved(position: Position, move: Move) -> PlacedRod:
    """Return the rod that a move places, moves or turns, in its new place."""
    *_, cell, falls = position.steps(move)
    row, column = divmod(cell, int(position.game.options.size))
    return _rod(row, column, "/\\"[falls], position.to_move)


def touches(rod: PlacedRod, name: str, size: int) -> bool:
    """Return whether a rod touches another one, named like ``B4*``, or a side such as ``top``.

    Raises:
        InputError: the name is neither.
    """
    sides = {"bottom": (1, 0), "top": (1, size), "left": (0, 0), "right": (0, size)}
    if name in sides:
        axis, place = sides[name]
        return any(point[axis] == place for point in rod.points)
    square = name.strip("*")
    if not (square[:1].isalpha() and square[1:].isdigit() and "*" in name):
        raise InputError.single("learn/no-such-point", f"{name[:20]} is not a rod")
    row, column = int(square[1:]) - 1, ord(square[0].upper()) - ord("A")
    return bool(rod.points & _rod(row, column, "\\" if name[0] == "*" else "/").points)


def partners(
    board: Mapping[Point, PlacedRod], color: Color, rod: PlacedRod
) -> dict[Point, PlacedRod]:
    """Return meeting point -> the own rod that meets a new one there in a square beside its own."""
    column, row = rod.square
    beside = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    partner_of_point = {}
    for square in beside:
        other = board.get(square)
        if other is not None and other.color is color:
            partner_of_point.update(dict.fromkeys(rod.points & other.points, other))
    return partner_of_point


def makes_v(board: Mapping[Point, PlacedRod], color: Color, rod: PlacedRod, side: str) -> bool:
    """Return whether a new rod makes a V with an own one: two open ends towards a side."""
    axis, sign = {"bottom": (1, 1), "top": (1, -1), "left": (0, 1), "right": (0, -1)}[side]
    for meeting, other in partners(board, color, rod).items():
        ends = (rod.points | other.points) - {meeting}
        ahead = all(sign * (meeting[axis] - end[axis]) == 1 for end in ends)
        is_open = not any(
            ends & third.points
            for third in board.values()
            if third.color is color and third is not other
        )
        if ahead and is_open:
            return True
    return False


def crossings(position: Position) -> frozenset[int]:
    """Return the empty squares by which the colour to move can cross straight chains of others.

    Where two rods in one line meet, a chain crosses by the two other squares at that point; they
    must be empty or hold rods of the crossing colour through the point.
    """
    size = int(position.game.options.size)
    board, color = placed(position), position.to_move
    crossed: set[int] = set()
    for x in range(1, size):
        for y in range(1, size):
            rising = (x - 1, y - 1), (x, y)
            falling = (x - 1, y), (x, y - 1)
            for line, gap in ((rising, falling), (falling, rising)):
                chain = [board.get(square) for square in line]
                ways = [board.get(square) for square in gap]
                if all(_meets(rod, (x, y), color, own=False) for rod in chain) and all(
                    rod is None or _meets(rod, (x, y), color, own=True) for rod in ways
                ):
                    free = (square for square in gap if square not in board)
                    crossed.update(row * size + column for column, row in free)
    return frozenset(crossed)


def _meets(rod: PlacedRod | None, point: Point, color: Color, *, own: bool) -> bool:
    """Return whether there is a rod through a point, of a colour or of any other one."""
    return rod is not None and point in rod.points and (rod.color is color) == own


def _rod(row: int, column: int, diagonal: str, color: Color | None = None) -> PlacedRod:
    return PlacedRod((column, row), frozenset(rod_points(row, column, diagonal)), color)
