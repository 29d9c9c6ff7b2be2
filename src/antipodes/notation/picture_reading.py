r"""Reader of pictures of Hex, Cylindrical Hex, Antipode and Antipalos in text.

It finds a picture among other lines, such as those of a mail, also where it is quoted; the layouts
are those of :mod:`antipodes.notation.ascii_pictures`. Pictures of Antipod have a reader of their
own, :mod:`antipodes.notation.sphere_reading`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from antipodes.core import Color
from antipodes.errors import Fault
from antipodes.notation.ascii_pictures import SYMBOLS
from antipodes.notation.text import plain_lines, shorten

FILES = "abcdefghi"  # of Antipode

_COLORS = {symbol: color for color, symbol in SYMBOLS.items()}
_QUOTATION = re.compile(r"^(?:[>|] ?)+")
_ROW = re.compile(r"\s*(\d{1,2})\s+(\S.*?)\s+(\d{1,2})\s*")
_ROD = re.compile(r"[a-zA-Z][/\\]")
_STONES = re.compile(r"[a-zA-Z.]")
_MIDDLE = 4  # files of Antipode have from 5 to 9 cells


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece in a picture.

    Attributes:
        row: counted from 0 at the top in Hex; from the lower end of the file or board in others.
        column: counted from 0 at the left.
        color: of the piece.
        mark: the diagonal of a rod; ``pawn`` for a token under its pawn; else empty.
    """

    row: int
    column: int
    color: Color
    mark: str = ""


@dataclass(slots=True)
class PictureReading:
    """The readable contents of a picture.

    Attributes:
        layout: ``slanted``, ``squares``, ``points`` (Antipalos of the mail server), ``hexagon``.
        rows: of cells.
        columns: of cells.
        pieces: in any order.
        faults: everything that is wrong with the picture.
    """

    layout: str
    rows: int
    columns: int
    pieces: list[Piece] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Row:
    """A numbered row: index of its line, its number, column of its first cell, and cells."""

    line: int
    number: int
    begin: int
    cells: tuple[str, ...]

    @property
    def where(self) -> str:
        return f"line {self.line + 1}"


def unquoted(text: str) -> list[str]:
    """Return the lines of a text without marks of quotation."""
    return [_QUOTATION.sub("", line) for line in plain_lines(text)]


def read_pieces(text: str) -> PictureReading | None:
    """Read the picture in a text with all its faults; ``None`` if there is none of these games."""
    lines = unquoted(text)
    for index, line in enumerate(lines):
        if line.split() == list(FILES):
            return _read_hexagon(lines, index)
    rows = [row for index, line in enumerate(lines) for row in _numbered_row(index, line)]
    if len(rows) < 2:
        return None
    if set(rows[0].cells) == {"+"}:
        return _read_points(lines, rows)
    slanted = rows[0].number < rows[-1].number
    return _read_rows(rows, "slanted" if slanted else "squares")


def _numbered_row(index: int, line: str) -> Iterator[_Row]:
    """Yield the row that a line is: cells between two equal numbers."""
    found = _ROW.fullmatch(line)
    if found is None or found[1] != found[3]:
        return
    cells = found[2].split()
    readable = [one for one in cells if one in (".", "+") or one[0].lower() in _COLORS]
    if 2 * len(readable) > len(cells):
        yield _Row(index, int(found[1]), found.start(2), tuple(cells))


def _by_number(rows: Sequence[_Row], faults: list[Fault]) -> dict[int, _Row]:
    """Return the rows by number; add faults for those that are missing or doubled."""
    row_of_number: dict[int, _Row] = {}
    for row in rows:
        if row.number in row_of_number:
            fault = Fault.of(
                "picture/row-twice",
                "row {row} stands in lines {first} and {second}; only one picture can be read",
                where=row.where,
                row=row.number,
                first=row_of_number[row.number].line + 1,
                second=row.line + 1,
            )
            faults.append(fault)
        else:
            row_of_number[row.number] = row
    for number in range(1, max(row_of_number) + 1):
        if number not in row_of_number:
            where = f"row {number}"
            faults.append(Fault("picture/missing-row", "the row is missing", where))
    return row_of_number


def _read_rows(rows: Sequence[_Row], layout: str) -> PictureReading:
    """Read Hex, whose rows are counted downwards, or Antipalos, whose rows rise."""
    faults: list[Fault] = []
    row_of_number = _by_number(rows, faults)
    lengths = [len(row.cells) for row in row_of_number.values()]
    columns = max(lengths, key=lengths.count)
    reading = PictureReading(layout, max(row_of_number), columns, faults=faults)
    pattern, known = (_STONES, "xo.") if layout == "slanted" else (_ROD, "x/ o\\ .")
    for number, row in sorted(row_of_number.items()):
        if len(row.cells) != columns:
            fault = Fault.of(
                "picture/row-length",
                "row {row} has {found} cells, but others have {wanted}",
                where=row.where,
                row=number,
                found=len(row.cells),
                wanted=columns,
            )
            faults.append(fault)
            continue
        for column, text in enumerate(row.cells):
            color = _COLORS.get(text[0].lower()) if pattern.fullmatch(text) else None
            if color is not None:
                reading.pieces.append(Piece(number - 1, column, color, text[1:]))
            elif text != ".":
                faults.append(_unknown(text, known, row.where))
    return reading


def _unknown(text: str, known: str, where: str) -> Fault:
    values = {"text": shorten(text), "known": known}
    return Fault.of(
        "picture/unknown-character", "{text} is no cell; cells are {known}", where=where, **values
    )


def _read_points(lines: Sequence[str], rows: Sequence[_Row]) -> PictureReading:
    """Read Antipalos of the mail server: rods stand in the lines between rows of points."""
    faults: list[Fault] = []
    row_of_number = _by_number(rows, faults)
    size = max(row_of_number) - 1
    reading = PictureReading("points", size, size, faults=faults)
    for number, row in row_of_number.items():
        below = lines[row.line + 1] if row.line + 1 < len(lines) and number > 1 else ""
        for rod in re.finditer(r"\S+", below):
            column, remainder = divmod(rod.start() - row.begin - 1, 4)
            color = _COLORS.get(rod[0][0].lower()) if _ROD.fullmatch(rod[0]) else None
            where = f"line {row.line + 2}"
            if color is None:
                faults.append(_unknown(rod[0], "v/ h\\", where))
            elif remainder or not 0 <= column < size:
                fault = Fault.of(
                    "picture/misplaced",
                    "{text} does not stand between four points",
                    where=where,
                    text=rod[0],
                )
                faults.append(fault)
            else:
                reading.pieces.append(Piece(number - 2, column, color, rod[0][1]))
    return reading


def _read_hexagon(lines: Sequence[str], last: int) -> PictureReading:
    """Read Antipode above the line with the letters of its files."""
    faults: list[Fault] = []
    reading = PictureReading("hexagon", 2 * _MIDDLE + 1, len(FILES), faults=faults)
    for index, letter in enumerate(FILES):
        column = lines[last].index(letter)
        length = 2 * _MIDDLE + 1 - abs(index - _MIDDLE)
        cells: list[str] = []
        for line in reversed(lines[max(0, last - 20) : last]):
            text = line[column : column + 1].strip()
            if text and len(cells) < length:
                cells.append(text)
        if len(cells) < length:
            fault = Fault.of(
                "picture/row-length",
                "file {file} has {found} cells, but must have {wanted}",
                where=f"file {letter}",
                file=letter,
                found=len(cells),
                wanted=length,
            )
            faults.append(fault)
            continue
        for row, text in enumerate(cells):
            color = _COLORS.get(text.lower())
            if color is not None:
                reading.pieces.append(Piece(row, index, color, "pawn" if text.isupper() else ""))
            elif text != ".":
                faults.append(_unknown(text, "r b R B .", f"file {letter}"))
    return reading
