"""Laws of what one process does at a time, and of the outages that the database remembers."""

import pytest

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.web.matches import services
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, now
from antipodes.web.ops import leases, life
from antipodes.web.ops.models import Kind, LeaseRow, LifeRow, ProcessRow

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(monkeypatch):
    """The clock that all machines share; it can be set."""
    clock = [now()]
    monkeypatch.setattr(leases, "database_now", lambda: clock[0])
    return clock


def another_process(monkeypatch):
    monkeypatch.setattr(leases, "THIS_PROCESS", "another")


def test_one_process_holds_a_lease_and_keeps_it(at, monkeypatch):
    assert leases.hold("care", 5)
    assert leases.hold("care", 5)
    another_process(monkeypatch)
    assert not leases.hold("care", 5)
    assert leases.hold("something else", 5)


def test_a_lease_that_nobody_renews_goes_to_the_next_one(at, monkeypatch):
    assert leases.hold("care", 5)
    another_process(monkeypatch)
    at[0] += 4_999
    assert not leases.hold("care", 5)
    at[0] += 2
    assert leases.hold("care", 5)


def test_a_lease_that_is_let_go_is_free_at_once(at, monkeypatch):
    assert leases.hold("care", 5)
    leases.let_go("care")
    another_process(monkeypatch)
    assert leases.hold("care", 5)


def test_nobody_lets_go_what_another_holds(at, monkeypatch):
    assert leases.hold("care", 5)
    another_process(monkeypatch)
    leases.let_go("care")
    assert LeaseRow.objects.get().holder != "another"
    assert not leases.hold("care", 5)


@pytest.fixture
def live(people):
    game = make_game("hex", {"size": 3})
    players = tuple(str(user.pk) for user in people[:2])
    row = begin_match(Terms(game=game, players=players, control=read_control("5m")), people[:2])
    MatchRow.objects.update(begun_at=now() - 120_000)
    return row


def versions():
    return MatchRow.objects.get().version


def test_signs_without_a_gap_change_nothing(at, live):
    for _ in range(3):
        life.sign()
        at[0] += 1_000
    assert versions() == 0
    assert life.is_running()


def test_after_a_gap_players_have_their_time_back_once(at, live, monkeypatch):
    at[0] -= 60_000
    life.sign()
    at[0] += 60_000
    assert not life.is_running()
    life.sign()
    assert versions() == 2
    left = MatchRow.objects.get().match().clock.left(0, at[0] + life.GRACE)
    assert left == pytest.approx(240_000, abs=2_000)
    life.sign()
    assert versions() == 2
    assert life.is_running()


def test_another_process_goes_on_where_one_was_killed(at, live, monkeypatch):
    at[0] -= 60_000
    life.sign()
    at[0] += 60_000
    monkeypatch.setattr(services, "bridge_outage", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        life.sign()
    monkeypatch.undo()
    LeaseRow.objects.update(until=0)
    assert LifeRow.objects.get().stopped_at is not None
    life.sign()
    assert versions() == 2
    services.bridge_outage(at[0] - 60_000, at[0] + life.GRACE)
    assert versions() == 2, "nobody has the time back twice"


def test_processes_are_known_as_long_as_they_give_signs(at):
    sign = life.Sign(Kind.ENGINE)
    sign._note()
    assert life.running(Kind.ENGINE) == 1
    assert life.running(Kind.WEB) == 0
    at[0] += life.LATELY + 1
    assert life.running(Kind.ENGINE) == 0
    sign._note()
    sign.stop()
    assert not ProcessRow.objects.exists()
