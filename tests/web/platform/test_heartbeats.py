"""Tests of heartbeats: which gaps are downtimes, and for how long they are stored."""

import socket

import pytest
from django.db import OperationalError, connection

from antipodes.web.platform import clock, heartbeats, locks, write_probe
from antipodes.web.platform.heartbeats import GRACE, SHORTEST, Downtime
from antipodes.web.platform.models import HeartbeatRow, ProcessKind, ProcessRow
from tests.raising import raising

pytestmark = pytest.mark.django_db

HOUR = 3_600_000


def in_another_process(monkeypatch):
    """Continue as a process without heartbeats so far."""
    monkeypatch.setattr(heartbeats, "_beats", {})


def restart(monkeypatch):
    """Continue as a site that was just started."""
    in_another_process(monkeypatch)
    monkeypatch.setattr(clock, "_clock", clock.SiteClock())
    heartbeats.start_clock()


def test_a_gap_between_heartbeats_is_a_downtime_until_it_is_given_back(clocks, monkeypatch):
    heartbeats.beat(ProcessKind.WEB)
    stopped = clock.now()
    clocks.advance(50_000)
    heartbeats.beat(ProcessKind.WEB)
    downtime = Downtime(stopped, clock.now())
    for _ in range(2):
        assert heartbeats.downtimes() == {ProcessKind.WEB: downtime}
        assert heartbeats.downtime(ProcessKind.WEB, clock.now()) == downtime
        in_another_process(monkeypatch)
    heartbeats.mark_given_back(ProcessKind.WEB, downtime)
    assert heartbeats.downtimes() == {}


def test_a_downtime_lasts_until_the_next_heartbeat(clocks, monkeypatch):
    heartbeats.beat(ProcessKind.WEB)
    begun = clock.now()
    for _ in range(2):
        clocks.advance(20_000)
        assert heartbeats.downtime(ProcessKind.WEB, clock.now()) == Downtime(begun, clock.now())
        in_another_process(monkeypatch)
    assert heartbeats.latest(ProcessKind.WEB) == begun


def test_a_downtime_not_yet_given_back_becomes_part_of_the_next_one(clocks):
    heartbeats.beat(ProcessKind.WEB)
    begun = clock.now()
    clocks.advance(60_000)
    heartbeats.beat(ProcessKind.WEB)
    (first,) = heartbeats.downtimes().values()
    clocks.advance(60_000)
    heartbeats.beat(ProcessKind.WEB)
    heartbeats.mark_given_back(ProcessKind.WEB, first)
    assert heartbeats.downtimes() == {ProcessKind.WEB: Downtime(begun, clock.now())}


def test_engines_have_downtimes_of_their_own(clocks):
    heartbeats.beat(ProcessKind.ENGINE)
    for _ in range(20):
        heartbeats.beat(ProcessKind.WEB)
        clocks.advance(1_000)
    heartbeats.beat(ProcessKind.ENGINE)
    assert list(heartbeats.downtimes()) == [ProcessKind.ENGINE]


def test_a_process_that_hung_alone_notices_it(clocks, monkeypatch):
    heartbeats.beat(ProcessKind.WEB)
    begun, mine = clock.now(), dict(heartbeats._beats)
    for _ in range(10):
        clocks.advance(1_000)
        in_another_process(monkeypatch)
        heartbeats.beat(ProcessKind.WEB)
    monkeypatch.setattr(heartbeats, "_beats", mine)
    assert heartbeats.downtime(ProcessKind.WEB, clock.now()) == Downtime(begun, clock.now())
    assert heartbeats.beat(ProcessKind.WEB) == Downtime(begun, clock.now())
    assert heartbeats.downtimes() == {}


@pytest.mark.parametrize("by", [0, HOUR])
def test_a_starting_site_takes_the_machines_time_and_notes_the_downtime(clocks, monkeypatch, by):
    heartbeats.start_clock()
    heartbeats.beat(ProcessKind.WEB)
    stopped = clock.now()
    clocks.advance(30_000)
    clocks.set_wall(by)
    restart(monkeypatch)
    assert clock.now() == clocks.wall
    assert heartbeats.downtimes() == {ProcessKind.WEB: Downtime(stopped, clocks.wall)}
    assert heartbeats.downtimes()[ProcessKind.WEB].resumed == clocks.wall + GRACE
    assert heartbeats.latest(ProcessKind.WEB) == clocks.wall


def test_a_site_that_starts_for_the_first_time_had_no_downtime(clocks):
    heartbeats.start_clock()
    heartbeats.beat(ProcessKind.WEB)
    assert heartbeats.downtimes() == {}


def test_a_machine_that_joins_others_keeps_their_time(clocks, monkeypatch):
    heartbeats.start_clock()
    heartbeats.beat(ProcessKind.WEB)
    clocks.set_wall(-HOUR)
    heartbeats.beat(ProcessKind.WEB)
    before = clock.now()
    restart(monkeypatch)
    assert clock.now() == before
    assert heartbeats.downtimes() == {}


def test_processes_count_as_running_while_they_send_heartbeats(clocks):
    heartbeat = heartbeats.ProcessHeartbeat(ProcessKind.ENGINE)
    heartbeat._note()
    assert heartbeats.running(ProcessKind.ENGINE) == 1
    assert heartbeats.running(ProcessKind.WEB) == 0
    clocks.advance(heartbeats.LATELY)
    assert heartbeats.running(ProcessKind.ENGINE) == 1
    clocks.advance(1)
    assert heartbeats.running(ProcessKind.ENGINE) == 0
    heartbeat._note()
    heartbeat.stop()
    assert not ProcessRow.objects.exists()
    assert not HeartbeatRow.objects.exists()


def test_users_are_online_while_a_running_process_has_a_page_of_theirs(clocks, monkeypatch):
    for name, users in (("first", {3, 5}), ("second", {5, 8})):
        monkeypatch.setattr(locks, "THIS_PROCESS", name)
        heartbeats.ProcessHeartbeat(ProcessKind.WEB, list_online=users.copy)._note()
        clocks.advance(1)
    assert heartbeats.online() == {3, 5, 8}
    clocks.advance(heartbeats.LATELY - 1)
    assert heartbeats.online() == {5, 8}
    clocks.advance(1)
    assert heartbeats.online() == set()


def test_rows_of_processes_that_were_killed_are_deleted_after_an_hour(clocks):
    heartbeats.ProcessHeartbeat(ProcessKind.WEB)._note()
    clocks.advance(heartbeats._FORGOTTEN)
    heartbeats.delete_stale_processes()
    assert ProcessRow.objects.exists()
    clocks.advance(1)
    heartbeats.delete_stale_processes()
    assert not ProcessRow.objects.exists()


def rounds(monkeypatch, heartbeat, name, *errors):
    """Let a thread beat until its errors are used up; return how often it beat."""
    todo, beats = list(errors), []

    def beat(*_):
        beats.append(1)
        error = todo.pop(0)
        if not todo:
            heartbeat._is_ending.set()
        if error is not None:
            raise error

    monkeypatch.setattr(*name, beat)
    monkeypatch.setattr(heartbeats, "_PROCESS_BEAT", 0)
    heartbeat.run()
    return len(beats)


def test_a_process_beats_until_it_ends_and_notes_outages(clocks, monkeypatch, caplog):
    noted: list[Exception | None] = []
    heartbeat = heartbeats.ProcessHeartbeat(ProcessKind.WEB)
    error = OperationalError("away")
    monkeypatch.setattr(write_probe, "note", noted.append)
    assert rounds(monkeypatch, heartbeat, (heartbeat, "_note"), None, error, None) == 3
    assert noted == [None, error, None]
    assert "process heartbeat failed error=away" in caplog.text
    heartbeat.run()
    assert len(noted) == 3


def test_a_process_ends_although_its_row_cannot_be_deleted(clocks, monkeypatch, caplog):
    heartbeat = heartbeats.ProcessHeartbeat(ProcessKind.WEB)
    monkeypatch.setattr(ProcessRow.objects, "filter", raising(OperationalError("away")))
    heartbeat.stop()
    assert "process row not deleted error=away" in caplog.text


def test_an_engine_beats_on_after_an_outage(clocks, monkeypatch, caplog):
    kinds: list[ProcessKind] = []

    def beat(kind):
        kinds.append(kind)
        if len(kinds) == 3:
            raise SystemExit
        raise OperationalError("away")

    monkeypatch.setattr(heartbeats, "beat", beat)
    monkeypatch.setattr(heartbeats, "BEAT", 0)
    with pytest.raises(SystemExit):
        heartbeats.EngineHeartbeat().run()
    assert kinds == [ProcessKind.ENGINE] * 3
    assert caplog.text.count("heartbeat failed error=away") == 2
    assert write_probe.failure() == "fails: OperationalError"


@pytest.mark.parametrize("late", [0, 1])
def test_a_gap_of_more_than_three_seconds_is_a_downtime(clocks, late):
    heartbeats.beat(ProcessKind.WEB)
    begun = clock.now()
    clocks.advance(SHORTEST + late)
    found = Downtime(begun, clock.now()) if late else None
    assert heartbeats.downtime(ProcessKind.WEB, clock.now()) == found
    assert heartbeats.beat(ProcessKind.WEB) is None
    assert heartbeats.downtimes() == ({ProcessKind.WEB: found} if late else {})


@pytest.mark.parametrize("late", [0, 1])
def test_a_process_that_paused_alone_for_more_than_three_seconds_had_a_downtime(
    clocks, monkeypatch, late
):
    heartbeats.beat(ProcessKind.WEB)
    begun, mine = clock.now(), dict(heartbeats._beats)
    for milliseconds in (SHORTEST, late):
        clocks.advance(milliseconds)
        in_another_process(monkeypatch)
        heartbeats.beat(ProcessKind.WEB)
    monkeypatch.setattr(heartbeats, "_beats", mine)
    assert heartbeats.beat(ProcessKind.WEB) == (Downtime(begun, clock.now()) if late else None)


def test_a_heartbeat_does_not_set_back_a_later_one_of_another_machine(clocks):
    later = clock.now() + 1_000
    HeartbeatRow.objects.create(pk=1, at=later)
    heartbeats.beat(ProcessKind.WEB)
    assert heartbeats.latest(ProcessKind.WEB) == later
    clocks.advance(2_000)
    heartbeats.beat(ProcessKind.WEB)
    assert heartbeats.latest(ProcessKind.WEB) == later + 1_000


def test_a_downtime_in_progress_includes_the_one_before_it(clocks):
    heartbeats.beat(ProcessKind.WEB)
    begun = clock.now()
    clocks.advance(50_000)
    heartbeats.beat(ProcessKind.WEB)
    clocks.advance(20_000)
    assert heartbeats.downtime(ProcessKind.WEB, clock.now()) == Downtime(begun, clock.now())


def test_a_site_without_heartbeats_has_no_downtime(clocks):
    assert heartbeats.latest(ProcessKind.WEB) is None
    assert heartbeats.downtime(ProcessKind.WEB, clock.now()) is None
    assert heartbeats.downtimes() == {}


def test_downtimes_of_people_and_of_engines_are_given_back_separately(clocks):
    for _ in range(2):
        for kind in ProcessKind:
            heartbeats.beat(kind)
        clocks.advance(50_000)
    downtime = heartbeats.downtimes()[ProcessKind.WEB]
    assert heartbeats.downtimes() == dict.fromkeys(ProcessKind, downtime)
    heartbeats.mark_given_back(ProcessKind.WEB, downtime)
    assert heartbeats.downtimes() == {ProcessKind.ENGINE: downtime}


@pytest.mark.parametrize("late", [0, 1])
def test_a_restart_within_three_seconds_is_no_downtime(clocks, monkeypatch, late):
    heartbeats.start_clock()
    heartbeats.beat(ProcessKind.WEB)
    stopped = clock.now()
    clocks.advance(SHORTEST + late)
    restart(monkeypatch)
    assert heartbeats.latest(ProcessKind.WEB) == stopped + late * (SHORTEST + late)
    assert list(heartbeats.downtimes()) == [ProcessKind.WEB] * late


@pytest.mark.parametrize("by", [-SHORTEST - 1, -HOUR])
def test_a_site_goes_on_from_its_latest_heartbeat_when_the_clock_was_set_back(
    clocks, monkeypatch, by
):
    heartbeats.start_clock()
    heartbeats.beat(ProcessKind.WEB)
    stopped = clock.now()
    clocks.advance(30_000)
    clocks.set_wall(by - 30_000)
    restart(monkeypatch)
    assert clock.now() == stopped
    assert heartbeats.downtimes() == {ProcessKind.WEB: Downtime(stopped, stopped)}


def test_the_row_of_a_process_has_its_start_its_latest_heartbeat_and_its_jobs(clocks, monkeypatch):
    begun = clock.now()
    monkeypatch.setattr(socket, "gethostname", lambda: 100 * "h")
    counts = iter((0, 7))
    heartbeat = heartbeats.ProcessHeartbeat(ProcessKind.ENGINE, lambda: next(counts))
    for seen, done in ((begun + 1, 0), (begun + 2, 7)):
        clocks.advance(1)
        heartbeat._note()
        row = {
            "name": locks.THIS_PROCESS,
            "kind": "engine",
            "host": 80 * "h",
            "begun_at": begun,
            "seen_at": seen,
            "done": done,
        }
        assert list(ProcessRow.objects.values(*row)) == [row]


@pytest.mark.django_db(transaction=True)
def test_sqlite_does_not_wait_for_the_disk_at_a_heartbeat_alone():
    if connection.vendor != "sqlite":
        pytest.skip("needs SQLite")
    statements: list[str] = []

    def note(execute, sql, *arguments):
        statements.append(sql)
        return execute(sql, *arguments)

    with connection.execute_wrapper(note):
        heartbeats.beat(ProcessKind.WEB)
    pragmas = [sql for sql in statements if sql.startswith("PRAGMA")]
    assert pragmas == ["PRAGMA synchronous=NORMAL", "PRAGMA synchronous=FULL"]
    assert statements[-1] == pragmas[-1]


@pytest.mark.parametrize(("by", "is_downtime"), [(SHORTEST - 1_000, False), (HOUR, True)])
def test_a_clock_that_is_set_forward_is_a_downtime(clocks, by, is_downtime):
    heartbeats.start_clock()
    heartbeats.beat(ProcessKind.WEB)
    stopped = clock.now()
    clocks.set_wall(by)
    clocks.advance(1_000)
    heartbeats.beat(ProcessKind.WEB)
    found = Downtime(stopped, stopped + by + 1_000)
    assert heartbeats.downtimes() == ({ProcessKind.WEB: found} if is_downtime else {})
