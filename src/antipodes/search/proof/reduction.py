"""Reduction of positions: fill-in of cells that no longer matter, and inferior moves.

:class:`Reducer` calls the kernels of :mod:`antipodes.search.kernels.proof_fill`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels import Array, edition, header, placement
from antipodes.games.placement import PlacementGame
from antipodes.games.tables import hash_keys
from antipodes.search.kernels import proof_fill as kernels


@dataclass(frozen=True, slots=True)
class ChildInfo:
    """The reduced position after a move.

    Attributes:
        winner: 1 Black, 2 White, 0 none yet.
        key: of the reduced graph and the side to move; equal for positions that are the same game
            up to symmetry.
        symmetry: number of the symmetry that maps the graph to the one of the key.
        captured: sets of cells, a bit for each, that were filled in with Black and with White;
            among White's are the dead ones.
    """

    winner: int
    key: int
    symmetry: int
    captured: tuple[int, int]

    @classmethod
    def of(cls, ahead: Array) -> ChildInfo:
        """Return what a look ahead has written."""
        winner, key, symmetry, *captured = ahead.tolist()
        words = len(captured) // 2
        return cls(winner, key, symmetry, (joined(captured[:words]), joined(captured[words:])))


@lru_cache(maxsize=16)
def _edge_keys(vertices: int) -> Array:
    """Return a hash key for each edge of a graph, the same in both directions, in rows."""
    drawn = np.array(hash_keys("reduced graph", vertices * vertices), np.int64)
    square = np.triu(drawn.reshape(vertices, vertices), 1)
    return (square + square.T).ravel()


class Reducer:
    """A reducer of positions of one placement game, for one thread at a time.

    Attributes:
        words: of a set of the cells and the two terminals.
        graph: the reduced graph, as :mod:`antipodes.search.kernels.proof_fill` describes it.
        symmetries: of the board.
        substitutes: a set of cells, a bit for each, that dominate the moves left out by
            :meth:`undominated_moves`: refutations of those moves may need these cells as well.
    """

    def __init__(self, game: PlacementGame[Any, Any]) -> None:
        self.game = game
        cells = game.topology.cell_count
        nodes = int(game.tables[placement.NODES])
        vertices = cells + 2
        words = -(-vertices // kernels.BITS)
        self.words = words
        self.substitutes = 0
        self.graph = kernels.Graph(
            rows=np.zeros((vertices, words), np.int64),
            killers=np.zeros((cells, 2, words), np.int64),
            chains=np.zeros((nodes, words), np.int64),
            scratch=np.zeros((3, max(words, 2)), np.int64),
        )
        self.symmetries = kernels.Symmetries(
            images=np.array(_images(game), np.int64),
            keys=_edge_keys(vertices),
            edges=np.zeros(2 * vertices * vertices, np.int64),
        )
        self._undominated = np.zeros(cells, np.int64)
        self._next = game.new_state()
        self._out = np.zeros(kernels.AHEAD + 2 * words, np.int64)
        self._fill = edition(kernels, "fill")
        self._find_undominated = edition(kernels, "find_undominated")
        self._graph_key = edition(kernels, "graph_key")
        self._look_ahead = edition(kernels, "look_ahead")

    def fill_in(self, state: Array) -> Array:
        """Return a copy of a state with dead cells and captured pairs filled in.

        The winner and the winning moves among the remaining empty cells do not change. The copy
        has the header of ``state``, except that the winner may be known now.
        """
        filled = state.copy()
        self._fill(self.game.tables, filled, self.graph)
        return filled

    def undominated_moves(self, filled: Array) -> list[int]:
        """Return the moves of the side to move that no other move dominates.

        ``filled`` must be the last result of :meth:`fill_in`. Also sets ``substitutes``.
        """
        color = int(filled[header.COLOR])
        graph = (self.graph.rows, self.graph.killers)
        self._find_undominated(self.game.tables, filled, *graph, color, self._undominated)
        marks = self._undominated.tolist()
        self.substitutes = places(self._undominated & 2 != 0)
        return [cell for cell, mark in enumerate(marks) if mark & 1]

    def key(self, filled: Array) -> tuple[int, int]:
        """Return key and symmetry of a position, the last result of :meth:`fill_in`."""
        key = self._graph_key(self.graph.rows, self.symmetries)
        color = int(filled[header.COLOR])
        return kernels.key_of_turn(key, color), int(self.symmetries.edges[0])

    def look_ahead(self, filled: Array, move: int) -> ChildInfo:
        """Return the reduced position after a move in a filled position."""
        groups = (self.graph, self.symmetries)
        self._look_ahead(self.game.tables, filled, *groups, move, self._next, self._out)
        return ChildInfo.of(self._out)


def places(marks: npt.NDArray[np.bool_]) -> int:
    """Return the places of true values as a set of bits."""
    return int.from_bytes(np.packbits(marks, bitorder="little").tobytes(), "little")


def joined(words: Sequence[int]) -> int:
    """Return the words of a set as one number."""
    return sum(word << (kernels.BITS * index) for index, word in enumerate(words))


def split(cells: int, words: int) -> list[int]:
    """Return a set as words; the inverse of :func:`joined`."""
    mask = (1 << kernels.BITS) - 1
    return [cells >> (kernels.BITS * index) & mask for index in range(words)]


def _images(game: PlacementGame[Any, Any]) -> list[list[int]]:
    """Return the images of the cells and the two terminals behind them under each symmetry."""
    tables, cells = game.tables, game.topology.cell_count
    source = int(tables[placement.SOURCE])
    first = int(tables[placement.GATES])
    gates = set(tables[first : first + int(tables[placement.GATE_COUNT])].tolist())
    images = []
    for image in game.topology.symmetries:
        if source < cells:
            stays = image[source] == source
        else:
            stays = {image[cell] for cell in gates} == gates
        terminals = [cells, cells + 1] if stays else [cells + 1, cells]
        images.append([*image, *terminals])
    return images
