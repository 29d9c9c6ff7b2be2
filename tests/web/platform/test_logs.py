"""Tests of logs: at no level do they contain personal data."""

import asyncio
import logging
import smtplib
from pathlib import Path
from typing import cast

import aiohttp
import pytest
from django.db import OperationalError

from antipodes.match import Play, Resign
from antipodes.web.accounts.models import User
from antipodes.web.email_play.inbound.intake import accept
from antipodes.web.matches.services import carry_out
from antipodes.web.notifications import match_events, outbox, push
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import EmailRow, PushSubscriptionRow
from antipodes.web.notifications.outbox import enqueue
from antipodes.web.notifications.services import notify
from antipodes.web.platform.env_file import source
from antipodes.web.platform.logs import (
    OutageFilter,
    RefusedHostFilter,
    RequestIdFilter,
    logging_to_output,
    request_id,
)
from tests.raising import raising

ENDPOINT = "https://push.example.org/a-secret-endpoint"
SECRETS = (
    "heron",  # a name
    "example.org",  # of mail addresses and of an endpoint
    "192.0.2.7",
    "a-secret-endpoint",
    "a quiet word",  # of a chat
)


@pytest.fixture
def logged(caplog):
    """The lines of the site's own loggers, at the lowest level."""
    for name in ("antipodes", "antipodes.requests"):
        caplog.set_level(logging.DEBUG, logger=name)

    def text():
        own = [one for one in caplog.records if one.name.startswith("antipodes")]
        return "\n".join(f"{one.name} {one.getMessage()} {one.__dict__}" for one in own)

    return text


@pytest.fixture
def heron(db):
    """A user with an account and a browser with push notifications."""
    user = User.objects.create_user("heron", "heron@example.org", "antarctica-tortoise-9")
    PushSubscriptionRow.objects.create(
        user=user, endpoint=ENDPOINT, made_at=0, browser="Firefox", p256dh="p", auth="a"
    )
    return user


def test_a_push_that_fails_is_logged_without_the_endpoint_and_the_name(heron, monkeypatch, logged):
    class Session:
        def post(self, *_, **__):
            raise aiohttp.ClientError(f"no connection to {ENDPOINT}")

    monkeypatch.setattr(push, "_encrypted", lambda *_: (b"", {}))
    row = PushSubscriptionRow.objects.get()
    asyncio.run(push._send(row, "{}", cast("aiohttp.ClientSession", Session())))
    assert f"push failed subscription={row.pk} status=None error=ClientError" in logged()
    assert not any(secret in logged() for secret in SECRETS)


def test_an_undeliverable_mail_is_logged_without_the_address(heron, monkeypatch, logged):
    def refuse(*_):
        raise smtplib.SMTPRecipientsRefused(
            {"heron@example.org": (550, b"5.1.1 <heron@example.org> is unknown")}
        )

    monkeypatch.setattr(outbox, "_transmit", refuse)
    enqueue(
        EmailMessage(
            key="k", to="heron@example.org", subject="News", text="Hello", message_id="<k@x>"
        )
    )
    outbox.send_due_emails()
    assert (
        f"outbox gives up email={EmailRow.objects.get().pk} error=SMTPRecipientsRefused 550"
        in logged()
    )
    assert "5.1.1" in EmailRow.objects.get().trouble
    assert not any(secret in logged() for secret in SECRETS)


def test_a_failed_notification_is_logged_without_the_name(heron, logged):
    match_events._safely(raising(LookupError), heron)
    assert f"User {heron.pk}" in logged()
    assert not any(secret in logged() for secret in SECRETS)


def test_a_whole_session_is_logged_without_personal_data(client, heron, people, begin, logged):
    far = {"REMOTE_ADDR": "192.0.2.7"}
    client.force_login(heron)
    pages = ("/", "/people/heron/", "/accounts/", "/accounts/email/", "/notices/", "/nowhere/heron")
    for page in pages:
        client.get(page, **far)
    client.post("/accounts/login/", {"login": "heron@example.org", "password": "wrong"}, **far)
    row = begin(size=3)
    for ply, move in enumerate((4, 0)):
        carry_out(row.slug, Play(seat=ply, ply=ply, key=f"move number {ply}", move=move))
    client.get(f"/m/{row.slug}/board.png", **far)
    carry_out(row.slug, Resign(seat=0, ply=2, key="resignation"))
    client.post(f"/m/{row.slug}/notes", {"text": "a quiet word"}, **far)
    notify(heron, NotificationKind.INVITED, key="1", path="/c/abc/", game="hex", by=people[0])
    client.get("/api/v1/account", headers={"authorization": "Bearer heron"}, **far)
    raw = b"From: heron@example.org\r\nTo: unknown@example.org\r\nSubject: a quiet word\r\n\r\n."
    accept(raw, sender="heron@example.org", recipients=["unknown@example.org"], via="webhook")
    assert "GET profile 200" in logged()
    assert not any(secret in logged() for secret in SECRETS)


@pytest.mark.django_db
def test_a_request_that_fails_in_an_outage_is_logged_in_one_line(client, monkeypatch, caplog):
    monkeypatch.setattr(
        "antipodes.web.lobby.views.selectors.lobby_lists",
        raising(OperationalError("the server has gone away")),
    )
    client.raise_request_exception = False
    assert client.get("/lobby/").status_code == 503
    (record,) = [one for one in caplog.records if one.name == "django.request"]
    assert record.getMessage() == "Service Unavailable: lobby error=the server has gone away"
    assert (record.exc_info, record.levelname) == (None, "WARNING")


@pytest.mark.django_db
@pytest.mark.parametrize("error", [OperationalError("away"), LookupError()], ids=repr)
@pytest.mark.parametrize("address", ["/people/heron/", "/clubs/join/a-secret/", "/m/a-secret/"])
def test_a_request_that_fails_is_logged_without_names_and_keys_of_its_address(
    client, monkeypatch, caplog, error, address
):
    monkeypatch.setattr("django.db.backends.utils.CursorWrapper.execute", raising(error))
    client.raise_request_exception = False
    assert client.get(address).status_code >= 500
    (line,) = [one.getMessage() for one in caplog.records if one.name == "django.request"]
    assert not any(secret in line for secret in ("secret", "heron"))


@pytest.mark.parametrize(
    ("form", "level", "formatter", "ours", "others", "requests"),
    [
        ("text", "warning", "text", "WARNING", "WARNING", "WARNING"),
        ("text", "info", "text", "INFO", "WARNING", "WARNING"),
        ("json", "DEBUG", "json", "DEBUG", "WARNING", "INFO"),
        ("xml", "LOUD", "text", "WARNING", "WARNING", "WARNING"),
        ("json", "error", "json", "ERROR", "ERROR", "INFO"),
    ],
)
def test_logs_have_the_format_and_the_level_of_the_host(
    form, level, formatter, ours, others, requests
):
    made = logging_to_output(form, level)
    levels = {name: one["level"] for name, one in made["loggers"].items()}
    assert levels == {
        "antipodes": ours,
        "antipodes.requests": requests,
        "django.request": "ERROR",
        "django.security": "CRITICAL",
        "django.security.DisallowedHost": "ERROR",
    }
    assert made["root"] == {"handlers": ["output"], "level": others}
    assert made["handlers"]["output"]["formatter"] == formatter
    assert made["disable_existing_loggers"] is False


def filtered(error=None, **fields):
    """Return a record of an error of Django after the filter of outages."""
    exc_info = None if error is None else (type(error), error, None)
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "GET %s", ("/a/",), exc_info)
    record.__dict__.update(fields)
    assert OutageFilter().filter(record)
    return record


def test_refusals_for_a_while_are_warnings_and_other_errors_stay_errors():
    away = filtered(OperationalError("away"), status_code=500)
    assert (away.levelname, away.levelno, away.exc_info) == ("WARNING", logging.WARNING, None)
    assert away.getMessage() == "GET /a/ error=away"
    busy = filtered(status_code=503)
    assert (busy.levelname, busy.getMessage()) == ("WARNING", "GET /a/")
    for one in (filtered(status_code=500), filtered(), filtered(KeyError("x"), status_code=503)):
        assert (one.levelname, one.levelno) == ("ERROR", logging.ERROR)


def test_each_line_has_the_id_of_its_request():
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "a line", (), None)
    token = request_id.set("an-id-of-a-request")
    try:
        assert RequestIdFilter().filter(record)
    finally:
        request_id.reset(token)
    assert record.__dict__["request_id"] == "an-id-of-a-request"


def test_a_refused_host_is_logged_once_with_the_file_of_the_settings(client, caplog, monkeypatch):
    monkeypatch.setattr(source, "file", Path("/etc/antipodes.env"))
    with caplog.filtering(RefusedHostFilter()):
        for host in ("play.example", "play.example", "other.example"):
            assert client.get("/", headers={"host": host}).status_code == 400
    lines = [one for one in caplog.records if one.name == "django.security.DisallowedHost"]
    assert [one.levelname for one in lines] == ["WARNING", "WARNING"]
    assert [one.exc_info for one in lines] == [None, None]
    for line, host in zip(lines, ("play.example", "other.example"), strict=True):
        assert f"You may need to add '{host}' to ALLOWED_HOSTS" in line.getMessage()
        assert line.getMessage().endswith("Settings were read from /etc/antipodes.env.")


def test_clients_cannot_fill_the_log_with_refused_hosts():
    chosen = RefusedHostFilter()
    records = [
        logging.LogRecord("x", logging.ERROR, "x.py", 1, f"{number}{'x' * 9_000}", None, None)
        for number in range(1_000)
    ]
    kept = [one for one in records if chosen.filter(one)]
    assert len(kept) == 20
    assert max(len(one.getMessage()) for one in kept) < 500
