"""Tests of queues in which many jobs wait: a choice is bounded work, and stays fair."""

from functools import partial
from itertools import count

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from antipodes.web.accounts.models import User
from antipodes.web.jobs import queue, wait_forecast, worker_threads
from antipodes.web.jobs.models import ClientRow, JobKind, JobRow
from antipodes.web.jobs.queue import WINDOW, NewJob
from antipodes.web.jobs.worker_threads import LANES, LaneThread
from antipodes.web.platform.locks import job_lock

pytestmark = pytest.mark.django_db

MOVES = LANES[1]
SECONDS = 5.0


@pytest.fixture
def done(monkeypatch):
    """The keys of jobs that were run."""
    found = []
    for kind in JobKind:
        monkeypatch.setitem(queue.handlers, kind, lambda key, _version: found.append(key))
    return found


_numbers = count()


def users(number, network):
    made = User.objects.bulk_create(
        User(username=f"{network} {next(_numbers)}") for _ in range(number)
    )
    ClientRow.objects.bulk_create(ClientRow(user=one, network=network, wider="") for one in made)
    return made


def put(name, many, owners, kind=JobKind.MOVE):
    """Add as many jobs, of these users in turn."""
    queue.put(
        *(
            NewJob(kind=kind, key=f"{name} {at}", user=owners[at % len(owners)].pk, seconds=SECONDS)
            for at in range(many)
        )
    )


def steps_of_database(work):
    """Return how many steps of its virtual machine SQLite takes for some work."""
    steps = 0

    def step():
        nonlocal steps
        steps += 1

    connection.ensure_connection()
    connection.connection.set_progress_handler(step, 1)
    try:
        work()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return steps


def choose(monkeypatch):
    """Choose a job of each lane without running it; return how many jobs a lane reads at most."""
    asked: list[int] = []

    def locked_jobs(names):
        asked.append(len(names))
        return set()

    monkeypatch.setattr(worker_threads, "locked_jobs", locked_jobs)
    monkeypatch.setattr(worker_threads, "next_job", lambda *_: None)
    for lane in LANES:
        LaneThread(lane).step()
    return max(asked)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="counts steps of SQLite")
def test_a_choice_among_ten_thousand_jobs_costs_no_more_than_among_a_thousand(monkeypatch):
    owners = users(20, "flood")
    costs = []
    for many in (1_000, 10_000):
        for kind in JobKind:
            put(f"{kind} {many}", many // len(JobKind), owners, kind)
        choice = partial(choose, monkeypatch)
        costs += [steps_of_database(choice), steps_of_database(partial(put, many, 1, owners))]
    choice, new, later_choice, later_new = costs
    assert later_choice < 1.1 * choice
    assert later_new < 1.1 * new


def test_a_choice_reads_a_bounded_number_of_jobs(monkeypatch):
    put("a", 1_000, users(500, "flood"))
    with CaptureQueriesContext(
        connection,
    ) as found:
        assert choose(monkeypatch) <= 3 * WINDOW
    read = [one["sql"] for one in found if "jobs_jobrow" in one["sql"]]
    assert all("LIMIT" in sql for sql in read)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="plans of SQLite")
def test_queries_of_the_queue_follow_indexes(monkeypatch):
    put("a", WINDOW, users(1, "flood"))
    with CaptureQueriesContext(connection) as found:
        choose(monkeypatch)
        put("b", 1, users(1, "other"))
    selects = [one["sql"] for one in found if 'FROM "jobs_jobrow"' in one["sql"]]
    assert len(selects) >= 8
    for sql in selects:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            plan = " ".join(row[3] for row in cursor.fetchall())
        assert "SCAN" not in plan, (sql, plan)
        assert "TEMP B-TREE" not in plan, (sql, plan)


@pytest.mark.parametrize(
    ("flooders", "network"), [(1, "elsewhere"), (500, "elsewhere"), (1, "flood")]
)
def test_a_newcomer_behind_a_long_queue_is_served_next(done, flooders, network):
    put("flood", 1_000, users(flooders, "flood"))
    lane = LaneThread(MOVES)
    for _ in range(5):
        assert lane.step()
    put("newcomer", 1, users(1, network))
    assert lane.step()
    assert done[-1] == "newcomer 0"


def test_newer_jobs_do_not_hide_an_old_one():
    put("old", 2, users(1, "flood"))
    for number in range(2 * WINDOW):
        put(f"newcomer {number}", 1, users(1, f"network {number}"))
    keys = [job.key for job in queue.candidates(MOVES.groups)]
    assert {"old 0", "old 1"} <= {*keys}
    assert len(keys) < 2 * WINDOW


def test_running_jobs_count_for_their_client_beyond_the_jobs_that_are_read(done, monkeypatch):
    monkeypatch.setenv("LIMIT_JOBS_IN_WORK", "1")
    owner = users(1, "flood")
    put("first", 1, owner)
    with job_lock("move first 0"):
        assert not LaneThread(MOVES).step()
        first = JobRow.objects.get()
        put("flood", 3 * WINDOW, owner)
        JobRow.objects.filter(pk=first.pk).delete()
        first.pk, first.place, first.place_of_user = None, 9_999, 9_999
        first.save()
        assert not LaneThread(MOVES).step()
    assert LaneThread(MOVES).step()
    assert done == ["flood 0"]


def test_the_forecast_reads_a_bounded_number_of_jobs():
    cache.clear()
    put("a", 1_000, users(10, "flood"))
    JobRow.objects.update(since=0)
    assert WINDOW - 1 <= len(wait_forecast.forecast()) <= 3 * WINDOW
    cache.clear()
