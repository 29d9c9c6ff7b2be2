"""Tests of throttling."""

import time

import pytest

from antipodes.web.platform import throttling
from antipodes.web.platform.throttling import share_of_time


@pytest.fixture
def pauses(monkeypatch):
    """Pauses so far; on its clock every block takes 30 ms."""
    times = iter(0.03 * number for number in range(100))
    found: list[float] = []
    monkeypatch.setattr(throttling, "_LONGEST", 1.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    monkeypatch.setattr(time, "sleep", found.append)
    return found


@pytest.mark.parametrize(("share", "pause"), [(1, 0), (0.5, 0.03), (0.25, 0.09), (0.001, 1)])
def test_a_block_sleeps_in_proportion_to_its_share(pauses, share, pause):
    with share_of_time(share):
        pass
    assert pauses == [pytest.approx(pause)]


def test_a_failing_block_sleeps_too(pauses):
    with pytest.raises(ValueError, match="bad"), share_of_time(0.5):
        raise ValueError("bad")
    assert len(pauses) == 1
