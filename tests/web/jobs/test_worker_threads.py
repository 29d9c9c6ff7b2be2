"""Tests of jobs, and of the lanes that run them."""

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError

from antipodes.games.registry import game_ids, make_game
from antipodes.search.levels import levels
from antipodes.web.jobs import queue, wait_forecast, worker_threads
from antipodes.web.jobs.costs import seconds_of_move
from antipodes.web.jobs.models import ClientRow, JobRow, Kind
from antipodes.web.jobs.queue import NewJob, NotReadyError
from antipodes.web.jobs.worker_threads import LANES, SHORT, Lane, LaneThread
from antipodes.web.platform import pubsub
from antipodes.web.platform.locks import job_lock

pytestmark = pytest.mark.django_db

SHORT_LANE, MOVES, STUDIES, SHOW = LANES


@pytest.fixture
def done(monkeypatch):
    """Jobs that were run, by key and version; a key that begins with ! raises an error."""
    found = []

    def run(key, version):
        if key.startswith("!"):
            raise {"!away": OperationalError, "!cold": NotReadyError}.get(key, ValueError)(key)
        found.append((key, version))

    for kind in Kind:
        monkeypatch.setitem(queue._runs, kind, run)
    return found


def job(key, seconds=0.1, user=None, version=0, kind=Kind.MOVE):
    return NewJob(kind=kind, key=key, version=version, user=user and user.pk, seconds=seconds)


def run_all(lane):
    thread = LaneThread(lane)
    while thread.step():
        pass


def test_a_job_added_several_times_runs_once(done):
    for _ in range(10):
        queue.put(job("a"), job("b"))
    assert JobRow.objects.count() == 2
    run_all(MOVES)
    assert sorted(done) == [("a", 0), ("b", 0)]
    assert not JobRow.objects.exists()


def test_a_job_keeps_its_place_when_it_is_added_again(done):
    queue.put(job("a"))
    JobRow.objects.update(since=1)
    queue.put(job("a"), job("a", version=2))
    assert [(row.since, row.version) for row in JobRow.objects.all()] == [(1, 2)]


def test_a_job_added_while_an_earlier_version_runs_is_not_lost(done, monkeypatch):
    queue.put(job("a", version=1))
    runs = []

    def run(key, version):
        runs.append(version)
        if version == 1:
            queue.put(job("a", version=2))

    monkeypatch.setitem(queue._runs, Kind.MOVE, run)
    run_all(MOVES)
    assert runs == [1, 2]


def test_a_job_locked_by_another_engine_is_skipped(done):
    queue.put(job("a"))
    with job_lock("move a"):
        assert not LaneThread(MOVES).step()
    assert done == []
    assert LaneThread(MOVES).step()
    assert done == [("a", 0)]


def test_a_failing_job_is_logged_and_does_not_block_others(done, caplog):
    queue.put(job("!broken"), job("b"))
    run_all(MOVES)
    assert done == [("b", 0)]
    assert "job failed job='move !broken'" in caplog.text


def test_a_job_remains_queued_in_an_outage(done):
    queue.put(job("!away"))
    with pytest.raises(OperationalError):
        LaneThread(MOVES).step()
    assert JobRow.objects.count() == 1


def test_a_job_whose_kernels_are_missing_does_not_block_others(done, monkeypatch):
    queue.put(job("!cold", 0.01), job("b"))
    lane = LaneThread(MOVES)
    assert lane.step()
    assert lane.step()
    assert done == [("b", 0)]
    assert not lane.step()
    monkeypatch.setitem(queue._runs, Kind.MOVE, lambda key, version: done.append((key, version)))
    lane._not_ready.clear()
    assert lane.step()
    assert done[-1] == ("!cold", 0)


def test_the_short_lane_leaves_long_jobs_to_the_others(done):
    queue.put(job("long", SHORT + 1), job("short"), job("review", 0.2, kind=Kind.REVIEW))
    run_all(SHORT_LANE)
    assert done == [("short", 0)]
    run_all(MOVES)
    run_all(STUDIES)
    assert done == [("short", 0), ("long", 0), ("review", 0)]


def test_the_computers_own_game_waits_until_no_player_needs_the_engine(done):
    queue.put(job("tv", kind=Kind.SHOW), job("review", kind=Kind.REVIEW))
    assert not LaneThread(SHOW).step()
    for lane in (SHORT_LANE, MOVES, STUDIES):
        run_all(lane)
    assert done == [("review", 0)]
    assert LaneThread(SHOW).step()
    assert done[-1] == ("tv", 0)


def test_every_job_has_a_lane():
    for kind in Kind:
        assert any(kind in lane.kinds and lane.longest is None for lane in LANES)


def client(user, network, wider=""):
    ClientRow.objects.create(user=user, network=network, wider=wider)
    return user


def test_many_games_of_one_address_do_not_delay_others(people, done):
    attackers = [client(user, "attack") for user in people[:3]]
    honest = client(people[3], "elsewhere")
    for number in range(99):
        queue.put(job(f"attack {number}", 5.0, attackers[number % 3]))
    lane = LaneThread(MOVES)
    for _ in range(5):
        lane.step()
    queue.put(job("honest", 0.1, honest))
    assert lane.step()
    assert done[-1] == ("honest", 0)


def test_running_jobs_of_a_user_are_limited(people, done, monkeypatch):
    monkeypatch.setenv("LIMIT_JOBS_IN_WORK", "2")
    user = client(people[0], "a")
    queue.put(*(job(f"job {number}", 5.0, user) for number in range(3)))
    with job_lock("move job 0"), job_lock("move job 1"):
        assert not LaneThread(MOVES).step()
    assert LaneThread(MOVES).step()


def test_running_jobs_of_a_network_are_limited(people, done, monkeypatch):
    monkeypatch.setenv("LIMIT_JOBS_IN_WORK_OF_ADDRESS", "1")
    one, two = (client(user, "narrow", "wide") for user in people[:2])
    queue.put(job("one", user=one), job("two", user=two))
    with job_lock("move one"):
        assert not LaneThread(MOVES).step()


@pytest.mark.parametrize("game_id", game_ids())
def test_higher_levels_cost_more_and_the_lowest_fits_the_short_lane(game_id):
    game = make_game(game_id)
    expected = [seconds_of_move(game, f"computer:{level.number}") for level in levels()]
    assert expected[0] < expected[-1]
    assert expected[0] < 0.5 < SHORT


def test_the_cost_of_a_move_is_at_most_its_limit(monkeypatch):
    monkeypatch.setenv("LIMIT_MOVE_SECONDS", "1")
    assert seconds_of_move(make_game("antipod", {"side": 10}), "computer:9") == 1


def test_the_forecast_has_the_waits_of_jobs_that_have_waited(people):
    queue.put(*(job(f"game {number}", 5.0, people[0]) for number in range(4)))
    assert wait_forecast.forecast() == {}
    cache.clear()
    JobRow.objects.update(since=0)
    with job_lock("move game 0"):
        assert sorted(wait_forecast.forecast().values()) == [3, 8, 13]
    cache.clear()


def test_done_jobs_are_counted(done):
    before = worker_threads.jobs_done()
    queue.put(job("a"), job("b"))
    run_all(Lane("all", frozenset(Kind)))
    assert worker_threads.jobs_done() == before + 2


def test_lengths_include_the_age_of_the_oldest_job(done):
    queue.put(job("a"), job("b"), job("c", kind=Kind.REVIEW))
    JobRow.objects.filter(key="b").update(since=0)
    lengths = queue.lengths()
    counts = {kind: length for kind, (length, _) in lengths.items() if length}
    assert counts == {Kind.MOVE: 2, Kind.REVIEW: 1}
    assert lengths[Kind.MOVE][1] > 1e9 > lengths[Kind.REVIEW][1]


class Pauses:
    """The pauses of a lane; the last one ends its thread."""

    def __init__(self, count):
        self.left = count
        self.cleared = 0

    def clear(self):
        self.cleared += 1

    def wait(self, seconds):
        assert seconds == worker_threads._FALLBACK
        self.left -= 1
        if not self.left:
            raise SystemExit


def test_a_lane_runs_all_jobs_before_it_pauses(done, monkeypatch):
    lane = LaneThread(MOVES)
    pauses = Pauses(1)
    monkeypatch.setattr(lane, "_is_woken", pauses)
    queue.put(job("a"), job("b"))
    with pytest.raises(SystemExit):
        lane.run()
    assert [key for key, _ in done] == ["a", "b"]
    assert pauses.cleared == 3


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (OperationalError("away"), "lane paused: outage lane={} error=away"),
        (ValueError("broken"), "lane failed lane={}"),
    ],
)
def test_a_lane_pauses_after_an_error_and_goes_on(monkeypatch, caplog, error, line):
    def fail():
        raise error

    lane = LaneThread(MOVES)
    monkeypatch.setattr(lane, "_is_woken", Pauses(2))
    monkeypatch.setattr(lane, "step", fail)
    with pytest.raises(SystemExit):
        lane.run()
    assert caplog.text.count(line.format(MOVES.name)) == 2


def test_only_idle_lanes_have_the_lowest_priority(monkeypatch):
    lowered = []
    monkeypatch.setattr(worker_threads, "_lower_priority", lambda: lowered.append("lowest"))
    for kind in LANES:
        lane = LaneThread(kind)
        monkeypatch.setattr(lane, "_is_woken", Pauses(1))
        monkeypatch.setattr(lane, "step", lambda: False)
        lowered.append(kind.name)
        with pytest.raises(SystemExit):
            lane.run()
    idle = [kind.name for kind in LANES if kind.is_idle]
    assert idle == [name for name, after in pairwise([*lowered, ""]) if after == "lowest"]


def test_all_lanes_start_and_are_woken_by_new_jobs(monkeypatch):
    started, woken = [], []
    listeners: dict[str, Any] = {}

    def make(lane):
        return SimpleNamespace(
            start=lambda: started.append(lane.name), wake=lambda: woken.append(lane.name)
        )

    monkeypatch.setattr(pubsub, "subscribe", listeners.__setitem__)
    worker_threads.start(make)
    names = [lane.name for lane in LANES]
    assert (started, woken) == (names, [])
    listeners[queue.CHANGED]({})
    assert woken == names
