"""Boards as they wait with a letter: game and moves, drawn when the letter is sent.

Nobody who plays waits for a drawing, and no transaction is open meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from antipodes.games.base import BoardGame
from antipodes.games.registry import make_game
from antipodes.web.platform.rasterizer import draw_png

PNG = "image/png"
SVG = "image/svg+xml"

# Twice as broad as it is shown, without soft edges: mail programs soften them by making it smaller,
# and the file is a third as large.
_WIDTH = 720

_KEPT = 64  # boards; those who play a match are sent the same one, one after the other

Drawing = Mapping[str, Any]  # plain values, as JSON keeps them


def drawing_of(game: BoardGame[Any, Any], moves: Iterable[int], side: int = 0) -> Drawing:
    """Return what is kept of a board until it is drawn.

    Args:
        game: with its options.
        moves: all that were made, from the start of the game on.
        side: the seat from whose side it is drawn.
    """
    options = dict(game.options.changed())
    seen = {"side": side} if side else {}
    return {"game": game.id, "options": options, "moves": [int(move) for move in moves], **seen}


def draw(drawing: Drawing, kind: str) -> bytes:
    """Return a board as a file.

    Args:
        drawing: what was kept of it.
        kind: of the file: ``PNG`` or ``SVG``.
    """
    key = json.dumps(drawing, sort_keys=True)
    return _svg(key).encode() if kind == SVG else pixels(_svg(key))


@lru_cache(maxsize=_KEPT)
def _svg(key: str) -> str:
    drawing = json.loads(key)
    position = make_game(drawing["game"], drawing["options"]).initial()
    for move in drawing["moves"]:
        position = position.play(move)
    svg: str = position.to_svg(seat=drawing.get("side", 0))
    return svg


@lru_cache(maxsize=_KEPT)
def pixels(svg: str) -> bytes:
    """Return a drawing as a PNG."""
    return draw_png(svg, _WIDTH, shape_rendering="crisp_edges")
