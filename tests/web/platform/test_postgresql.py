"""The PostgreSQL backend, without a server: which connections it asks whether they are usable."""

import socket
from types import SimpleNamespace
from typing import Any

import pytest
from django.db.backends.postgresql import base

from antipodes.web.platform.postgresql.base import DatabaseWrapper


@pytest.fixture
def sockets():
    here, there = socket.socketpair()
    with here, there:
        yield here, there


@pytest.fixture
def wrapper(monkeypatch, sockets):
    """A wrapper that asks the server if ``asked`` is not empty; the server says no."""
    found: Any = object.__new__(DatabaseWrapper)
    found.asked = []
    found.errors_occurred = False
    found.connection = SimpleNamespace(closed=False, fileno=sockets[0].fileno)
    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", lambda self: self.asked.append(1))
    return found


def test_an_idle_connection_is_usable_without_a_query(wrapper):
    assert wrapper.is_usable()
    assert not wrapper.asked


@pytest.mark.parametrize("happens", ["error", "message", "end"])
def test_a_connection_is_queried_after_an_error_or_a_message(wrapper, sockets, happens):
    if happens == "error":
        wrapper.errors_occurred = True
    elif happens == "message":
        sockets[1].send(b"x")
    else:
        sockets[1].close()
    assert not wrapper.is_usable()
    assert wrapper.asked


def test_no_connection_and_a_closed_one_are_not_usable(wrapper):
    wrapper.connection.closed = True
    assert not wrapper.is_usable()
    wrapper.connection = None
    assert not wrapper.is_usable()
    assert not wrapper.asked
