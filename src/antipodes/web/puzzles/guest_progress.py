"""Puzzles of guests: what they tried, and their streak, in the session of the browser."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from antipodes.puzzles.model import Puzzle
from antipodes.web.puzzles.daily import today
from antipodes.web.puzzles.models import TryRow
from antipodes.web.puzzles.selectors import Streak, streak_at

Outcome = TryRow.Outcome

_KEY = "puzzles"
_MOST = 300  # puzzles that are remembered


def outcomes(session: SessionBase) -> dict[str, str]:
    """Return the outcomes of the first tries by the ids of the puzzles."""
    found: dict[str, str] = session.get(_KEY, {}).get("tried", {})
    return found


def record(session: SessionBase, puzzle: Puzzle, outcome: TryRow.Outcome) -> None:
    """Record the end of a try: the first one of a puzzle counts."""
    kept: dict[str, Any] = dict(session.get(_KEY, {}))
    tried = dict(kept.get("tried", {}))
    tried.setdefault(puzzle.id, outcome.value)
    kept["tried"] = dict(list(tried.items())[-_MOST:])
    if outcome is Outcome.SOLVED:
        kept["streak"] = _continued(kept)
    session[_KEY] = kept


def _continued(kept: dict[str, Any]) -> list[Any]:
    """Return the streak with today."""
    days, longest, last_day = kept.get("streak", (0, 0, "2000-01-01"))
    now = today()
    before = streak_at(days, longest, date.fromisoformat(last_day), now)
    days = before.days if before.is_done_today else before.days + 1
    return [days, max(longest, days), now.isoformat()]


def streak(session: SessionBase) -> Streak:
    """Return the streak."""
    if "streak" not in session.get(_KEY, {}):
        return Streak()
    days, longest, last_day = session[_KEY]["streak"]
    return streak_at(days, longest, date.fromisoformat(last_day), today())
