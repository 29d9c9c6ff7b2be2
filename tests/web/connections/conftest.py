"""Fixtures of tests of open connections."""

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.test import AsyncClient, Client

from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.connections import middleware, refusals, registry
from antipodes.web.matches.models import MatchRow
from tests.web.connections.wires import Stream, Wire

PASSWORD = "only for tests 7"


@pytest.fixture(autouse=True)
def _nothing_is_open():
    """Clear the registry before each test, and check that it is empty afterwards."""
    cache.clear()
    registry._open.clear()
    registry._counts.clear()
    refusals._refused_until.clear()
    yield
    assert not registry._open
    assert not registry._counts


@pytest.fixture(autouse=True)
def _each_command_is_checked(monkeypatch):
    """Check credentials for each command."""
    monkeypatch.setattr(middleware, "FRESH", 0.0)


@pytest.fixture
def signed_in(people):
    """A function that signs a user in with a new browser."""

    def sign_in(user=None, password=None):
        user = user or people[0]
        client = Client()
        if password:
            fields = {"login": user.username, "password": password}
            response = client.post("/accounts/login/", fields)
            assert response.status_code == 302, response.content
        else:
            client.force_login(user)
        return client

    return sign_in


@pytest.fixture
def private_row(begin, people):
    """A private match of a club, between Bob and Cy; Ann is a member of the club."""
    row = begin(size=3)
    club = ClubRow.objects.create(name="Club", slug="club", made_at=1)
    MemberRow.objects.create(club=club, user=people[0], since=1)
    MatchRow.objects.filter(pk=row.pk).update(is_private=True, club=club)
    for seat, user in zip(row.seats.order_by("number"), people[1:3], strict=True):
        seat.user = user
        seat.save()
    row.refresh_from_db()
    return row


@pytest.fixture
def opened(row, private_row, signed_in, people):
    """A function that opens a connection of a kind for Ann, and returns its credentials too."""

    @sync_to_async
    def prepare(kind, client=None):
        if kind.endswith("stream"):
            token, text = make_token(people[0], "a test", list(Scope), None)
            path = (
                "stream/events" if kind == "event stream" else f"matches/{private_row.slug}/stream"
            )
            return Stream(f"/api/v1/{path}", text, AsyncClient()), token
        path = {
            "socket of a player": f"/m/{row.slug}/socket",
            "socket of a private match": f"/m/{private_row.slug}/socket",
            "socket of notifications": "/notices/socket",
        }[kind]
        client = client or signed_in()
        return Wire(path, client=client), client

    async def open_one(kind, client=None):
        found, credentials = await prepare(kind, client)
        if isinstance(found, Stream):
            assert await found.open() == 200
        else:
            assert await found.shake_hands() == 101
            await found.hears(lambda one: True)
            await found.settles()
        return found, credentials

    return open_one
