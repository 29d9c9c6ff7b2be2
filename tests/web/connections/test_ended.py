"""Tests of open connections: they end with their session or token."""

import asyncio
import time
from contextlib import suppress
from types import SimpleNamespace

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from antipodes.match import Play
from antipodes.web.accounts import api_tokens
from antipodes.web.accounts.account_deletion import delete_account as delete
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import transfer_guest
from antipodes.web.connections import changes, middleware, registry
from antipodes.web.connections.credentials import Credentials, still_valid
from antipodes.web.matches.models import ChatLine, EventRow
from antipodes.web.matches.services import carry_out
from antipodes.web.moderation import services
from antipodes.web.platform import pubsub
from antipodes.web.platform.clock import now
from tests.thorough import sample
from tests.web.connections.conftest import PASSWORD
from tests.web.connections.wires import Wire

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
async def _broadcasts_arrive():
    """Receive broadcasts as a web process does; without Redis there is nothing to receive."""
    if not pubsub.is_shared():
        yield
        return
    receiving = asyncio.create_task(pubsub.receive_broadcasts())
    await asyncio.sleep(0.1)  # until it has joined its group
    yield
    receiving.cancel()
    with suppress(asyncio.CancelledError):
        await receiving


SOCKETS = ["socket of a player", "socket of a private match", "socket of notifications"]
STREAMS = ["event stream", "match stream"]
SIGNED_OUT = 4401


# --- ends of sessions --------------------------------------------------------------------------


def sign_out(client, user, elsewhere):
    assert client.post("/accounts/logout/").status_code == 302


def sign_out_elsewhere(client, user, elsewhere):
    response = elsewhere.post("/accounts/sessions/")
    assert response.status_code == 302, response.content


def change_password_elsewhere(client, user, elsewhere):
    fields = {
        "oldpassword": PASSWORD,
        "password1": "quite another 8",
        "password2": "quite another 8",
    }
    assert elsewhere.post("/accounts/password/change/", fields).status_code == 302
    assert User.objects.get(pk=user.pk).check_password("quite another 8")


def change_password_here(client, user, elsewhere):
    change_password_elsewhere(None, user, client)


def expire(client, user, elsewhere):
    key = client.session.session_key
    Session.objects.filter(session_key=key).update(expire_date=timezone.now())


def delete_session(client, user, elsewhere):
    Session.objects.get(session_key=client.session.session_key).delete()


def deactivate(_credentials, user, elsewhere):
    fresh = User.objects.get(pk=user.pk)
    fresh.is_active = False
    fresh.save()


def delete_account(_credentials, user, elsewhere):
    delete(User.objects.get(pk=user.pk))


def become_another(client, user, elsewhere):
    """A guest signs in: the account gets everything of the guest, who is deleted."""
    User.objects.filter(pk=user.pk).update(is_guest=True)
    transfer_guest(User.objects.get(pk=user.pk), User.objects.create(username="ann of old"))


def sign_in_as_another(client, user, elsewhere):
    client.force_login(User.objects.get(username="dee"))


# --- ends of tokens ----------------------------------------------------------------------------


def revoke(row, user, elsewhere):
    assert api_tokens.revoke(user, row.pk)


def expire_token(row, user, elsewhere):
    type(row).objects.filter(pk=row.pk).update(expires_at=now())


ENDS_OF_SESSIONS = [
    sign_out,
    sign_out_elsewhere,
    change_password_elsewhere,
    change_password_here,
    delete_session,
    deactivate,
    delete_account,
    become_another,
    sign_in_as_another,
]
ENDS_OF_TOKENS = [revoke, deactivate, delete_account]
CASES = [(kind, end) for kind in SOCKETS for end in ENDS_OF_SESSIONS] + [
    (kind, end) for kind in STREAMS for end in ENDS_OF_TOKENS
]
# Changes of rows without a signal, which the periodic check finds.
SILENT_CASES = [(kind, expire) for kind in SOCKETS] + [(kind, expire_token) for kind in STREAMS]


def name_of(case):
    return case.__name__ if callable(case) else case


@pytest.fixture
def elsewhere(people, signed_in):
    """Ann's browser on another machine."""
    people[0].set_password(PASSWORD)
    people[0].save()
    return signed_in(people[0])


@pytest.fixture
def here(people, elsewhere, signed_in):
    """Ann's browser on this machine, which opens connections."""
    return signed_in(people[0], PASSWORD)


async def ends(connection, kind):
    """Check that the site ends a connection with the reason."""
    if kind in SOCKETS:
        assert await connection.code() == SIGNED_OUT
    else:
        last = (await connection.end())[-1]
        assert (last["type"], last["code"]) == ("ended", "api/bad-token")


@pytest.mark.parametrize(("kind", "end"), sample(CASES, 8), ids=name_of)
async def test_the_end_of_a_session_or_token_closes_its_connections(
    opened, people, here, elsewhere, kind, end
):
    connection, credentials = await opened(kind, here)
    await sync_to_async(end)(credentials, people[0], elsewhere)
    await ends(connection, kind)


@pytest.mark.parametrize(("kind", "end"), [*sample(CASES, 4), *SILENT_CASES], ids=name_of)
async def test_the_periodic_check_ends_a_connection_if_the_message_is_lost(
    opened, people, here, elsewhere, monkeypatch, kind, end
):
    monkeypatch.setattr(pubsub, "broadcast", lambda kind, message: None)
    connection, credentials = await opened(kind, here)
    await sync_to_async(end)(credentials, people[0], elsewhere)
    await changes.check(registry.open_connections())
    await ends(connection, kind)


def test_the_periodic_check_runs_every_five_seconds():
    assert changes.CHECK_EVERY <= 5


CHAT = {"command": "chat", "key": "12345678", "text": "still here"}
RESIGN = {"command": "resign", "seat": 0, "ply": 0, "key": "12345678"}
OFFER = {"command": "offer", "kind": "pause", "seat": 0, "ply": 0, "key": "12345678"}


@pytest.mark.parametrize(
    ("end", "command"),
    [
        *((end, CHAT) for end in [*ENDS_OF_SESSIONS, expire]),
        (sign_out, RESIGN),
        (sign_out, OFFER),
    ],
    ids=name_of,
)
async def test_commands_of_an_ended_session_are_not_executed(
    opened, people, here, elsewhere, row, monkeypatch, end, command
):
    monkeypatch.setattr(pubsub, "broadcast", lambda kind, message: None)
    connection, credentials = await opened("socket of a player", here)
    await sync_to_async(end)(credentials, people[0], elsewhere)
    before = await EventRow.objects.acount()
    await connection.say(**command)
    assert await connection.code() == SIGNED_OUT
    assert not [one for one in connection.told if one["type"] == "done"]
    assert await EventRow.objects.acount() == before
    assert not await ChatLine.objects.aexists()


@pytest.fixture
def slow_checks(monkeypatch):
    """Checks of credentials that are slower than the events that follow."""

    def still_valid_slowly(given):
        time.sleep(0.5)
        return still_valid(given)

    monkeypatch.setattr(changes, "still_valid", still_valid_slowly)


@pytest.mark.parametrize(
    ("kind", "end"),
    [("socket of a private match", sign_out), ("match stream", revoke)],
    ids=name_of,
)
async def test_no_event_is_sent_after_the_end_of_a_session_or_token(
    opened, here, people, private_row, slow_checks, kind, end
):
    connection, credentials = await opened(kind, here)
    before = len(connection.told)

    def end_and_play():
        end(credentials, people[0], None)
        carry_out(private_row.slug, Play(seat=0, ply=0, key="12345678", move=4))

    await sync_to_async(end_and_play)()
    await ends(connection, kind)
    assert not [one for one in connection.told[before:] if one["type"] == "match"]


async def test_signing_out_closes_no_connections_of_others(opened, here, elsewhere, people, row):
    stays, _ = await opened("socket of a player", elsewhere)
    spectator = Wire(f"/m/{row.slug}/socket")
    assert await spectator.shake_hands() == 101
    goes, _ = await opened("socket of a player", here)
    await sync_to_async(sign_out)(here, people[0], elsewhere)
    assert await goes.code() == SIGNED_OUT
    await changes.check(registry.open_connections())
    for one in (stays, spectator):
        await one.say(command="chat", key="12345678", text="still here")
        await one.hears(lambda message: message.get("key") == "12345678")
        await one.leave()
    assert [line.text async for line in ChatLine.objects.all()] == ["still here"]


async def test_a_revoked_token_ends_no_stream_of_another(opened, people):
    stays, _ = await opened("event stream")
    goes, row = await opened("event stream")
    await sync_to_async(revoke)(row, people[0], None)
    await ends(goes, "event stream")
    await changes.check(registry.open_connections())
    assert len(registry.open_connections()) == 1
    await stays.leave()


async def test_a_guest_who_signs_up_can_reconnect(people, row):
    def play_as_guest():
        client = Client()
        client.post("/play/hex/", {"level": "1"})
        return client

    client = await sync_to_async(play_as_guest)()
    socket = Wire("/notices/socket", client=client)
    assert await socket.shake_hands() == 101
    fields = {"username": "heron", "email": "heron@example.org", "password1": PASSWORD}
    await sync_to_async(client.post)("/accounts/signup/", fields)
    assert await socket.code() == SIGNED_OUT
    again = Wire("/notices/socket", client=client)
    assert await again.shake_hands() == 101
    await again.hears(lambda one: True)
    await again.leave()


async def test_a_renamed_user_chats_by_the_new_name(opened, here, people, root):
    connection, _ = await opened("socket of a player", here)
    await sync_to_async(services.rename)(root, people[0], "heron", "an offensive name")
    await connection.say(command="chat", key="12345678", text="still here")
    line = (await connection.hears(lambda one: one["type"] == "chat" and one["lines"]))["lines"][0]
    assert (line["name"], line["text"]) == ("heron", "still here")
    await connection.leave()


class CheckedSession:
    """A socket whose session a test lets end, with the times at which it is checked."""

    def __init__(self, monkeypatch):
        self.at = 100.0
        self.is_valid = True
        self.checked: list[float] = []
        self.connection = registry.Connection(registry.ConnectionKind.SOCKET)
        self.connection.identify(Credentials(user=1, session="x"))
        self.socket = middleware._CheckedSocket(self.connection, self._receive, None)
        monkeypatch.setattr(middleware, "FRESH", 0.1)
        monkeypatch.setattr(middleware, "time", SimpleNamespace(monotonic=lambda: self.at))
        monkeypatch.setattr(middleware, "still_valid", self._still_valid)
        monkeypatch.setattr(self.socket, "_pass", self._pass)

    async def _receive(self):
        return {"type": "websocket.receive", "text": "x"}

    async def _pass(self, message):
        assert message == {"type": "websocket.close", "code": SIGNED_OUT}

    def _still_valid(self, credentials):
        self.checked.append(self.at)
        return set(credentials) if self.is_valid else set()

    async def after(self, seconds):
        """Receive a message after some seconds; return its type."""
        self.at += seconds
        return (await self.socket.receive())["type"]


async def test_a_session_is_checked_for_each_message_but_not_for_each_of_a_flood(monkeypatch):
    session = CheckedSession(monkeypatch)
    for seconds in (0.0, 0.05, 0.04, 0.02, 1.0):
        assert await session.after(seconds) == "websocket.receive"
    assert session.checked == pytest.approx([100.0, 100.11, 101.11])
    session.is_valid = False
    assert await session.after(0.05) == "websocket.receive"
    assert await session.after(0.05) == "websocket.disconnect"
    assert session.connection.ending is registry.Ending.SIGNED_OUT


async def test_a_session_is_checked_again_when_a_check_is_a_moment_old(monkeypatch):
    session = CheckedSession(monkeypatch)
    monkeypatch.setattr(middleware, "FRESH", 0.25)
    for seconds in (0.0, 0.125, 0.125):
        assert await session.after(seconds) == "websocket.receive"
        assert session.connection.active == session.at
    assert session.checked == [100.0, 100.25]
    session.connection.leave()


@pytest.mark.parametrize("is_anonymous", [True, False])
async def test_sockets_of_anonymous_clients_and_of_commands_are_not_checked_for_each_message(
    monkeypatch, is_anonymous
):
    session = CheckedSession(monkeypatch)
    session.is_valid = False
    if is_anonymous:
        session.connection.credentials = None
    else:
        session.connection.commands_are_checked = True
    assert await session.after(1.0) == "websocket.receive"
    assert session.checked == []
    session.connection.end(registry.Ending.SIGNED_OUT)
    assert await session.after(1.0) == "websocket.disconnect"


async def test_nothing_is_sent_to_a_client_that_has_left_or_was_signed_out():
    sent: list[object] = []
    is_away = False

    async def send(message):
        sent.append(message)
        if is_away:
            raise OSError("gone")

    connection = registry.Connection(registry.ConnectionKind.SOCKET)
    socket = middleware._CheckedSocket(connection, None, send)
    await socket.send("first")
    is_away = True
    await socket.send("second")
    await socket.send("third")
    assert sent == ["first", "second"]
    is_away = False
    another = middleware._CheckedSocket(connection, None, send)
    connection.end(registry.Ending.SIGNED_OUT)
    await another.send("fourth")
    assert sent == ["first", "second"]
