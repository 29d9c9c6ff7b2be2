"""Tests of the scheduler and its tasks."""

from threading import Lock
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError

from antipodes.clocks import DAY
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow, JoinRow
from antipodes.web.matches import services
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications import delivery
from antipodes.web.platform import background, heartbeats
from antipodes.web.platform.clock import now
from antipodes.web.platform.models import HeartbeatRow, Kind
from antipodes.web.platform.periodic import PeriodicTask, periodic_tasks
from antipodes.web.server import scheduler

INTERVALS = {
    1: "advance_tournaments find_mail give_back_downtimes let_flags_fall pair_seeks",
    2: "answer_waiting apply_marks archive_recent rate_finished report_waits",
    5: "archive_missing end_left_challenges mail_followed_boards queue_missing_moves"
    " take_up_lost take_up_lost",
    10: "take_up_lost write_invitations",
    30: "mail_new_seeks take_up_lost",
    60: "notify_of_daily remind repeat_tournaments sync_vacations",
    300: "send_reminders",
    600: "delete_old_seeks replace_missing_owners",
    3_600: "delete_abandoned_challenges delete_expired_challenges delete_expired_confirmations"
    " delete_expired_links delete_old delete_old_bounces delete_old_mails delete_old_simuls"
    " delete_old_threads delete_stale_processes update_file update_stale_files",
    86_400: "delete_expired_guests delete_expired_sessions delete_old_lines",
}  # seconds -> tasks

DELIVERIES = (
    "deliver_emails deliver_pushes notify_of_followed_matches notify_of_match_events"
    " notify_of_started_matches notify_of_steps"
)

pytestmark = pytest.mark.django_db


def test_abandoned_challenges_of_guests_are_deleted(people):
    guest = User.objects.create(username="guest", is_guest=True)
    old, new = now() - 2 * DAY, now()
    for by, made_at in ((guest, old), (guest, new), (people[0], old)):
        ChallengeRow.objects.create(game_id="hex", by=by, made_at=made_at)
    scheduler.delete_abandoned_challenges()
    kept = ChallengeRow.objects.values_list("by__username", "made_at")
    assert set(kept) == {("guest", new), ("ann", old)}


def test_tasks_are_registered_with_their_intervals():
    found = sorted((one.seconds, one.task.__name__) for one in periodic_tasks)
    assert found == [
        (seconds, name) for seconds, names in INTERVALS.items() for name in names.split()
    ]


def test_tasks_of_the_delivery_loop_are_registered():
    assert {task.__name__ for task in delivery._tasks} == set(DELIVERIES.split())


def test_a_failing_task_does_not_stop_the_others(monkeypatch, caplog):
    done = []

    def fail():
        raise RuntimeError("no luck today")

    monkeypatch.setattr(
        scheduler,
        "periodic_tasks",
        [PeriodicTask(fail, 1), PeriodicTask(lambda: done.append(1), 1)],
    )
    scheduler.Scheduler().run_due_tasks()
    assert done
    assert "no luck today" in caplog.text


def test_a_task_that_fails_in_an_outage_logs_one_line(monkeypatch, caplog):

    def fail():
        raise OperationalError("the database is away")

    monkeypatch.setattr(scheduler, "periodic_tasks", [PeriodicTask(fail, 1)])
    scheduler.Scheduler().run_due_tasks()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "task skipped: outage task=fail error=the database is away" in caplog.text
    assert "Traceback" not in caplog.text


def test_tasks_run_at_the_start_and_at_their_interval(monkeypatch):
    at, done = [1000.0], []
    monkeypatch.setattr("antipodes.web.server.scheduler.time.monotonic", lambda: at[0])
    monkeypatch.setattr(scheduler, "periodic_tasks", [PeriodicTask(lambda: done.append(at[0]), 30)])
    one = scheduler.Scheduler()
    for second in (1000.0, 1029.0, 1030.0, 1031.0):
        at[0] = second
        one.run_due_tasks()
    assert done == [1000.0, 1030.0]


def test_a_task_tells_whether_it_succeeded(caplog):
    def fail():
        raise RuntimeError("no luck today")

    assert background.run_task(lambda: None) is True
    assert background.run_task(fail) is False
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
            ("young", {"made_at": now() - DAY}),
            ("old", {}),
            ("played", {"match": begin(size=3)}),
            ("joined", {}),
        )
    ]
    JoinRow.objects.create(challenge=rows[-1], user=people[0])
    scheduler.delete_abandoned_challenges()
    kept = ChallengeRow.objects.order_by("slug").values_list("slug", flat=True)
    assert list(kept) == ["joined", "played", "young"]


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
        ({Kind.WEB: 4_999, Kind.ENGINE: 4_999}, []),
        ({Kind.WEB: 5_000, Kind.ENGINE: 4_999}, [("people", 5_000)]),
        ({Kind.WEB: 4_999, Kind.ENGINE: 5_000}, [("engine", 5_000)]),
        ({Kind.WEB: 6_000, Kind.ENGINE: 7_000}, [("people", 6_000), ("engine", 7_000)]),
        ({Kind.ENGINE: 7_000}, [("engine", 7_000)]),
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
    scheduler.let_flags_fall()
    assert found == [(clocked[name], until) for name, until in fallen]
