"""Patterns: what proven wins need, so that they limit the moves in other positions as well."""

from __future__ import annotations

from typing import Any

import numpy as np

from antipodes.games.kernels import Array, edition
from antipodes.games.placement import PlacementGame
from antipodes.search.kernels import proof_patterns as kernels
from antipodes.search.proof.reduction import joined, split

_CAPACITY = 1 << 15  # patterns kept
_FIRST = 1 << 10  # patterns for which there is room at first


class PatternStore:
    """The patterns with which one colour wins if it is to move, for one thread at a time.

    A pattern holds in all positions in which the colour has its stones, the *base*, and the other
    colour has no stone in its carrier; symmetric ones included.

    Attributes:
        count: patterns stored so far; those that were forgotten are counted too.
    """

    def __init__(self, game: PlacementGame[Any, Any], images: Array, color: int) -> None:
        """Make an empty store for the wins of a colour (0 Black, 1 White).

        Args:
            game: the game.
            images: of the cells under each symmetry, in rows.
            color: of the winner.
        """
        cells = game.topology.cell_count
        words = -(-cells // kernels.BITS)
        self.count = 0
        self._tables = game.tables
        self._color = color
        self._images = np.ascontiguousarray(images[:, :cells])
        self._patterns = np.zeros((_FIRST, 2, words), np.int64)
        self._forgotten = 0
        self._known: dict[tuple[int, ...], None] = {}
        self._moves = np.zeros(words, np.int64)
        self._base = np.zeros(words, np.int64)
        self._stack = np.zeros(2 * cells, np.int64)
        self._views = np.zeros((2 * len(images), words), np.int64)
        self._found = np.zeros((cells, words), np.int64)
        self._match = edition(kernels, "match")
        self._find_base = edition(kernels, "find_base")

    def add(self, state: Array, carrier: int) -> None:
        """Store the pattern of a position that the colour, to move, wins with a carrier."""
        self._moves[:] = split(carrier, len(self._moves))
        self._find_base(self._tables, state, self._color, self._moves, self._base, self._stack)
        key = (*self._base.tolist(), carrier)
        if key in self._known:
            return
        self._known[key] = None
        place = self.count - self._forgotten
        if place == _CAPACITY:
            place = self._forget()
        elif place == len(self._patterns):
            self._patterns = np.concatenate([self._patterns, np.zeros_like(self._patterns)])
        self._patterns[place] = self._base, self._moves
        self.count += 1

    def _forget(self) -> int:
        """Forget the older half of the patterns; return how many are left."""
        half = _CAPACITY // 2
        self._patterns[:half] = self._patterns[half:_CAPACITY]
        self._forgotten += half
        for key in list(self._known)[:half]:
            del self._known[key]
        return half

    def find(self, state: Array, moves: int, first: int = 0) -> list[int]:
        """Return the carriers of patterns that together refute as many of the moves as possible.

        Args:
            state: of the position, with the other colour to move.
            moves: a set of cells.
            first: number of the first pattern to look at.
        """
        self._moves[:] = split(moves, len(self._moves))
        count = self._match(
            self._tables,
            state,
            self._color,
            self._images,
            self._patterns,
            max(first - self._forgotten, 0),
            self.count - self._forgotten,
            self._moves,
            self._views,
            self._found,
        )
        return [joined(words) for words in self._found[:count].tolist()]
