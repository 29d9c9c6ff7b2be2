"""Reader of pictures of Antipod in the layout of the classic mail server.

A row is a line with the row's letter followed by its points on the left board and on the right one,
or two lines with the points of one board each if the boards stand one above the other.
Whatever else stands in the text (numbers of diagonals, captions, marks of quotation) is not looked
at. Points are ``x``, ``o`` and ``.``, capitals too; any Unicode space parts them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from antipodes.boards import Topology
from antipodes.boards.topology import letter
from antipodes.core import Color, Setup
from antipodes.errors import Fault, InvalidPictureError, Phrase
from antipodes.notation.text import plain_lines, shorten

_COLORS = {"x": Color.BLACK, "o": Color.WHITE}
_POINTS = "xo."
_MAX_SIDE = 10
_QUOTATION = re.compile(r"^[>|\s]*")
_DIAGONAL_NUMBER = re.compile(r"/ ?\d*")


@dataclass(frozen=True)
class SphereReading:
    """The readable contents of a picture.

    Attributes:
        setup: the stones on all points that could be read.
        faults: everything that is wrong with the picture.
        known: names of the points that could be read and are not in dispute.
    """

    setup: Setup
    faults: tuple[Fault, ...]
    known: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Row:
    """A line that looks like a row: its place and its points."""

    line: int
    points: tuple[str, ...]


def read_sphere(text: str, board: Topology) -> Setup:
    """Read a picture.

    Raises:
        InvalidPictureError: with all faults: rows that are missing, doubled or have the wrong
            number of points, unknown characters, rim points on which the two boards disagree.
    """
    reading = examine_sphere(text, board)
    if reading.faults:
        raise InvalidPictureError(reading.faults)
    return reading.setup


def examine_sphere(text: str, board: Topology) -> SphereReading:
    """Read as much of a picture as possible, and collect all its faults."""
    side = board.size[0]
    rows = _rows(text)
    faults: list[Fault] = []
    written: dict[str, str] = {}
    wrong_side = _wrong_side(rows, side)
    if wrong_side is not None:
        return SphereReading(Setup(), (wrong_side,), frozenset())
    for row in range(2 * side - 1):
        written.update(_read_row(rows.get(letter(row), ()), row, side, faults))
    disputed = _disputed(board, written, faults)
    stones = {}
    for names in board.names:
        seen = {written[name] for name in names if name in written}
        if len(seen) == 1:
            stones[names[0]] = seen.pop()
    setup = Setup(stones=tuple((n, _COLORS[s].value) for n, s in stones.items() if s != "."))
    return SphereReading(setup, tuple(faults), frozenset(stones) - disputed)


def side_of_picture(text: str) -> int | None:
    """Return the side of the boards in a picture, or ``None`` if it is not clear."""
    return _side_shown(_rows(text))


def _rows(text: str) -> Mapping[str, Sequence[_Row]]:
    """Return for each row's letter the lines that look like this row."""
    rows: dict[str, list[_Row]] = {}
    letters = {letter(row) for row in range(2 * _MAX_SIDE - 1)}
    for number, line in enumerate(plain_lines(text), start=1):
        content = _DIAGONAL_NUMBER.sub(" ", _QUOTATION.sub("", line)).lower()
        name, *words = content.split() or [""]
        words = [word for word in words if not word.isdecimal()]
        readable = [word for word in words if set(word) <= set(_POINTS)]
        # Most words of a row are readable; of a sentence with the same first letter hardly any.
        if name in letters and 2 * len(readable) > len(words):
            rows.setdefault(name, []).append(_Row(number, tuple(_points(words))))
    return rows


def _points(words: Iterable[str]) -> list[str]:
    """Return one item for each point; points may be written without spaces between them."""
    points: list[str] = []
    for word in words:
        points.extend(word if set(word) <= set(_POINTS) else [word])
    return points


def _length(row: int, side: int) -> int:
    """Return the number of points of a row on each board."""
    return 2 * side - 1 - abs(row - side + 1)


def _side_shown(rows: Mapping[str, Sequence[_Row]]) -> int | None:
    """Return the side for which every row has the right number of points."""
    for side in range(2, _MAX_SIDE + 1):
        lengths = {letter(row): _length(row, side) for row in range(2 * side - 1)}
        if all(_boards(rows.get(name, ()), length) for name, length in lengths.items()):
            return side
    return None


def _boards(rows: Sequence[_Row], length: int) -> list[tuple[_Row, _Row]]:
    """Return the points of a row on both boards, once for each picture that has it."""
    whole = [
        (replace(row, points=row.points[:length]), replace(row, points=row.points[length:]))
        for row in rows
        if len(row.points) == 2 * length
    ]
    halves = [row for row in rows if len(row.points) == length]
    return whole or list(zip(halves[::2], halves[1::2], strict=False))


def _wrong_side(rows: Mapping[str, Sequence[_Row]], side: int) -> Fault | None:
    """Return the one fault of a text without any board, or with boards of another side."""
    if not rows:
        return Fault(
            "picture/no-board",
            "the text has no rows: a letter, then the points of the two boards",
        )
    shown = _side_shown(rows)
    if shown is None or shown == side:
        return None
    return Fault.of(
        "picture/side",
        "the picture shows boards of side {shown}, but the game has side {side}",
        shown=shown,
        side=side,
    )


def _read_row(rows: Sequence[_Row], row: int, side: int, faults: list[Fault]) -> Mapping[str, str]:
    """Return the points of a row by name; add its faults."""
    name, length = letter(row), _length(row, side)
    if not rows:
        faults.append(Fault("picture/missing-row", "the row is missing", f"row {name}"))
        return {}
    fitting = _boards(rows, length)
    if not fitting:
        wrong = next((one for one in rows if len(one.points) != length), rows[0])
        fault = Fault.of(
            "picture/row-length",
            "row {row} has {found} points, but must have {wanted} on each board",
            where=f"line {wrong.line}",
            row=name,
            found=len(wrong.points),
            wanted=length,
        )
        faults.append(fault)
        return _readable(wrong, [""] * len(wrong.points), faults)
    if len(fitting) > 1:
        fault = Fault.of(
            "picture/row-twice",
            "row {row} stands in lines {first} and {second}; only one picture can be read",
            where=f"line {fitting[1][0].line}",
            row=name,
            first=fitting[0][0].line,
            second=fitting[1][0].line,
        )
        faults.append(fault)
    first = max(1, row - side + 2)
    points: dict[str, str] = {}
    for half, shift in zip(fitting[0], (0, 2 * side - 1), strict=True):
        names = [f"{name}{first + i + shift}" for i in range(length)]
        points.update(_readable(half, names, faults))
    return points


def _readable(row: _Row, names: Sequence[str], faults: list[Fault]) -> Mapping[str, str]:
    """Return the points with a name and a known character; add faults for other characters."""
    points = {}
    for name, point in zip(names, row.points, strict=True):
        if point not in _POINTS:
            fault = Fault.of(
                "picture/unknown-character",
                "{point} shows {text}, but points are x, o or .",
                where=f"line {row.line}",
                point=name or Phrase("a point"),
                text=shorten(point),
            )
            faults.append(fault)
        elif name:
            points[name] = point
    return points


def _disputed(board: Topology, written: Mapping[str, str], faults: list[Fault]) -> frozenset[str]:
    """Return the rim points that differ on the two boards, and add faults for them."""
    disputed = set()
    for names in board.names:
        seen = [written[name] for name in names if name in written]
        if len(set(seen)) > 1:
            fault = Fault.of(
                "picture/rim-disagrees",
                "shown as {first}, but as {second} at {point}, which is the same point",
                where=names[0],
                first=seen[0],
                second=seen[1],
                point=names[1],
            )
            faults.append(fault)
            disputed.add(names[0])
    return frozenset(disputed)
