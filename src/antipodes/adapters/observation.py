r"""Observations: a position as planes of numbers, for networks and other learners.

An observation is an array of shape ``(planes, cells)``. Cells have the numbers of the board
(``game.topology``); where they form rows, ``reshape(shape_of(game))`` makes pictures of them. The
first planes are the pieces, colour by colour, beginning with the colour of the observer and going
on in the order of turns; for each colour:

- one plane of stones (Hex, Cylindrical Hex, Antipod);
- one of tokens and one of pawns (Antipode);
- one of rods on the diagonal ``/`` and one of those on ``\`` (Antipalos).

The other planes have the same number in each cell: 1 in the plane of the observer's colour, since
colours may have different goals; whether the observer is to move; whether a swap is legal; whether
Phase Two has begun.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from antipodes.core import Color
from antipodes.games.position import Game, Position

Planes: TypeAlias = npt.NDArray[np.float32]
Numbers: TypeAlias = npt.NDArray[Any]


@lru_cache(maxsize=64)
def plane_names(game: Game) -> tuple[str, ...]:
    """Return the name of each plane, such as ``own stones``."""
    count = len(game.colors)
    owners = ["own", *("opponent's" if count == 2 else f"opponent {n}'s" for n in range(1, count))]
    names = [f"{owner} {kind}" for owner in owners for kind in piece_kinds(game)]
    names += [f"observer is {color.value}" for color in game.colors]
    return (*names, "observer is to move", "swap is legal", "Phase Two")


def shape_of(game: Game) -> tuple[int, ...]:
    """Return the shape of observations for other programs.

    Returns:
        ``(planes, rows, columns)`` for boards whose cells form rows, ``(planes, cells)`` for
        others.
    """
    cells = game.topology.rectangle or (game.topology.cell_count,)
    return len(plane_names(game)), *cells


@lru_cache(maxsize=64)
def piece_kinds(game: Game) -> tuple[str, ...]:
    """Return the kinds of pieces of each colour, a plane each."""
    if game.has_rods:
        return ("rods /", "rods \\")
    return ("tokens", "pawns") if game.initial().scene().pawns else ("stones",)


def observe(position: Position, color: Color | None = None) -> Planes:
    """Return the planes of a position as a colour sees them.

    Args:
        position: any position.
        color: the observer; the colour to move by default.

    Returns:
        An array of shape ``(len(plane_names(game)), cells)``.
    """
    game = position.game
    color = color or position.to_move
    colors: Sequence[Color] = game.colors
    first = colors.index(color)
    kinds = piece_kinds(game)
    planes = np.zeros((len(plane_names(game)), game.topology.cell_count), np.float32)
    start = {one: (index - first) % len(colors) * len(kinds) for index, one in enumerate(colors)}
    scene = position.scene()
    for cell, owner in scene.stones.items():
        planes[start[owner], cell] = 1
    for cell, owner in scene.pawns.items():
        planes[start[owner] + 1, cell] = 1
    for cell, rod in scene.rods.items():
        planes[start[rod.color] + "/\\".index(rod.diagonal), cell] = 1
    pieces = len(kinds) * len(colors)
    planes[pieces + first] = 1
    swap = game.swap_move
    planes[-3] = color is position.to_move
    planes[-2] = swap is not None and position.why_illegal(swap) is None
    planes[-1] = position.phase == 2
    return planes


def legal_mask(position: Position) -> npt.NDArray[np.bool_]:
    """Return an array of ``game.move_count`` truth values: which moves are legal."""
    mask = np.zeros(position.game.move_count, np.bool_)
    mask[position.legal_moves.array()] = True
    return mask


def rewards(game: Game, winners: Collection[int]) -> Planes:
    """Return the reward of each seat at the end of a game; their sum is 0.

    Args:
        game: the game.
        winners: the winning seats; none after a draw.

    Returns:
        An array of shape ``(game.seats,)``: 1 for each winner. The losers share the loss equally:
        -1 each in games of two colours, -1/2 with three players, -1/3 with four.
    """
    if not winners:
        return np.zeros(game.seats, np.float32)
    rewards_at_seats = np.full(game.seats, -len(winners) / (game.seats - len(winners)), np.float32)
    rewards_at_seats[list(winners)] = 1
    return rewards_at_seats


def rewards_at(position: Position) -> Planes:
    """Return the reward of each seat in a position: zeros while the game is in progress."""
    outcome = position.outcome
    winner = outcome.winner if outcome else None
    return rewards(position.game, position.seat_of(winner) if winner else ())


def augmented(game: Game, planes: Planes, policy: Numbers, symmetry: int) -> tuple[Planes, Numbers]:
    """Return the image of an observation and of numbers for each move under a symmetry.

    Args:
        game: the game.
        planes: an observation, shape ``(planes, cells)``.
        policy: a number for each move, shape ``(game.move_count,)``.
        symmetry: one of ``game.symmetries``.

    Rods that a symmetry turns to the other diagonal change their planes.
    """
    cells, moves, exchanged = _images(game, symmetry)
    image = np.empty_like(planes)
    image[:, cells] = planes
    if exchanged:
        for plane in range(0, 2 * len(game.colors), 2):
            image[[plane, plane + 1]] = image[[plane + 1, plane]]
    numbers = np.empty_like(policy)
    numbers[moves] = policy
    return image, numbers


@lru_cache(maxsize=64)
def _images(game: Game, symmetry: int) -> tuple[Numbers, Numbers, bool]:
    """Return the images of cells and of moves, and whether rods change their diagonals."""
    if symmetry not in game.symmetries:
        raise ValueError(f"{symmetry} is not one of the symmetries {game.symmetries}")
    cells = np.array(game.topology.symmetries[symmetry])
    moves = np.array([game.transform(move, symmetry) for move in range(game.move_count)])
    # The moves of a rod's two placements on a square are 2 * square + diagonal.
    return cells, moves, bool(game.has_rods and moves[0] % 2)
