"""Tests of a full disk: pages can be read, and changes are refused with advice."""

import errno
import importlib.util
import json
import logging
import sqlite3
import sys
from types import SimpleNamespace

import pytest
from asgiref.sync import async_to_sync
from django.db import IntegrityError, InterfaceError, InternalError, OperationalError
from django.test import Client, RequestFactory

from antipodes.match import Resign
from antipodes.web.matches import heartbeat
from antipodes.web.matches.models import EventRow, MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.platform import (
    clock,
    error_views,
    heartbeats,
    outages,
    static_files,
    write_probe,
)
from antipodes.web.platform.heartbeats import Downtime
from antipodes.web.platform.models import LockRow, ProcessKind
from antipodes.web.platform.outages import Outage, outage_of
from tests.raising import raising
from tests.web.file_client import FileClient, not_found
from tests.web.full_disk import FULL, nothing_can_be_written
from tests.web.matches.sockets import joined

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _writes_work_again():
    """Note after each test that writes work."""
    yield
    write_probe.note(None)


def test_a_form_that_cannot_be_saved_is_a_503_with_advice():
    client = Client(raise_request_exception=False)
    with nothing_can_be_written():
        response = client.post("/play/hex/")
    assert response.status_code == 503
    text = response.content.decode()
    assert "The site&#x27;s disk is full; nothing was changed" in text
    assert "Traceback" not in text
    assert response.headers["Retry-After"]


def test_a_session_that_cannot_be_saved_is_a_503_with_advice(ann):
    ann.set_password("as-secret")
    ann.save()
    client = Client(raise_request_exception=False)
    client.force_login(ann, "django.contrib.auth.backends.ModelBackend")
    confirmation = "/accounts/reauthenticate/", {"password": "as-secret"}
    with nothing_can_be_written():
        response = client.post(*confirmation)
    assert response.status_code == 503
    assert "The site&#x27;s disk is full; nothing was changed" in response.content.decode()
    assert client.post(*confirmation).status_code == 302


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OperationalError(FULL), "site/disk-full"),
        (sqlite3.OperationalError(FULL), "site/disk-full"),
        (OSError(errno.ENOSPC, "No space left on device"), "site/disk-full"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "site/disk-full"),
        (OperationalError("attempt to write a readonly database"), "site/not-writable"),
        (OperationalError("disk I/O error"), "site/not-writable"),
        (OSError(errno.EROFS, "Read-only file system"), "site/not-writable"),
        (OperationalError("connection refused"), "site/away"),
    ],
    ids=str,
)
def test_the_api_returns_the_code_of_the_outage(error, code):
    try:
        raise error
    except (OperationalError, OSError, sqlite3.OperationalError):
        response = error_views.server_error(RequestFactory().post("/api/v1/challenges"))
    assert response.status_code == 503
    fault = json.loads(response.content)
    assert fault["code"] == code
    assert fault["message"]


def test_values_in_other_errors_are_not_taken_for_an_outage():
    assert outage_of(IntegrityError("Key (name)=(disk is full) already exists.")) is None
    assert outage_of(ValueError("disk is full")) is None
    assert outage_of(PermissionError(errno.EACCES, "Permission denied")) is None


def test_an_outage_is_recognised_by_the_sqlstate_of_the_cause():
    class FullDiskError(Exception):
        sqlstate = "53100"

    error = OperationalError("konnte Datei nicht erweitern")
    error.__cause__ = FullDiskError()
    assert outage_of(error) is Outage.DISK_FULL


@pytest.mark.django_db(transaction=True)
def test_a_move_that_cannot_be_saved_can_be_sent_again_later(row, people, monkeypatch):
    is_full = True
    store = "antipodes.web.matches.store.write_events"

    async def play():
        socket, _ = await joined(row, people[0])
        with monkeypatch.context() as patched:
            patched.setattr(store, raising(OperationalError(FULL)))
            first = await socket.command("play", move=4, key="the move")
            assert is_full
        stored = await socket.command("play", move=4, key="the move")
        early = EventRow.objects.filter(match=row)
        again = [one async for one in early]
        await socket.disconnect()
        return first, stored, again

    first, refused_meanwhile, none = async_to_sync(play)()
    assert (first["type"], first["code"]) == ("later", "site/disk-full")
    assert "disk is full" in first["message"]
    # Until a write has worked again nothing is stored, and nothing is acknowledged.
    assert (refused_meanwhile["type"], none) == ("later", [])
    assert write_probe.try_write()

    async def send_again():
        socket, _ = await joined(row, people[0])
        response = await socket.command("play", move=4, key="the move")
        await socket.disconnect()
        return response

    assert async_to_sync(send_again)()["type"] == "done"
    assert MatchRow.objects.get(pk=row.pk).match().ply == 1


def test_readyz_reports_a_full_disk_until_writes_work_again(client):
    write_probe.note(OperationalError(FULL))
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["writing"] == "fails: the disk is full"
    write_probe.note(OperationalError("attempt to write a readonly database"))
    result = client.get("/readyz").json()
    assert result["writing"] == "fails: the disk or the database cannot be written"
    assert write_probe.try_write()
    assert client.get("/readyz").json()["writing"] == "ok"


def test_readyz_tries_a_write(client, monkeypatch):
    monkeypatch.setattr(write_probe, "_noted_at", float("-inf"))
    with nothing_can_be_written():
        assert client.get("/readyz").status_code == 503


def test_clocks_are_stopped_while_writes_fail(clocks, caplog):
    beat = async_to_sync(heartbeat.beat)
    beat()
    stopped = clock.now()
    with nothing_can_be_written():
        for _ in range(5):
            clocks.advance(1_000)
            beat()
    assert heartbeats.latest(ProcessKind.WEB) == stopped
    assert "heartbeat failed error=database or disk is full" in caplog.text
    assert write_probe.failure() == "fails: the disk is full"
    beat()
    assert heartbeats.downtimes() == {ProcessKind.WEB: Downtime(stopped, clock.now())}
    assert write_probe.failure() is None


def test_no_command_runs_between_an_outage_and_the_time_given_back(row):
    write_probe.note(OperationalError(FULL))
    with pytest.raises(OperationalError, match="full"):
        carry_out(row.slug, Resign(seat=0, ply=0, key="enough of it"))
    assert MatchRow.objects.get(pk=row.pk).result is None


def test_static_files_are_served_when_compressed_copies_cannot_be_written(monkeypatch, caplog):
    monkeypatch.setattr(
        static_files, "compressed", raising(OSError(errno.ENOSPC, "No space left on device"))
    )
    address = "/static/antipodes/site.css"
    fresh = static_files.StaticFiles(not_found)
    response = FileClient(fresh).get(address, headers={"Accept-Encoding": "gzip"})
    assert response.status_code == 200
    assert "Content-Encoding" not in response.headers
    fresh.find_file(address)
    warnings = [one for one in caplog.records if one.levelno == logging.WARNING]
    assert len(warnings) == 1  # though two files were served


def test_an_error_that_is_no_outage_says_nothing_about_writes(caplog):
    write_probe.note(None)
    write_probe.note(ValueError("broken"))
    assert write_probe.failure() is None
    write_probe.note(OperationalError(FULL))
    write_probe.note(ValueError("broken"))
    assert write_probe.failure() == "fails: the disk is full"
    write_probe.note(None)
    assert caplog.messages == [
        f"database writes fail error={FULL}", "database writes work again"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("url", "is_installed", "count"),
    [("redis://host/0", True, 2), ("redis://host/0", False, 0), ("", True, 0)],
)
def test_errors_of_redis_are_outages_where_it_is_used(
    monkeypatch, settings, url, is_installed, count
):
    settings.REDIS_URL = url
    if not is_installed:
        monkeypatch.setitem(sys.modules, "redis.exceptions", None)
    found = importlib.util.find_spec(outages.__name__)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    assert len(module._REDIS) == count
    assert set(module.OUTAGES) >= set(outages.OUTAGES) - set(outages._REDIS)
    assert set(module.OUTAGES) >= set(module._REDIS)


@pytest.mark.parametrize(
    ("error", "outage"),
    [
        (sqlite3.OperationalError("database is locked"), Outage.AWAY),
        (InterfaceError("connection already closed"), Outage.AWAY),
        (InternalError("current transaction is aborted"), None),
        (InternalError("Disk Quota exceeded"), Outage.DISK_FULL),
        (OSError(errno.EIO, "Input/output error"), Outage.NOT_WRITABLE),
        (OSError(errno.EDQUOT, "Quota exceeded"), Outage.DISK_FULL),
        (OperationalError("unable to open database file"), Outage.NOT_WRITABLE),
        (KeyboardInterrupt(), None),
        (None, None),
    ],
    ids=repr,
)
def test_outages_are_recognised_by_their_errors_and_by_those_that_caused_others(error, outage):
    assert outage_of(error) is outage
    if error is not None:
        consequence = ValueError("no answer")
        consequence.__cause__ = error
        assert outage_of(consequence) is outage
        consequence.__cause__ = KeyError()
        consequence.__cause__.__cause__ = error
        assert outage_of(consequence) is outage


@pytest.mark.parametrize(
    ("state", "outage"),
    [("25006", Outage.NOT_WRITABLE), ("53100", Outage.DISK_FULL), ("40001", None)],
)
def test_states_of_postgresql_are_outages_of_its_disk(state, outage):
    cause = Exception()
    cause.sqlstate = state  # type: ignore[attr-defined]
    error = InternalError("eine Meldung")
    error.__cause__ = cause
    assert outage_of(error) is outage


def test_each_outage_says_whether_games_can_be_watched():
    assert [one.is_of_disk for one in Outage] == [False, True, True]
    begins = ["The site has lost its database", "The site's disk is full", "The site cannot write"]
    for one, begin_of_message in zip(Outage, begins, strict=True):
        assert one.message.startswith(begin_of_message)
        assert ("can still be watched" in " ".join(one.message.split())) is one.is_of_disk


def write_and_raise(name, error=None):
    with outages.optional_write("the colour"):
        LockRow.objects.create(name=name)
        if error is not None:
            raise error


def test_a_write_that_is_optional_may_fail_on_a_full_disk_alone(caplog):
    write_and_raise("first")
    write_and_raise("second", OperationalError(FULL))
    assert caplog.messages == [f"optional write failed what='the colour' error={FULL}"]
    for error in (OperationalError("away"), KeyError("x")):
        with pytest.raises(type(error)):
            write_and_raise("third", error)
    assert [row.name for row in LockRow.objects.all()] == ["first"]


@pytest.mark.parametrize(
    ("error", "reason", "is_refused"),
    [
        (None, None, False),
        (OperationalError("away"), "fails: OperationalError", False),
        (OperationalError(FULL), "fails: the disk is full", True),
        (
            OperationalError("disk I/O error"),
            "fails: the disk or the database cannot be written",
            True,
        ),
    ],
)
def test_changes_are_refused_while_the_disk_cannot_be_written(error, reason, is_refused):
    write_probe.note(error)
    assert write_probe.failure() == reason
    if is_refused:
        with pytest.raises(OperationalError, match=str(error)):
            write_probe.check()
    else:
        write_probe.check()


@pytest.mark.parametrize(("age", "tries"), [(6.0, 0), (6.1, 1)])
def test_a_write_is_tried_if_the_latest_was_more_than_six_seconds_ago(monkeypatch, age, tries):
    at = [1_000.0]
    written_at = SimpleNamespace(monotonic=lambda: at[0], time_ns=lambda: 5_000_000_000)
    monkeypatch.setattr(write_probe, "time", written_at)
    write_probe.note(OperationalError(FULL))
    at[0] += age
    assert write_probe.failure() == (None if tries else "fails: the disk is full")
    rows = [("write probe", 5_000)] * tries
    assert list(LockRow.objects.values_list("name", "until")) == rows
    assert write_probe.failure() == (None if tries else "fails: the disk is full")


def test_a_write_that_fails_is_noted():
    with nothing_can_be_written():
        assert not write_probe.try_write()
    assert write_probe.failure() == "fails: the disk is full"
    assert write_probe.try_write()
    assert write_probe.failure() is None
