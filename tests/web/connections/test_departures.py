"""Tests of clients that disconnect at any moment."""

import asyncio
from contextlib import suppress

import pytest
from asgiref.sync import sync_to_async
from uvicorn.protocols.utils import ClientDisconnected

from antipodes.match import Play
from antipodes.web.accounts.services import transfer_guest
from antipodes.web.connections import registry
from antipodes.web.matches.services import carry_out
from antipodes.web.project.asgi import application
from tests.web.connections.wires import HOST, ORIGIN, Wire, cookies_of

pytestmark = pytest.mark.django_db(transaction=True)

MESSAGES = 5  # that a socket of a match sends at its start, the handshake included


def scope_of(path, client):
    headers = {"host": HOST, "origin": ORIGIN, "cookie": cookies_of(client)}
    return {
        "type": "websocket",
        "scheme": "ws",
        "path": path,
        "query_string": b"",
        "client": ("192.0.2.7", 40_000),
        "server": (HOST, 80),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }


async def leave_after(sent, scope, error, *, then=None):
    """Serve a client that disconnects after a number of messages; sending then raises an error."""
    left = asyncio.Event()
    received = 0

    async def send(message):
        nonlocal sent
        if not sent:
            left.set()
            raise error
        sent -= 1

    async def receive():
        nonlocal received
        received += 1
        if received == 1:
            return {"type": "websocket.connect"}
        if then is not None and received == 2:
            await sync_to_async(then)()
        with suppress(TimeoutError):
            await asyncio.wait_for(left.wait(), 0.1)
        return {"type": "websocket.disconnect", "code": 1006}

    await application(scope, receive, send)


@pytest.mark.parametrize(
    "error", [ClientDisconnected(), RuntimeError("after sending 'websocket.close'")], ids=repr
)
@pytest.mark.parametrize("sent", range(MESSAGES))
async def test_a_client_may_disconnect_before_any_message(row, signed_in, caplog, sent, error):
    client = await sync_to_async(signed_in)()
    for path in (f"/m/{row.slug}/socket", "/notices/socket", "/m/nowhere/socket"):
        await leave_after(sent, scope_of(path, client), error)
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_client_may_disconnect_when_a_move_is_sent(row, signed_in, caplog):
    client = await sync_to_async(signed_in)()
    move = Play(seat=0, ply=0, key="12345678", move=4)
    scope = scope_of(f"/m/{row.slug}/socket", client)
    await leave_after(
        MESSAGES - 1, scope, ClientDisconnected(), then=lambda: carry_out(row.slug, move)
    )
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_guest_may_disconnect_while_becoming_an_account(row, people, signed_in, caplog):
    people[0].is_guest = True
    await people[0].asave()
    socket = Wire(f"/m/{row.slug}/socket", client=await sync_to_async(signed_in)())
    assert await socket.shake_hands() == 101
    await socket.settles()
    # As before the message and the periodic check.
    connection = registry.open_connections()[0]
    connection.credentials = None
    await sync_to_async(carry_out)(row.slug, Play(seat=0, ply=0, key="12345678", move=4))
    await socket.settles()
    await sync_to_async(transfer_guest)(people[0], people[3])
    await socket.leave()
    assert not [record for record in caplog.records if record.exc_info]
