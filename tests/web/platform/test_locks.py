"""Tests of leases and job locks."""

import os
import re
import socket
import time
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import OperationalError, transaction

from antipodes.web.platform import clock, locks
from antipodes.web.platform.locks import acquire_lease, job_lock, locked_jobs, release_lease
from antipodes.web.platform.models import LockRow
from tests.raising import raising

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_job_is_locked():
    cache.clear()
    yield
    cache.clear()


def another_process(monkeypatch):
    monkeypatch.setattr(locks, "THIS_PROCESS", "another")


def test_one_process_holds_a_lease_and_renews_it(clocks, monkeypatch):
    assert acquire_lease("scheduler", 5)
    assert acquire_lease("scheduler", 5)
    another_process(monkeypatch)
    assert not acquire_lease("scheduler", 5)
    assert acquire_lease("another lease", 5)


def test_a_lease_is_written_when_a_quarter_of_its_time_is_over(clocks, django_assert_num_queries):
    assert acquire_lease("scheduler", 20)
    first = LockRow.objects.get().until
    clocks.advance(4_999)
    with django_assert_num_queries(1):
        assert acquire_lease("scheduler", 20)
    assert LockRow.objects.get().until == first
    clocks.advance(1)
    assert acquire_lease("scheduler", 20)
    assert LockRow.objects.get().until == first + 5_000


def test_of_two_processes_that_acquire_a_new_lease_at_once_one_gets_it(meanwhile):
    other = {"name": "scheduler", "holder": "another", "until": 0}
    with meanwhile(lambda: LockRow.objects.create(**other), "INSERT"), transaction.atomic():
        assert not acquire_lease("scheduler", 5)


def test_a_released_lease_is_free_at_once(clocks, monkeypatch):
    assert acquire_lease("scheduler", 5)
    release_lease("scheduler")
    another_process(monkeypatch)
    assert acquire_lease("scheduler", 5)


def test_a_process_cannot_release_the_lease_of_another(clocks, monkeypatch):
    assert acquire_lease("scheduler", 5)
    another_process(monkeypatch)
    release_lease("scheduler")
    assert LockRow.objects.get().holder != "another"
    assert not acquire_lease("scheduler", 5)


def test_a_job_is_locked_once_and_only_its_holder_releases_it():
    with job_lock("move a") as first:
        with job_lock("move a") as second, job_lock("move b") as other:
            assert (first, second, other) == (True, False, True)
        assert locked_jobs(["move a", "move b"]) == {"move a"}
    with job_lock("move a") as again:
        assert again


def test_a_job_that_fails_is_unlocked():
    with pytest.raises(ZeroDivisionError), job_lock("move a"):
        raise ZeroDivisionError
    assert locked_jobs(["move a"]) == set()


def test_a_process_that_ends_releases_all_job_locks():
    with job_lock("move a"):
        locks.release_jobs()
        assert locked_jobs(["move a"]) == set()


def test_a_job_lock_is_renewed_while_the_job_runs(monkeypatch):
    monkeypatch.setattr(locks, "_JOB_LOCK_EXPIRES", 1)
    monkeypatch.setattr(locks, "_JOB_LOCK_RENEWED", 0.2)
    monkeypatch.setattr(locks, "_renewer", None)
    with job_lock("move a"):
        time.sleep(1.6)
        assert locked_jobs(["move a"]) == {"move a"}
        monkeypatch.setattr(locks, "_JOB_LOCK_RENEWED", 2.0)


def test_jobs_run_without_lock_while_redis_is_unavailable(monkeypatch, caplog):
    monkeypatch.setattr(cache, "add", raising(OperationalError("away")))
    with job_lock("move a") as is_locked:
        assert is_locked
    assert "away" in caplog.text


def test_a_process_ends_although_redis_is_unavailable(monkeypatch, caplog):
    with job_lock("move a"):
        monkeypatch.setattr(cache, "delete_many", raising(OperationalError("away")))
        locks.release_jobs()
    assert "job locks not released" in caplog.text


def test_job_locks_are_renewed_again_after_an_outage(monkeypatch, caplog):
    pauses = iter([False, False, True])
    outages = iter([True, False])
    renewed = []

    def renew(key, *_):
        if next(outages):
            raise OperationalError("away")
        renewed.append(key)

    pause = SimpleNamespace(wait=lambda _seconds: next(pauses))
    monkeypatch.setattr("threading.Event", lambda: pause)
    monkeypatch.setattr(locks, "_held_jobs", {"move a"})
    monkeypatch.setattr(cache, "set", renew)
    locks._renew()
    assert len(renewed) == 1
    assert "job locks not renewed error=away" in caplog.text


def test_a_lease_expires_after_its_last_millisecond(clocks, monkeypatch):
    assert acquire_lease("scheduler", 2.5)
    assert LockRow.objects.get().until == clock.now() + 2_500
    assert LockRow.objects.get().holder == locks.THIS_PROCESS
    another_process(monkeypatch)
    clocks.advance(2_500)
    assert not acquire_lease("scheduler", 2.5)
    clocks.advance(1)
    assert acquire_lease("scheduler", 2.5)
    assert LockRow.objects.get().holder == "another"
    release_lease("scheduler")
    assert LockRow.objects.get().until == 0


def test_a_job_that_has_ended_is_not_locked_again_by_a_renewal():
    with job_lock("move a"), job_lock("move b"):
        assert locks._held_jobs == {"move a", "move b"}
    assert locks._held_jobs == set()
    with job_lock("move a"):
        locks.release_jobs()
        assert locks._held_jobs == set()


def test_processes_have_names_of_their_own():
    host, pid, token = locks.THIS_PROCESS.rsplit(":", 2)
    assert (host, pid) == (socket.gethostname()[:80], str(os.getpid()))
    assert re.fullmatch("[0-9a-f]{8}", token)
