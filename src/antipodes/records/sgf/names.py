"""Which SGF property means what. Properties that begin with X are our own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from antipodes.core import Color
from antipodes.records.tree import Mark

OWN_NUMBER = "0"  # registered numbers begin with 1
PROGRAM = "Antipodes"

GAME = "XG"
RULES_VERSION = "XV"
OPTIONS = "XO"
START = "XS"
NAMES = "XN"
RESULT = "XR"
NODE_EXTRA = "XE"
RECORD_EXTRA = "XJ"
MOVE = "XM"
TIME_LEFT = "XL"
TIME_SPENT = "XT"

# Names of fields of a record -> properties, each one line of text.
LINES = {"date": "DT", "event": "EV", "round": "RO", "place": "PC", "clock": "OT"}

MARKS: Mapping[Mark, tuple[str, str]] = {
    Mark.VERY_GOOD: ("TE", "2"),
    Mark.GOOD: ("TE", "1"),
    Mark.INTERESTING: ("IT", ""),
    Mark.DOUBTFUL: ("DO", ""),
    Mark.BAD: ("BM", "1"),
    Mark.VERY_BAD: ("BM", "2"),
}
MARK_NAMES = frozenset(name for name, _ in MARKS.values())

SETUP = frozenset({"AB", "AW", "AE", "PL"})
_ROOT = frozenset(
    {"FF", "GM", "CA", "SZ", "RE", "GC", "PB", "PW", GAME, RULES_VERSION, OPTIONS, START, NAMES}
    | {RESULT, RECORD_EXTRA, *LINES.values()}
)
_NOTES = frozenset({"C", NODE_EXTRA, TIME_LEFT, TIME_SPENT, MOVE, "B", "W", *MARK_NAMES})


def letter_of(color: Color, colors: Sequence[Color]) -> str:
    """Return the letter of a colour, or an empty string if it has none.

    Black is B and White is W. Where neither plays, the first two colours take their places.
    """
    if Color.BLACK in colors or Color.WHITE in colors:
        return {Color.BLACK: "B", Color.WHITE: "W"}.get(color, "")
    return ("B", "W", "", "")[list(colors).index(color)]


def color_of(letter: str, colors: Sequence[Color]) -> Color | None:
    """Return the colour of a letter."""
    return next((color for color in colors if letter_of(color, colors) == letter), None)


def time_property(letter: str) -> str:
    """Return the property of the time left after a move."""
    return letter + "L" if letter else TIME_LEFT


def known_names(letter: str, *, root: bool) -> frozenset[str]:
    """Return the properties that are read as notes of a node whose mover has this letter."""
    names = _NOTES | {time_property(letter)} | SETUP
    return names | _ROOT if root else names


def is_ours(name: str, values: object, title: str) -> bool:
    """Tell whether a root property is one that we write of ourselves, and need not be kept."""
    if not isinstance(values, list) or not values:
        return False
    if name == "AP":
        return str(values[0]).startswith(f"{PROGRAM}:")
    return name == "GN" and values == [title]
