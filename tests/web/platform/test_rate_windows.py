"""Tests of rate limits in the memory of a process."""

import threading
import time

import pytest

from antipodes.web.platform import limits
from antipodes.web.platform.limits import RateLimit, TooManyError, take
from antipodes.web.platform.rate_windows import RateWindows
from tests.raising import raising

CLIENTS = 1_000
LIMIT = RateLimit("three", "3/minute", "address", "tests")


@pytest.fixture
def site(monkeypatch):
    """The windows of rate limits of a process, and a function that lets time pass."""
    windows, passed = RateWindows(), [0.0]
    began = time.time()
    monkeypatch.setattr(limits.limiter(), "storage", windows)
    monkeypatch.setattr(time, "time", lambda: began + passed[0])

    def wait(seconds):
        passed[0] += seconds

    return windows, wait


def test_a_use_starts_no_thread(site, monkeypatch):
    monkeypatch.setattr(threading.Thread, "start", raising(AssertionError("a thread was started")))
    for number in range(CLIENTS):
        take(LIMIT, str(number))


def test_a_use_looks_at_few_keys_however_many_there_are(site, monkeypatch):
    windows, wait = site
    looks: list[None] = []
    look = RateWindows._look
    monkeypatch.setattr(RateWindows, "_look", lambda *args: looks.append(look(*args)))
    for number in range(CLIENTS):
        take(LIMIT, str(number))
    wait(61)
    take(LIMIT, "late")
    assert len(looks) == 2 * (CLIENTS + 1)
    assert len(windows) == CLIENTS + 1 - 2


def test_keys_whose_uses_have_expired_are_dropped(site):
    windows, wait = site
    for number in range(CLIENTS):
        take(LIMIT, str(number))
    assert len(windows) == CLIENTS, "all of them count still"
    wait(61)
    for _ in range(CLIENTS):
        take(LIMIT, "late")
        wait(30)
    assert len(windows) == 1


def test_a_window_moves(site):
    _windows, wait = site
    for _ in range(3):
        take(LIMIT, "ann")
        wait(10)
    with pytest.raises(TooManyError) as refused:
        take(LIMIT, "ann")
    assert refused.value.seconds == 30
    assert limits.is_used_up(LIMIT, "ann")
    wait(30.1)
    assert not limits.is_used_up(LIMIT, "ann")
    take(LIMIT, "ann")
    with pytest.raises(TooManyError):
        take(LIMIT, "ann")


def test_a_refused_use_is_not_counted(site):
    windows, _wait = site
    for _ in range(3):
        take(LIMIT, "ann")
    for _ in range(CLIENTS):
        with pytest.raises(TooManyError):
            take(LIMIT, "ann")
    assert windows.get_moving_window("LIMITER/three/ann/3/1/minute", 3, 60)[1] == 3
