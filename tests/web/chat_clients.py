"""Clients of chats outside matches."""

import json

from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from jsonschema import Draft202012Validator

from antipodes.web.api.socket_schemas import socket_schemas
from antipodes.web.lobby.chat import chat_of_lobby
from antipodes.web.project.asgi import SOCKETS


class Visitor:
    """A client connected to the chat of the lobby or an event."""

    def __init__(self, user=None, path="/lobby/socket"):
        scope = {"type": "websocket", "path": path, "query_string": b"", "headers": []}
        self.wire = ApplicationCommunicator(URLRouter(SOCKETS), {**scope, "user": user})
        self.sent = 0

    async def connect(self):
        await self.wire.send_input({"type": "websocket.connect"})
        assert (await self.wire.receive_output(5))["type"] == "websocket.accept"
        return await self.wire.receive_output(5)

    async def hears(self):
        message = json.loads((await self.wire.receive_output(5))["text"])
        Draft202012Validator(socket_schemas()["lobby"]["told"]).validate(message)
        return message

    async def says(self, text, **more):
        self.sent += 1
        key = f"a key number {self.sent}"
        message = {"command": "chat", "key": key, "text": text, **more}
        await self.wire.send_input({"type": "websocket.receive", "text": json.dumps(message)})
        while (answer := await self.hears())["type"] not in {"done", "refused"}:
            pass
        assert answer["key"] == key
        return answer


def texts(message):
    return [line["text"] for line in message["lines"]]


def lobby_chat():
    """Return the chat of the lobby, which the test has switched on."""
    place = chat_of_lobby()
    assert place is not None
    return place
