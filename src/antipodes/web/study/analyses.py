"""Analyses that people ask for: asked, done beside the pages, looked at meanwhile, and ended.

Somebody who leaves without a word is noticed because nobody asks for the answer any more.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from antipodes.errors import Fault, InputError
from antipodes.search.analysis import Analyzer
from antipodes.search.thinking import Progress
from antipodes.web.claims import claim, claimed
from antipodes.web.jobs import studies
from antipodes.web.matches.services import now
from antipodes.web.outages import optional_write
from antipodes.web.people.models import User
from antipodes.web.study.efforts import Effort, find_effort
from antipodes.web.study.models import AnalysisRow, State
from antipodes.web.study.presenters import analysis_view
from antipodes.web.study.queries import Line
from antipodes.web.warming import Use, wait_until_warm

# All times are milliseconds.
KEPT = 24 * 3_600_000  # analyses are forgotten after that
PATIENCE = 30_000  # after which whoever does not ask for the answer has left
_REPORT = 400  # between two reports of a search
_SEEN = 3_000  # between two notes that somebody still waits

# Bounds for one user, and for all together.
MOST_A_MINUTE = 60
MOST_WAITING = 40

_IS_OVER = Q(state__in=[state for state in State if state.is_over])

MEMORY = 96  # MiB for the tables of one search


def ask(user: User, line: Line, effort: Effort) -> AnalysisRow:
    """Ask for an analysis; what the user asked before ends, and what is known is not done again.

    Raises:
        InputError: the user has asked too often, or too much waits.
    """
    at = now()
    AnalysisRow.objects.filter(asked_at__lt=at - KEPT).delete()
    same = {
        "game_id": line.game.id,
        "options": dict(line.game.options.changed()),
        "moves": list(line.moves),
        "effort": effort.name,
    }
    known = AnalysisRow.objects.filter(**same, state=State.DONE).first()
    if known is None:
        _check_bounds(user, at)
    end_all_of(user)
    if known is not None:
        return known
    row = AnalysisRow.objects.create(user=user, asked_at=at, seen_at=at, **same)
    analyse(row.slug, priority=effort.priority)
    return row


def _check_bounds(user: User, at: int) -> None:
    """Refuse what is too much for one user, or for the machine."""
    recent = AnalysisRow.objects.filter(user=user, asked_at__gt=at - 60_000).count()
    if recent >= MOST_A_MINUTE:
        fault = Fault.of(
            "study/too-many",
            "{count} analyses in one minute are too many; wait a moment",
            count=recent,
        )
        raise InputError([fault])
    alive = at - PATIENCE
    waiting = AnalysisRow.objects.filter(state=State.WAITING, seen_at__gt=alive).count()
    if waiting >= MOST_WAITING:
        fault = Fault.of(
            "study/busy",
            "the computer has {count} analyses to do already; try again soon",
            count=waiting,
        )
        raise InputError([fault])


def end_all_of(user: User) -> None:
    """End what a user has asked for and is not done."""
    AnalysisRow.objects.filter(user=user).exclude(_IS_OVER).update(state=State.STOPPED)


def note_seen(row: AnalysisRow) -> None:
    """Note that somebody waits for the answer."""
    at = now()
    if not State(row.state).is_over and at - row.seen_at > _SEEN:
        with optional_write("when an analysis was looked at"):
            AnalysisRow.objects.filter(pk=row.pk).update(seen_at=at)


def take_up() -> None:
    """Ask again for what somebody may still wait for, after the site was started."""
    for row in _unclaimed():
        AnalysisRow.objects.filter(pk=row.pk).update(state=State.WAITING, seen_at=now())
        _ask_again(row)


def take_up_lost() -> None:
    """Ask again for what was lost with an engine that was killed, or with the queue."""
    is_idle = not studies.pending_count()
    for row in _unclaimed():
        if row.state != State.WAITING:
            AnalysisRow.objects.filter(pk=row.pk).exclude(_IS_OVER).update(state=State.WAITING)
        if is_idle or row.state != State.WAITING:
            _ask_again(row)


def _unclaimed() -> list[AnalysisRow]:
    """Return the analyses that are not over, and that no engine does now."""
    rows = {_name_of(row.slug): row for row in AnalysisRow.objects.exclude(_IS_OVER)}
    busy = claimed(rows)
    return [row for name, row in rows.items() if name not in busy]


def _ask_again(row: AnalysisRow) -> None:
    analyse(row.slug, priority=find_effort(row.effort).priority)


def _name_of(slug: str) -> str:
    """Return the name under which one engine alone does an analysis."""
    return f"analysis {slug}"


@studies.task()  # type: ignore[untyped-decorator]  # huey has no types
def analyse(slug: str) -> None:
    """Do an analysis, when its turn in the queue comes."""
    analyse_now(slug)


def analyse_now(slug: str) -> None:
    """Do an analysis, if somebody still waits for it and nobody else does it."""
    with claim(_name_of(slug)) as is_alone:
        if is_alone:
            _analyse(slug)


def _analyse(slug: str) -> None:
    row = AnalysisRow.objects.filter(slug=slug, state=State.WAITING).first()
    if row is None or not _is_wanted(row):
        return
    position = row.position()
    begun = AnalysisRow.objects.filter(pk=row.pk, state__in=(State.WAITING, State.WARMING))
    wait_until_warm(position.game, Use.STUDY, lambda: begun.update(state=State.WARMING))
    begun.update(state=State.WORKING)
    working = AnalysisRow.objects.filter(pk=row.pk, state=State.WORKING)
    try:
        analyzer = Analyzer(position, memory=MEMORY)
        limits = find_effort(row.effort).limits
        analyzer.run(limits, _Reporter(row, analyzer))
        analyzer.find_threats(limits)
        if analyzer.is_ready:
            working.update(found=analysis_view(analyzer.result(), 1.0), state=State.DONE)
    finally:
        # Stopped, or an error that the queue will log: nobody shall wait for it.
        working.update(state=State.STOPPED)


def _is_wanted(row: AnalysisRow) -> bool:
    """Return whether somebody still waits; if not, say so in the row."""
    kept = AnalysisRow.objects.filter(pk=row.pk).values_list("state", "seen_at").first()
    if kept is None or State(kept[0]).is_over:
        return False
    if now() - kept[1] <= PATIENCE:
        return True
    AnalysisRow.objects.filter(pk=row.pk).update(state=State.STOPPED)
    return False


class _Reporter:
    """Writes down what a search has found so far, and stops it when nobody waits any more."""

    def __init__(self, row: AnalysisRow, analyzer: Analyzer) -> None:
        self._row = row
        self._analyzer = analyzer
        self._reported = now()

    def __call__(self, progress: Progress) -> None:
        """Report if it is time."""
        if now() - self._reported < _REPORT:
            return
        self._reported = now()
        if not _is_wanted(self._row):
            self._analyzer.stop()
        elif self._analyzer.is_ready:
            found: dict[str, Any] = analysis_view(
                self._analyzer.result(criticality=False), progress.share
            )
            found["rootInfo"]["seconds"] = round(progress.seconds, 3)
            AnalysisRow.objects.filter(pk=self._row.pk).update(found=found)
