"""Lines of a reply as people decorate them: bullets, emphasis, quotation marks."""

from __future__ import annotations

import re

from antipodes.notation.text import clean

_BULLET = re.compile(r"(?:[-*+•·‣◦▪]|\d{1,2}\))\s(?=\S)")
_MARKS = ("***", "**", "*", "__", "_", "```", "`", '"', "'")
_PAIRS = ("“”", "„“", "„”", "‘’", "‚‘", "«»", "»«", "()", "[]")
_MOST_MARKS = 3  # around each other


def undecorated(line: str) -> str:
    """Return a line without a bullet before it and without marks around it."""
    text = clean(line)
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    for _ in range(_MOST_MARKS):
        text = _unwrapped(text)
    return text


def readings(line: str) -> tuple[str, ...]:
    """Return what a line can mean: as it is written, and without decoration.

    In some games ``*`` is part of a move, so ``* g6`` can be ``*g6`` or ``g6`` after a bullet.
    """
    return tuple(dict.fromkeys((line.strip(), undecorated(line))))


def _unwrapped(text: str) -> str:
    for mark in _MARKS:
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            return text[len(mark) : -len(mark)].strip()
    if len(text) > 2 and text[0] + text[-1] in _PAIRS:
        return text[1:-1].strip()
    return text
