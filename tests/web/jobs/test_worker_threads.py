"""Laws of jobs and of the lanes that do them."""

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
from antipodes.web.platform.locks import job_lock

pytestmark = pytest.mark.django_db

SHORT_LANE, MOVES, STUDIES = LANES


@pytest.fixture
def done(monkeypatch):
    """The jobs that were done, by key and version; a key that begins with ! breaks."""
    found = []

    def run(key, version):
        if key.startswith("!"):
            raise {"!away": OperationalError, "!cold": NotReadyError}.get(key, ValueError)(key)
        found.append((key, version))

    for kind in Kind:
        monkeypatch.setitem(queue._runs, kind, run)
    return found


def work(key, seconds=0.1, user=None, version=0, kind=Kind.MOVE):
    return NewJob(kind=kind, key=key, version=version, user=user and user.pk, seconds=seconds)


def do_all(kinds):
    lane = LaneThread(kinds)
    while lane.step():
        pass


def test_a_job_is_done_once_however_often_it_is_put(done):
    for _ in range(10):
        queue.put(work("a"), work("b"))
    assert JobRow.objects.count() == 2
    do_all(MOVES)
    assert sorted(done) == [("a", 0), ("b", 0)]
    assert not JobRow.objects.exists()


def test_a_job_keeps_its_place_when_it_is_put_again(done):
    queue.put(work("a"))
    JobRow.objects.update(since=1)
    queue.put(work("a"), work("a", version=2))
    assert [(row.since, row.version) for row in JobRow.objects.all()] == [(1, 2)]


def test_a_job_that_is_put_while_an_earlier_version_is_done_is_not_lost(done, monkeypatch):
    queue.put(work("a", version=1))
    runs = []

    def run(key, version):
        runs.append(version)
        if version == 1:
            queue.put(work("a", version=2))

    monkeypatch.setitem(queue._runs, Kind.MOVE, run)
    do_all(MOVES)
    assert runs == [1, 2]


def test_a_job_that_another_engine_does_is_left_alone_until_that_one_dies(done):
    queue.put(work("a"))
    with job_lock("move a"):
        assert not LaneThread(MOVES).step()
    assert done == []
    assert LaneThread(MOVES).step()
    assert done == [("a", 0)]


def test_a_job_that_breaks_is_logged_and_keeps_nobody_waiting(done, caplog):
    queue.put(work("!broken"), work("b"))
    do_all(MOVES)
    assert done == [("b", 0)]
    assert "job failed: name='move !broken'" in caplog.text


def test_a_job_waits_for_what_is_away(done):
    queue.put(work("!away"))
    with pytest.raises(OperationalError):
        LaneThread(MOVES).step()
    assert JobRow.objects.count() == 1


def test_a_job_whose_kernels_are_compiled_keeps_no_other_waiting(done, monkeypatch):
    queue.put(work("!cold", 0.01), work("b"))
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
    queue.put(work("long", SHORT + 1), work("short"), work("review", 0.2, kind=Kind.REVIEW))
    do_all(SHORT_LANE)
    assert done == [("short", 0)]
    do_all(MOVES)
    do_all(STUDIES)
    assert done == [("short", 0), ("long", 0), ("review", 0)]


def test_every_job_has_a_lane():
    for kind in Kind:
        assert any(kind in lane.kinds and lane.longest is None for lane in LANES)


def client(user, network, wider=""):
    ClientRow.objects.create(user=user, network=network, wider=wider)
    return user


def test_a_hundred_games_of_one_address_do_not_keep_the_computer_from_others(people, done):
    attackers = [client(user, "attack") for user in people[:3]]
    honest = client(people[3], "elsewhere")
    for number in range(99):
        queue.put(work(f"attack {number}", 5.0, attackers[number % 3]))
    lane = LaneThread(MOVES)
    for _ in range(5):
        lane.step()
    queue.put(work("honest", 0.1, honest))
    assert lane.step()
    assert done[-1] == ("honest", 0)


def test_one_client_does_not_take_the_lanes_of_all_engines(people, done, monkeypatch):
    monkeypatch.setenv("LIMIT_JOBS_IN_WORK", "2")
    user = client(people[0], "a")
    queue.put(*(work(f"job {number}", 5.0, user) for number in range(3)))
    with job_lock("move job 0"), job_lock("move job 1"):
        assert not LaneThread(MOVES).step()
    assert LaneThread(MOVES).step()


def test_users_of_a_network_have_at_once_what_the_network_may(people, done, monkeypatch):
    monkeypatch.setenv("LIMIT_JOBS_IN_WORK_OF_ADDRESS", "1")
    one, two = (client(user, "narrow", "wide") for user in people[:2])
    queue.put(work("one", user=one), work("two", user=two))
    with job_lock("move one"):
        assert not LaneThread(MOVES).step()


@pytest.mark.parametrize("game_id", game_ids())
def test_higher_levels_are_expected_to_take_no_less_and_quick_ones_have_the_short_lane(game_id):
    game = make_game(game_id)
    expected = [seconds_of_move(game, f"computer:{level.number}") for level in levels()]
    assert expected[0] < expected[-1]
    assert expected[0] < 0.5 < SHORT


def test_no_move_is_expected_to_take_more_than_it_may(monkeypatch):
    monkeypatch.setenv("LIMIT_MOVE_SECONDS", "1")
    assert seconds_of_move(make_game("antipod", {"side": 10}), "computer:9") == 1


def test_whoever_has_waited_is_told_how_long_it_still_takes(people):
    queue.put(*(work(f"game {number}", 5.0, people[0]) for number in range(4)))
    assert wait_forecast.forecast() == {}
    cache.clear()
    JobRow.objects.update(since=0)
    with job_lock("move game 0"):
        assert sorted(wait_forecast.forecast().values()) == [3, 8, 13]
    cache.clear()


def test_done_jobs_are_counted(done):
    before = worker_threads.jobs_done()
    queue.put(work("a"), work("b"))
    do_all(Lane("all", frozenset(Kind), pause=0.0))
    assert worker_threads.jobs_done() == before + 2


def test_the_oldest_job_is_measured(done):
    queue.put(work("a"), work("b"), work("c", kind=Kind.REVIEW))
    JobRow.objects.filter(key="b").update(since=0)
    lengths = queue.lengths()
    assert [lengths[kind][0] for kind in Kind] == [2, 0, 1]
    assert lengths[Kind.MOVE][1] > 1e9 > lengths[Kind.REVIEW][1]
