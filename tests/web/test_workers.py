"""Tests of the restarts of the worker process."""

import pytest

from antipodes.web.server.worker_supervisor import _pause_after


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 0.2), (1, 0.2), (2, 1.0), (3, 5.0), (4, 30.0), (50, 30.0)]
)
def test_restarts_are_delayed_by_early_failures(failures, seconds):
    assert _pause_after(failures) == seconds
