"""Laws of heartbeats: what counts as a downtime, and that it is remembered until it is bridged."""

import pytest

from antipodes.web.ops import clock, life
from antipodes.web.ops.life import GRACE, SHORTEST, Downtime
from antipodes.web.ops.models import Kind, LeaseRow, LifeRow, ProcessRow

pytestmark = pytest.mark.django_db

HOUR = 3_600_000


def in_another_process(monkeypatch):
    """Go on as a process that has not beaten."""
    monkeypatch.setattr(life, "_beats", {})


def test_regular_heartbeats_are_no_downtime(clocks):
    for _ in range(5):
        assert life.beat(Kind.WEB) is None
        clocks.advance(SHORTEST)
    assert life.downtimes() == {}
    assert life.downtime(Kind.WEB, clock.now()) is None


def test_a_gap_between_heartbeats_is_a_downtime_until_it_is_bridged(clocks, monkeypatch):
    life.beat(Kind.WEB)
    stopped = clock.now()
    clocks.advance(50_000)
    life.beat(Kind.WEB)
    downtime = Downtime(stopped, clock.now())
    for _ in range(2):
        assert life.downtimes() == {Kind.WEB: downtime}
        assert life.downtime(Kind.WEB, clock.now()) == downtime
        in_another_process(monkeypatch)
    life.note_bridged(Kind.WEB, downtime)
    assert life.downtimes() == {}


def test_a_downtime_goes_on_until_somebody_beats(clocks, monkeypatch):
    life.beat(Kind.WEB)
    begun = clock.now()
    for _ in range(2):
        clocks.advance(20_000)
        assert life.downtime(Kind.WEB, clock.now()) == Downtime(begun, clock.now())
        in_another_process(monkeypatch)
    assert life.latest(Kind.WEB) == begun


def test_a_downtime_that_is_not_bridged_yet_becomes_part_of_the_next_one(clocks):
    life.beat(Kind.WEB)
    begun = clock.now()
    clocks.advance(60_000)
    life.beat(Kind.WEB)
    (first,) = life.downtimes().values()
    clocks.advance(60_000)
    life.beat(Kind.WEB)
    life.note_bridged(Kind.WEB, first)
    assert life.downtimes() == {Kind.WEB: Downtime(begun, clock.now())}


def test_engines_have_downtimes_of_their_own(clocks):
    life.beat(Kind.ENGINE)
    for _ in range(20):
        life.beat(Kind.WEB)
        clocks.advance(1_000)
    life.beat(Kind.ENGINE)
    assert list(life.downtimes()) == [Kind.ENGINE]


def test_a_process_that_hangs_alone_learns_of_it(clocks, monkeypatch):
    life.beat(Kind.WEB)
    begun, mine = clock.now(), dict(life._beats)
    for _ in range(10):
        clocks.advance(1_000)
        in_another_process(monkeypatch)
        life.beat(Kind.WEB)
    monkeypatch.setattr(life, "_beats", mine)
    assert life.downtime(Kind.WEB, clock.now()) == Downtime(begun, clock.now())
    assert life.beat(Kind.WEB) == Downtime(begun, clock.now())
    assert life.downtimes() == {}


@pytest.mark.parametrize("by", [0, HOUR, -HOUR])
def test_a_site_that_starts_takes_the_machines_time_and_notes_the_downtime(clocks, monkeypatch, by):
    life.begin()
    life.beat(Kind.WEB)
    stopped = clock.now()
    LeaseRow.objects.create(name="care", holder="gone", until=stopped + 5_000)
    clocks.advance(30_000)
    clocks.set_wall(by)
    in_another_process(monkeypatch)
    life.begin()
    assert clock.now() == clocks.wall
    assert life.downtimes() == {Kind.WEB: Downtime(stopped, clocks.wall)}
    assert life.downtimes()[Kind.WEB].resumed == clocks.wall + GRACE
    assert life.latest(Kind.WEB) == clocks.wall
    assert LeaseRow.objects.get().until < clocks.wall


def test_a_site_that_starts_for_the_first_time_had_no_downtime(clocks):
    life.begin()
    life.beat(Kind.WEB)
    assert life.downtimes() == {}


def test_a_machine_that_joins_others_keeps_their_time(clocks, monkeypatch):
    monkeypatch.setattr(life, "is_shared", lambda: True)
    life.begin()
    life.beat(Kind.WEB)
    clocks.set_wall(HOUR)
    life.beat(Kind.WEB)
    before = clock.now()
    life.begin()
    assert clock.now() == pytest.approx(before, abs=1)
    clocks.advance(5_000)
    life.begin()
    assert clock.now() == clocks.wall
    assert life.downtimes() == {Kind.WEB: Downtime(before, clocks.wall)}


def test_processes_are_known_as_long_as_they_give_signs(clocks):
    sign = life.Sign(Kind.ENGINE)
    sign._note()
    assert life.running(Kind.ENGINE) == 1
    assert life.running(Kind.WEB) == 0
    clocks.advance(life.LATELY + 1)
    assert life.running(Kind.ENGINE) == 0
    sign._note()
    sign.stop()
    assert not ProcessRow.objects.exists()
    assert not LifeRow.objects.exists()
