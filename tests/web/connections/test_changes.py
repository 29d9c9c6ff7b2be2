"""Which changes of users, sessions and tokens let all processes check the connections of a user."""

from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.utils import timezone

from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.connections import changes, credentials
from antipodes.web.connections.credentials import Credentials, still_valid
from antipodes.web.connections.registry import Connection, ConnectionKind
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

    monkeypatch.setattr(changes, "check", fail)
    one = Connection(ConnectionKind.SOCKET)
    one.begin_check()
    assert not one._is_checked.is_set()
    await changes._check_or_log([one])
    assert one._is_checked.is_set()
    assert "connections not checked error=no answer" in caplog.text


@pytest.fixture
def sessions(people, monkeypatch):
    """A function that stores a session which expires after some microseconds."""
    at = timezone.now()
    monkeypatch.setattr(credentials, "timezone", SimpleNamespace(now=lambda: at))

    def store(name, microseconds):
        expires = at + timedelta(microseconds=microseconds)
        Session.objects.create(session_key=name, session_data="", expire_date=expires)

    return store


def test_a_session_is_valid_until_it_expires_or_the_password_changes(ann, bob, sessions):
    for one in (ann, bob):
        one.set_password(f"the password of {one.username}")
        one.save()
    sessions("valid", 1)
    sessions("expired", 0)
    hashes = {one: one.get_session_auth_hash() for one in (ann, bob)}
    valid = Credentials(ann.pk, session="valid", auth_hash=hashes[ann])
    assert still_valid(
        [
            valid,
            Credentials(ann.pk, session="expired", auth_hash=hashes[ann]),
            Credentials(ann.pk, session="unknown", auth_hash=hashes[ann]),
            Credentials(ann.pk, session="", auth_hash=hashes[ann]),
            Credentials(ann.pk, session="valid", auth_hash=hashes[bob]),
            Credentials(ann.pk, session="valid"),
        ]
    ) == {valid}
    assert still_valid([]) == set()
    ann.is_active = False
    ann.save()
    assert still_valid([valid]) == set()


def test_a_token_is_valid_until_it_expires_or_its_account_is_closed(people, monkeypatch):
    monkeypatch.setattr(credentials, "now", lambda: 5_000)
    rows = [make_token(people[at % 2], "a program", list(Scope), None)[0] for at in range(5)]
    for row, expires_at in zip(rows, (None, 5_001, 5_000, None, None), strict=True):
        row.expires_at = expires_at
        row.save()
    given = [Credentials(row.user_id, token=row.pk) for row in rows]
    assert still_valid([*given, Credentials(people[0].pk, token=0)]) == {
        one for at, one in enumerate(given) if at != 2
    }
    people[0].is_active = False
    people[0].save()
    assert still_valid(given) == {given[1], given[3]}


def test_a_connection_has_the_credentials_of_its_session(people):
    session = SimpleNamespace(session_key="a key")
    found = credentials.of_scope({"user": people[0], "session": session})
    auth_hash = people[0].get_session_auth_hash()
    assert found == Credentials(people[0].pk, session="a key", auth_hash=auth_hash)
    session.session_key = None
    found = credentials.of_scope({"user": people[0], "session": session})
    assert found is not None
    assert found.session == ""
    for scope in ({}, {"user": people[0]}, {"user": AnonymousUser(), "session": session}):
        assert credentials.of_scope(scope) is None
