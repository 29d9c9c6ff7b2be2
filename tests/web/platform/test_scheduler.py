"""Tests of the scheduler and its tasks."""

from threading import Lock
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from antipodes.clocks import DAY
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow, JoinRow
from antipodes.web.matches import periodic_tasks as match_tasks
from antipodes.web.matches import services
from antipodes.web.matches.models import MatchRow
from antipodes.web.matchmaking import services as matchmaking_tasks
from antipodes.web.platform import background, heartbeats
from antipodes.web.platform.clock import now
from antipodes.web.platform.models import HeartbeatRow, ProcessKind
from antipodes.web.server import scheduler
from tests.raising import raising

pytestmark = pytest.mark.django_db


def test_a_failing_task_does_not_stop_the_others(caplog):
    done = []

    scheduler.Scheduler(
        [(1, raising(RuntimeError("no luck today"))), (1, lambda: done.append(1))]
    ).run_due_tasks()
    assert done
    assert "no luck today" in caplog.text


def test_a_task_that_fails_in_an_outage_logs_one_line(caplog):
    scheduler.Scheduler([(1, raising(OperationalError("the database is away")))]).run_due_tasks()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "task skipped: outage task=fail error=the database is away" in caplog.text
    assert "Traceback" not in caplog.text


def test_tasks_run_at_the_start_and_at_their_interval(monkeypatch):
    at, done = [1000.0], []
    monkeypatch.setattr("antipodes.web.server.scheduler.time.monotonic", lambda: at[0])
    one = scheduler.Scheduler([(30, lambda: done.append(at[0]))])
    for second in (1000.0, 1029.0, 1030.0, 1031.0):
        at[0] = second
        one.run_due_tasks()
    assert done == [1000.0, 1030.0]


def test_a_task_tells_whether_it_succeeded(caplog):
    assert background.run_task(lambda: None) is True
    assert background.run_task(raising(RuntimeError("no luck today"))) is False
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert caplog.messages == ["task failed task=fail"]


def test_a_background_task_runs_again_when_it_is_called_after_its_end(monkeypatch):
    threads: list[Any] = []

    class Thread:
        def __init__(self, *, target, name, daemon):
            threads.append((name, daemon, target))

        def start(self):
            pass

    monkeypatch.setattr(background, "threading", SimpleNamespace(Lock=Lock, Thread=Thread))
    monkeypatch.setattr(background, "connections", SimpleNamespace(close_all=lambda: None))
    done = []

    def call_out():
        done.append(1)

    task = background.in_background(call_out)
    assert task.__name__ == "call_out"
    for rounds in (1, 2):
        task()
        task()
        assert [one[:2] for one in threads] == [("call_out", True)] * rounds
        threads[-1][2]()
        assert len(done) == rounds


def test_challenges_of_guests_are_abandoned_after_a_day_without_a_player(people, begin, clocks):
    guest = User.objects.create(username="guest", is_guest=True)
    old = now() - DAY - 1
    rows = [
        ChallengeRow.objects.create(
            **{"game_id": "hex", "by": guest, "made_at": old, "slug": slug, **more}
        )
        for slug, more in (
            ("account's", {"by": people[0]}),
            ("young", {"made_at": now() - DAY}),
            ("old", {}),
            ("played", {"match": begin(size=3)}),
            ("joined", {}),
        )
    ]
    JoinRow.objects.create(challenge=rows[-1], user=people[0])
    matchmaking_tasks.delete_abandoned_challenges()
    kept = ChallengeRow.objects.order_by("slug").values_list("slug", flat=True)
    assert list(kept) == ["account's", "joined", "played", "young"]


@pytest.fixture
def clocked(begin, people):
    """Matches between two people, against the computer to move, and ended, with deadlines."""
    machine = User.objects.create(username="computer 1", computer="1")
    found = {}
    for name, deadline in (("people", 5_000), ("engine", 5_000), ("ended", 1), ("untimed", None)):
        row = begin(size=3)
        found[name] = row.slug
        if name == "engine":
            row.seats.filter(number=row.seat_to_move).update(user=machine)
        elif name == "people":
            row.seats.exclude(number=row.seat_to_move).update(user=machine)
        ended_at = 1 if name == "ended" else None
        MatchRow.objects.filter(pk=row.pk).update(deadline=deadline, ended_at=ended_at)
    return found


@pytest.mark.parametrize(
    ("beats", "fallen"),
    [
        ({}, []),
        ({ProcessKind.WEB: 4_999, ProcessKind.ENGINE: 4_999}, []),
        ({ProcessKind.WEB: 5_000, ProcessKind.ENGINE: 4_999}, [("people", 5_000)]),
        ({ProcessKind.WEB: 4_999, ProcessKind.ENGINE: 5_000}, [("engine", 5_000)]),
        (
            {ProcessKind.WEB: 6_000, ProcessKind.ENGINE: 7_000},
            [("people", 6_000), ("engine", 7_000)],
        ),
        ({ProcessKind.ENGINE: 7_000}, [("engine", 7_000)]),
    ],
    ids=str,
)
def test_flags_fall_by_the_latest_heartbeat_of_those_that_make_the_move(
    clocked, monkeypatch, beats, fallen
):
    for kind, at in beats.items():
        HeartbeatRow.objects.create(pk=heartbeats._PKS[kind], at=at)
    found = []
    monkeypatch.setattr(services, "let_flag_fall", lambda *one: found.append(one))
    match_tasks.let_flags_fall()
    assert found == [(clocked[name], until) for name, until in fallen]
