"""Services of puzzles: answers, hints, solutions, votes and reports."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from antipodes.web.puzzles.attempts import Outcome, Recorded, record
from antipodes.web.puzzles.judgements import Asker, Found, judgement, read_moves
from antipodes.web.puzzles.models import PuzzleReportRow, PuzzleRow, VoteRow
from antipodes.web.puzzles.selectors import first_try, is_account

ANSWERS = rate_limit("puzzle-answers", "60/minute", per="user", what="moves of puzzles answered")
ANSWERS_OF_ADDRESS = rate_limit(
    "puzzle-answers-of-address",
    "200/minute;3000/hour",
    per="address",
    what="moves of puzzles answered",
)
REPORTS = rate_limit("puzzle-reports", "10/day", per="user", what="puzzles reported")

_POLL = 0.1  # seconds between two looks at a judgement that is waited for


class Verdict(StrEnum):
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

    verdict: Verdict
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
    address: Address | None = None,
) -> Answer:
    """Judge a solver's move; record and rate the try when it ends.

    A wrong move ends a try, and a solved puzzle does. The tries of guests are not recorded.

    Args:
        user: the solver; ``None`` for a visitor without account.
        puzzle: the puzzle.
        moves: so far, of both sides in turn; the replies must be those of earlier answers.
        move: the solver's.
        wait: seconds to wait for a search; never more than that.
        address: of the client, for rate limits; by default that of the user's last sign-in.

    Raises:
        TooManyError: a rate limit is exceeded.
        InputError: the moves so far are no earlier answer's, or too many moves wait for a search.
        MoveError: a move is not one of the game, or not legal.
    """
    take_answer(user, address)
    found = refutation(user, puzzle, [*moves, move], wait=wait, address=address)
    if found.verdict not in (Verdict.SOLVED, Verdict.WRONG) or not is_account(user):
        return found
    assert user is not None
    outcome = Outcome.SOLVED if found.verdict is Verdict.SOLVED else Outcome.FAILED
    return replace(found, recorded=record(user, puzzle, outcome))


def refutation(
    user: User | None,
    puzzle: Puzzle,
    moves: Sequence[str],
    *,
    wait: float = 0.0,
    address: Address | None = None,
) -> Answer:
    """Return what is known about the last of some moves, without recording anything.

    Raises:
        TooManyError: a rate limit is exceeded.
        InputError: the moves before are no earlier answer's, or too many moves wait for a search.
        MoveError: a move is not one of the game, or not legal.
    """
    played = read_moves(puzzle, moves)
    if len(played) % 2 == 0:
        raise InputError([Fault("puzzle/turn", "the opponent is to move, not the solver")])
    asker = Asker(user, address)
    until = time.monotonic() + wait
    found = _judged(puzzle, played, asker)
    while not found.is_over and time.monotonic() < until:
        time.sleep(_POLL)
        found = _judged(puzzle, played, asker)
    reply = (found.reply,) if found.reply else ()
    moves_so_far = (*played, *reply)
    return Answer(_verdict(found), moves_so_far, found.reply, found.refutation, found.is_over)


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


def _verdict(found: Found) -> Verdict:
    if found.right is None:
        return Verdict.UNDECIDED if found.is_over else Verdict.WAITING
    if not found.right:
        return Verdict.WRONG
    return Verdict.SOLVED if found.solved else Verdict.RIGHT


def hint(user: User | None, puzzle: Puzzle, moves: Sequence[str]) -> str:
    """Return a right move after the moves so far; the try is no longer rated.

    Returns:
        An empty string if none is known.

    Raises:
        InputError: the moves so far are no earlier answer's.
        MoveError: a move is not one of the game, or not legal.
    """
    found = right_move(puzzle, moves, Asker(user))
    if user is not None and is_account(user):
        record(user, puzzle, Outcome.HINTED)
    return found


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
