"""The socket of an event tells its viewers of each change."""

import json
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.db import database_sync_to_async
from channels.routing import URLRouter

from antipodes.web.accounts.models import User
from antipodes.web.project.asgi import SOCKETS
from antipodes.web.tournaments import services
from antipodes.web.tournaments.models import TournamentRow

pytestmark = pytest.mark.django_db(transaction=True)


def scope_of(slug) -> dict[str, Any]:
    """Return the connection of a viewer of an event."""
    return {
        "type": "websocket",
        "path": f"/tournament/{slug}/socket",
        "query_string": b"",
        "headers": [],
        "user": None,
    }


async def test_a_viewer_hears_of_a_change(make_event):
    row = await database_sync_to_async(make_event)()
    wire = ApplicationCommunicator(URLRouter(SOCKETS), scope_of(row.slug))

    async def hears():
        return json.loads((await wire.receive_output(5))["text"])

    await wire.send_input({"type": "websocket.connect"})
    assert (await wire.receive_output(5))["type"] == "websocket.accept"
    assert await hears() == {"version": 1}
    user = await database_sync_to_async(User.objects.create)(username="ann")
    await database_sync_to_async(services.join)(row.pk, user)
    assert await hears() == {"version": 2}
    await wire.send_input({"type": "websocket.disconnect", "code": 1000})
    await wire.wait()


async def test_a_viewer_of_an_event_that_they_may_not_see_is_told_that_there_is_none(make_event):
    row = await database_sync_to_async(make_event)()
    await database_sync_to_async(TournamentRow.objects.update)(is_private=True)
    wire = ApplicationCommunicator(URLRouter(SOCKETS), scope_of(row.slug))
    await wire.send_input({"type": "websocket.connect"})
    assert (await wire.receive_output(5))["type"] == "websocket.accept"
    assert (await wire.receive_output(5))["code"] == 4404
    await wire.send_input({"type": "websocket.disconnect", "code": 4404})
    await wire.wait()


async def test_a_viewer_of_no_event_is_told_that_there_is_none():
    wire = ApplicationCommunicator(URLRouter(SOCKETS), scope_of("nowhere"))
    await wire.send_input({"type": "websocket.connect"})
    assert (await wire.receive_output(5))["type"] == "websocket.accept"
    closed = await wire.receive_output(5)
    assert (closed["type"], closed["code"]) == ("websocket.close", 4404)
    assert await wire.receive_nothing()
    await wire.send_input({"type": "websocket.disconnect", "code": 4404})
    await wire.wait()
