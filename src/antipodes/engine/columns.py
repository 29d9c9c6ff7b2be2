"""Columns without the letter i, as programs for Go name those of their boards.

Only points that are words of their own are translated, so boards whose moves are written otherwise
have no such columns.
"""

from __future__ import annotations

import re
import string

_OURS = string.ascii_lowercase
_THEIRS = (*_OURS.replace("i", ""), "aa")
_TO_THEIRS = dict(zip(_OURS, _THEIRS, strict=True))
_TO_OURS = dict(zip(_THEIRS, _OURS, strict=True))
# Words with a stroke, a point or a hyphen are names of files, versions and commands.
_POINT = re.compile(r"(?<![\w./-])(aa|[a-z])([1-9]\d?)(?![\w/-]|\.\w)", re.IGNORECASE)


def without_i(text: str) -> str:
    """Return a text with the columns of its points as programs for Go name them."""
    return _renamed(text, _TO_THEIRS)


def with_i(text: str) -> str:
    """Return a text of such a program with the columns of the games."""
    return _renamed(text, _TO_OURS)


def _renamed(text: str, names: dict[str, str]) -> str:
    def rename(point: re.Match[str]) -> str:
        column = point[1].lower()
        return f"{names.get(column, column)}{point[2]}"

    return _POINT.sub(rename, text)
