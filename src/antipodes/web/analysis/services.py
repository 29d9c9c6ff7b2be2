"""Request, run and stop analyses.

An analysis is stopped if the client no longer polls for its result.
"""

from __future__ import annotations

from django.db.models import Q, QuerySet
from pydantic import TypeAdapter

from antipodes.clocks import HOUR
from antipodes.errors import Fault, InputError
from antipodes.games.position import Position
from antipodes.games.registry import make_game
from antipodes.search.analysis import Analyzer
from antipodes.search.interface import SearchProgress, SearchSettings
from antipodes.web.accounts.models import User
from antipodes.web.analysis.effort import HINT, Effort, find_effort
from antipodes.web.analysis.models import AnalysisRow, AnalysisState
from antipodes.web.analysis.position_queries import Line
from antipodes.web.analysis.presenters import analysis_view
from antipodes.web.analysis.schemas import AnalysisResultOut
from antipodes.web.jobs import queue
from antipodes.web.jobs.clients import neighbours, take_for_networks_of
from antipodes.web.jobs.lending import Answer, Task
from antipodes.web.jobs.models import JobKind
from antipodes.web.jobs.queue import NewJob
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import count_limit, rate_limit, take
from antipodes.web.platform.outages import optional_write
from antipodes.web.platform.schemas import read_as

# All times are milliseconds.
KEPT = 24 * HOUR  # older analyses are deleted
PATIENCE = 30_000  # a client that does not poll for longer has left
_REPORT = 400  # interval between reports of a search
_SEEN = 3_000  # minimum interval between updates of `seen_at`

# Hints and analyses have separate limits.
ANALYSES = rate_limit("analyses", "60/minute", per="user", what="analyses asked for")
ANALYSES_OF_ADDRESS = rate_limit(
    "analyses-of-address", "300/minute;3000/hour", per="address", what="analyses asked for"
)
WAITING_OF_ADDRESS = count_limit(
    "analyses-waiting", 40, per="address", what="analyses that wait or are done at once"
)
HINTS = rate_limit("hints", "30/minute", per="user", what="hints asked for")
HINTS_OF_ADDRESS = rate_limit(
    "hints-of-address", "300/minute;3000/hour", per="address", what="hints asked for"
)
HINTS_WAITING_OF_ADDRESS = count_limit(
    "hints-waiting", 40, per="address", what="hints that wait or are looked for at once"
)

_IS_OVER = Q(state__in=[state for state in AnalysisState if state.is_over])
_IS_HINT = Q(effort=HINT.name)

_RESULT: TypeAdapter[AnalysisResultOut] = TypeAdapter(AnalysisResultOut)
MEMORY = 96  # MiB for the tables of one search


def ask(user: User, line: Line, effort: Effort) -> AnalysisRow:
    """Request an analysis or a hint, which stops the user's previous one of the same kind.

    The result of an identical analysis is reused.

    Raises:
        TooManyError: the user or the network has reached the rate limit.
        InputError: too many analyses of the network are waiting.
    """
    at = now()
    AnalysisRow.objects.filter(asked_at__lt=at - KEPT).delete()
    same = {
        "game_id": line.game.id,
        "options": dict(line.game.options.changed()),
        "setup": line.setup_text,
        "moves": list(line.moves),
        "effort": effort.name,
    }
    known = AnalysisRow.objects.filter(**same, state=AnalysisState.DONE).first()
    is_hint = effort.name == HINT.name
    end_all_of(user, hints=is_hint)
    if known is not None:
        return known
    _check_bounds(user, at, is_hint=is_hint)
    row = AnalysisRow.objects.create(user=user, asked_at=at, seen_at=at, **same)
    queue.put(_work(row))
    return row


def _work(row: AnalysisRow) -> NewJob:
    seconds = find_effort(row.effort).seconds_with_threats
    return NewJob(kind=JobKind.ANALYSIS, key=row.slug, user=row.user_id, seconds=seconds)


def _check_bounds(user: User, at: int, *, is_hint: bool) -> None:
    """Check the limits of the user and the network."""
    most = HINTS_WAITING_OF_ADDRESS if is_hint else WAITING_OF_ADDRESS
    open_now = AnalysisRow.objects.exclude(_IS_OVER).filter(_kind(is_hint))
    for users, multiple in neighbours(user):
        others = User.objects.filter(users).values("pk")
        count = open_now.filter(user__in=others, seen_at__gt=at - PATIENCE).count()
        if count >= multiple * most.value:
            fault = Fault.of(
                "study/busy",
                "the computer has {count} analyses of your network to do; try again soon",
                count=count,
            )
            raise InputError([fault])
    take(HINTS if is_hint else ANALYSES, str(user.pk))
    take_for_networks_of(HINTS_OF_ADDRESS if is_hint else ANALYSES_OF_ADDRESS, user)


def _kind(is_hint: bool) -> Q:
    return _IS_HINT if is_hint else ~_IS_HINT


def end_all_of(user: User, *, hints: bool) -> None:
    """Stop all unfinished hints or all unfinished analyses of a user."""
    _stop(AnalysisRow.objects.filter(_kind(hints), user=user))


def _stop(rows: QuerySet[AnalysisRow]) -> None:
    slugs = list(rows.exclude(_IS_OVER).values_list("slug", flat=True))
    for some in queue.batched(slugs):
        ended = AnalysisRow.objects.filter(slug__in=some).exclude(_IS_OVER)
        ended.update(state=AnalysisState.STOPPED)
    queue.drop(JobKind.ANALYSIS, slugs)


def note_seen(row: AnalysisRow) -> None:
    """Store that a client still polls for the result."""
    at = now()
    if not AnalysisState(row.state).is_over and at - row.seen_at > _SEEN:
        with optional_write("when an analysis was looked at"):
            AnalysisRow.objects.filter(pk=row.pk).update(seen_at=at)


def take_up() -> None:
    """Renew `seen_at` of all open analyses after a restart, when clients could not poll."""
    with optional_write("who waits for analyses"):
        AnalysisRow.objects.exclude(_IS_OVER).update(seen_at=now())


def queue_lost_analyses() -> None:
    """Stop abandoned analyses, and queue again those whose jobs were lost."""
    _stop(AnalysisRow.objects.filter(seen_at__lt=now() - PATIENCE))
    rows = {row.slug: row for row in AnalysisRow.objects.exclude(_IS_OVER)}
    lost = queue.missing(JobKind.ANALYSIS, ((slug, 0) for slug in rows))
    queue.put(*(_work(rows[slug]) for slug in lost))


def analyse_now(slug: str, _version: int = 0) -> None:
    """Run an analysis, unless its client has left."""
    row = _begun(slug)
    if row is None:
        return
    position = row.position()
    working = AnalysisRow.objects.filter(pk=row.pk, state=AnalysisState.WORKING)
    try:
        analyzer = Analyzer(position, SearchSettings(memory=MEMORY))
        limits = find_effort(row.effort).limits
        analyzer.run(limits, _Reporter(row, analyzer))
        analyzer.find_threats(limits)
        if analyzer.is_ready:
            working.update(found=analysis_view(analyzer.result(), 1.0), state=AnalysisState.DONE)
    finally:
        # Stopped, or an error that the worker logs: clients must not wait any longer.
        working.update(state=AnalysisState.STOPPED)


def _begun(slug: str) -> AnalysisRow | None:
    """Begin an analysis; return ``None`` if its client has left."""
    row = AnalysisRow.objects.exclude(_IS_OVER).filter(slug=slug).first()
    if row is None or not _is_wanted(row):
        return None
    begun = AnalysisRow.objects.exclude(_IS_OVER).filter(pk=row.pk)
    begun.update(state=AnalysisState.WORKING)
    return row


def task_of(slug: str, _version: int) -> Task | None:
    """Return the task of an analysis for an engine elsewhere, unless its client has left."""
    row = _begun(slug)
    if row is None:
        return None
    start, seconds = row.start(), find_effort(row.effort).seconds
    game = make_game(row.game_id, row.options)
    return Task(game=game, setup=start.setup, moves=start.moves, seconds=seconds)


def take_analysis(slug: str, _version: int, answer: Answer) -> None:
    """Store the result of an engine elsewhere, unless the client has left.

    Raises:
        InputError: it is no analysis of this position, which waits again.
    """
    row = AnalysisRow.objects.exclude(_IS_OVER).filter(slug=slug).first()
    if row is None:
        return
    working = AnalysisRow.objects.exclude(_IS_OVER).filter(pk=row.pk)
    try:
        result = _checked_result(row.position(), answer)
    except InputError:
        working.update(state=AnalysisState.WAITING)
        raise
    working.update(found=result, state=AnalysisState.DONE)


def _checked_result(position: Position, answer: Answer) -> AnalysisResultOut:
    """Return the result of an engine elsewhere.

    Raises:
        InputError: it is no analysis of this position.
    """
    result = read_as(_RESULT, answer.analysis, "engine/bad-analysis")
    if (result["game"], result["ply"]) != (position.game.id, position.ply):
        fault = Fault("engine/bad-analysis", "this analysis is of another position", "analysis")
        raise InputError([fault])
    for info in result["moveInfos"]:
        after = position
        for move in info["pv"]:
            after = after.play(move)
    return result


def _is_wanted(row: AnalysisRow) -> bool:
    """Return whether a client still polls for the result; otherwise mark the row as stopped."""
    kept = AnalysisRow.objects.filter(pk=row.pk).values_list("state", "seen_at").first()
    if kept is None or AnalysisState(kept[0]).is_over:
        return False
    if now() - kept[1] <= PATIENCE:
        return True
    AnalysisRow.objects.filter(pk=row.pk).update(state=AnalysisState.STOPPED)
    return False


class _Reporter:
    """Stores interim results of a search, and stops it when its client has left."""

    def __init__(self, row: AnalysisRow, analyzer: Analyzer) -> None:
        self._row = row
        self._analyzer = analyzer
        self._reported = now()

    def __call__(self, progress: SearchProgress) -> None:
        """Report if it is time."""
        if now() - self._reported < _REPORT:
            return
        self._reported = now()
        if not _is_wanted(self._row):
            self._analyzer.stop()
        elif self._analyzer.is_ready:
            view = analysis_view(self._analyzer.result(criticality=False), progress.share)
            view["rootInfo"]["seconds"] = round(progress.seconds, 3)
            AnalysisRow.objects.filter(pk=self._row.pk).update(found=view)
