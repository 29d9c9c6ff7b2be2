"""Names of points, and hints for points that are not on the board."""

from __future__ import annotations

import re
from collections.abc import Iterable

from antipodes.boards import Topology
from antipodes.errors import Phrase

_POINT = re.compile(r"(?<![a-z0-9])([a-z]{1,2})(\d{1,3})(?!\d)", re.IGNORECASE)


class PointNames:
    """The names of all points of a board: a letter or two, and a number."""

    def __init__(self, names: Iterable[str]) -> None:
        """Group the names into rows with the same letter."""
        self._rows: dict[str, dict[int, str]] = {}
        for name in names:
            letters = name.rstrip("0123456789")
            self._rows.setdefault(letters.lower(), {})[int(name.removeprefix(letters))] = name

    @classmethod
    def of(cls, board: Topology) -> PointNames:
        """Return the names of a board's cells."""
        return cls(name for names in board.names for name in names)

    def span(self) -> Phrase:
        """Return a phrase with the first and the last point."""
        order = sorted(self._rows, key=lambda letters: (len(letters), letters))
        first, last = self._rows[order[0]], self._rows[order[-1]]
        values = {"first": first[min(first)], "last": last[max(last)]}
        return Phrase("points run from {first} to {last}", values)

    def outside(self, text: str) -> Phrase | None:
        """Return a hint if a text names a point that is not on the board.

        Returns:
            The points with the letter in the text, or the first and the last point if there are
            none; ``None`` if all points of the text are on the board.
        """
        for letters, digits in _POINT.findall(text):
            row = self._rows.get(letters.lower())
            if row is None:
                return self.span()
            if int(digits) not in row:
                told = {"letter": letters.lower(), "points": ", ".join(_runs(row))}
                return Phrase("the points with {letter} are {points}", told)
        return None

    def where(self, text: str) -> Phrase:
        """Return a hint for a text that is not a point of the board."""
        return self.outside(text) or self.span()


def _runs(row: dict[int, str]) -> list[str]:
    """Write a row's points as ranges without gaps: ``k6..k11`` and ``k17..k22``."""
    starts = [number for number in sorted(row) if number - 1 not in row]
    ends = [number for number in sorted(row) if number + 1 not in row]
    return [f"{row[start]}..{row[end]}" for start, end in zip(starts, ends, strict=True)]
