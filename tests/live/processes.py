"""Processes of a site: CPU time and memory, read from ``/proc``, and their suspension."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

WORKER = "antipodes.web.server.worker"


def family_of(pid: int) -> set[int]:
    """Return a process and all its descendants."""
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        try:
            tasks = list(Path(f"/proc/{one}/task").iterdir())
        except OSError:
            continue
        found.add(one)
        for task in tasks:
            with suppress(OSError):  # threads end meanwhile
                waiting += [int(child) for child in (task / "children").read_text().split()]
    return found


def running(pid: int, module: str) -> list[int]:
    """Return the descendants of a process that run a Python module."""
    return sorted(one for one in family_of(pid) if module in _command_of(one))


@contextmanager
def suspended(*pids: int) -> Iterator[None]:
    """Suspend processes for the block."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def cpu_seconds(pids: Iterable[int]) -> float:
    """Return the CPU time that processes, and their children that have ended, have used so far."""
    ticks = 0
    for pid in pids:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))  # user and system time, own and of ended children
    return ticks / os.sysconf("SC_CLK_TCK")


def busy_seconds() -> float:
    """Return the CPU time that all processes of the machine have used so far."""
    user, nice, system, *_ = map(int, Path("/proc/stat").read_text().split()[1:5])
    return (user + nice + system) / os.sysconf("SC_CLK_TCK")


def memory(pids: Iterable[int]) -> float:
    """Return the resident memory of processes, in MiB."""
    total = 0
    for pid in pids:
        try:
            found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
        except OSError:
            continue
        total += int(found[1]) if found else 0
    return total / 1024


def _command_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
