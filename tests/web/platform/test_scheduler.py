"""Tests of the scheduler and its tasks."""

import pytest
from django.db import OperationalError

from antipodes.clocks import DAY
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import PeriodicTask
from antipodes.web.server import scheduler

pytestmark = pytest.mark.django_db


def test_abandoned_challenges_of_guests_are_deleted(people):
    guest = User.objects.create(username="guest", is_guest=True)
    old, new = now() - 2 * DAY, now()
    for by, made_at in ((guest, old), (guest, new), (people[0], old)):
        ChallengeRow.objects.create(game_id="hex", by=by, made_at=made_at)
    scheduler.delete_abandoned_challenges()
    kept = ChallengeRow.objects.values_list("by__username", "made_at")
    assert set(kept) == {("guest", new), ("ann", old)}


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
