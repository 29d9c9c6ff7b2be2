"""Laws of work that takes no more than a share of the time."""

import time

import pytest

from antipodes.web.platform.throttling import share_of_time


@pytest.fixture
def pauses(monkeypatch):
    """A clock on which every piece of work takes 30 ms, and what was waited after each."""
    times = iter(0.03 * number for number in range(100))
    found: list[float] = []
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    monkeypatch.setattr(time, "sleep", found.append)
    return found


@pytest.mark.parametrize(("share", "pause"), [(1, 0), (0.5, 0.03), (0.25, 0.09), (0.001, 1)])
def test_what_may_take_a_share_of_the_time_waits_for_the_rest_of_it(pauses, share, pause):
    with share_of_time(share):
        pass
    assert pauses == [pytest.approx(pause)]


def test_what_fails_waits_too(pauses):
    with pytest.raises(ValueError, match="bad"), share_of_time(0.5):
        raise ValueError("bad")
    assert len(pauses) == 1
