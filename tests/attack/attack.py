"""An attack: a load from one address, made by one niced process for a bounded time.

    python -m tests.attack.attack MODULE FUNCTION PORT JSON

A load is an asynchronous function of a :class:`Target` that goes on until it is cancelled.
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
_NICE = 5  # attackers are other machines: what this one has goes to the site first
_PATIENCE = 20.0  # seconds that the process may take to end
_PAUSE = 0.02  # seconds after a lost connection
_MOST_FILES = 8_192

Load = Callable[..., Awaitable[None]]


class Target:
    """The site as its attackers see it, and what became of what they did."""

    def __init__(self, port: int) -> None:
        """Count nothing yet."""
        self.port = port
        self.counts: Counter[str] = Counter()

    async def again_and_again(self, make: Callable[[int], bytes], connections: int) -> None:
        """Send requests over some connections, each as fast as the answers come.

        Args:
            make: returns the next request, of the number of those before it.
            connections: at the same time.
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
        """Connect to a socket of the site."""
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
        """Prepare; nothing runs before :meth:`start`."""
        name = str(getattr(load, "__name__", load))
        self.module, self.function, self.port, self.given = load.__module__, name, port, given
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Begin."""
        arguments = [self.module, self.function, str(self.port), json.dumps(self.given)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.attack.attack", *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )

    def stop(self) -> dict[str, Any]:
        """End; return what was counted, and the share of a core that the load has used."""
        process, self._process = self._process, None
        assert process is not None
        process.send_signal(signal.SIGTERM)
        try:
            told, _ = process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            told, _ = process.communicate()
        assert told, f"{self.function} ended by {process.returncode} and told nothing"
        found: dict[str, Any] = json.loads(told.splitlines()[-1])
        return found


def main() -> None:
    """Run a load until SIGTERM; print what became of it."""
    module, function, port, given = sys.argv[1:]
    os.nice(_NICE)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(_MOST_FILES, hard), hard))
    target = Target(int(port))
    begun = time.monotonic()

    def end(*_: object) -> None:
        core = time.process_time() / (time.monotonic() - begun)
        told = json.dumps({"counts": dict(target.counts), "core": core})
        os.write(1, f"{told}\n".encode())
        os._exit(0)  # a thousand open connections need not say goodbye

    signal.signal(signal.SIGTERM, end)
    asyncio.run(getattr(import_module(module), function)(target, **json.loads(given)))
    signal.pause()


if __name__ == "__main__":
    main()
