"""CPU time of processes, which other tests and benchmarks measure."""

import os
import subprocess
import sys

from tests.live.processes import cpu_seconds


def test_time_of_children_that_have_ended_stays_counted():
    subprocess.run([sys.executable, "-c", "sum(range(5_000_000))"], check=True)
    used = os.times()
    tick = 1 / os.sysconf("SC_CLK_TCK")
    assert used.children_user + used.children_system > 0
    assert cpu_seconds([os.getpid()]) >= sum(used[:4]) - 4 * tick
