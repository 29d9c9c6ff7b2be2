"""Tests of the sizes of requests to the byte, and of the answers to those that are too large."""

import asyncio
from base64 import b64encode

import pytest

from antipodes.web.project.admission import Admission
from tests.web.admitted import Client, handle, scope_of, sized


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    for name, value in (("REQUEST_BODY", 1_000), ("WEBHOOK_BODY", 5_000), ("REQUEST_HEAD", 2_000)):
        monkeypatch.setenv(f"LIMIT_{name}", str(value))


@pytest.mark.parametrize(
    ("length", "status"),
    [
        (b"-1", 400),
        (b"1e9", 400),
        (b"\xb2", 400),
        (b"9" * 400, 413),
        (b"1".zfill(15), 200),
        (b"1".zfill(16), 413),
        (b"1000", 200),
        (b"1001", 413),
        (b"", 200),
    ],
)
def test_a_content_length_is_a_number_within_the_limit(length, status):
    client = Client(scope_of("/", (b"content-length", length)))
    assert handle(client) == [b""] * (status == 200)
    assert client.status == status
    if status == 400:
        assert "The Content-Length of the request is not a number." in client.body.decode()


def test_the_last_content_length_counts():
    clients = [Client(scope_of("/", *map(sized, lengths))) for lengths in ((1, 1_001), (1_001, 1))]
    handle(*clients)
    assert [one.status for one in clients] == [413, 200]


@pytest.mark.parametrize(("more", "status"), [(0, 200), (1, 413)])
def test_a_body_without_declared_length_is_counted_to_the_byte(more, status):
    client = Client(scope_of("/"), b"x" * 500, b"x" * (500 + more), b"")
    assert handle(client) == [b"x" * 1_000] * (status == 200)
    assert client.status == status


@pytest.mark.parametrize(
    ("query", "cookie", "status"),
    [(1_999, 0, 200), (2_000, 0, 414), (999, 994, 200), (999, 995, 431)],
)
def test_an_address_and_headers_are_counted_to_the_byte(query, cookie, status):
    headers = [(b"cookie", b"x" * cookie)] if cookie else []
    client = Client(scope_of("/", *headers, query=b"x" * query))
    handle(client)
    assert client.status == status


def test_a_request_without_raw_address_is_measured_by_its_query():
    scope = {**scope_of("/", query=b"x" * 2_001), "raw_path": None}
    client = Client(scope)
    handle(client)
    assert client.status == 414


@pytest.mark.parametrize(
    ("path", "kind"), [("/", "text/html; charset=utf-8"), ("/api/v1/me", "application/json")]
)
def test_a_refusal_closes_the_connection_and_is_not_cached(path, kind):
    client = Client(scope_of(path, sized(5_000)), b"x")
    handle(client)
    assert client.headers == {
        b"content-type": kind.encode(),
        b"content-length": str(len(client.body)).encode(),
        b"connection": b"close",
        b"cache-control": b"no-store",
        b"content-security-policy": b"default-src 'self'; frame-ancestors 'none'",
        b"x-content-type-options": b"nosniff",
    }
    text = "The body of the request is too large; at most 1000 bytes are read."
    assert text in client.body.decode()


def test_reading_of_a_refused_body_ends_with_the_body():
    client = Client(scope_of("/", sized(5_000)), b"x" * 100, b"y" * 200)
    handle(client)
    assert (client.read, client.parts) == (300, [])


def test_after_its_body_an_application_receives_what_the_client_sends_next():
    received = []

    async def application(_scope, receive, _send):
        received.extend([await receive(), await receive()])

    client = Client(scope_of("/"), b"a body", b"more")
    client.parts = [b"a body"]

    async def receive():
        return await client.receive() if client.parts else {"type": "http.disconnect"}

    asyncio.run(Admission(application)(client.scope, receive, client.send))
    body = {"type": "http.request", "body": b"a body", "more_body": False}
    assert received == [body, {"type": "http.disconnect"}]


def test_a_site_without_webhooks_has_one_limit_for_all_bodies(settings):
    settings.MAIL_WEBHOOK_SECRET = ""
    empty = (b"authorization", b"Basic " + b64encode(b""))
    client = Client(scope_of("/mail/webhooks/postmark/", sized(4_000), empty), b"x")
    handle(client)
    assert client.status == 413
