"""Plots of the values during a game in plain text."""

from __future__ import annotations

_WIDTH = 41  # odd, so that one half has a column of its own


def bar(value: float | None, width: int = _WIDTH) -> str:
    """Return a line with a star at ``value`` between 0 and 1, and a colon at one half."""
    cells = [" "] * width
    cells[width // 2] = ":"
    if value is not None:
        cells[round(min(max(value, 0.0), 1.0) * (width - 1))] = "*"
    return f"|{''.join(cells)}|"
