"""Your mistakes: exercises from a player's own reviewed matches, private to the player.

Where a review shows a turning point at which exactly one move was good, the player is asked to find
it. A proven win is looked for first; otherwise an analysis must see one move far ahead of the
others. A job of the worker has found that move. After a proven one the player goes on until the win
is clear; a wrong move is refuted on the board, where nothing is proven by the line of an analysis.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import F

from antipodes.errors import Fault, InputError
from antipodes.games.kernels import header
from antipodes.games.position import Position
from antipodes.match import Match
from antipodes.puzzles.model import Puzzle, Source
from antipodes.puzzles.only_wins import find_only_win
from antipodes.puzzles.play import line_of, referee
from antipodes.records.json_format import read_setup, setup_data
from antipodes.search.analysis import analyze
from antipodes.search.analysis_result import line_texts
from antipodes.search.interface import Limits
from antipodes.web.accounts.models import User
from antipodes.web.analysis import reviews
from antipodes.web.analysis.models import AnalysisState, ReviewRow
from antipodes.web.analysis.services import MEMORY
from antipodes.web.jobs import queue
from antipodes.web.jobs.models import JobKind
from antipodes.web.jobs.queue import NewJob
from antipodes.web.platform.client_addresses import Address
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import rate_limit, take
from antipodes.web.puzzles import judgements
from antipodes.web.puzzles.judgements import Asker
from antipodes.web.puzzles.models import MistakeRow, SearchedMatchRow
from antipodes.web.puzzles.services import Answer, AnswerVerdict, refutation

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
_MOST_MOVES = 8  # of the player in a line
_SHOWN = 5  # moves of an analysis that refute a wrong one
PREFIX = "mistake-"  # of the ids of exercises as puzzles

State = MistakeRow.State


def search(user: User, first: str = "") -> int:
    """Look for mistakes in a user's latest reviewed matches; return the number of matches.

    Args:
        user: whose mistakes are searched.
        first: slug of the match that is searched before all others, if the user has played it.

    Raises:
        TooManyError: the rate limit is exceeded.
    """
    take(SEARCHES, str(user.pk))
    reviews.start_left(user, first)
    done = SearchedMatchRow.objects.filter(user=user).values("match")
    reviewed = ReviewRow.objects.filter(state=AnalysisState.DONE, match__seats__user=user)
    unsearched = reviewed.exclude(match__in=done).select_related("match").distinct()
    count = 0
    order = reviews.before_others(first, "match__slug")
    for review in unsearched.order_by(order, "-match__ended_at")[:_MATCHES]:
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
    return NewJob(kind=JobKind.MISTAKE, key=str(row.pk), user=row.user_id, seconds=_SECONDS)


def queue_lost_exercises() -> None:
    """Queue searches again whose jobs were lost."""
    rows = {str(row.pk): row for row in MistakeRow.objects.filter(state=State.WAITING)}
    lost = queue.missing(JobKind.MISTAKE, ((key, 0) for key in rows))
    queue.put(*(_work(rows[key]) for key in lost))


def examine_now(key: str, _version: int = 0) -> None:
    """Find out whether exactly one move was good; otherwise drop the exercise."""
    row = MistakeRow.objects.filter(pk=int(key), state=State.WAITING).first()
    if row is None:
        return
    position = puzzle_of(row).position
    row.state = State.DROPPED
    try:
        _examine(row, position)
    finally:
        # After an error, which the worker logs, the player must not wait any longer.
        waiting = MistakeRow.objects.filter(pk=row.pk, state=State.WAITING)
        names = ("state", "better", "line", "is_proven", "turns")
        waiting.update(**{name: getattr(row, name) for name in names})


def _examine(row: MistakeRow, position: Position) -> None:
    only_win = find_only_win(position)
    if only_win is not None:
        better = position.format_move(only_win.move)
        if better != row.played:
            row.state, row.better = State.READY, better
            row.is_proven, row.turns = True, only_win.turns
            judge = referee(position.game)
            line = line_of(
                position, only_win.move, only_win.turns, judge, only_win.turns or _MOST_MOVES
            )
            row.line = list(line or (better,))[1:]
    elif row.before - row.after >= _LEAST_LOSS and _is_far_ahead(row, position):
        row.state = State.READY


def _is_far_ahead(row: MistakeRow, position: Position) -> bool:
    """Return whether an analysis sees the review's best move far ahead of all others."""
    analysis = analyze(position, limits=_LIMITS, memory=MEMORY)
    best = analysis.best
    if best is None or position.format_move(best.move) != row.better:
        return False
    # A search that has proven a win looks at no other move any more.
    if analysis.proven is not None:
        return False
    least = _SHARE * sum(one.visits for one in analysis.candidates) / len(analysis.candidates)
    others = [one for one in analysis.candidates[1:] if one.visits >= least]
    return bool(others) and all(best.value - one.value >= _GAP for one in others)


def puzzle_of(row: MistakeRow) -> Puzzle:
    """Return an exercise as a puzzle whose line begins with the move to find."""
    return Puzzle(
        id=f"{PREFIX}{row.pk}",
        game_id=row.game_id,
        options=row.options,
        setup=read_setup(row.setup),
        line=(row.better, *row.line),
        themes=(),
        difficulty=1,
        source=Source(seed=0, game=0, ply=row.ply),
        turns=row.turns,
    )


def exercises(user: User, first: str = "") -> list[MistakeRow]:
    """Return a user's exercises, the newest match first and solved ones last.

    Args:
        user: whose exercises are returned.
        first: slug of a match whose exercises come before those of newer ones.
    """
    rows = MistakeRow.objects.filter(user=user, state=State.READY).select_related("match")
    order = reviews.before_others(first, "match__slug")
    return list(rows.order_by(F("solved_at").desc(nulls_first=True), order, "-match", "ply"))


def is_reviewing(user: User, slug: str) -> bool:
    """Return whether the mistakes of a user's match wait for its review."""
    rows = ReviewRow.objects.filter(match__slug=slug, match__seats__user=user)
    return rows.exclude(state=AnalysisState.DONE).exists()


def waiting(user: User) -> int:
    """Return the number of positions that the worker still has to examine."""
    return MistakeRow.objects.filter(user=user, state=State.WAITING).count()


def find(user: User, key: int) -> MistakeRow | None:
    """Return an exercise of a user; ``None`` if the user has no such exercise."""
    rows = MistakeRow.objects.filter(user=user, pk=key, state=State.READY)
    return rows.select_related("match").first()


def _find_puzzle(puzzle_id: str) -> Puzzle | None:
    """Return an exercise as a puzzle by the puzzle's id."""
    row = MistakeRow.objects.filter(pk=int(puzzle_id.removeprefix(PREFIX))).first()
    return None if row is None else puzzle_of(row)


def _refute(puzzle: Puzzle, move: str) -> Sequence[str] | None:
    """Return how the game would go on after a wrong move, where no other move is proven to win."""
    if MistakeRow.objects.filter(pk=int(puzzle.id.removeprefix(PREFIX)), is_proven=True).exists():
        return None
    after: Position = puzzle.position.play(puzzle.position.parse_move(move))
    best = analyze(after, limits=_LIMITS, memory=MEMORY).best if after.outcome is None else None
    return [] if best is None else line_texts(after, best.line[:_SHOWN])


EXERCISES = judgements.OtherPuzzles(_find_puzzle, _refute)


def judged(
    row: MistakeRow,
    moves: Sequence[str],
    *,
    wait: float = 0.0,
    address: Address | None = None,
    refutes: bool = False,
) -> Answer:
    """Return the judgement of the last of some moves, without recording it.

    Raises:
        InputError: the moves before are no earlier answer's.
        MoveError: a move is not one of the game, or not legal.
        TooManyError: a rate limit is exceeded.
    """
    return refutation(Asker(row.user, address, refutes), puzzle_of(row), moves, wait=wait)


def answer(
    row: MistakeRow,
    moves: Sequence[str],
    move: str,
    *,
    wait: float = 0.0,
    address: Address | None = None,
    refutes: bool = False,
) -> Answer:
    """Judge the answer to an exercise, and record that it was solved or wrong.

    Args:
        row: the exercise.
        moves: so far, of both sides in turn.
        move: the player's.
        wait: seconds to wait for a search.
        address: of the client, for rate limits.
        refutes: whether the client searches for the refutation of a wrong first move itself.

    Raises:
        InputError: there is no move, or the moves so far are no earlier answer's.
        MoveError: a move is not one of the game, or not legal.
        TooManyError: a rate limit is exceeded.
    """
    if not move.strip():
        raise InputError([Fault("puzzle/turn", "choose a move")])
    judged_answer = judged(row, [*moves, move], wait=wait, address=address, refutes=refutes)
    rows = MistakeRow.objects.filter(pk=row.pk, solved_at=None)
    if judged_answer.verdict is AnswerVerdict.WRONG:
        rows.update(tries=F("tries") + 1)
    elif judged_answer.verdict is AnswerVerdict.SOLVED:
        rows.update(solved_at=now())
    return judged_answer
