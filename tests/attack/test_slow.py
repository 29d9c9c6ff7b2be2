"""Slow clients: headers and bodies that never end, and idle connections."""

import asyncio

from tests.attack.attack import Target
from tests.attack.client import Connection, head

CONNECTIONS = 500
_PAUSE = 1.0  # seconds between two bytes


async def _hold(target: Target, start: bytes, drip: bytes, count: int) -> None:
    """Begin requests and send them slowly, byte by byte; open closed connections again."""

    async def drag() -> None:
        while True:
            connection = Connection(target.port)
            try:
                reader, writer = await connection.open()
                target.counts["opened"] += 1
                writer.write(start)
                while not reader.at_eof():
                    await asyncio.sleep(_PAUSE)
                    writer.write(drip)
                    await writer.drain()
                target.counts["closed by the site"] += 1
            except OSError as error:
                target.counts[type(error).__name__] += 1
            connection.close()
            await asyncio.sleep(_PAUSE)

    await asyncio.gather(*(drag() for _ in range(count)))


async def slow_headers(target: Target, count: int) -> None:
    """Send a header byte by byte."""
    start = head("GET", "/lobby/").removesuffix(b"\r\n\r\n") + b"\r\nX-Slow: "
    await _hold(target, start, b"x", count)


async def slow_bodies(target: Target, count: int, path: str) -> None:
    """Send a body byte by byte."""
    headers = {
        "Content-Length": "10000",
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"csrftoken={'a' * 32}",
        "X-CSRFToken": "a" * 32,
    }
    await _hold(target, head("POST", path, headers), b"x", count)


async def idle_connections(target: Target, count: int) -> None:
    """Send one request and keep the connection."""

    async def idle() -> None:
        while True:
            connection = Connection(target.port)
            try:
                target.counts[str(await connection.send(head("GET", "/healthz")))] += 1
                reader, _ = await connection.open()
                await reader.read()
                target.counts["closed by the site"] += 1
            except OSError as error:
                target.counts[type(error).__name__] += 1
            connection.close()
            await asyncio.sleep(_PAUSE)

    await asyncio.gather(*(idle() for _ in range(count)))


def test_slow_headers(withstand):
    withstand(slow_headers, count=CONNECTIONS)


def test_slow_bodies_of_pages(withstand):
    withstand(slow_bodies, count=CONNECTIONS, path="/theme")


def test_slow_bodies_of_the_api(withstand):
    withstand(slow_bodies, count=CONNECTIONS, path="/api/v1/challenges")


def test_idle_connections(withstand):
    withstand(idle_connections, count=CONNECTIONS)
