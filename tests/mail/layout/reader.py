"""A small reader of answers, written from ``docs/mail-format.md``.

Like a third-party program, it imports nothing of Antipodes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

RULE, BETWEEN, SIGNATURE = "*" * 60, "=" * 60, "-- "

_TITLE = re.compile(r"([A-Z][A-Za-z-]*) (Board|Preview|Puzzle) (\w+)")
_FIELD = re.compile(r"([A-Z][A-Za-z]*): (.*)")
_PICTURE = re.compile(r"(\d+) lines; after move (\d+)")
_MOVE = re.compile(r"(\d+)\. (\S+)( \(auto\))?")


@dataclass
class Board:
    """The lines about a board, or those before the first board."""

    title: tuple[str, str, str] | None = None
    fields: list[tuple[str, str]] = field(default_factory=list)
    tables: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    moves: dict[str, list[tuple[int, str, bool]]] = field(default_factory=dict)
    picture: list[str] = field(default_factory=list)
    ply: int | None = None
    messages: list[tuple[str, list[str]]] = field(default_factory=list)

    def values(self, name):
        """Return the values of all fields with a name."""
        return [value for one, value in self.fields if one == name]

    def parts(self, name):
        """Return the parts of the only field with a name."""
        (value,) = self.values(name)
        return value.split("; ")

    @property
    def original(self):
        """Return the quotation of the mail that was answered."""
        lines = next(lines for who, lines in self.messages if who == "")
        assert all(line == ">" or line.startswith("> ") for line in lines)
        return "\n".join(line[2:] for line in lines)


def read(text):
    """Return the boards of an answer; lines before the first title belong to the first board.

    Raises:
        ValueError: a line is not documented.
    """
    if not text.endswith("\n"):
        raise ValueError("the last line does not end")
    lines = text.split("\n")[:-1]
    boards = [Board()]
    place = 0
    while place < len(lines):
        line = lines[place]
        title = _TITLE.fullmatch(line)
        found = _FIELD.fullmatch(line)
        if line == SIGNATURE:
            break
        if line == BETWEEN:
            boards.append(Board())
            place += 1
        elif line == RULE:
            place = _read_message(boards[-1], lines, place + 1)
        elif title is not None:
            boards[-1].title = (title[1], title[2], title[3])
            place += 1
        elif found is not None and found[1] == "Picture":
            place = _read_picture(boards[-1], found[2], lines, place + 1)
        elif found is not None:
            place = _read_field(boards[-1], found[1], found[2], lines, place + 1)
        elif line == "":
            place += 1
        else:
            raise ValueError(f"line {place + 1} is no line of an answer: {line!r}")
    return boards


def _read_message(board, lines, place):
    who = "" if lines[place] == "You wrote:" else lines[place].removesuffix(" writes:")
    if who and who == lines[place]:
        raise ValueError(f"no name before: {lines[place]!r}")
    end = place + 1
    while end < len(lines) and lines[end] not in (RULE, BETWEEN, SIGNATURE):
        end += 1
    words = lines[place + 1 : end]
    while words and words[-1] == "":
        words.pop()
    board.messages.append((who, words))
    return end


def _read_picture(board, value, lines, place):
    found = _PICTURE.fullmatch(value)
    if found is None:
        raise ValueError(f"no picture: {value!r}")
    end = place + int(found[1])
    board.picture, board.ply = lines[place:end], int(found[2])
    return end


def _read_field(board, name, value, lines, place):
    end = place
    while end < len(lines) and lines[end].startswith(" "):
        end += 1
    more = [line.strip() for line in lines[place:end]]
    if value.isdecimal() and (name in ("Moves", "Tried")):
        board.moves[name] = _read_moves(" ".join(more), int(value))
    elif value.isdecimal() and more:
        board.tables[name] = _read_rows(lines[place:end], int(value))
    else:
        value = " ".join([value, *more])
    board.fields.append((name, value))
    return end


def _read_moves(text, count):
    found = [(int(one[1]), one[2], bool(one[3])) for one in _MOVE.finditer(text)]
    if len(found) != count:
        raise ValueError(f"{len(found)} moves, not {count}: {text!r}")
    return found


def _read_rows(lines, count):
    # A line that is indented further than a row continues it.
    joined = re.sub(r"\n {3,}", "  ", "\n".join(lines)).split("\n")
    heads, *rows = (re.split(r" {2,}", line.strip()) for line in joined)
    if len(rows) != count:
        raise ValueError(f"{len(rows)} rows, not {count}")
    return [dict(zip(heads, row, strict=True)) for row in rows]
