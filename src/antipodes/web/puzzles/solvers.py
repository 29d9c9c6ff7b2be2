"""The solver of a request: an account with rated tries, or a guest with those of the session."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from antipodes.puzzles.model import Puzzle
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user
from antipodes.web.platform.client_addresses import Address, address_of
from antipodes.web.puzzles import guest_progress, selectors
from antipodes.web.puzzles.daily import today
from antipodes.web.puzzles.models import TryRow
from antipodes.web.puzzles.selectors import Streak

Outcome = TryRow.Outcome


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
        """Return the solver of a request."""
        return cls(request, current_user(request))

    @property
    def account(self) -> User | None:
        """The account, whose tries are recorded and rated; ``None`` for guests."""
        return self.user if selectors.is_account(self.user) else None

    @property
    def address(self) -> Address | None:
        """The client's address."""
        return address_of(self.request)

    @property
    def tried(self) -> Collection[str]:
        """The ids of the puzzles that a guest has tried."""
        return () if self.account else guest_progress.outcomes(self.request.session)

    @property
    def streak(self) -> Streak:
        """The streak as of today."""
        if self.account:
            return selectors.streak(self.account, today())
        return guest_progress.streak(self.request.session)

    def outcomes(self, puzzles: Sequence[Puzzle]) -> dict[str, TryRow.Outcome]:
        """Return the outcomes of the first tries of puzzles by id; untried ones are left out."""
        ids = [one.id for one in puzzles]
        if self.account:
            rows = TryRow.objects.filter(user=self.account, puzzle_id__in=ids)
            return {row.puzzle_id: Outcome(row.outcome) for row in rows}
        kept = guest_progress.outcomes(self.request.session)
        return {one: Outcome(kept[one]) for one in ids if one in kept}

    def outcome(self, puzzle: Puzzle) -> TryRow.Outcome | None:
        """Return the outcome of the first try of a puzzle; ``None`` if there was none."""
        return self.outcomes([puzzle]).get(puzzle.id)

    def note(self, puzzle: Puzzle, outcome: TryRow.Outcome) -> None:
        """Record the end of a guest's try; services record those of accounts."""
        if not self.account:
            guest_progress.record(self.request.session, puzzle, outcome)
