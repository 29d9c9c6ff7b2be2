"""WebSocket and stream clients of the whole ASGI application."""

import asyncio
import json
from http.cookies import SimpleCookie
from typing import Any

from asgiref.testing import ApplicationCommunicator
from django.test import AsyncClient

from antipodes.web.project.asgi import application

HOST = "localhost"
ORIGIN = f"http://{HOST}"
TIMEOUT = 10  # seconds

EXTENSIONS: dict[str, Any] = {"websocket.http.response": {}}


def cookies_of(client):
    """Return the Cookie header of a browser."""
    morsels: SimpleCookie = client.cookies
    return "; ".join(f"{name}={morsel.value}" for name, morsel in morsels.items())


class Wire:
    """A client of a WebSocket."""

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
        """Return the status of the handshake: 101, or that of the refusal."""
        await self.wire.send_input({"type": "websocket.connect"})
        response = await self.wire.receive_output(TIMEOUT)
        if response["type"] == "websocket.accept":
            return 101
        return response.get("status", 403)

    async def say(self, **message):
        await self.wire.send_input({"type": "websocket.receive", "text": json.dumps(message)})

    async def settles(self):
        """Read messages until none comes for a moment."""
        while not await self.wire.receive_nothing(0.1):
            await self._read()

    async def _read(self):
        message = await self.wire.receive_output(TIMEOUT)
        if message["type"] == "websocket.close":
            return message["code"]
        self.told.append(json.loads(message["text"]))
        return None

    async def hears(self, is_wanted):
        """Return the latest message that fulfils a condition; wait for one if there is none."""
        async with asyncio.timeout(TIMEOUT):
            while not (found := [one for one in self.told if is_wanted(one)]):
                assert await self._read() is None
        return found[-1]

    async def code(self):
        """Return the close code of the site."""
        async with asyncio.timeout(TIMEOUT):
            while (code := await self._read()) is None:
                pass
        await self.wire.wait(TIMEOUT)
        return code

    async def leave(self):
        await self.wire.send_input({"type": "websocket.disconnect", "code": 1001})
        await self.wire.wait(TIMEOUT)


class FarClient(AsyncClient):
    """A client on another machine."""

    def __init__(self, address):
        super().__init__()
        self.address = address

    def _base_scope(self, **request):
        return {**super()._base_scope(**request), "client": (self.address, 40_000)}  # type: ignore[misc]


class Stream:
    """A client of an event stream of the API."""

    def __init__(self, path, token, client):
        self.path, self.token, self.client = path, token, client
        self.told = []

    async def open(self):
        """Return the status of the response."""
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        response = await self.client.get(self.path, headers=headers)
        if response.status_code == 200:
            self.response = response
            self.lines = aiter(response.streaming_content)
            self.told.append(json.loads(await anext(self.lines)))
        return response.status_code

    async def end(self):
        """Return all lines until the site ends the stream."""
        async with asyncio.timeout(TIMEOUT):
            self.told += [json.loads(line) async for line in self.lines]
        return self.told

    async def leave(self):
        await self.response._iterator.aclose()
