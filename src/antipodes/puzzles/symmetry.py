"""The identity of positions up to the symmetries of their game."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from antipodes.games.antipalos import AntipalosPosition
from antipodes.games.antipode import AntipodePosition
from antipodes.games.placement import PlacementPosition
from antipodes.games.position import Position

_DIGITS = 10  # hexadecimal digits of an id: 40 bits

Pieces = list[tuple[int, str]]


def puzzle_id(position: Position) -> str:
    """Return an id that is the same for symmetric positions of a game with the same options.

    Options with their default values have no part in it, so a new option changes no id.
    """
    game = position.game
    options = dict(game.options.changed())
    known = {"game": game.id, "options": options, "position": _canonical(position)}
    text = json.dumps(known, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _canonical(position: Position) -> list[Any]:
    """Return the least description of a position among its images under the symmetries."""
    return min(_described(position, symmetry) for symmetry in position.game.symmetries)


def _described(position: Position, symmetry: int) -> list[Any]:
    pieces, pawns = _pieces(position, symmetry)
    setup = position.to_setup()
    counters = [setup.phase_two_plies, -1 if setup.seat is None else setup.seat]
    left = [[color, count] for color, count in sorted(setup.rods_left.items())]
    return [position.to_move.value, sorted(pieces), sorted(pawns), left, counters]


def _pieces(position: Position, symmetry: int) -> tuple[Pieces, Pieces]:
    """Return the images of all pieces and pawns with their colours."""
    game = position.game
    image = game.topology.symmetries[symmetry]
    match position:
        case AntipalosPosition():
            rods = position.rods().items()
            placed = [(2 * square + (rod.diagonal == "\\"), rod.color) for square, rod in rods]
            return [(game.transform(move, symmetry), c.value) for move, c in placed], []
        case AntipodePosition():
            tokens = [(image[cell], color.value) for cell, color in position.tokens().items()]
            return tokens, [(image[cell], color.value) for color, cell in position.pawns().items()]
        case PlacementPosition():
            return [(image[cell], color.value) for cell, color in position.stones().items()], []
    raise ValueError(f"{game.title} has no puzzles")
