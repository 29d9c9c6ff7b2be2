"""Floods of connections, streams and messages."""

import asyncio
import json

import websockets

from tests.attack.attack import Target
from tests.attack.client import Connection, api

SOCKETS = 1_000
STREAMS = 400
VISITORS = 40  # that connect and disconnect at the same time
SENDING = 20  # sockets that send as fast as they can
_OPENING = 50  # connections that are opened at the same time


async def open_sockets(target: Target, slug: str, count: int) -> None:
    """Open sockets of a match without signing in, and keep them; open refused ones again."""
    gate = asyncio.Semaphore(_OPENING)

    async def visit() -> None:
        while True:
            try:
                async with gate:
                    socket = await target.socket(f"/m/{slug}/socket")
                target.counts["opened"] += 1
                async for _ in socket:
                    pass
                target.counts[f"closed {socket.close_code}"] += 1
            except (OSError, websockets.WebSocketException) as error:
                target.counts[type(error).__name__] += 1
            await asyncio.sleep(1)

    await asyncio.gather(*(visit() for _ in range(count)))


async def open_streams(target: Target, token: str, count: int) -> None:
    """Open event streams with one token, and keep them; open refused ones again."""

    async def listen() -> None:
        while True:
            connection = Connection(target.port)
            try:
                is_first = True
                async for piece in connection.stream(api("GET", "/stream/events", token)):
                    if is_first:
                        target.counts[piece.decode()] += 1
                    is_first = False
            except (OSError, EOFError) as error:
                target.counts[type(error).__name__] += 1
            connection.close()
            await asyncio.sleep(1)

    await asyncio.gather(*(listen() for _ in range(count)))


async def reconnect(target: Target, slug: str, count: int) -> None:
    """Connect to a match and disconnect at once, repeatedly."""

    async def visit() -> None:
        while True:
            try:
                socket = await target.socket(f"/m/{slug}/socket")
                target.counts["connected"] += 1
                await socket.close()
            except (OSError, websockets.WebSocketException) as error:
                target.counts[type(error).__name__] += 1
                await asyncio.sleep(0.1)

    await asyncio.gather(*(visit() for _ in range(count)))


async def flood(target: Target, slug: str, cookies: list[str], large: bool) -> None:
    """Send messages to a match as fast as the server reads them."""
    text = json.dumps({"command": "chat", "key": "k", "text": "x" * (200_000 if large else 20)})

    async def send(cookie: str) -> None:
        while True:
            try:
                async with target.socket(f"/m/{slug}/socket", cookie) as socket:
                    reading = asyncio.ensure_future(_discard(socket))
                    try:
                        while True:
                            await socket.send(text)
                            target.counts["sent"] += 1
                    finally:
                        reading.cancel()
            except websockets.ConnectionClosed as closed:
                target.counts[f"closed {closed.rcvd.code if closed.rcvd else 1006}"] += 1
            except (OSError, websockets.WebSocketException) as error:
                target.counts[type(error).__name__] += 1
            await asyncio.sleep(0.5)

    await asyncio.gather(*(send(cookie) for cookie in cookies))


async def _discard(socket) -> None:
    async for _ in socket:
        pass


def test_a_thousand_sockets_of_one_address(siege, withstand):
    withstand(open_sockets, slug=siege.seeded["large"][0]["slug"], count=SOCKETS)


def test_four_hundred_streams_of_one_token(siege, withstand):
    withstand(open_streams, token=siege.seeded["accounts"][1]["token"], count=STREAMS)


def test_clients_that_disconnect_at_once(siege, withstand):
    withstand(reconnect, slug=siege.seeded["large"][0]["slug"], count=VISITORS)


def test_messages_as_fast_as_possible(siege, withstand):
    cookies = [one["cookie"] for one in siege.seeded["guests"][:SENDING]]
    withstand(flood, slug=siege.seeded["large"][0]["slug"], cookies=cookies, large=False)


def test_large_messages_as_fast_as_possible(siege, withstand):
    cookies = [one["cookie"] for one in siege.seeded["guests"][:SENDING]]
    withstand(flood, slug=siege.seeded["large"][0]["slug"], cookies=cookies, large=True)
