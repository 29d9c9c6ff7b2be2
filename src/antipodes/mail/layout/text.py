"""Answers as plain text: fields, tables, moves, pictures and messages.

``docs/mail-format.md`` specifies the format; programs rely on it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from antipodes.clocks.control import DAY, HOUR, MINUTE, SECOND
from antipodes.mail.layout.items import (
    Answer,
    Comment,
    Field,
    Item,
    Listing,
    Moves,
    Original,
    Picture,
    Title,
)
from antipodes.notation.ascii_pictures import legend
from antipodes.records.texts import clean_text

WIDTH = 78  # columns of a line, unless a longer value must stay whole
RULE = "*" * 60  # before every message of a player
BETWEEN = "=" * 60  # before each board of a digest
NOTHING = "-"  # in empty cells of tables

_GAP = "  "
_INDENT = "  "
_SIGNATURE = "-- "


def one_line(text: str) -> str:
    """Return text as one line with single spaces, without invisible characters."""
    return " ".join(clean_text(text).split())


def write(answer: Answer) -> str:
    """Return an answer as text, with a blank line between its blocks."""
    blocks = ([line for item in block for line in lines_of(item)] for block in answer.blocks)
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def lines_of(item: Item) -> list[str]:
    """Return the lines of one item."""
    match item:
        case Title(text):
            return [text]
        case Field(name, value):
            return [_field(name, value)]
        case Listing():
            return _table(item)
        case Moves():
            return _numbered(item)
        case Picture():
            return _picture(item)
        case Comment(who, text):
            return comment_lines(who, text)
        case Original(text):
            return [RULE, "You wrote:", *_quoted(text)]


def _field(name: str, value: str) -> str:
    """Write ``Name: value``; a long value continues in indented lines.

    Lines are broken at spaces only, so joining them with single spaces restores the value.
    """
    return textwrap.fill(
        f"{name}: {one_line(value) or NOTHING}",
        WIDTH,
        subsequent_indent=_INDENT * 2,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _table(table: Listing) -> list[str]:
    """Write a table: its name with the number of rows, a line of column heads, and the rows.

    Columns are at least two spaces apart; no cell is empty or contains two spaces. A text
    that does not fit a line continues in further ones, which are indented.
    """
    cells = [[one_line(cell) or NOTHING for cell in row] for row in (table.heads, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [f"{table.name}: {len(table.rows)}"]
    for row in cells if table.rows else []:
        line = _INDENT
        for cell, width in zip(row, widths, strict=True):
            if len(line) + width > WIDTH and line.strip():
                lines.append(line.rstrip())
                line = _INDENT * 3
            line += cell.ljust(width) + _GAP
        lines.append(line.rstrip())
    return lines


def _numbered(moves: Moves) -> list[str]:
    """Write moves in columns: ``12. f4``, or if made automatically ``13. g5 (auto)``.

    A line has as many moves as fit, and the moves of one player are in the same columns.
    """
    marked = moves.marked()
    widest = len(str(marked[-1][0])) if marked else 1
    cells = [f"{number:>{widest}}. {text}" for number, text in marked]
    width = max(map(len, cells), default=1) + len(_GAP)
    fitting = max(1, (WIDTH - len(_INDENT)) // width)
    columns = fitting // moves.seats * moves.seats or fitting
    lines = [f"{moves.name}: {len(marked)}"]
    for begin in range(0, len(cells), columns):
        row = cells[begin : begin + columns]
        lines.append(_INDENT + "".join(cell.ljust(width) for cell in row).rstrip())
    return lines


def _picture(shown: Picture) -> list[str]:
    """Write the picture with the number of its lines, and its legend."""
    picture = shown.position.picture(shown.side).split("\n")
    meaning = _field("Legend", legend(shown.scene))
    return [f"Picture: {len(picture)} lines; after move {shown.ply}", *picture, meaning]


def instant(milliseconds: int) -> str:
    """Write an instant since 1970 in UTC, to the second below: ``2026-11-21T23:50:00Z``."""
    moment = datetime.fromtimestamp(milliseconds // SECOND, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def day(milliseconds: int) -> str:
    """Write the day of an instant since 1970 in UTC: ``2026-11-21``."""
    return instant(milliseconds)[:10]


def span(milliseconds: int) -> str:
    """Write a duration as time controls do, to the minute, or below an hour to the second.

    A negative length is ``0s``.
    """
    remaining = max(0, milliseconds)
    units = (
        ("d", DAY),
        ("h", HOUR),
        ("m", MINUTE),
        *((("s", SECOND),) if remaining < HOUR else ()),
    )
    text = ""
    for unit, size in units:
        count, remaining = divmod(remaining, size)
        if count:
            text += f"{count}{unit}"
    return text or "0s"


def rating_change(before: int | None, after: int | None) -> tuple[str, str, str]:
    """Write ratings before and after a match, and the change; empty where nothing changed."""
    if before is None or after is None:
        return "", "", ""
    return str(before), str(after), f"{after - before:+d}"


def comment_lines(who: str, text: str) -> list[str]:
    """Return a message to other players as lines, the first one of 60 asterisks."""
    return [RULE, f"{one_line(who)} writes:", *kept_lines(text)]


def kept_lines(text: str) -> list[str]:
    """Return a text of a player as lines that cannot be mistaken for fields of an answer.

    Lines that look like one, or like the beginning of a signature, are indented by one space. Long
    lines are broken at spaces.
    """
    lines = clean_text(text).replace("\xa0", " ").expandtabs(8).split("\n")
    short = broken("\n".join(line.rstrip() for line in lines)).split("\n")
    return [f" {line}" if _could_be_ours(line) else line for line in _without_blank_ends(short)]


def broken(text: str) -> str:
    """Return a text whose long lines are broken at spaces, and go on with the same indentation."""
    return "\n".join(line if len(line) <= WIDTH else _broken(line) for line in text.split("\n"))


def _broken(line: str) -> str:
    return textwrap.fill(
        line,
        WIDTH,
        subsequent_indent=line[: len(line) - len(line.lstrip())][: WIDTH // 2],
        break_long_words=False,
        break_on_hyphens=False,
        replace_whitespace=False,
    )


def _could_be_ours(line: str) -> bool:
    return line in {RULE, BETWEEN, _SIGNATURE.rstrip()}


def _without_blank_ends(lines: Sequence[str]) -> list[str]:
    filled = [number for number, line in enumerate(lines) if line]
    return list(lines[filled[0] : filled[-1] + 1]) if filled else []


def _quoted(text: str) -> list[str]:
    """Return a received text with ``> `` before each line, not wrapped."""
    lines = clean_text(text).expandtabs(8).split("\n")
    return [f"> {line.rstrip()}".rstrip() for line in _without_blank_ends(lines)]


def with_footer(text: str, lines: Iterable[str]) -> str:
    """Return an answer with a signature, which mail programs leave out of replies."""
    footer = broken("\n".join(map(one_line, lines)))
    return "\n".join([text.rstrip("\n"), "", _SIGNATURE, footer, ""])
