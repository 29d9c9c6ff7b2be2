"""Your mistakes: exercises from a player's own reviewed matches, private to the player.

Where a review shows a turning point at which exactly one move was good, the player is asked to find
it. A proven win is looked for first; otherwise an analysis must see one move far ahead of the
others. The exercise is solved by that move; a job of the worker has found it, so that answers need
no search.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F

from antipodes.errors import Fault, InputError
from antipodes.games.kernels import header
from antipodes.games.position import Position
from antipodes.match import Match
from antipodes.puzzles.model import Puzzle, Source
from antipodes.puzzles.only_wins import find_only_win
from antipodes.records.json_format import read_setup, setup_data
from antipodes.search.analysis import analyze
from antipodes.search.interface import Limits
from antipodes.web.accounts.models import User
from antipodes.web.analysis.models import ReviewRow
from antipodes.web.analysis.models import State as ReviewState
from antipodes.web.analysis.services import MEMORY
from antipodes.web.jobs import queue
from antipodes.web.jobs.models import Kind
from antipodes.web.jobs.queue import NewJob
from antipodes.web.platform.clock import now
from antipodes.web.platform.kernel_warmup import Use, is_cold
from antipodes.web.platform.limits import rate_limit, take
from antipodes.web.platform.periodic import every
from antipodes.web.puzzles.judgements import read_moves
from antipodes.web.puzzles.models import MistakeRow, SearchedMatchRow
from antipodes.web.puzzles.services import Answer, Verdict

SEARCHES = rate_limit(
    "mistake-searches", "6/hour;20/day", per="user", what="searches for one's own mistakes"
)

_MATCHES = 10  # matches of one search
_PER_MATCH = 3  # mistakes of one match
_LEAST_LOSS = 0.25  # of the chances, unless a proven win was given away
_GAP = 0.2  # by which the best move must be ahead of the next one
_SHARE = 0.05  # of the visits that a move needs for its estimate to count
_LIMITS = Limits(seconds=2.0)
_SECONDS = 6.0  # expected CPU time of a job

State = MistakeRow.State


def search(user: User) -> int:
    """Look for mistakes in a user's latest reviewed matches; return the number of matches.

    Raises:
        TooManyError: the rate limit is exceeded.
    """
    take(SEARCHES, str(user.pk))
    done = SearchedMatchRow.objects.filter(user=user).values("match")
    reviews = ReviewRow.objects.filter(state=ReviewState.DONE, match__seats__user=user)
    found = reviews.exclude(match__in=done).select_related("match").distinct()
    count = 0
    for review in found.order_by("-match__ended_at")[:_MATCHES]:
        rows = _candidates(user, review)
        with transaction.atomic():
            _, is_new = SearchedMatchRow.objects.get_or_create(user=user, match=review.match)
            if is_new:
                MistakeRow.objects.bulk_create(rows)
        count += 1
    waiting = MistakeRow.objects.filter(user=user, state=State.WAITING)
    queue.put(*map(_work, waiting))
    return count


def _candidates(user: User, review: ReviewRow) -> list[MistakeRow]:
    """Return the user's worst turning points in a match, with their positions."""
    match = review.match.match()
    own = set(review.match.seats.filter(user=user).values_list("number", flat=True))
    turns = [
        turn
        for turn in review.turns
        if match.moves[turn["ply"] - 1].seat in own
        and (turn["decides"] or turn["before"] - turn["after"] >= _LEAST_LOSS)
    ]
    turns.sort(key=lambda turn: (not turn["decides"], turn["after"] - turn["before"]))
    rows = []
    for turn in turns:
        position = _position_after(match, turn["ply"] - 1)
        if position.state[header.SWAP_OPEN]:
            continue
        rows.append(_row(user, review, turn, position))
    return rows[:_PER_MATCH]


def _row(user: User, review: ReviewRow, turn: dict[str, Any], position: Position) -> MistakeRow:
    return MistakeRow(
        user=user,
        match=review.match,
        ply=turn["ply"] - 1,
        game_id=position.game.id,
        options=dict(position.game.options.changed()),
        setup=setup_data(position.to_setup()),
        played=turn["move"],
        better=turn["better"],
        before=turn["before"],
        after=turn["after"],
        asked_at=now(),
    )


def _position_after(match: Match, ply: int) -> Position:
    position = match.terms.origin
    for made in match.moves[:ply]:
        position = position.play(made.move)
    return position


def _work(row: MistakeRow) -> NewJob:
    return NewJob(kind=Kind.MISTAKE, key=str(row.pk), user=row.user_id, seconds=_SECONDS)


@every(30)
def take_up_lost() -> None:
    """Queue searches again whose jobs were lost."""
    rows = {str(row.pk): row for row in MistakeRow.objects.filter(state=State.WAITING)}
    lost = queue.missing(Kind.MISTAKE, ((key, 0) for key in rows))
    queue.put(*(_work(rows[key]) for key in lost))


@queue.handler(Kind.MISTAKE)
def examine_now(key: str, _version: int = 0) -> None:
    """Find out whether exactly one move was good; otherwise drop the exercise."""
    row = MistakeRow.objects.filter(pk=int(key), state=State.WAITING).first()
    if row is None:
        return
    position = puzzle_of(row).position
    if is_cold(position.game, Use.STUDY):
        raise queue.NotReadyError
    row.state = State.DROPPED
    try:
        _examine(row, position)
    finally:
        # After an error, which the worker logs, the player must not wait any longer.
        waiting = MistakeRow.objects.filter(pk=row.pk, state=State.WAITING)
        waiting.update(state=row.state, better=row.better, is_proven=row.is_proven, turns=row.turns)


def _examine(row: MistakeRow, position: Position) -> None:
    found = find_only_win(position)
    if found is not None:
        better = position.format_move(found.move)
        if better != row.played:
            row.state, row.better = State.READY, better
            row.is_proven, row.turns = True, found.turns
    elif row.before - row.after >= _LEAST_LOSS and _is_far_ahead(row, position):
        row.state = State.READY


def _is_far_ahead(row: MistakeRow, position: Position) -> bool:
    """Return whether an analysis sees the review's best move far ahead of all others."""
    found = analyze(position, limits=_LIMITS, memory=MEMORY)
    best = found.best
    if best is None or position.format_move(best.move) != row.better:
        return False
    # A search that has proven a win looks at no other move any more.
    if found.proven is not None:
        return False
    least = _SHARE * sum(one.visits for one in found.candidates) / len(found.candidates)
    others = [one for one in found.candidates[1:] if one.visits >= least]
    return bool(others) and all(best.value - one.value >= _GAP for one in others)


def puzzle_of(row: MistakeRow) -> Puzzle:
    """Return an exercise as a puzzle whose line is the move to find."""
    return Puzzle(
        id=f"mistake-{row.pk}",
        game_id=row.game_id,
        options=row.options,
        setup=read_setup(row.setup),
        line=(row.better,),
        themes=(),
        difficulty=1,
        source=Source(seed=0, game=0, ply=row.ply),
        turns=row.turns,
    )


def exercises(user: User) -> list[MistakeRow]:
    """Return a user's exercises, the newest match first and solved ones last."""
    rows = MistakeRow.objects.filter(user=user, state=State.READY).select_related("match")
    return list(rows.order_by(F("solved_at").desc(nulls_first=True), "-match", "ply"))


def waiting(user: User) -> int:
    """Return the number of positions that the worker still has to examine."""
    return MistakeRow.objects.filter(user=user, state=State.WAITING).count()


def find(user: User, key: int) -> MistakeRow | None:
    """Return an exercise of a user; ``None`` if the user has no such exercise."""
    rows = MistakeRow.objects.filter(user=user, pk=key, state=State.READY)
    return rows.select_related("match").first()


def answer(row: MistakeRow, move: str) -> Answer:
    """Judge the answer to an exercise.

    Raises:
        InputError: there is no move.
        MoveError: it is not one of the game, or not legal.
    """
    if not move.strip():
        raise InputError([Fault("puzzle/turn", "choose a move")])
    played = read_moves(puzzle_of(row), [move])
    if played[0] != row.better:
        rows = MistakeRow.objects.filter(pk=row.pk, solved_at=None)
        rows.update(tries=F("tries") + 1)
        return Answer(Verdict.WRONG, played)
    MistakeRow.objects.filter(pk=row.pk, solved_at=None).update(solved_at=now())
    return Answer(Verdict.SOLVED, played)
