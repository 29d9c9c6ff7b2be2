"""Authors of masked texts are told, on pages, by the API and by sockets."""

import json

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from django.urls import reverse

from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.project.asgi import SOCKETS
from antipodes.web.studies.models import EditRow
from tests.web.matches.sockets import joined
from tests.web.studies.conftest import make_study
from tests.web.studies.test_sockets import Writer

__all__ = ["make_study"]

SECRET = "mt-abcdefghij234567abcdefghij"
TOLD = "In what you wrote to others, *** stands for a token."


class Bell:
    """A page of a user that shows the bell."""

    def __init__(self, user):
        scope = {"type": "websocket", "path": "/notices/socket", "query_string": b"language=en"}
        application = URLRouter(SOCKETS)
        self.wire = ApplicationCommunicator(application, {**scope, "headers": [], "user": user})

    async def connect(self):
        await self.wire.send_input({"type": "websocket.connect"})
        assert (await self.wire.receive_output(5))["type"] == "websocket.accept"
        assert await self.hears() == {"type": "bell", "unseen": 0}

    async def hears(self):
        return json.loads((await self.wire.receive_output(5))["text"])

    async def told(self):
        """Return what the page says next, and close it."""
        words = (await self.hears())["words"]
        await self.wire.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wire.wait()
        return words


@pytest.mark.django_db
def test_a_page_tells_its_author(people, browsers):
    page = reverse("edit-profile")
    answer = browsers[0].post(page, {"about": f"me {SECRET}", "availability": "busy"}, follow=True)
    assert "me ***" in answer.content.decode()
    assert TOLD in browsers[0].get(reverse("notifications")).content.decode()


@pytest.mark.django_db
def test_the_api_tells_its_author(people, begin, client):
    _row, token = make_token(people[0], "a test", list(Scope), None)
    headers = {"authorization": f"Bearer {token}"}
    answer = client.post(
        f"/api/v1/matches/{begin().slug}/chat",
        {"text": f"look: {SECRET}"},
        content_type="application/json",
        headers=headers,
    )
    assert "look: ***" in answer.content.decode()
    found = client.get("/api/v1/notices", headers=headers).json()
    assert TOLD in json.dumps(found)


@pytest.mark.django_db(transaction=True)
async def test_the_socket_of_a_match_tells_its_author(people, begin):
    bell = Bell(people[0])
    await bell.connect()
    socket, _ = await joined(await sync_to_async(begin)(), people[0])
    await socket.command("chat", text=f"look: {SECRET}", room="seated")
    assert await bell.told() == TOLD
    await socket.disconnect()


@pytest.mark.django_db(transaction=True)
async def test_the_socket_of_a_study_tells_its_author(people, make_study):
    study, bell = await sync_to_async(make_study)(), Bell(people[0])
    await bell.connect()
    writer = Writer(study, people[0])
    await writer.connect()
    key = await writer.edits(kind="comment", path=[], text=f"see {SECRET}", before="")
    await writer.answer(key)
    row = await EditRow.objects.aget()
    assert row.data["text"] == "see ***"
    assert await bell.told() == TOLD
