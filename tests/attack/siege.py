"""A site under attack with honest users, measured without an attack and during it."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
import time
import urllib.request
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.attack.attack import Attack, Load
from tests.attack.honest import measure
from tests.live.logs import tracebacks
from tests.live.play import view_of
from tests.live.processes import WORKER, busy_seconds, cpu_seconds, family_of, memory, running
from tests.live.site import Site

P99 = 200.0  # milliseconds; limit for moves of honest users
ANSWER = 5.0  # seconds; limit for answers of level 1
CALM = 6.0  # seconds of play before all attacks
SECONDS = 12.0  # of play during an attack
NOISY = 0.7  # cores; if other programs use more, a failure is measured again
LATE = 50.0  # milliseconds; likewise if this process wakes up later
ATTEMPTS = 3  # at a measurement on a busy machine
ENDING = 15.0  # seconds in which a site stops gracefully
_INTERVAL = 0.5  # seconds between two measurements of the site's usage
_RAMP = 1.5  # seconds in which an attack starts
_IDLE = 0.1  # of a core; usage of an idle site
_STARTING = 300.0  # seconds until the computer answers, with compiling kernels
_SETTLING = 20.0  # seconds until the site is idle
SEEDED = {
    "people": 64,
    "size": 19,
    "control": "unlimited",
    "computers": 24,
    "small": 7,
    "guests": 40,
    "accounts": ["ann", "mallory", *(f"member-{number}" for number in range(10))],
    "large": 1,
    "private": 6,
    "finished": 40,
    "chapters": 64,
}


def seed(folder: Path) -> Any:
    """Create a data folder, which is copied for each site; return the seeded objects."""
    site = Site(folder / "data", folder / "log")
    return site.seed(**SEEDED)


class Siege:
    """A running site that is attacked."""

    def __init__(self, folder: Path, data: Path, seeded: dict[str, Any], **variables: str) -> None:
        """Start a site on a copy of the data folder."""
        shutil.copytree(data, folder / "data")
        (folder / "temporary").mkdir()
        self.site = Site(folder / "data", folder / "log")
        self.temporary = folder / "temporary"
        self.site.set_environment(TRUSTED_PROXIES="1", TMPDIR=str(self.temporary), **variables)
        self.seeded = seeded
        self.tables, self.computers = list(seeded["tables"]), list(seeded["computers"])
        self._checked = 0  # characters of the log
        self.site.start()
        self._settle()
        self.calm = self._measure(CALM)

    def _settle(self) -> None:
        """Wait until the computer has answered in all matches, and until the site is idle."""
        end = time.monotonic() + _STARTING
        for table in self.computers:
            while not view_of(self.site, table["slug"])["moves"]:
                assert time.monotonic() < end, f"no answer of the computer: {self.site.log_text()}"
                time.sleep(0.2)
        end = time.monotonic() + _SETTLING
        before = cpu_seconds(family_of(self.site.pid))
        calm = 0
        while calm < 2 and time.monotonic() < end:
            time.sleep(1)
            now = cpu_seconds(family_of(self.site.pid))
            calm = calm + 1 if now - before < _IDLE else 0
            before = now

    def _measure(self, seconds: float, before: Any = None) -> dict[str, Any]:
        measured = asyncio.run(measure(self.site, self.tables, self.computers, seconds, before))
        return measured.figures()

    def _others(self) -> float:
        """Return the CPU time of all unrelated processes."""
        return busy_seconds() - cpu_seconds(family_of(os.getpid()))

    def attack(self, load: Load, seconds: float = SECONDS, **arguments: object) -> dict[str, Any]:
        """Measure while a load runs; repeat a failed measurement if the machine was busy.

        ``total`` has the attacker's outcomes of all attempts: in a later one, limits are used up.
        """
        found: dict[str, Any] = {}
        total: Counter[str] = Counter()
        for _ in range(ATTEMPTS):
            found = self._attack_once(load, seconds, **arguments)
            total.update(found["counts"])
            if found["p99"] < P99 or not is_noisy(found):
                break
        return {**found, "total": dict(total)}

    def _attack_once(self, load: Load, seconds: float, **arguments: object) -> dict[str, Any]:
        attack = Attack(load, self.site.port, **arguments)

        async def begin() -> None:
            attack.start()
            await asyncio.sleep(_RAMP)

        resident, used, others = self.memory(), self.cpu(), self._others()
        begun = time.monotonic()
        with Watch(self) as watch:
            try:
                found = self._measure(seconds, begin)
                others = (self._others() - others) / (time.monotonic() - begun)
            finally:
                result = attack.stop()
        took = time.monotonic() - begun
        return {
            **found,
            "grown": watch.memory - resident,
            "stored": watch.stored,
            "core": (self.cpu() - used) / took,
            "others": others,
            "attacker": result["core"],
            "counts": result["counts"],
            "calm": self.calm,
        }

    def _web(self) -> set[int]:
        worker = {two for one in running(self.site.pid, WORKER) for two in family_of(one)}
        return family_of(self.site.pid) - worker

    def memory(self) -> float:
        """Return the resident memory of web processes, in MiB."""
        return memory(self._web())

    def cpu(self) -> float:
        """Return the CPU time of web processes, in seconds."""
        return cpu_seconds(self._web())

    def stored(self) -> int:
        """Return the bytes of temporary files, including deleted files that are still open."""
        files = [one for one in self.temporary.rglob("*") if one.is_file()]
        for pid in self._web():
            with suppress(OSError):
                files += [
                    one
                    for one in Path(f"/proc/{pid}/fd").iterdir()
                    if str(one.readlink()).startswith(str(self.temporary))
                ]
        total = 0
        for one in files:
            with suppress(OSError):
                total += one.stat().st_size
        return total

    def is_healthy(self) -> bool:
        """Return whether /healthz responds."""
        try:
            with urllib.request.urlopen(self.site.url("/healthz"), timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def tracebacks(self) -> str:
        """Return the first traceback in the new part of the log and what follows it."""
        text = self.site.log_text()
        new, self._checked = text[self._checked :], len(text)
        return tracebacks(new)


class Watch(threading.Thread):
    """Measures the maximum of a site's memory and temporary files."""

    def __init__(self, siege: Siege) -> None:
        """Measure for the first time."""
        super().__init__(daemon=True)
        self._siege, self._ended = siege, threading.Event()
        self.memory, self.stored = siege.memory(), siege.stored()

    def __enter__(self) -> Watch:
        """Start the thread."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the thread."""
        self._ended.set()
        self.join()

    def run(self) -> None:
        """Measure regularly."""
        while not self._ended.wait(_INTERVAL):
            self.memory = max(self.memory, self._siege.memory())
            self.stored = max(self.stored, self._siege.stored())


def is_noisy(found: dict[str, Any]) -> bool:
    """Return whether the machine was too busy for a measurement."""
    return bool(found["others"] > NOISY or found["delay"] > LATE)


def cannot_tell(found: dict[str, Any]) -> bool:
    """Return whether other programs may be the reason of late moves."""
    limit = P99 + 2 * found["calm"]["p99"]
    return is_noisy(found) and bool(found["p99"] < limit or found["delay"] > P99)


def misses(found: dict[str, Any]) -> list[str]:
    """Return the limits for honest users that were exceeded."""
    missed = []
    if found["p99"] >= P99 and not cannot_tell(found):
        missed.append(f"moves: p99 {found['p99']:.0f} ms")
    if found["answer"] >= ANSWER:
        missed.append(f"level 1 answered in {found['answer']:.1f} s")
    if found["refused"]:
        missed.append(f"refused: {found['refused']}")
    return missed
