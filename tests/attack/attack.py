"""An attack: a load from one address, made by a process for a limited time.

    python -m tests.attack.attack MODULE FUNCTION PORT JSON

A load is an asynchronous function of a :class:`Target` that runs until it is cancelled.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import websockets

from tests.attack.client import ATTACKER, Connection

ROOT = Path(__file__).parents[2]
_NICE = 5  # the site has priority, as if attackers were other machines
_TIMEOUT = 20.0  # seconds until the process ends
_PAUSE = 0.02  # seconds after a lost connection
_MAX_FILES = 8_192

Load = Callable[..., Awaitable[None]]


class Target:
    """The site under attack, with counts of the outcomes of requests."""

    def __init__(self, port: int) -> None:
        """Create the target without counts."""
        self.port = port
        self.counts: Counter[str] = Counter()

    async def repeat(self, make: Callable[[int], bytes], connections: int) -> None:
        """Send requests over some connections, each as fast as responses arrive.

        Args:
            make: returns the next request, given its number.
            connections: number of connections.
        """
        sent = iter(range(10**9))

        async def hammer() -> None:
            connection = Connection(self.port)
            while True:
                try:
                    self.counts[str(await connection.send(make(next(sent))))] += 1
                except OSError:
                    self.counts["connection lost"] += 1
                    connection.close()
                    await asyncio.sleep(_PAUSE)

        await asyncio.gather(*(hammer() for _ in range(connections)))

    def socket(self, path: str, cookie: str | None = None) -> Any:
        """Return a WebSocket to the site, to be awaited."""
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "X-Forwarded-For": ATTACKER}
        if cookie is not None:
            headers["Cookie"] = f"sessionid={cookie}"
        return websockets.connect(
            f"ws://127.0.0.1:{self.port}{path}",
            additional_headers=headers,
            compression=None,
            open_timeout=30,
            ping_interval=None,
            close_timeout=1,
        )


class Attack:
    """A load in a process of its own."""

    def __init__(self, load: Load, port: int, **given: object) -> None:
        """Prepare the attack without starting it."""
        name = str(getattr(load, "__name__", load))
        self.module, self.function, self.port, self.given = load.__module__, name, port, given
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the process."""
        arguments = [self.module, self.function, str(self.port), json.dumps(self.given)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.attack.attack", *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )

    def stop(self) -> dict[str, Any]:
        """Stop; return the counts, and the share of a core that the load has used."""
        process, self._process = self._process, None
        assert process is not None
        process.send_signal(signal.SIGTERM)
        try:
            output, _ = process.communicate(timeout=_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
        assert output, f"{self.function} ended by {process.returncode} without output"
        found: dict[str, Any] = json.loads(output.splitlines()[-1])
        return found


def main() -> None:
    """Run a load until SIGTERM; print its counts."""
    module, function, port, given = sys.argv[1:]
    os.nice(_NICE)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(_MAX_FILES, hard), hard))
    target = Target(int(port))
    begun = time.monotonic()

    def end(*_: object) -> None:
        core = time.process_time() / (time.monotonic() - begun)
        line = json.dumps({"counts": dict(target.counts), "core": core})
        os.write(1, f"{line}\n".encode())
        os._exit(0)  # without closing a thousand connections

    signal.signal(signal.SIGTERM, end)
    asyncio.run(getattr(import_module(module), function)(target, **json.loads(given)))
    signal.pause()


if __name__ == "__main__":
    main()
