"""The process that thinks is started again when it dies: at once first, then less and less soon."""

import pytest

from antipodes.web.server.worker_supervisor import _pause_after


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 0.2), (1, 0.2), (2, 1.0), (3, 5.0), (4, 30.0), (50, 30.0)]
)
def test_a_process_that_had_lived_long_is_started_again_at_once(failures, seconds):
    assert _pause_after(failures) == seconds
