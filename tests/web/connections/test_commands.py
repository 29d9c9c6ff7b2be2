"""Commands of sockets: executed in batches that share a transaction."""

import asyncio
import time

import pytest
from django.db import OperationalError

from antipodes.web.accounts.models import User
from antipodes.web.connections import commands
from antipodes.web.connections.commands import execute, run_together
from antipodes.web.connections.consumers import CommandSocket, SiteSocket
from antipodes.web.connections.credentials import Credentials
from antipodes.web.connections.registry import Connection, EndedError, Ending, Kind

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


async def test_commands_that_wait_form_one_batch(monkeypatch):
    batches = []

    def run(calls):
        batches.append(len(calls))
        return run_together(calls)

    monkeypatch.setattr(commands, "run_together", run)
    sockets = [Connection(Kind.SOCKET) for _ in range(commands._MOST + 2)]
    calls = [execute(socket, lambda: None) for socket in sockets]
    await asyncio.gather(*calls)
    assert batches == [commands._MOST, 2]


async def test_a_command_of_an_ended_session_is_not_executed():
    signed_out, anonymous = Connection(Kind.SOCKET), Connection(Kind.SOCKET)
    signed_out.credentials = Credentials(1, session="deleted")
    done = []
    ended, other = await asyncio.gather(
        execute(signed_out, lambda: done.append("signed out")),
        execute(anonymous, lambda: done.append("anonymous")),
        return_exceptions=True,
    )
    assert isinstance(ended, EndedError)
    assert signed_out.ending is Ending.SIGNED_OUT
    assert (other, done) == (None, ["anonymous"])


async def test_an_error_of_a_batch_is_that_of_each_command(monkeypatch):
    async def fail(_commands):
        raise OperationalError("away")

    monkeypatch.setattr(commands, "_execute_in_thread", fail)
    connection = Connection(Kind.SOCKET)
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
