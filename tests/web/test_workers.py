"""Tests of the supervisors of worker and web processes."""

import io
import socket

import pytest

from antipodes.web.server import supervisor
from antipodes.web.server.worker_supervisor import _pause_after


@pytest.mark.parametrize(
    ("failures", "seconds"), [(0, 0.2), (1, 0.2), (2, 1.0), (3, 5.0), (4, 30.0), (50, 30.0)]
)
def test_restarts_are_delayed_by_early_failures(failures, seconds):
    assert _pause_after(failures) == seconds


def test_a_web_process_that_starts_later_knows_which_kernels_are_ready(monkeypatch):
    received = io.StringIO()

    class Process:
        def __init__(self, *_command, **_pipes):
            self.stdin, self.stdout = received, io.StringIO()

    monkeypatch.setattr("antipodes.web.server.supervisor.subprocess.Popen", Process)
    with socket.socket() as listening:
        processes = supervisor.Supervisor(listening, 1)
        processes.report_kernels(None, "hex")
        processes._start()
    [line] = received.getvalue().splitlines()
    assert "hex" in line
