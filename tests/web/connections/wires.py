"""WebSockets and streams as a server sees them, through the whole ASGI application."""

import asyncio
import json
from http.cookies import SimpleCookie
from typing import Any

from asgiref.testing import ApplicationCommunicator
from django.test import AsyncClient

from antipodes.web.project.asgi import application

HOST = "localhost"
ORIGIN = f"http://{HOST}"
PATIENCE = 10  # seconds

EXTENSIONS: dict[str, Any] = {"websocket.http.response": {}}


def cookies_of(client):
    """Return the header with which a browser tells its session."""
    morsels: SimpleCookie = client.cookies
    return "; ".join(f"{name}={morsel.value}" for name, morsel in morsels.items())


class Wire:
    """A WebSocket from its handshake to its end."""

    def __init__(self, path, *, client=None, address="192.0.2.7", **headers):
        given = {"host": HOST, "origin": ORIGIN, **headers}
        if client is not None:
            given["cookie"] = cookies_of(client)
        scope = {
            "type": "websocket",
            "scheme": "ws",
            "path": path,
            "query_string": b"",
            "client": (address, 40_000),
            "server": (HOST, 80),
            "headers": [(name.encode(), value.encode()) for name, value in given.items() if value],
            "extensions": EXTENSIONS,
        }
        self.wire = ApplicationCommunicator(application, scope)
        self.told = []

    async def shake_hands(self):
        """Return the answer to the handshake: 101, or the status of the refusal."""
        await self.wire.send_input({"type": "websocket.connect"})
        answer = await self.wire.receive_output(PATIENCE)
        if answer["type"] == "websocket.accept":
            return 101
        return answer.get("status", 403)

    async def say(self, **message):
        await self.wire.send_input({"type": "websocket.receive", "text": json.dumps(message)})

    async def settles(self):
        """Read what is told until nothing comes for a moment."""
        while not await self.wire.receive_nothing(0.1):
            await self._read()

    async def _read(self):
        message = await self.wire.receive_output(PATIENCE)
        if message["type"] == "websocket.close":
            return message["code"]
        self.told.append(json.loads(message["text"]))
        return None

    async def hears(self, is_wanted):
        """Return the next message of a kind, which may have come already."""
        async with asyncio.timeout(PATIENCE):
            while not (found := [one for one in self.told if is_wanted(one)]):
                assert await self._read() is None
        return found[-1]

    async def code(self):
        """Return the code with which the site closes it."""
        async with asyncio.timeout(PATIENCE):
            while (code := await self._read()) is None:
                pass
        await self.wire.wait(PATIENCE)
        return code

    async def leave(self):
        await self.wire.send_input({"type": "websocket.disconnect", "code": 1001})
        await self.wire.wait(PATIENCE)


class FarClient(AsyncClient):
    """A program on another machine."""

    def __init__(self, address):
        super().__init__()
        self.address = address

    def _base_scope(self, **request):
        return {**super()._base_scope(**request), "client": (self.address, 40_000)}  # type: ignore[misc]


class Stream:
    """A stream of the interface for programs."""

    def __init__(self, path, token, client):
        self.path, self.token, self.client = path, token, client
        self.told = []

    async def open(self):
        """Return the status of the answer."""
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        answer = await self.client.get(self.path, headers=headers)
        if answer.status_code == 200:
            self.answer = answer
            self.lines = aiter(answer.streaming_content)
            self.told.append(json.loads(await anext(self.lines)))
        return answer.status_code

    async def end(self):
        """Return all lines until the site ends the stream."""
        async with asyncio.timeout(PATIENCE):
            self.told += [json.loads(line) async for line in self.lines]
        return self.told

    async def leave(self):
        await self.answer._iterator.aclose()
