"""Conversion of boards, options and setups to numbers for kernels."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from antipodes.boards import Topology
from antipodes.core import Color, Setup
from antipodes.errors import Fault
from antipodes.games.kernels import Array
from antipodes.games.points import PointNames
from antipodes.notation.text import clean, shorten


def hash_keys(text: str, count: int) -> list[int]:
    """Return ``count`` 64-bit hash keys, the same on every machine; ``text`` names the game."""
    stream = hashlib.shake_256(f"antipodes:{text}".encode()).digest(8 * count)
    return [int(key) for key in np.frombuffer(stream, "<i8")]


def pack(numbers: Mapping[int, int], arrays: Mapping[int, list[int]], size: int) -> Array:
    """Return tables: numbers at their indices, then arrays with their offsets at theirs."""
    head = [0] * size
    for place, number in numbers.items():
        head[place] = number
    body: list[int] = []
    for place, values in arrays.items():
        head[place] = size + len(body)
        body.extend(values)
    return np.array(head + body, np.int64)


def read_stones(
    setup: Setup, board: Topology, colors: tuple[Color, ...], faults: list[Fault]
) -> dict[int, int]:
    """Return cell -> colour index of a setup's stones; add faults to ``faults``."""
    names = {color.value: index for index, color in enumerate(colors)}
    color_of_cell: dict[int, int] = {}
    for point, color in setup.stones:
        name = clean(str(point))
        cell = _cell_named(board, name)
        index = names.get(str(color).lower())
        if cell is None:
            fault = Fault.of(
                "position/no-such-point",
                "the board has no point {point}; {help}",
                where=str(point),
                point=shorten(str(point)),
                help=PointNames.of(board).where(name),
            )
            faults.append(fault)
        elif index is None:
            faults.append(no_such_color(color, colors, str(point)))
        elif color_of_cell.setdefault(cell, index) != index:
            fault = Fault.of(
                "position/two-stones",
                "{point} has stones of two colours",
                where=str(point),
                point=point,
            )
            faults.append(fault)
    return color_of_cell


def _cell_named(board: Topology, name: str) -> int | None:
    """Return the cell of a name; ``+`` may follow one of the rim, as in moves of Antipod."""
    cell = board.cell(name.removesuffix("+"))
    is_rim = cell is not None and len(board.names[cell]) > 1
    return cell if is_rim or not name.endswith("+") else None


def no_turn_of(color: object, colors: tuple[Color, ...]) -> Fault:
    """Return the fault of a colour to move that a game does not have."""
    return Fault.of(
        "position/no-such-color",
        "the colour to move is {colour}, but must be {first} or {second}",
        colour=repr(color),
        first=colors[0],
        second=colors[1],
    )


def no_such_color(color: object, colors: tuple[Color, ...], where: str = "") -> Fault:
    """Return the fault of a colour that a game does not have."""
    return Fault.of(
        "position/no-such-color",
        "{colour} is not a colour here ({known} are)",
        where=where,
        colour=shorten(str(color)),
        known=colors,
    )
