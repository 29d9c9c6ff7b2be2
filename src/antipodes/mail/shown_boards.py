"""Which position an e-mail of the site shows, read from its text or from a quote of it."""

from __future__ import annotations

import re

_MOST_LINES = 5_000
_LONGEST_LINE = 300

# The title of a board, and its next move; both are formats of ``docs/mail-format.md``.
_TITLE = re.compile(r"[\s>|*]*\w[\w ]{1,40} (?:Board (\d{1,9})|Preview\b.*)[\s*]*")
_TURN = re.compile(r"[\s>|*]*Turn:[\s*]+move (\d{1,5});.*")


def shown_ply(text: str, board: int) -> int | None:
    """Return the number of moves on a board that a mail shows, or ``None`` if it does not say.

    Args:
        text: an e-mail of the site, or a reply with a quote of it. The first board counts, which
            is the latest of several quotes.
        board: its number. A quote may begin below the title, so a board without one counts too.
    """
    is_meant = True
    for line in text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        if title := _TITLE.fullmatch(line[:_LONGEST_LINE]):
            is_meant = title[1] is not None and int(title[1]) == board
        elif is_meant and (turn := _TURN.fullmatch(line[:_LONGEST_LINE])):
            return int(turn[1]) - 1
    return None
