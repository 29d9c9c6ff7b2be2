"""Laws of what one process does at a time."""

import pytest

from antipodes.web.platform import locks
from antipodes.web.platform.models import LockRow

pytestmark = pytest.mark.django_db


def another_process(monkeypatch):
    monkeypatch.setattr(locks, "THIS_PROCESS", "another")


def test_one_process_holds_a_lease_and_keeps_it(clocks, monkeypatch):
    assert locks.hold("care", 5)
    assert locks.hold("care", 5)
    another_process(monkeypatch)
    assert not locks.hold("care", 5)
    assert locks.hold("something else", 5)


def test_a_lease_that_nobody_renews_goes_to_the_next_one(clocks, monkeypatch):
    assert locks.hold("care", 5)
    another_process(monkeypatch)
    clocks.advance(4_999)
    assert not locks.hold("care", 5)
    clocks.advance(2)
    assert locks.hold("care", 5)


def test_a_lease_that_is_let_go_is_free_at_once(clocks, monkeypatch):
    assert locks.hold("care", 5)
    locks.let_go("care")
    another_process(monkeypatch)
    assert locks.hold("care", 5)


def test_nobody_lets_go_what_another_holds(clocks, monkeypatch):
    assert locks.hold("care", 5)
    another_process(monkeypatch)
    locks.let_go("care")
    assert LockRow.objects.get().holder != "another"
    assert not locks.hold("care", 5)
