"""Commands of sockets: executed in batches that share a transaction."""

import asyncio
import json
import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError, connection
from django.utils import translation

from antipodes.errors import Fault, InputError
from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.accounts.models import User
from antipodes.web.connections import commands, consumers
from antipodes.web.connections.commands import Queue, execute, run_together
from antipodes.web.connections.consumers import CommandSocket, SiteSocket
from antipodes.web.connections.credentials import Credentials
from antipodes.web.connections.registry import Connection, ConnectionKind, EndedError, Ending
from antipodes.web.platform import metrics, write_probe
from antipodes.web.platform.outages import Outage
from tests.raising import raising

pytestmark = pytest.mark.django_db(transaction=True)


def create(name):
    return lambda: User.objects.create(username=name)


def create_and_raise(name, error):
    def call():
        User.objects.create(username=name)
        raise error

    return call


def names():
    return set(User.objects.values_list("username", flat=True))


def test_an_error_undoes_only_the_changes_of_its_command():
    error = ValueError("not this one")
    calls = [create("ann"), create_and_raise("bob", error), create("cy")]
    assert run_together(calls) == [None, error, None]
    assert names() == {"ann", "cy"}


def test_in_an_outage_all_commands_fail_and_nothing_changes():
    error = OperationalError("database or disk is full")
    calls = [create("ann"), create_and_raise("bob", error), create("cy")]
    assert run_together(calls) in ([error] * 3, [None, error, None])
    assert names() in (set(), {"ann", "cy"})  # one transaction in SQLite, three elsewhere


@pytest.mark.parametrize("is_sqlite", [True, False])
@pytest.mark.parametrize("count", [1, 2])
def test_commands_share_a_transaction_of_sqlite_alone(monkeypatch, count, is_sqlite):
    error = OperationalError("database or disk is full")
    monkeypatch.setattr(connection, "vendor", "sqlite" if is_sqlite else "postgresql")
    calls = [create("ann"), create_and_raise("bob", error)][-count:]
    assert run_together(calls) == ([error] * count if is_sqlite else [None, error][-count:])
    assert names() == (set() if is_sqlite or count == 1 else {"ann"})


async def test_commands_that_wait_form_one_batch(monkeypatch):
    batches = []

    def run(calls):
        batches.append(len(calls))
        return run_together(calls)

    monkeypatch.setattr(commands, "run_together", run)
    sockets = [Connection(ConnectionKind.SOCKET) for _ in range(commands._MOST + 2)]
    calls = [execute(socket, lambda: None) for socket in sockets]
    await asyncio.gather(*calls)
    assert batches == [commands._MOST, 2]


async def test_slow_commands_do_not_delay_others():
    may_end = threading.Event()
    client = Connection(ConnectionKind.SOCKET)
    slow = [asyncio.create_task(execute(client, may_end.wait, commands.slow)) for _ in range(2)]
    for _ in range(3):
        await execute(client, lambda: None)
    assert not any(one.done() for one in slow)
    may_end.set()
    await asyncio.gather(*slow)


async def test_slow_commands_are_executed_outside_of_a_transaction():
    found = []

    def call():
        found.append((threading.current_thread().name, connection.in_atomic_block))
        raise ValueError("refused")

    calls = [execute(Connection(ConnectionKind.SOCKET), call, commands.slow) for _ in range(2)]
    errors = await asyncio.gather(*calls, return_exceptions=True)
    assert [str(error) for error in errors] == ["refused"] * 2
    assert found == [("slow commands_0", False)] * 2


@pytest.mark.parametrize("queue", [commands.quick, commands.slow])
async def test_a_command_of_an_ended_session_is_not_executed(queue):
    signed_out, anonymous = Connection(ConnectionKind.SOCKET), Connection(ConnectionKind.SOCKET)
    signed_out.credentials = Credentials(1, session="deleted")
    done = []
    ended, other = await asyncio.gather(
        execute(signed_out, lambda: done.append("signed out"), queue),
        execute(anonymous, lambda: done.append("anonymous"), queue),
        return_exceptions=True,
    )
    assert isinstance(ended, EndedError)
    assert signed_out.ending is Ending.SIGNED_OUT
    assert (other, done) == (None, ["anonymous"])


async def test_a_command_is_executed_in_the_language_of_its_client():
    languages: list[str | None] = []
    for language in ("de", "fr"):
        with translation.override(language):
            await execute(
                Connection(ConnectionKind.SOCKET),
                lambda: languages.append(translation.get_language()),
            )
    assert languages == ["de", "fr"]


async def test_a_command_of_a_valid_token_is_executed(people):
    row, _ = await sync_to_async(make_token)(people[0], "a program", list(Scope), None)
    client = Connection(ConnectionKind.SOCKET)
    client.credentials = Credentials(people[0].pk, token=row.pk)
    done: list[int] = []
    await execute(client, lambda: done.append(1))
    assert (done, client.ending) == ([1], None)


async def test_an_error_of_a_batch_is_that_of_each_command(monkeypatch):
    async def fail(_commands):
        raise OperationalError("away")

    monkeypatch.setattr(commands, "quick", Queue(fail))
    connection = Connection(ConnectionKind.SOCKET)
    calls = [execute(connection, create(name)) for name in ("ann", "bob")]
    errors = await asyncio.gather(*calls, return_exceptions=True)
    assert [str(error) for error in errors] == ["away", "away"]


async def test_a_message_without_a_handler_is_an_error():
    with pytest.raises(ValueError, match=r"no handler for messages of type no\.such"):
        await SiteSocket().dispatch({"type": "no.such"})


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("the server closed the connection", None),
        ("database or disk is full", ("later", "site/disk-full")),
    ],
)
async def test_a_command_in_an_outage_of_the_disk_is_answered_and_in_others_ends_the_socket(
    monkeypatch, text, answer
):
    sent = []

    async def send(data):
        sent.append(data)

    def read():
        raise OperationalError(text)

    socket = CommandSocket()
    socket._allowance, socket._heard_at = 1.0, time.monotonic()
    monkeypatch.setattr(socket, "send_object", send)
    if answer is None:
        with pytest.raises(OperationalError, match=text):
            await socket.execute("a key", read)
        assert sent == []
    else:
        await socket.execute("a key", read)
        [told] = sent
        assert (told["type"], told["code"], told["key"]) == (*answer, "a key")


@pytest.fixture
def limited(monkeypatch):
    """A socket with a burst of three, the clock of its rate limit, and what is sent to it."""
    clock = SimpleNamespace(at=100.0, perf_counter=time.perf_counter)
    clock.monotonic = lambda: clock.at
    monkeypatch.setattr(consumers, "time", clock)
    socket = CommandSocket()
    socket.burst = 3
    socket._allowance, socket._heard_at = 3.0, clock.at
    socket.connection = Connection(ConnectionKind.SOCKET)
    sent: list[dict[str, object]] = []

    async def send(text):
        sent.append(json.loads(text))

    monkeypatch.setattr(socket, "send", send)
    return socket, clock, sent


async def test_a_client_may_send_a_burst_and_then_ten_commands_a_second(limited):
    socket, clock, sent = limited

    async def allowed(count):
        sent.clear()
        for _ in range(count):
            await socket.execute("a key", lambda: lambda: None)
        return [one["type"] for one in sent]

    assert await allowed(4) == ["done"] * 3 + ["refused"]
    clock.at += 0.125
    assert await allowed(2) == ["done", "refused"]
    clock.at += 60
    assert await allowed(4) == ["done"] * 3 + ["refused"]
    assert sent[-1] == {
        "type": "refused",
        "key": "a key",
        "code": "match/too-fast",
        "message": "more than 10 commands in a second are too many",
    }


async def test_commands_are_answered_with_their_key_and_counted(limited, monkeypatch):
    socket, _, sent = limited
    counted: list[float] = []
    monkeypatch.setattr(metrics, "note_command", counted.append)

    def refuse():
        raise InputError([Fault("some/fault", "no <such> move")])

    await socket.execute("a key", lambda: lambda: None)
    await socket.execute(None, lambda: refuse)
    await socket.execute("k", refuse)
    refused = {"type": "refused", "code": "some/fault", "message": "no <such> move"}
    assert sent == [
        {"type": "done", "key": "a key"},
        {**refused, "key": None},
        {**refused, "key": "k"},
    ]
    assert [0 <= one < 5 for one in counted] == [True]


async def test_a_command_of_an_ended_connection_gets_no_answer(limited):
    socket, _, sent = limited
    socket.connection.credentials = Credentials(1, session="deleted")
    await socket.execute("a key", lambda: lambda: None)
    assert sent == []
    assert socket.connection.ending is Ending.SIGNED_OUT


async def test_objects_are_sent_as_json_without_spaces(monkeypatch):
    sent: list[str] = []

    async def send(text):
        sent.append(text)

    socket = SiteSocket()
    monkeypatch.setattr(socket, "send", send)
    await socket.send_object({"a": [1, 2], "b": None})
    assert sent == ['{"a":[1,2],"b":null}']


async def test_a_command_that_a_full_disk_refuses_is_answered_with_advice(limited):
    socket, _, sent = limited

    await socket.execute("a key", raising(OperationalError("database or disk is full")))
    message = Outage.DISK_FULL.message
    expected = {"type": "later", "key": "a key", "code": "site/disk-full", "message": message}
    assert sent == [expected]
    assert write_probe.failure() == "fails: the disk is full"


def test_the_user_of_a_socket_is_loaded_again(people):
    socket = CommandSocket()
    socket.user = None
    assert socket.reload_user() is None
    socket.user = people[0]
    User.objects.filter(pk=people[0].pk).update(username="heron")
    found = socket.reload_user()
    assert found is not None
    assert (found.pk, found.username) == (people[0].pk, "heron")
    User.objects.filter(pk=people[0].pk).delete()
    assert socket.reload_user() is None


@pytest.mark.parametrize("is_signed_in", [True, False])
async def test_a_socket_knows_its_user_and_may_send_a_burst(people, is_signed_in):
    user = people[0] if is_signed_in else AnonymousUser()
    opened = Connection(ConnectionKind.SOCKET)
    socket: Any = CommandSocket()
    socket.scope = {"user": user, "connection": opened, "headers": []}
    with translation.override("de"):
        socket.prepare()
        assert translation.get_language() == "en-gb"
    assert socket.user == (user if is_signed_in else None)
    assert socket.connection is opened
    assert opened.commands_are_checked
    assert socket._allowance == 40
