"""The solver of a request: an account with rated tries, or a guest with those of the session."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.http import HttpRequest

from antipodes.puzzles.model import Puzzle
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user
from antipodes.web.platform.client_addresses import Address, address_of
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import catalogue, selectors
from antipodes.web.puzzles.daily import today
from antipodes.web.puzzles.models import StreakRow, TryRow
from antipodes.web.puzzles.selectors import Streak, streak_at

Outcome = TryRow.Outcome

_KEY = "puzzles"
_MOST = 300  # puzzles that are remembered


def guest_outcomes(session: SessionBase) -> dict[str, str]:
    """Return the outcomes of the first tries of a guest by the ids of the puzzles."""
    found: dict[str, str] = session.get(_KEY, {}).get("tried", {})
    return found


def record_of_guest(session: SessionBase, puzzle: Puzzle, outcome: TryRow.Outcome) -> None:
    """Record the end of a guest's try: the first one of a puzzle counts."""
    kept: dict[str, Any] = dict(session.get(_KEY, {}))
    tried = dict(kept.get("tried", {}))
    tried.setdefault(puzzle.id, outcome.value)
    kept["tried"] = dict(list(tried.items())[-_MOST:])
    if outcome is Outcome.SOLVED:
        kept["streak"] = _continued(kept)
    session[_KEY] = kept


def _continued(kept: dict[str, Any]) -> list[Any]:
    """Return the streak with today."""
    streak = _streak_of(kept).after_a_solution()
    return [streak.days, streak.longest, today().isoformat()]


def guest_streak(session: SessionBase) -> Streak:
    return _streak_of(session.get(_KEY, {}))


def _streak_of(kept: dict[str, Any]) -> Streak:
    if "streak" not in kept:
        return Streak()
    days, longest, last_day = kept["streak"]
    return streak_at(days, longest, date.fromisoformat(last_day), today())


def take_over(account: User, session: dict[str, Any], **_: object) -> None:
    """Store the tries and the streak of a guest for the account that they signed in to."""
    puzzles = session.get(_KEY)
    if not puzzles or account.is_guest:
        return
    with transaction.atomic():
        for puzzle_id, outcome in puzzles.get("tried", {}).items():
            puzzle = catalogue.get(puzzle_id)
            if puzzle is not None:
                _take_over_try(account, puzzle, outcome)
        if "streak" in puzzles:
            _take_over_streak(account, *puzzles["streak"])


def _take_over_try(account: User, puzzle: Puzzle, outcome: str) -> None:
    at = now()
    first = {
        "game_id": puzzle.game_id,
        "outcome": outcome,
        "at": at,
        "solved_at": at if outcome == Outcome.SOLVED else None,
        "puzzle_value": catalogue.row_of(puzzle).value,
    }
    TryRow.objects.get_or_create(user=account, puzzle_id=puzzle.id, defaults=first)


def _take_over_streak(account: User, days: int, longest: int, last_day: str) -> None:
    """Store a guest's streak if it is longer than the account's."""
    last = date.fromisoformat(last_day)
    row, is_new = StreakRow.objects.get_or_create(
        user=account, defaults={"days": days, "longest": longest, "last_day": last}
    )
    if is_new:
        return
    own = streak_at(row.days, row.longest, row.last_day, today())
    guests = streak_at(days, longest, last, today())
    row.longest = max(row.longest, longest)
    if guests.days > own.days:
        row.days, row.last_day = days, last
    row.save()


@dataclass(frozen=True, slots=True)
class Solver:
    """The solver of a request.

    Attributes:
        request: the request.
        user: account or guest, or ``None``.
    """

    request: HttpRequest
    user: User | None

    @classmethod
    def of(cls, request: HttpRequest) -> Solver:
        return cls(request, current_user(request))

    @property
    def account(self) -> User | None:
        """The account, whose tries are recorded and rated; ``None`` for guests."""
        return self.user if selectors.is_account(self.user) else None

    @property
    def address(self) -> Address | None:
        return address_of(self.request)

    @property
    def tried(self) -> Collection[str]:
        """The ids of the puzzles that a guest has tried."""
        return () if self.account else guest_outcomes(self.request.session)

    @property
    def streak(self) -> Streak:
        """The streak as of today."""
        if self.account:
            return selectors.streak(self.account, today())
        return guest_streak(self.request.session)

    def outcomes(self, puzzles: Sequence[Puzzle]) -> dict[str, TryRow.Outcome]:
        """Return the outcomes of the first tries of puzzles by id; untried ones are left out."""
        ids = [one.id for one in puzzles]
        if self.account:
            rows = TryRow.objects.filter(user=self.account, puzzle_id__in=ids)
            return {row.puzzle_id: Outcome(row.outcome) for row in rows}
        kept = guest_outcomes(self.request.session)
        return {one: Outcome(kept[one]) for one in ids if one in kept}

    def outcome(self, puzzle: Puzzle) -> TryRow.Outcome | None:
        """Return the outcome of the first try of a puzzle; ``None`` if there was none."""
        return self.outcomes([puzzle]).get(puzzle.id)

    def note(self, puzzle: Puzzle, outcome: TryRow.Outcome) -> None:
        """Record the end of a guest's try; services record those of accounts."""
        if not self.account:
            record_of_guest(self.request.session, puzzle, outcome)
