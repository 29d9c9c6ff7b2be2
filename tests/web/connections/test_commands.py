"""Commands of sockets: executed in batches that share a transaction."""

import asyncio

import pytest
from django.db import OperationalError

from antipodes.web.accounts.models import User
from antipodes.web.connections import commands
from antipodes.web.connections.commands import execute, run_together
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
