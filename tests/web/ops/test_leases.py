"""Laws of what one process does at a time."""

import pytest

from antipodes.web.ops import leases
from antipodes.web.ops.models import LeaseRow

pytestmark = pytest.mark.django_db


def another_process(monkeypatch):
    monkeypatch.setattr(leases, "THIS_PROCESS", "another")


def test_one_process_holds_a_lease_and_keeps_it(clocks, monkeypatch):
    assert leases.hold("care", 5)
    assert leases.hold("care", 5)
    another_process(monkeypatch)
    assert not leases.hold("care", 5)
    assert leases.hold("something else", 5)


def test_a_lease_that_nobody_renews_goes_to_the_next_one(clocks, monkeypatch):
    assert leases.hold("care", 5)
    another_process(monkeypatch)
    clocks.advance(4_999)
    assert not leases.hold("care", 5)
    clocks.advance(2)
    assert leases.hold("care", 5)


def test_a_lease_that_is_let_go_is_free_at_once(clocks, monkeypatch):
    assert leases.hold("care", 5)
    leases.let_go("care")
    another_process(monkeypatch)
    assert leases.hold("care", 5)


def test_nobody_lets_go_what_another_holds(clocks, monkeypatch):
    assert leases.hold("care", 5)
    another_process(monkeypatch)
    leases.let_go("care")
    assert LeaseRow.objects.get().holder != "another"
    assert not leases.hold("care", 5)
