"""Tests of jobs, and of the lanes that run them."""

import os
import sys
import threading
import time
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError

from antipodes.games.registry import game_ids, make_game
from antipodes.search.levels import levels
from antipodes.search.network.evaluator import has_network
from antipodes.web.jobs import costs, queue, wait_forecast, worker_threads
from antipodes.web.jobs.costs import seconds_of_move
from antipodes.web.jobs.fair_queue import Job
from antipodes.web.jobs.models import ClientRow, Group, JobKind, JobRow
from antipodes.web.jobs.queue import SHORT, NewJob, NotReadyError
from antipodes.web.jobs.worker_threads import LANES, Lane, LaneThread
from antipodes.web.platform import clock, pubsub
from antipodes.web.platform.locks import job_lock
from tests.raising import raising

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

    for kind in JobKind:
        monkeypatch.setitem(queue.handlers, kind, run)
    return found


def job(key, seconds=0.1, user=None, version=0, kind=JobKind.MOVE):
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

    monkeypatch.setitem(queue.handlers, JobKind.MOVE, run)
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
    monkeypatch.setitem(
        queue.handlers, JobKind.MOVE, lambda key, version: done.append((key, version))
    )
    lane._not_ready.clear()
    assert lane.step()
    assert done[-1] == ("!cold", 0)


def test_the_short_lane_leaves_long_jobs_to_the_others(done):
    queue.put(job("long", SHORT + 1), job("short"), job("review", 0.2, kind=JobKind.REVIEW))
    run_all(SHORT_LANE)
    assert done == [("short", 0)]
    run_all(MOVES)
    run_all(STUDIES)
    assert done == [("short", 0), ("long", 0), ("review", 0)]


def test_the_computers_own_game_waits_until_no_player_needs_the_engine(done):
    queue.put(job("tv", kind=JobKind.SHOW), job("review", kind=JobKind.REVIEW))
    assert not LaneThread(SHOW).step()
    for lane in (SHORT_LANE, MOVES, STUDIES):
        run_all(lane)
    assert done == [("review", 0)]
    assert LaneThread(SHOW).step()
    assert done[-1] == ("tv", 0)


def test_every_job_has_a_lane():
    for kind in JobKind:
        for seconds in (SHORT, SHORT + 1):
            assert any(lane.takes(job("a", seconds, kind=kind)) for lane in LANES)


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


@pytest.mark.parametrize(
    ("game_id", "options", "visits", "seconds"),
    [
        ("hex", {"size": 10}, 600, 100 * 700 * 1e-7 + 100 * 100 * 1e-6),
        ("hex", {"size": 10}, None, 100 * 250 * 1e-7 + 100 * 100 * 1e-6),
        ("antipode", {}, 600, 61 * 700 * 2e-8 + 61 * 61 * 1e-6),
        ("antipalos", {}, 600, 256 * 700 * 1e-6 + 256 * 256 * 1e-6),
    ],
)
def test_a_move_costs_its_visits_and_its_preparation(
    monkeypatch, game_id, options, visits, seconds
):
    skill = SimpleNamespace(haste=0.25, glance=1000, visits=visits, network=False)
    level = SimpleNamespace(skill=lambda _game: skill)
    monkeypatch.setattr(costs, "level_of", lambda _computer: level)
    cost = seconds_of_move(make_game(game_id, options), "computer:3")
    assert cost == pytest.approx(seconds, rel=1e-9)


def test_a_move_of_the_highest_level_with_the_network_is_too_long_for_the_short_lane():
    game = make_game("hex", {"size": 13})
    assert has_network(game)
    assert not SHORT_LANE.takes(job("one", seconds_of_move(game, "computer:9")))
    assert SHORT_LANE.takes(job("two", seconds_of_move(game, "computer:8")))


def test_players_that_do_not_search_take_no_time():
    assert seconds_of_move(make_game("hex"), "pairing") == 0


def test_the_forecast_has_the_waits_of_jobs_that_have_waited(people):
    queue.put(*(job(f"game {number}", 5.0, people[0]) for number in range(4)))
    assert wait_forecast.forecast() == {}
    cache.clear()
    JobRow.objects.update(since=0)
    with job_lock("move game 0"):
        assert sorted(wait_forecast.forecast().values()) == [3, 8, 13]
    cache.clear()


@pytest.mark.parametrize(
    ("running", "forecast"), [(4.0, {"move next": 2}), (3.98, {}), (4.02, {"move next": 3})]
)
def test_the_forecast_leaves_out_short_waits_and_new_jobs(people, clocks, running, forecast):
    cache.clear()
    clocks.wall = 1_700_000_000_000
    queue.put(job("running", running), job("next", 5.0))
    with job_lock("move running"):
        clocks.advance(2_000)
        assert wait_forecast.forecast() == {}
        cache.delete(wait_forecast._KEY)
        clocks.advance(1)
        assert wait_forecast.forecast() == forecast
    cache.clear()


def test_done_jobs_are_counted(done):
    before = worker_threads.jobs_done()
    queue.put(job("a"), job("b"))
    run_all(Lane("all", frozenset(Group)))
    assert worker_threads.jobs_done() == before + 2


def test_lengths_include_the_age_of_the_oldest_job(done):
    queue.put(job("a"), job("b"), job("c", kind=JobKind.REVIEW))
    JobRow.objects.filter(key="b").update(since=0)
    lengths = queue.lengths()
    counts = {kind: length for kind, (length, _) in lengths.items() if length}
    assert counts == {JobKind.MOVE: 2, JobKind.REVIEW: 1}
    assert lengths[JobKind.MOVE][1] > 1e9 > lengths[JobKind.REVIEW][1]


def test_ages_of_jobs_are_in_seconds_for_all_kinds(done, clocks):
    queue.put(job("a"))
    clocks.advance(1_500)
    queue.put(job("b"), job("c", kind=JobKind.REVIEW))
    clocks.advance(2_000)
    told = {JobKind.MOVE: (2, 3.5), JobKind.REVIEW: (1, 2.0)}
    assert queue.lengths() == {kind: told.get(kind, (0, 0.0)) for kind in JobKind}
    JobRow.objects.update(since=clock.now() + 5_000)  # the clock was set back
    assert queue.lengths()[JobKind.MOVE] == (2, 0.0)


def test_waiting_jobs_have_the_data_of_their_rows(people, clocks):
    clocks.wall = 1_700_000_000_500
    user = client(people[0], "narrow", "wide")
    queue.put(job("a", 2.5, user, version=3), job("b", 0.5, kind=JobKind.REVIEW))
    assert sorted(queue.candidates(Group), key=lambda found: found.key) == [
        Job("move", "a", 3, ("wide", "narrow", f"user {user.pk}"), 2.5, 1_700_000_000.5),
        Job("review", "b", 0, ("user None",), 0.5, 1_700_000_000.5),
    ]


@pytest.mark.parametrize("kind", JobKind)
def test_a_lane_takes_the_jobs_of_its_query(kind):
    found = {lane.name: set[str]() for lane in LANES}
    queue.put(*(job(str(length), length, kind=kind) for length in (SHORT - 0.1, SHORT, 2.1)))
    for lane in LANES:
        found[lane.name] = {one.key for one in queue.candidates(lane.groups)}
        taken = {one.key for one in queue.candidates(Group) if lane.takes(one)}
        assert found[lane.name] == taken
    short = {JobKind.MOVE, JobKind.ANALYSIS, JobKind.PUZZLE}
    assert found["short"] == ({"1.9", "2.0"} if kind in short else set())


@pytest.mark.parametrize("count", [0, 1, 500, 501, 1_000, 1_001])
def test_keys_come_in_batches_of_500(count):
    keys = [str(number) for number in range(count)]
    batches = [list(some) for some in queue.batched(keys)]
    assert [key for some in batches for key in some] == keys
    assert [len(some) for some in batches[:-1]] == [500] * (len(batches) - 1)
    assert all(0 < len(some) <= 500 for some in batches)


def test_lanes_hear_of_jobs_that_are_added_and_done(done, monkeypatch):
    sent = []
    monkeypatch.setattr(pubsub, "send_to_workers", lambda *message: sent.append(message))
    queue.put()
    assert sent == []
    queue.put(job("a"), job("b", SHORT + 1))
    assert sent == [(queue.CHANGED, {"groups": ["move", "quick-move"], "is_new": True})]
    assert LaneThread(MOVES).step()
    assert sent[1:] == [(queue.CHANGED, {"groups": ["quick-move"], "is_new": False})]


def hears(lane, groups, *, is_new):
    """Tell a lane of jobs; return whether that ended its pause."""
    lane._is_woken.clear()
    lane.hear(groups, is_new=is_new)
    return lane._is_woken.is_set()


def test_a_lane_wakes_only_for_jobs_that_it_may_begin(people, done, monkeypatch):
    lane = LaneThread(MOVES)
    assert hears(lane, [Group.MOVE], is_new=True)
    assert not hears(lane, [Group.STUDY], is_new=True)
    assert not lane.step()
    assert not hears(lane, [Group.MOVE], is_new=False)  # nothing waits for its end
    monkeypatch.setenv("LIMIT_JOBS_IN_WORK", "1")
    queue.put(job("a", user=people[0]), job("b", user=people[0]))
    with job_lock("move a"):
        assert not lane.step()
    assert hears(lane, [Group.QUICK_MOVE], is_new=False)
    assert not hears(lane, [Group.QUICK_STUDY], is_new=False)


def test_the_idle_lane_wakes_when_the_jobs_of_others_end(done):
    lane = LaneThread(SHOW)
    queue.put(job("tv", kind=JobKind.SHOW), job("a"))
    assert not lane.step()
    run_all(MOVES)
    assert hears(lane, [Group.QUICK_MOVE], is_new=False)
    assert lane.step()


def test_a_job_is_charged_the_cpu_time_that_it_took(done, monkeypatch):
    times = iter([100.0, 103.0])
    lane = LaneThread(MOVES)
    queue.put(job("a", 0.5))
    monkeypatch.setattr(time, "thread_time", lambda: next(times))
    assert lane.step()
    assert lane._usage.finished == {("user None",): 3.0}


def test_a_job_whose_kernels_are_missing_is_tried_again_after_a_second(done, monkeypatch):
    at = 50.0
    monkeypatch.setattr(time, "monotonic", lambda: at)
    lane = LaneThread(MOVES)
    queue.put(job("!cold"))
    assert lane.step()
    monkeypatch.setitem(queue.handlers, JobKind.MOVE, lambda key, _version: done.append(key))
    at = 50.99
    assert not lane.step()
    at = 51.0
    assert lane.step()
    assert done == ["!cold"]


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
    lane = LaneThread(MOVES)
    monkeypatch.setattr(lane, "_is_woken", Pauses(2))
    monkeypatch.setattr(lane, "step", raising(error))
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


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has priorities of threads")
def test_the_lowest_priority_is_that_of_one_thread():
    found = []

    def lower():
        worker_threads._lower_priority()
        found.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    thread = threading.Thread(target=lower)
    thread.start()
    thread.join()
    assert found == [19]
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before


def test_a_lane_does_not_keep_its_process_alive():
    assert LaneThread(MOVES).daemon


def test_all_lanes_start_and_are_woken_by_new_jobs(monkeypatch):
    started, woken = [], []
    listeners: dict[str, Any] = {}

    def make(lane):
        return SimpleNamespace(
            start=lambda: started.append(lane.name),
            hear=lambda groups, is_new: woken.append((lane.name, groups, is_new)),
        )

    monkeypatch.setattr(pubsub, "subscribe", listeners.__setitem__)
    worker_threads.start(make)
    names = [lane.name for lane in LANES]
    assert (started, woken) == (names, [])
    listeners[queue.CHANGED]({"groups": ["move"], "is_new": True})
    assert woken == [(name, ["move"], True) for name in names]
