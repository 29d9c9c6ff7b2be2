"""Jobs lent to engines of volunteers, which take and settle them over HTTPS.

A lent job is locked like a running one, so that no lane of a worker begins it, and it counts for
the bounds of its client. The lock expires by itself: then a lane or another engine gets the job.
A loan has a secret name, so that an engine can settle only what was lent to it.

Some tasks are trials, whose answers the site knows. An engine that fails too many of them gets no
more jobs for a month. It cannot tell a trial from a job, and its first task is always one.
"""

from __future__ import annotations

import logging
import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.utils.translation import gettext as _

from antipodes.clocks import DAY, SECOND
from antipodes.core import Setup
from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.web.accounts.models import User
from antipodes.web.jobs import queue
from antipodes.web.jobs.fair_queue import Bounds, Job, next_job
from antipodes.web.jobs.models import Group, JobKind, JobRow
from antipodes.web.jobs.worker_threads import JOBS_OF_ADDRESS, JOBS_OF_USER
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import rate_limit, take
from antipodes.web.platform.locks import lend_lock, lengthen_lock, locked_jobs, return_lock

logger = logging.getLogger(__name__)

REQUESTS = rate_limit("engine-jobs", "240/minute", per="user", what="jobs that an engine asks for")

_GROUPS = (Group.QUICK_MOVE, Group.MOVE, Group.QUICK_STUDY, Group.STUDY)
_PATIENCE = 10 * SECOND  # of a loan, besides three times the expected time
_TRIALS = 1 / 12  # of the tasks
_KEPT = 30 * DAY // SECOND  # seconds for which the results of trials are kept
_FORGIVEN = 2  # failed trials, and one more for each four that are passed


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """The search that an engine is asked for.

    Attributes:
        game: the game with its options.
        setup: the position before the moves; ``None`` for the start of the game.
        moves: the moves to the position.
        player: the computer player whose move is wanted; empty for an analysis.
        seconds: for the search of a move at most, for that of an analysis exactly.
    """

    game: Game
    setup: Setup | None
    moves: tuple[int, ...]
    player: str = ""
    seconds: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of an engine.

    Attributes:
        move: the text of the best move.
        analysis: the result of an analysis as data, not checked yet.
    """

    move: str
    analysis: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Trial:
    """A task whose answer is known."""

    task: Task
    move: str


@dataclass(frozen=True, slots=True)
class Lendable:
    """Jobs of a kind that are lent.

    Attributes:
        task: begins a job, by its key and version, and returns its task, or ``None`` if it is
            outdated. The job is locked.
        settle: carries out the answer. Raises ``InputError`` if it is not valid.
    """

    task: Callable[[str, int], Task | None]
    settle: Callable[[str, int, Answer], None]


@dataclass(frozen=True, slots=True)
class Loan:
    """A task that was lent.

    Attributes:
        name: identifies the loan; a secret.
        task: the search.
        until: when it expires, in milliseconds since 1970.
    """

    name: str
    task: Task
    until: int


# Set by the wiring.
lendable: dict[JobKind, Lendable] = {}
make_trial: Callable[[random.Random], Trial] | None = None


def lend(user: User) -> Loan | None:
    """Lend the next waiting job to the engine of a user; return ``None`` if there is none.

    Raises:
        InputError: the host does not take engines of this user, or its engine has failed trials.
        TooManyError: it has asked too often.
    """
    _check(user)
    take(REQUESTS, str(user.pk))
    passed, failed = _trials_of(user)
    chance = random.SystemRandom()
    if make_trial and (not passed + failed or chance.random() < _TRIALS):
        trial = make_trial(chance)
        return _loan(user, trial.task, trial=trial.move)
    waiting = [job for job in queue.candidates(_GROUPS) if JobKind(job.kind) in lendable]
    bounds = Bounds(JOBS_OF_USER.value, JOBS_OF_ADDRESS.value)
    running = locked_jobs([job.name for job in waiting])
    while job := next_job(waiting, running, bounds=bounds):
        running.add(job.name)
        if not lend_lock(job.name, _PATIENCE // SECOND):
            continue
        task = lendable[JobKind(job.kind)].task(job.key, job.version)
        if task is not None:
            lengthen_lock(job.name, _time_of(task) // SECOND)
            return _loan(user, task, job)
        waiting.remove(job)
        queue.done(job)
        return_lock(job.name)
    return None


def _check(user: User) -> None:
    if user.username not in settings.ENGINE_ACCOUNTS:
        message = _("The host of this site does not take an engine of %(name)s.")
        values = {"name": user.name}
        raise InputError([Fault("engine/not-allowed", message % values)])
    passed, failed = _trials_of(user)
    if failed > _FORGIVEN + passed // 4:
        message = _("Your engine has failed %(failed)d of %(all)d trials; ask the host.")
        counts = {"failed": failed, "all": passed + failed}
        raise InputError([Fault("engine/failed-trials", message % counts)])


def _time_of(task: Task) -> int:
    return int(3 * SECOND * task.seconds) + _PATIENCE


def _loan(user: User, task: Task, job: Job | None = None, trial: str = "") -> Loan:
    name = secrets.token_urlsafe(16)
    seconds = _time_of(task) // SECOND
    cache.set(_key(name), _Lent(user.pk, job, trial), seconds)
    return Loan(name, task, now() + SECOND * seconds)


@dataclass(frozen=True, slots=True)
class _Lent:
    """A loan as the site stores it: its user, and the job or the answer of the trial."""

    user: int
    job: Job | None
    trial: str


def _key(name: str) -> str:
    return f"engine-loan:{name}"


def settle(user: User, name: str, answer: Answer) -> None:
    """Carry out what the engine of a user answers, and end the loan.

    Raises:
        InputError: there is no such loan, it has expired, or the answer is not valid; then the job
            waits again for a lane or another engine.
    """
    lent = cache.get(_key(name))
    if lent is None or lent.user != user.pk:
        message = _("This job was not lent to you, or too long ago.")
        raise InputError([Fault("engine/no-loan", message, "loan")])
    cache.delete(_key(name))
    if lent.job is None:
        _note_trial(user, is_passed=answer.move == lent.trial)
        return
    job: Job = lent.job
    row = JobRow.objects.filter(kind=job.kind, key=job.key, version=job.version)
    try:
        # The match may have changed, and the visitor left: then it is not wanted any more.
        if row.exists():
            lendable[JobKind(job.kind)].settle(job.key, job.version, answer)
            queue.done(job)
    finally:
        return_lock(job.name)


def _trials_of(user: User) -> tuple[int, int]:
    """Return how many trials the engine of a user has passed and failed."""
    passed, failed = (_trials_key(user, is_passed=is_passed) for is_passed in (True, False))
    counts = cache.get_many([passed, failed])
    return counts.get(passed, 0), counts.get(failed, 0)


def _note_trial(user: User, *, is_passed: bool) -> None:
    key = _trials_key(user, is_passed=is_passed)
    cache.add(key, 0, _KEPT)
    cache.incr(key)
    cache.touch(key, _KEPT)
    if not is_passed:
        counts = _trials_of(user)
        logger.warning("engine failed a trial user=%d passed=%d failed=%d", user.pk, *counts)


def _trials_key(user: User, *, is_passed: bool) -> str:
    return f"engine-trials:{user.pk}:{'passed' if is_passed else 'failed'}"
