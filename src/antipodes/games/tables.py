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
    found: dict[int, int] = {}
    for point, color in setup.stones:
        name = clean(str(point))
        cell = board.cell(name)
        index = names.get(str(color).lower())
        if cell is None:
            where = PointNames.of(board).where(name)
            text = f"the board has no point {shorten(str(point))}; {where}"
            faults.append(Fault("position/no-such-point", text, str(point)))
        elif index is None:
            text = f"{shorten(str(color))} is not a colour here ({', '.join(names)} are)"
            faults.append(Fault("position/no-such-color", text, str(point)))
        elif found.setdefault(cell, index) != index:
            text = f"{point} has stones of two colours"
            faults.append(Fault("position/two-stones", text, str(point)))
    return found
