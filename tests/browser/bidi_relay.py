#!/usr/bin/env python
"""Start Firefox for Playwright, and answer for it commands of WebDriver BiDi that it lacks.

Playwright drives a usual Firefox by WebDriver BiDi, and begins each context with a command that
Firefox does not know yet. This program stands in for the browser: it starts it with the same
arguments, tells of another address, and relays all other messages between the two.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from typing import Any

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve

LACKING = {"emulation.setMediaFeaturesOverride"}
_ADDRESS = re.compile(rb"WebDriver BiDi listening on (ws://\S+)")
_UNLIMITED: dict[str, Any] = {"max_size": None, "compression": None, "ping_interval": None}


def answer(message: str | bytes) -> str | None:
    """Return an empty success for a command that Firefox lacks, else ``None``."""
    command = json.loads(message)
    if command.get("method") not in LACKING:
        return None
    return json.dumps({"type": "success", "id": command["id"], "result": {}})


async def run(browser: str, arguments: list[str]) -> int:
    """Run the browser until it ends; return its exit status."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(browser, *arguments, stderr=pipe)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, process.terminate)
    address = ""

    async def relay(client: ServerConnection) -> None:
        assert client.request is not None
        async with connect(address + client.request.path, **_UNLIMITED) as firefox:

            async def forward() -> None:
                async for message in client:
                    made = answer(message)
                    await (firefox.send(message) if made is None else client.send(made))

            async def back() -> None:
                async for message in firefox:
                    await client.send(message)

            await asyncio.wait(
                map(asyncio.ensure_future, (forward(), back())),
                return_when=asyncio.FIRST_COMPLETED,
            )

    async with serve(relay, "127.0.0.1", 0, **_UNLIMITED) as server:
        port = server.sockets[0].getsockname()[1]
        assert process.stderr is not None
        async for line in process.stderr:
            told = _ADDRESS.search(line)
            if told is not None:
                address = told[1].decode()
            ours = f"WebDriver BiDi listening on ws://127.0.0.1:{port}".encode()
            sys.stderr.buffer.write(_ADDRESS.sub(ours, line))
            sys.stderr.flush()
        return await process.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(run(os.environ["ANTIPODES_FIREFOX"], sys.argv[1:])))
