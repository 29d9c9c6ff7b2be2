"""Findings about candidates for puzzles."""

from __future__ import annotations

from enum import StrEnum


class Finding(StrEnum):
    """The result of examining a candidate."""

    PROVEN = "proven"
    LOST = "lost"  # or, with a limit of turns, not won in so many
    SEVERAL = "several"
    UNPROVEN = "unproven"
    TOO_LONG = "too-long"
    TOO_EASY = "too-easy"
    NO_LINE = "no-line"
    REFUSED = "refused"  # by the checker, such as where a blocked opponent loses
