"""Normalisation of texts by people and mail programs: spaces, asterisks and hyphens."""

from __future__ import annotations

import re

_HYPHENS = str.maketrans(dict.fromkeys("‐‑‒–—―−﹣－", "-"))
_ASTERISKS = str.maketrans(dict.fromkeys("∗＊⁎﹡✱", "*"))
_ESCAPED = re.compile(r"\\+([*\-+])")
# Invisible characters, which word processors and mail programs insert.
_INVISIBLE = re.compile("[\u200b\u200c\u200d\u2060\ufeff\u00ad]")


def clean(text: str) -> str:
    """Return ``text`` with plain spaces, hyphens and asterisks, escapes undone, ends stripped.

    Any run of Unicode spaces (also the non-breaking one) becomes one space.
    """
    text = _INVISIBLE.sub("", text.translate(_HYPHENS).translate(_ASTERISKS))
    return " ".join(_ESCAPED.sub(r"\1", text).split())


def plain_lines(text: str) -> list[str]:
    """Return the lines of a picture with each Unicode space replaced by one plain space."""
    text = _INVISIBLE.sub("", text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(8).split("\n")
    return ["".join(" " if char.isspace() else char for char in line).rstrip() for line in lines]


def shorten(text: str, limit: int = 60) -> str:
    """Return ``text`` quoted for an error message, shortened if it is very long."""
    quoted = repr(text)
    return quoted if len(quoted) <= limit else quoted[: limit - 4] + "...'"
