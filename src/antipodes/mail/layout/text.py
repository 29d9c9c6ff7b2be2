"""The parts that all answers are made of: fields, tables, times and what others have written.

``docs/mail-format.md`` promises how these look; programs rely on it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from antipodes.clocks.control import DAY, HOUR, MINUTE, SECOND
from antipodes.records.texts import clean_text

WIDTH = 78  # columns of a line, where nothing longer has to be kept whole
RULE = "*" * 60  # stands before everything that somebody has written
NOTHING = "-"  # stands where a table has nothing to say

_GAP = "  "
_INDENT = "  "
# What turns the direction of writing round, or shows nothing: a name or a comment could use it to
# look like something else.
_DISGUISE = re.compile("[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_SIGNATURE = "-- "


def one_line(text: str) -> str:
    """Return text as one line with single spaces, without what does not show."""
    return " ".join(_DISGUISE.sub("", clean_text(text)).split())


def field(name: str, value: str) -> str:
    """Write ``Name: value``; what is too long goes on in lines that begin with spaces.

    Lines are broken at spaces alone, so joined with single spaces they give the value back.
    """
    return textwrap.fill(
        f"{name}: {one_line(value)}",
        WIDTH,
        subsequent_indent=_INDENT * 2,
        break_long_words=False,
        break_on_hyphens=False,
    )


def parts(*values: str) -> str:
    """Join the parts of a value; a part that is empty is left out."""
    return "; ".join(one_line(value) for value in values if value)


def table(name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Write a table: its name with the number of rows, a line of heads, and the rows.

    Columns stand at least two spaces apart, no cell is empty or has two spaces in it.
    """
    cells = [[one_line(cell) or NOTHING for cell in row] for row in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [f"{name}: {len(rows)}"]
    for row in cells if rows else []:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append((_INDENT + _GAP.join(padded)).rstrip())
    return lines


def instant(milliseconds: int) -> str:
    """Write an instant since 1970 in UTC, to the second below: ``2026-11-21T23:50:00Z``."""
    moment = datetime.fromtimestamp(milliseconds // SECOND, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def day(milliseconds: int) -> str:
    """Write the day of an instant since 1970 in UTC: ``2026-11-21``."""
    return instant(milliseconds)[:10]


def span(milliseconds: int) -> str:
    """Write a length of time as time controls do, to the minute or below an hour to the second.

    What is over is ``0s``.
    """
    rest = max(0, milliseconds)
    units = (("d", DAY), ("h", HOUR), ("m", MINUTE), *((("s", SECOND),) if rest < HOUR else ()))
    text = ""
    for unit, size in units:
        count, rest = divmod(rest, size)
        if count:
            text += f"{count}{unit}"
    return text or "0s"


def said(who: str, text: str) -> list[str]:
    """Write what somebody says, after 60 asterisks.

    A line of theirs that could be taken for ours, or for the beginning of a signature, moves one
    column to the right. Long lines are broken at spaces.
    """
    return [RULE, f"{one_line(who)} writes:", *kept_lines(text)]


def kept_lines(text: str) -> list[str]:
    """Return what somebody wrote as lines that cannot be taken for lines of ours."""
    lines = _DISGUISE.sub("", clean_text(text)).replace("\xa0", " ").expandtabs(8).split("\n")
    short = [part for line in lines for part in _broken(line.rstrip())]
    return [f" {line}" if _could_be_ours(line) else line for line in _without_blank_ends(short)]


def _broken(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    return textwrap.wrap(
        line, WIDTH, break_long_words=False, break_on_hyphens=False, replace_whitespace=False
    )


def _could_be_ours(line: str) -> bool:
    return line == RULE or line == _SIGNATURE.rstrip()


def _without_blank_ends(lines: Sequence[str]) -> list[str]:
    filled = [number for number, line in enumerate(lines) if line]
    return list(lines[filled[0] : filled[-1] + 1]) if filled else []


def quoted(text: str) -> list[str]:
    """Return what somebody wrote to us, each line after ``> ``, in its own width."""
    lines = _DISGUISE.sub("", clean_text(text)).expandtabs(8).split("\n")
    return [f"> {line.rstrip()}".rstrip() for line in _without_blank_ends(lines)]


def with_footer(text: str, lines: Iterable[str]) -> str:
    """Return an answer with a signature of ours, which mail programs leave out of replies."""
    return "\n".join([text.rstrip("\n"), "", _SIGNATURE, *map(one_line, lines), ""])


def joined(blocks: Iterable[Sequence[str]]) -> str:
    """Return blocks of lines with a blank line between them, as one text."""
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"
