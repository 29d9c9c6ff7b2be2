"""Queries about solvers: the next puzzle, the rating, the streak, the history."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count

from antipodes.puzzles.model import Puzzle
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import catalogue
from antipodes.web.puzzles.models import PuzzleRow, SolverRow, StreakRow, TryRow
from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.history import Point

_LATEST = 50  # tries that the history lists
_NEAREST = 12  # puzzles by rating, of which one is chosen


def is_account(user: User | None) -> bool:
    """Return whether a user has an account, so that tries are recorded and rated."""
    return user is not None and not user.is_guest


def solver_rating(user: User | None, game_id: str) -> Rating:
    """Return a solver's present rating in the puzzles of a game; guests have the initial one."""
    row = SolverRow.objects.filter(user=user, game_id=game_id).first() if user else None
    return Rating() if row is None else row.rating.after_idling(now() - (row.latest or 0))


@dataclass(frozen=True, slots=True)
class OwnRating:
    """A solver's rating in the puzzles of a game.

    Attributes:
        game_id: the game.
        rating: the present rating.
        tries: number of rated tries.
        solved: number of those that were right.
    """

    game_id: str
    rating: Rating
    tries: int
    solved: int


def own_ratings(user: User) -> list[OwnRating]:
    """Return the ratings of a solver in all games with rated tries, the most tried first."""
    at = now()
    rows = SolverRow.objects.filter(user=user, tries__gt=0).order_by("-tries", "game_id")
    return [
        OwnRating(
            row.game_id, row.rating.after_idling(at - (row.latest or 0)), row.tries, row.solved
        )
        for row in rows
    ]


def next_puzzle(
    user: User | None,
    game_id: str | None = None,
    theme: str | None = None,
    difficulty: int | None = None,
    *,
    tried: Collection[str] = (),
) -> Puzzle | None:
    """Return a puzzle that a solver has not tried, with a rating near the solver's own.

    Args:
        user: the solver; ``None`` for a visitor without account.
        game_id: the game; by default any.
        theme: the theme; by default any.
        difficulty: 1 to 9; by default any.
        tried: ids of further puzzles to leave out, as a guest's browser keeps them.

    Returns:
        ``None`` if all such puzzles have been tried.
    """
    done = {*tried, *_tried_ids(user)}
    puzzles = [one for one in catalogue.offered(game_id, theme, difficulty) if one.id not in done]
    if not puzzles:
        return None
    ratings = _ratings_of(puzzles)
    own = {one: solver_rating(user, one).value for one in {puzzle.game_id for puzzle in puzzles}}
    distances = {one.id: abs(ratings[one.id] - own[one.game_id]) for one in puzzles}
    # Shuffled first, so that puzzles with equal ratings come in any order.
    random.shuffle(puzzles)
    nearest = sorted(puzzles, key=lambda one: distances[one.id])[:_NEAREST]
    return random.choice(nearest)


def _tried_ids(user: User | None) -> Collection[str]:
    if user is None:
        return ()
    return set(TryRow.objects.filter(user=user).values_list("puzzle_id", flat=True))


def _ratings_of(puzzles: Sequence[Puzzle]) -> dict[str, float]:
    known = dict(PuzzleRow.objects.values_list("puzzle_id", "value"))
    initial = catalogue.initial_rating
    return {one.id: known.get(one.id, initial(one).value) for one in puzzles}


@dataclass(frozen=True, slots=True)
class Streak:
    """Days in a row on which a solver solved a puzzle.

    Attributes:
        days: until today, or until yesterday if none was solved today yet.
        longest: the longest streak so far.
        is_done_today: whether a puzzle was solved today.
    """

    days: int = 0
    longest: int = 0
    is_done_today: bool = False

    def after_a_solution(self) -> Streak:
        """Return the streak after a puzzle was solved today."""
        days = self.days if self.is_done_today else self.days + 1
        return Streak(days, max(self.longest, days), is_done_today=True)


def streak(user: User | None, today: date) -> Streak:
    """Return the streak of an account; others have none here."""
    row = StreakRow.objects.filter(user=user).first() if user else None
    return Streak() if row is None else streak_at(row.days, row.longest, row.last_day, today)


def streak_at(days: int, longest: int, last_day: date, today: date) -> Streak:
    """Return a streak as it is today, from what was kept on the last day."""
    goes_on = last_day >= today - timedelta(days=1)
    return Streak(days if goes_on else 0, longest, last_day >= today)


def first_try(user: User | None, puzzle: Puzzle) -> TryRow | None:
    """Return an account's first try of a puzzle, if there was one."""
    if user is None:
        return None
    return TryRow.objects.filter(user=user, puzzle_id=puzzle.id).first()


def latest_tries(user: User, game_id: str) -> list[TryRow]:
    """Return an account's latest first tries of puzzles of a game, the latest first."""
    rows = TryRow.objects.filter(user=user, game_id=game_id)
    return list(rows.order_by("-at", "-pk")[:_LATEST])


def outcome_counts(user: User) -> dict[str, int]:
    """Return the numbers of an account's first tries by their outcome."""
    rows = TryRow.objects.filter(user=user).values("outcome").annotate(count=Count("pk"))
    counts = {row["outcome"]: row["count"] for row in rows}
    return {outcome.value: counts.get(outcome.value, 0) for outcome in TryRow.Outcome}


def rating_points(user: User, game_id: str) -> list[Point]:
    """Return the rating after each rated try in the puzzles of a game, oldest first."""
    rows = TryRow.objects.filter(user=user, game_id=game_id, value__isnull=False)
    found = rows.order_by("at", "pk").values_list("at", "value", "deviation", "outcome")
    return [Point._make(row) for row in found]
