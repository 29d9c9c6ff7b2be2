"""WebSocket client of a match, for tests."""

import itertools
import json
from functools import cache

from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from jsonschema import Draft202012Validator

from antipodes.web.api.socket_schemas import socket_schemas
from antipodes.web.project.asgi import SOCKETS

_keys = itertools.count()


@cache
def validator(way):
    """Return a JSON schema validator of the messages that clients or servers send."""
    return Draft202012Validator(socket_schemas()["match"][way])


class Socket:
    """A client connected to a match."""

    def __init__(self, slug, user=None, query=""):
        scope = {
            "type": "websocket",
            "path": f"/m/{slug}/socket",
            "query_string": query.encode(),
            "headers": [],
            "user": user,
        }
        self.wire = ApplicationCommunicator(URLRouter(SOCKETS), scope)

    async def connect(self):
        await self.wire.send_input({"type": "websocket.connect"})
        assert (await self.wire.receive_output(5))["type"] == "websocket.accept"

    async def send(self, text):
        await self.wire.send_input({"type": "websocket.receive", "text": text})

    async def hears(self):
        message = json.loads((await self.wire.receive_output(5))["text"])
        # Every message of every test must follow the published schema.
        validator("told").validate(message)
        return message

    async def hears_of(self, kind):
        """Return the next message of a kind, skipping others."""
        while (message := await self.hears())["type"] != kind:
            pass
        return message

    async def command(self, command, seat=0, ply=0, **details):
        """Send a command with a new key; return the answer."""
        details.setdefault("key", f"command {next(_keys):06}")
        sent = {"command": command, "seat": seat, "ply": ply, **details}
        await self.send(json.dumps(sent))
        while (message := await self.hears()).get("key") != details["key"]:
            pass
        if message["type"] == "done":
            validator("sent").validate(sent)
        return message

    async def is_quiet(self, seconds=0.5):
        """Return whether no message comes for some seconds except presence updates."""
        while not await self.wire.receive_nothing(seconds):
            if (await self.hears())["type"] != "watching":
                return False
        return True

    async def disconnect(self):
        await self.wire.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wire.wait()


async def joined(row, user=None, query=""):
    """Return a connected client and the first match that it received."""
    socket = Socket(row.slug, user, query)
    await socket.connect()
    view = await socket.hears()
    assert [(await socket.hears())["type"] for _ in range(2)] == ["chat", "watching"]
    return socket, view["match"]
