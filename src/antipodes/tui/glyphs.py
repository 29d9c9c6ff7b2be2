"""The characters that stand for pieces and marks, as Unicode and as ASCII."""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from antipodes.core import Color
from antipodes.notation.ascii_pictures import SYMBOLS


@dataclass(frozen=True)
class Glyphs:
    """One set of characters.

    Attributes:
        stones: colour -> a stone of one character.
        chained: colour -> the same in the winning chain.
        discs: colour -> the two rows of a large stone.
        token: the two rows of a token; ``%`` is the colour's sign, ``_`` a mark.
        pawn: the same for a token under a pawn.
        chained_token: the same for a token of the winning chain.
        chained_pawn: the same for a pawn's token of the winning chain.
        rods: diagonal -> a rod of one character.
        large_rods: diagonal -> the two rows of a large rod, colour's sign included as ``%``.
        edges: colour -> what stands along the rims that it joins.
        empty: a free point.
        last: mark of the newest piece in large cells.
        twin: brackets of the other name of a rim point.
    """

    stones: Mapping[Color, str]
    chained: Mapping[Color, str]
    discs: Mapping[Color, tuple[str, str]]
    token: tuple[str, str]
    pawn: tuple[str, str]
    chained_token: tuple[str, str]
    chained_pawn: tuple[str, str]
    rods: Mapping[str, str]
    large_rods: Mapping[str, tuple[str, str]]
    edges: Mapping[Color, str]
    empty: str
    last: str
    twin: str


UNICODE = Glyphs(
    stones={**SYMBOLS, Color.BLACK: "●", Color.WHITE: "○"},
    chained={color: symbol.upper() for color, symbol in SYMBOLS.items()}
    | {Color.BLACK: "◆", Color.WHITE: "◇"},
    discs={Color.BLACK: ("▟█▙", "▜█▛"), Color.WHITE: ("╭─╮", "╰─╯")},
    token=("╭%╮", "╰_╯"),
    pawn=("╔%╗", "╚_╝"),
    chained_token=("┏%┓", "┗_┛"),
    chained_pawn=("╔%╗", "╚_╝"),
    rods={"/": "╱", "\\": "╲"},
    large_rods={"/": (" %▄▀", "▄▀  "), "\\": ("▀▄% ", "  ▀▄")},
    edges={Color.BLACK: "■", Color.WHITE: "□", Color.VERT: "■", Color.HORZ: "□"},
    empty="·",
    last="•",
    twin="‹›",
)

ASCII = Glyphs(
    stones=SYMBOLS,
    chained={color: symbol.upper() for color, symbol in SYMBOLS.items()},
    discs={Color.BLACK: ("(x)", "(x)"), Color.WHITE: ("/ \\", "\\ /")},
    token=("(%)", " _ "),
    pawn=("<%>", " _ "),
    chained_token=("(%)", " _ "),
    chained_pawn=("<%>", " _ "),
    rods={"/": "/", "\\": "\\"},
    large_rods={"/": (" %_/", "/   "), "\\": ("\\_% ", "   \\")},
    edges={Color.BLACK: "#", Color.WHITE: "=", Color.VERT: "#", Color.HORZ: "="},
    empty=".",
    last="=",
    twin="<>",
)


def only_ascii() -> bool:
    """Tell whether the terminal can show ASCII alone.

    ``ANTIPODES_ASCII=1`` says so, the Linux console has few glyphs, and elsewhere the encoding of
    the output decides.
    """
    told = os.environ.get("ANTIPODES_ASCII", "")
    if told:
        return told != "0"
    if os.environ.get("TERM") in ("linux", "dumb"):
        return True
    encoding = getattr(sys.stdout, "encoding", None) or locale.getpreferredencoding(False)
    try:
        "●╱▟›".encode(encoding)
    except (UnicodeError, LookupError):
        return True
    return False


def glyphs(*, ascii_only: bool) -> Glyphs:
    """Return the set of characters for a terminal."""
    return ASCII if ascii_only else UNICODE
