"""Tries of puzzles: each account's first one counts, once, and is rated.

The puzzle and the solver are rated against each other by Glicko-2, as two players of a game. There
is a rating for the puzzles of each game, because the games are as different as variants elsewhere:
who finds every ring in Antipod may never have seen Antipode, and a common rating would offer both
puzzles that are far too hard or too easy.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from django.db import IntegrityError, transaction

from antipodes.puzzles.model import Puzzle
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import catalogue
from antipodes.web.puzzles.daily import day_of
from antipodes.web.puzzles.models import PuzzleRow, SolverRow, StreakRow, TryRow
from antipodes.web.puzzles.selectors import streak_at

Outcome = TryRow.Outcome


@dataclass(frozen=True, slots=True)
class Recorded:
    """A recorded try.

    Attributes:
        row: of the user's first try of the puzzle.
        is_first: whether this was it.
    """

    row: TryRow
    is_first: bool


def record(user: User, puzzle: Puzzle, outcome: TryRow.Outcome) -> Recorded:
    """Record the end of a try: rate the first one, and count later ones."""
    at = now()
    puzzle_row = catalogue.row_of(puzzle)
    with transaction.atomic():
        # The lock makes simultaneous tries of a puzzle wait for each other.
        locked = PuzzleRow.objects.select_for_update().get(pk=puzzle_row.pk)
        row = _record_first(user, puzzle, outcome, locked, at)
        if row is not None:
            return Recorded(row, is_first=True)
        row = TryRow.objects.select_for_update().get(user=user, puzzle_id=puzzle.id)
        _record_retry(row, outcome, at)
    return Recorded(row, is_first=False)


def _record_first(
    user: User, puzzle: Puzzle, outcome: TryRow.Outcome, puzzle_row: PuzzleRow, at: int
) -> TryRow | None:
    """Record and rate a first try; return ``None`` if there was one before."""
    is_solved = outcome == Outcome.SOLVED
    row = TryRow(
        user=user,
        puzzle_id=puzzle.id,
        game_id=puzzle.game_id,
        outcome=outcome,
        at=at,
        solved_at=at if is_solved else None,
        puzzle_value=puzzle_row.value,
    )
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        return None
    if outcome != Outcome.HINTED:
        _rate(row, puzzle_row, is_solved=is_solved)
    if is_solved:
        _continue_streak(user, day_of(at))
    return row


def _record_retry(row: TryRow, outcome: TryRow.Outcome, at: int) -> None:
    if outcome == Outcome.HINTED:
        return
    row.retries += 1
    if outcome == Outcome.SOLVED and row.solved_at is None:
        row.solved_at = at
        _continue_streak(row.user, day_of(at))
    row.save(update_fields=["retries", "solved_at"])


def _rate(row: TryRow, puzzle_row: PuzzleRow, *, is_solved: bool) -> None:
    """Rate puzzle and solver against each other."""
    SolverRow.objects.get_or_create(user=row.user, game_id=row.game_id)
    solver_row = SolverRow.objects.select_for_update().get(user=row.user, game_id=row.game_id)
    idle = 0 if solver_row.latest is None else row.at - solver_row.latest
    solver, puzzle = solver_row.rating.after_idling(idle), puzzle_row.rating
    points = 1.0 if is_solved else 0.0
    row.value_before = solver_row.value
    solver_row.set_rating(solver_row.rating.after_games([(puzzle, points)], idle), solved=is_solved)
    solver_row.latest = row.at
    solver_row.save()
    # A puzzle does not become harder or easier by waiting.
    puzzle_row.set_rating(puzzle.after_games([(solver, 1 - points)], 0), solved=is_solved)
    puzzle_row.save(update_fields=["value", "deviation", "volatility", "tries", "solved"])
    row.value, row.deviation = solver_row.value, solver_row.deviation
    row.save(update_fields=["value_before", "value", "deviation"])


def _continue_streak(user: User, today: date) -> None:
    """Count today in a user's streak, once."""
    StreakRow.objects.get_or_create(user=user, defaults={"last_day": today - timedelta(days=2)})
    row = StreakRow.objects.select_for_update().get(user=user)
    streak = streak_at(row.days, row.longest, row.last_day, today).after_a_solution()
    row.days, row.longest, row.last_day = streak.days, streak.longest, max(row.last_day, today)
    row.save()
