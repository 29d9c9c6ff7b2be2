"""Services of puzzles: answers, rated tries, hints, solutions, votes and reports.

The puzzle and the solver are rated against each other by Glicko-2, as two players of a game. There
is a rating for the puzzles of each game, because the games are as different as variants elsewhere:
who finds every ring in Antipod may never have seen Antipode, and a common rating would offer both
puzzles that are far too hard or too easy.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.puzzles.model import Puzzle
from antipodes.web.accounts.masking import for_moderators
from antipodes.web.accounts.models import User
from antipodes.web.jobs.clients import take_for_networks_of
from antipodes.web.platform.client_addresses import Address
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import rate_limit, take, take_for_networks
from antipodes.web.puzzles import catalogue
from antipodes.web.puzzles.daily import day_of
from antipodes.web.puzzles.judgements import Asker, Found, judgement, read_moves
from antipodes.web.puzzles.models import (
    PuzzleReportRow,
    PuzzleRow,
    SolverRow,
    StreakRow,
    TryRow,
    VoteRow,
)
from antipodes.web.puzzles.selectors import first_try, is_account, streak_at

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


def record(user: User, puzzle: Puzzle, outcome: TryRow.Outcome, *, once: bool = False) -> Recorded:
    """Record the end of a try: rate the first one, and count later ones.

    Args:
        user: an account.
        puzzle: the puzzle.
        outcome: of the try.
        once: whether the same may have been recorded before; then of later tries only the first
            solution counts.
    """
    at = now()
    puzzle_row = catalogue.row_of(puzzle)
    with transaction.atomic():
        # The lock makes simultaneous tries of a puzzle wait for each other.
        locked = PuzzleRow.objects.select_for_update().get(pk=puzzle_row.pk)
        row = _record_first(user, puzzle, outcome, locked, at)
        if row is not None:
            return Recorded(row, is_first=True)
        row = TryRow.objects.select_for_update().get(user=user, puzzle_id=puzzle.id)
        is_new = row.solved_at is None and outcome == Outcome.SOLVED
        if is_new or not once:
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


ANSWERS = rate_limit("puzzle-answers", "60/minute", per="user", what="moves of puzzles answered")
ANSWERS_OF_ADDRESS = rate_limit(
    "puzzle-answers-of-address",
    "200/minute;3000/hour",
    per="address",
    what="moves of puzzles answered",
)
REPORTS = rate_limit("puzzle-reports", "10/day", per="user", what="puzzles reported")

_POLL = 0.1  # seconds between two looks at a judgement that is waited for


class AnswerVerdict(StrEnum):
    """The judgement of a move, as far as it is known."""

    RIGHT = "right"  # and the opponent has replied
    SOLVED = "solved"
    WRONG = "wrong"
    UNDECIDED = "undecided"  # not within the limits of the search; it does not count
    WAITING = "waiting"  # for the worker: ask again with the same moves


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a move.

    Attributes:
        verdict: whether the move is right.
        moves: all moves so far, with this one and the reply.
        reply: the opponent's reply to a right move; empty if there is none.
        refutation: moves after a wrong one that show why it does not win, the opponent's first.
        is_final: whether no more will be found out. Until then ask again: by `answer` while the
            verdict is waiting, by `refutation` for that of a wrong move.
        recorded: the account's first try if this answer ended a try, else ``None``.
    """

    verdict: AnswerVerdict
    moves: tuple[str, ...]
    reply: str = ""
    refutation: tuple[str, ...] = ()
    is_final: bool = True
    recorded: Recorded | None = None


def answer(
    user: User | None,
    puzzle: Puzzle,
    moves: Sequence[str],
    move: str,
    *,
    wait: float = 0.0,
    asker: Asker | None = None,
    once: bool = False,
) -> Answer:
    """Judge a solver's move; record and rate the try when it ends.

    A wrong move ends a try, and a solved puzzle does. The tries of guests are not recorded.

    Args:
        user: the solver; ``None`` for a visitor without account.
        puzzle: the puzzle.
        moves: so far, of both sides in turn; the replies must be those of earlier answers.
        move: the solver's.
        wait: seconds to wait for a search; never more than that.
        asker: the solver with the address of the client, for rate limits; by default with that of
            the last sign-in.
        once: whether the try may have been recorded before, as :func:`record` takes it.

    Raises:
        TooManyError: a rate limit is exceeded.
        InputError: the moves so far are no earlier answer's, or too many moves wait for a search.
        MoveError: a move is not one of the game, or not legal.
    """
    asker = asker or Asker(user)
    take_answer(user, asker.address)
    judged = refutation(asker, puzzle, [*moves, move], wait=wait)
    if judged.verdict not in (AnswerVerdict.SOLVED, AnswerVerdict.WRONG) or not is_account(user):
        return judged
    assert user is not None
    outcome = Outcome.SOLVED if judged.verdict is AnswerVerdict.SOLVED else Outcome.FAILED
    return replace(judged, recorded=record(user, puzzle, outcome, once=once))


def refutation(asker: Asker, puzzle: Puzzle, moves: Sequence[str], *, wait: float = 0.0) -> Answer:
    """Return what is known about the last of some moves, without recording anything.

    Raises:
        TooManyError: a rate limit is exceeded.
        InputError: the moves before are no earlier answer's, or too many moves wait for a search.
        MoveError: a move is not one of the game, or not legal.
    """
    played = read_moves(puzzle, moves)
    if len(played) % 2 == 0:
        raise InputError([Fault("puzzle/turn", "the opponent is to move, not the solver")])
    until = time.monotonic() + wait
    judged = _judged(puzzle, played, asker)
    while not judged.is_over and time.monotonic() < until:
        time.sleep(_POLL)
        judged = _judged(puzzle, played, asker)
    reply = (judged.reply,) if judged.reply else ()
    moves_so_far = (*played, *reply)
    return Answer(_verdict(judged), moves_so_far, judged.reply, judged.refutation, judged.is_over)


def take_answer(user: User | None, address: Address | None) -> None:
    """Count an answer for the user and the network.

    Raises:
        TooManyError: a rate limit is exceeded.
    """
    if user is not None:
        take(ANSWERS, str(user.pk))
    if address is not None:
        take_for_networks(ANSWERS_OF_ADDRESS, address)
    elif user is not None:
        take_for_networks_of(ANSWERS_OF_ADDRESS, user)


def _judged(puzzle: Puzzle, played: tuple[str, ...], asker: Asker) -> Found:
    """Return what is known about the last move, if those before were answered so.

    Raises:
        InputError: they were not.
    """
    for count in range(1, len(played), 2):
        before = judgement(puzzle, played[:count], asker)
        if before.right is None:
            return before
        if not before.right or before.solved or before.reply != played[count]:
            message = _("These moves do not belong to this puzzle; start it again.")
            raise InputError([Fault("puzzle/moves", message)])
    return judgement(puzzle, played, asker)


def _verdict(found: Found) -> AnswerVerdict:
    if found.right is None:
        return AnswerVerdict.UNDECIDED if found.is_over else AnswerVerdict.WAITING
    if not found.right:
        return AnswerVerdict.WRONG
    return AnswerVerdict.SOLVED if found.solved else AnswerVerdict.RIGHT


def hint(user: User | None, puzzle: Puzzle, moves: Sequence[str]) -> str:
    """Return a right move after the moves so far; the try is no longer rated.

    Returns:
        An empty string if none is known.

    Raises:
        InputError: the moves so far are no earlier answer's.
        MoveError: a move is not one of the game, or not legal.
    """
    move = right_move(puzzle, moves, Asker(user))
    if user is not None and is_account(user):
        record(user, puzzle, Outcome.HINTED)
    return move


def right_move(puzzle: Puzzle, moves: Sequence[str], asker: Asker) -> str:
    """Return a right move after the moves so far, without recording anything.

    Returns:
        An empty string if none is known.

    Raises:
        InputError: the moves so far are no earlier answer's.
        MoveError: a move is not one of the game, or not legal.
    """
    played = read_moves(puzzle, moves)
    if len(played) % 2:
        raise InputError([Fault("puzzle/turn", "the opponent is to move, not the solver")])
    if not played:
        return puzzle.line[0]
    before = _judged(puzzle, played[:-1], asker)
    if not before.right or before.reply != played[-1]:
        message = _("These moves do not belong to this puzzle; start it again.")
        raise InputError([Fault("puzzle/moves", message)])
    return before.answer


def solution(user: User | None, puzzle: Puzzle) -> tuple[str, ...]:
    """Return the line of a puzzle; a try that has not ended counts as failed."""
    if user is not None and is_account(user) and first_try(user, puzzle) is None:
        record(user, puzzle, Outcome.FAILED)
    return puzzle.line


def vote(user: User | None, puzzle: Puzzle, *, is_up: bool | None) -> PuzzleRow:
    """Vote for or against a puzzle that one has tried; ``None`` withdraws the vote.

    Raises:
        InputError: the user is a guest, or has not tried the puzzle.
    """
    user = _who_has_tried(user, puzzle)
    row = catalogue.row_of(puzzle)
    with transaction.atomic():
        row = PuzzleRow.objects.select_for_update().get(pk=row.pk)
        if is_up is None:
            VoteRow.objects.filter(user=user, puzzle=row).delete()
        else:
            VoteRow.objects.update_or_create(user=user, puzzle=row, defaults={"is_up": is_up})
        row.up = row.votes.filter(is_up=True).count()
        row.down = row.votes.filter(is_up=False).count()
        row.save(update_fields=["up", "down"])
    return row


def report(user: User | None, puzzle: Puzzle, reason: str, text: str = "") -> PuzzleReportRow:
    """Report a puzzle to the moderators; an open report of the same user stays as it is.

    Raises:
        InputError: the user is a guest or has not tried the puzzle, or the reason is unknown.
        TooManyError: the rate limit is exceeded.
    """
    user = _who_has_tried(user, puzzle)
    if reason not in PuzzleReportRow.Reason:
        raise InputError([Fault("puzzle/reason", _("Choose a reason."))])
    row = catalogue.row_of(puzzle)
    known = PuzzleReportRow.objects.filter(user=user, puzzle=row, decision="").first()
    if known is not None:
        return known
    take(REPORTS, str(user.pk))
    fields = {"reason": reason, "text": for_moderators(user, text).strip()[:1_000], "at": now()}
    try:
        with transaction.atomic():
            return PuzzleReportRow.objects.create(user=user, puzzle=row, **fields)
    except IntegrityError:  # a double click
        return PuzzleReportRow.objects.get(user=user, puzzle=row, decision="")


def _who_has_tried(user: User | None, puzzle: Puzzle) -> User:
    """Return the account that has tried a puzzle.

    Raises:
        InputError: there is none.
    """
    if user is None or not is_account(user):
        fault = Fault("puzzle/no-account", _("Sign in to vote on puzzles and to report them."))
        raise InputError([fault])
    if first_try(user, puzzle) is None:
        raise InputError([Fault("puzzle/not-tried", _("Try the puzzle first."))])
    return user


def decide_reports(puzzle_row: PuzzleRow, *, retire: bool) -> int:
    """Close the open reports of a puzzle; return their number.

    Args:
        puzzle_row: the puzzle.
        retire: whether it is no longer offered; otherwise it is, even if it had been retired.
    """
    at = now()
    with transaction.atomic():
        rows = PuzzleRow.objects.filter(pk=puzzle_row.pk)
        rows.update(retired_at=at if retire else None)
        decision = PuzzleReportRow.Decision.RETIRED if retire else PuzzleReportRow.Decision.KEPT
        reports = PuzzleReportRow.objects.filter(puzzle=puzzle_row, decision="")
        return reports.update(decision=decision, decided_at=at)
