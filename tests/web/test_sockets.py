"""Laws of the sockets of matches."""

import json

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter

from antipodes.web.asgi import _SOCKETS

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def row(begin):
    """A match of Hex between two people."""
    return begin(size=3)


class Socket:
    """A browser's end of a socket."""

    def __init__(self, slug, user=None):
        scope = {"type": "websocket", "path": f"/m/{slug}/socket", "headers": [], "user": user}
        self.wire = ApplicationCommunicator(URLRouter(_SOCKETS), scope)

    async def connect(self):
        await self.wire.send_input({"type": "websocket.connect"})
        assert (await self.wire.receive_output(5))["type"] == "websocket.accept"

    async def send(self, text):
        await self.wire.send_input({"type": "websocket.receive", "text": text})

    async def hears(self):
        return json.loads((await self.wire.receive_output(5))["text"])

    async def disconnect(self):
        await self.wire.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wire.wait()


async def joined(row, user=None):
    """Return a socket that has been told how the match stands, and what it was told."""
    socket = Socket(row.slug, user)
    await socket.connect()
    view = await socket.hears()
    assert [(await socket.hears())["type"] for _ in range(2)] == ["chat", "watching"]
    return socket, view["match"]


async def test_a_move_is_acknowledged_and_everybody_is_told(row, people):
    player, view = await joined(row, people[0])
    watcher, _ = await joined(row)
    assert view["own"] == [0]
    command = {"command": "play", "seat": 0, "ply": 0, "key": "12345678", "move": 4}
    await player.send(json.dumps(command))
    answers = [await player.hears(), await player.hears()]
    assert {"type": "done", "key": "12345678"} in answers
    news = await watcher.hears()
    assert [move["text"] for move in news["match"]["moves"]] == ["b2"]
    for socket in (player, watcher):
        await socket.disconnect()


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("no JSON", "match/message"),
        ("[]", "match/message"),
        ("[" * 50_000, "match/message"),
        ("x" * 100_000, "match/message"),
        ('{"seat": 0, "ply": 0, "key": "12345678"}', "match/message"),
        ('{"command": "play", "seat": 0, "ply": 0, "key": "12345678"}', "match/message"),
        ('{"command": "play", "seat": 0.5, "ply": 0, "key": "12345678"}', "match/message"),
        ('{"command": "offer", "seat": 0, "ply": 0, "key": "12345678"}', "match/message"),
        ('{"command": "resign", "seat": 0, "ply": 0, "key": ""}', "match/message"),
        ('{"command": "resign", "seat": 1, "ply": 0, "key": "12345678"}', "match/not-your-seat"),
        ('{"command": "play", "seat": 0, "ply": 0, "key": "12345678", "move": 99}', "move/"),
    ],
)
async def test_what_is_wrong_is_refused_with_a_code(row, people, message, code):
    socket, _ = await joined(row, people[0])
    await socket.send(message)
    answer = await socket.hears()
    assert answer["type"] == "refused"
    assert answer["code"].startswith(code)
    await socket.disconnect()


async def test_nobody_moves_for_another(row, people):
    socket, _ = await joined(row, people[2])
    command = {"command": "play", "seat": 0, "ply": 0, "key": "12345678", "move": 4}
    await socket.send(json.dumps(command))
    assert (await socket.hears())["code"] == "match/not-your-seat"
    await socket.disconnect()


async def test_a_match_that_is_not_there_closes_the_socket(db):
    socket = Socket("nowhere")
    await socket.connect()
    assert (await socket.wire.receive_output())["code"] == 4404
