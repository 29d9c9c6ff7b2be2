"""Measure the CPU time of WebSocket handshakes of a running site.

    python bench/handshakes.py
    python bench/handshakes.py --sockets 500 --rounds 3

Each round opens one socket of each player, reads the match, and closes all sockets; afterwards the
same with clients that leave as soon as they have sent their request. The lines have the CPU time of
the web process, divided by the number of sockets. The first round also reads the matches from the
database, as after a restart.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.live.play import open_socket
from tests.live.processes import WORKER, cpu_seconds, family_of, running
from tests.live.site import Site

CONNECTING = 50  # sockets that connect at the same time
MESSAGES = 3  # match, chat and audience


def _web(site: Site) -> set[int]:
    worker = {two for one in running(site.pid, WORKER) for two in family_of(one)}
    return family_of(site.pid) - worker


async def _connect(site: Site, tables: list[dict[str, Any]]) -> float:
    """Connect all players; return the CPU seconds of a handshake, with the first messages."""
    gate = asyncio.Semaphore(CONNECTING)

    async def connect(slug: str, cookie: str, number: int) -> Any:
        async with gate:
            address = f"198.18.{number // 250}.{number % 250 + 1}"
            socket = await open_socket(site, slug, cookie, address, compression=None)
            for _ in range(MESSAGES):
                await socket.recv()
            return socket

    players = [(table["slug"], cookie) for table in tables for cookie in table["cookies"]]
    before = cpu_seconds(_web(site))
    sockets = await asyncio.gather(
        *(connect(slug, cookie, number) for number, (slug, cookie) in enumerate(players))
    )
    used = cpu_seconds(_web(site)) - before
    await asyncio.gather(*(socket.close() for socket in sockets))
    return used / len(players)


async def _give_up(site: Site, tables: list[dict[str, Any]]) -> float:
    """Send handshakes and leave at once; return the CPU seconds of each."""
    players = [(table["slug"], cookie) for table in tables for cookie in table["cookies"]]
    before = cpu_seconds(_web(site))
    for number, (slug, cookie) in enumerate(players):
        _reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        lines = (
            f"GET /m/{slug}/socket HTTP/1.1",
            f"Host: 127.0.0.1:{site.port}",
            f"Origin: http://127.0.0.1:{site.port}",
            f"Cookie: sessionid={cookie}",
            f"X-Forwarded-For: 198.19.{number // 250}.{number % 250 + 1}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        )
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        await writer.drain()
        writer.transport.abort()
    await asyncio.sleep(2)  # until the site has noticed all of them
    return (cpu_seconds(_web(site)) - before) / len(players)


def main() -> None:
    """Start a site, measure, and print a line for each round."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sockets", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder) / "data", Path(folder) / "log")
        site.set_environment(TRUSTED_PROXIES="1")
        tables = site.seed(people=options.sockets, computers=0)["tables"]
        site.start()
        time.sleep(15)  # until everything is loaded
        try:
            for number in range(1, options.rounds + 1):
                used = asyncio.run(_connect(site, tables))
                print(f"round {number}: {1000 * used:.2f} ms of CPU a handshake", flush=True)
            used = asyncio.run(_give_up(site, tables))
            print(f"clients that leave at once: {1000 * used:.2f} ms of CPU", flush=True)
        finally:
            site.terminate()


if __name__ == "__main__":
    main()
