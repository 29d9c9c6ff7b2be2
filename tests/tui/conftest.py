"""Fixtures of the tests of the full-screen program."""

import pytest
from textual import _wait


@pytest.fixture(autouse=True)
def _pilot_looks_often(monkeypatch):
    """Let the pilot look every 4 ms, instead of 20, whether the program has become idle."""
    monkeypatch.setattr(_wait, "SLEEP_GRANULARITY", 1 / 250)
    monkeypatch.setattr(_wait, "SLEEP_IDLE", 1 / 2_500)
