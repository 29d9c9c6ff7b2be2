"""Draw the pictures that README shows: ``python docs/make_pictures.py``.

The pages of the docs draw theirs while they are built; README is shown without being built, so its
picture is a file that a test compares with this one.
"""

from __future__ import annotations

import sys
from pathlib import Path

from antipodes.games.registry import make_game

TARGET = Path(__file__).resolve().parent / "_static" / "board.svg"

# The game that the first page of the docs shows too.
MOVES = "d13 e13 g8 e12 c3 f16 f5 f6 e15 d4 d14 f15 h16 d3 e11 h4+ g6 f12 g9+ f2+ c4 e2 d2 e3"


def draw() -> str:
    """Return README's picture: a finished game of Antipod."""
    position = make_game("antipod", {"side": 5}).initial()
    for text in MOVES.split():
        position = position.play(text)
    return position.to_svg() + "\n"


if __name__ == "__main__":
    TARGET.write_text(draw(), encoding="utf-8")
    sys.stdout.write(f"{TARGET}\n")
