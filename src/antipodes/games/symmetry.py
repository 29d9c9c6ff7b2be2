"""First moves that are the same by a symmetry of the board."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from antipodes.core import Move
from antipodes.games.position import Game


def images_of(game: Game, move: int) -> frozenset[int]:
    """Return the images of a move under the symmetries of the empty board."""
    return frozenset(int(game.transform(move, symmetry)) for symmetry in game.symmetries)


def cells_of(game: Game, move: int) -> frozenset[int]:
    """Return the cells of the pieces of a first move and its images."""
    kind: Any = type(game)  # mypy takes it for a type without a hash
    return _cells_of(kind, game.options, move)


@lru_cache(maxsize=4_096)
def _cells_of(kind: Any, options: Any, move: int) -> frozenset[int]:
    """Return the cells, of a game of its own: a game in the key would keep its tables too."""
    game: Game = kind(options)
    start = game.initial()
    return frozenset(
        steps[0] for image in images_of(game, move) for steps in [start.steps(image)] if steps
    )


def first_moves(game: Game) -> tuple[Move, ...]:
    """Return the first moves, of those that are the same the one with the smallest number."""
    smallest = {min(images_of(game, move)) for move in game.initial().legal_moves}
    return tuple(map(Move, sorted(smallest)))
