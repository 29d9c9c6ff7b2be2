"""Which changes of users, sessions and tokens let all processes check the connections of a user."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone

from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.connections import checks
from antipodes.web.connections.registry import Connection, Kind
from antipodes.web.platform import pubsub

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(monkeypatch):
    """Collect the users whose connections all processes are to check."""
    found = []

    def broadcast(kind, data):
        if kind == "credentials-changed":
            found.append(data["user"])

    monkeypatch.setattr(pubsub, "broadcast", broadcast)
    return found


@pytest.mark.parametrize(
    ("fields", "is_told"),
    [
        (None, True),
        (["password"], True),
        (["is_active"], True),
        (["password", "is_active"], True),
        (["last_login", "password"], True),
        (["last_login"], False),
        ([], False),
    ],
    ids=str,
)
def test_connections_are_checked_when_a_password_or_an_account_changes(
    people, told, fields, is_told
):
    people[0].save(update_fields=fields)
    assert told == [people[0].pk] * is_told


def test_connections_are_checked_when_an_account_is_deleted(people, told):
    key = people[0].pk
    people[0].delete()
    assert key in told


@pytest.mark.parametrize(
    ("days", "is_signed_in", "is_told"),
    [(1, True, True), (1, False, False), (-1, True, False)],
    ids=["valid", "anonymous", "expired"],
)
def test_connections_are_checked_when_a_valid_session_of_a_user_ends(
    people, told, days, is_signed_in, is_told
):
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    if is_signed_in:
        store[SESSION_KEY] = str(people[0].pk)
    store.save()
    row = Session.objects.get(session_key=store.session_key)
    row.expire_date = timezone.now() + timedelta(days=days)
    row.save()
    row.delete()
    assert told == [people[0].pk] * is_told


def test_connections_are_checked_when_a_token_is_revoked(people, told):
    row, _ = make_token(people[0], "a program", list(Scope), None)
    assert told == []
    row.delete()
    assert told == [people[0].pk]


async def test_a_check_that_fails_is_logged_and_holds_no_messages_back(monkeypatch, caplog):
    async def fail(_connections):
        raise ValueError("no answer")

    monkeypatch.setattr(checks, "check", fail)
    one = Connection(Kind.SOCKET)
    one.begin_check()
    assert not one._is_checked.is_set()
    await checks._check_or_log([one])
    assert one._is_checked.is_set()
    assert "connections not checked error=no answer" in caplog.text
