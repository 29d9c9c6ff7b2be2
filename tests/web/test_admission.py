"""Tests of the limits on requests: their sizes, and how many of an address are in progress."""

import asyncio
import json
from base64 import b64encode
from functools import partial

import pytest
from django.conf import settings as site_settings

from antipodes.web.platform.limits import TooManyError
from antipodes.web.project import admission
from antipodes.web.project.admission import Admission, HandshakeAdmission
from tests.web.admitted import FAR, OTHER, Client, Site, handle, scope_of, settle, sized

SECRET = "antipodes:a-long-random-text"


@pytest.fixture
def small(monkeypatch):
    for name, value in (("REQUEST_BODY", 1_000), ("WEBHOOK_BODY", 5_000), ("REQUEST_HEAD", 2_000)):
        monkeypatch.setenv(f"LIMIT_{name}", str(value))


def test_a_body_within_the_limit_arrives_completely(small):
    client = Client(scope_of("/", sized(1_000)), b"a" * 400, b"b" * 600)
    assert handle(client) == [b"a" * 400 + b"b" * 600]
    assert client.status == 200


def test_a_body_declared_too_large_is_refused(small):
    client = Client(scope_of("/", sized(500_000_000)), b"x" * 100)
    assert handle(client) == []
    assert client.status == 413
    assert client.headers[b"connection"] == b"close"
    assert b"at most 1000 bytes" in client.body


def test_a_body_without_declared_length_is_counted(small):
    client = Client(scope_of("/"), *[b"x" * 300] * 100)
    assert handle(client) == []
    assert client.status == 413


def test_little_is_read_of_a_refused_body(small, monkeypatch):
    monkeypatch.setattr(admission, "_DISCARDED", 2_000)
    client = Client(scope_of("/", sized(10**12)), *[b"x" * 500] * 1_000)
    handle(client)
    assert client.read == 2_000


def test_a_refusal_of_the_api_is_json(small):
    client = Client(scope_of("/api/v1/challenges", sized(5_000)), b"x")
    handle(client)
    problem = json.loads(client.body)
    assert client.headers[b"content-type"] == b"application/json"
    assert problem["code"] == problem["faults"][0]["code"] == "request/body-too-large"


def test_a_refusal_is_in_the_language_of_the_client(small):
    client = Client(scope_of("/", sized(5_000), (b"accept-language", b"de")), b"x")
    handle(client)
    assert b'lang="de"' in client.body


def test_long_addresses_and_headers_are_refused(small):
    long_address = Client(scope_of("/", query=b"x" * 3_000))
    long_headers = Client(scope_of("/", (b"cookie", b"x" * 3_000)))
    assert handle(long_address, long_headers) == []
    assert (long_address.status, long_headers.status) == (414, 431)


def test_a_host_with_an_impossible_port_is_refused(small):
    wrong = [Client(scope_of("/", (b"host", b"a.example:" + port))) for port in (b"65536", b"x")]
    right = Client(scope_of("/", (b"host", b"[::1]:65535")))
    assert len(handle(*wrong, right)) == 1
    assert [one.status for one in (*wrong, right)] == [400, 400, 200]
    assert b"65535" in wrong[0].body


def test_a_provider_that_knows_the_secret_may_post_large_mails(small, settings, monkeypatch):
    settings.MAIL_WEBHOOK_SECRET = SECRET
    monkeypatch.setattr(admission, "_DISCARD_SECONDS", 0.1)
    right = (b"authorization", b"Basic " + b64encode(SECRET.encode()))
    wrong = (b"authorization", b"Basic " + b64encode(b"antipodes:something-else"))
    path = "/mail/webhooks/postmark/"
    known, unknown, elsewhere, larger = (
        Client(scope_of(path, sized(4_000), right), b"x" * 4_000),
        Client(scope_of(path, sized(4_000), wrong), b"x" * 4_000),
        Client(scope_of("/pair/", sized(4_000), right), b"x" * 4_000),
        Client(scope_of(path, right), *[b"x" * 1_000] * 6),
    )
    assert handle(known, unknown, elsewhere, larger) == [b"x" * 4_000]
    assert [one.status for one in (known, unknown, elsewhere, larger)] == [200, 413, 413, 413]


def test_a_mail_that_is_too_large_is_read_up_to_the_limit(settings, monkeypatch):
    settings.MAIL_WEBHOOK_SECRET = SECRET
    monkeypatch.setattr(admission, "_DISCARDED", 1_000)
    monkeypatch.setenv("LIMIT_WEBHOOK_BODY", "50000")
    authorization = (b"authorization", b"Basic " + b64encode(SECRET.encode()))
    scope = scope_of("/mail/webhooks/postmark/", authorization, sized(60_000))
    client = Client(scope, *[b"x" * 10_000] * 6)
    asyncio.run(Admission(Site())(client.scope, client.receive, client.send))
    assert client.status == 413
    assert client.read == 50_000, "up to the limit of the proxy"


def test_no_accepted_body_is_written_to_the_disk():
    most = site_settings.FILE_UPLOAD_MAX_MEMORY_SIZE
    assert most >= site_settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert most >= int(admission.WEBHOOK_BODY.default) > int(admission.BODY.default)
    assert not any("Temporary" in one for one in site_settings.FILE_UPLOAD_HANDLERS)


def test_a_body_that_does_not_arrive_in_time_is_refused(monkeypatch):
    monkeypatch.setattr(admission.BODY_SECONDS.__class__, "value", property(lambda _: 0.05))
    monkeypatch.setattr(admission, "_check_head", lambda _: None)
    monkeypatch.setattr(admission, "_max_body", lambda _: 1_000)
    monkeypatch.setattr(admission, "_Network", lambda _: _Unlimited())
    client = Client(scope_of("/"), b"slow", stalls=True)
    assert handle(client) == []
    assert client.status == 408
    assert b"retry-after" not in client.headers
    assert "did not arrive within 0.05 seconds; try again." in client.body.decode()


class _Unlimited:
    """A network without limits."""

    def __init__(self):
        self.requests, self.max_requests, self.slots = 0, 1_000, asyncio.Semaphore(1_000)


def test_a_client_that_disconnects_gets_no_response():
    client = Client(scope_of("/"))

    async def disconnect():
        return {"type": "http.disconnect"}

    asyncio.run(Admission(Site())(client.scope, disconnect, client.send))
    assert client.sent == []


def test_requests_of_an_address_wait_while_others_are_in_progress(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "2")

    async def run():
        site = Site(responds=False)
        admit = Admission(site)
        clients = [Client(scope_of("/")) for _ in range(6)]
        tasks = [asyncio.ensure_future(admit(c.scope, c.receive, c.send)) for c in clients]
        await settle()
        assert site.running == 2
        other = Client(scope_of("/", address=OTHER))
        task = asyncio.ensure_future(admit(other.scope, other.receive, other.send))
        await settle()
        assert site.running == 3, "other addresses do not wait for them"
        site.released.set()
        await asyncio.gather(task, *tasks)
        assert [one.status for one in clients] == [200] * 6
        assert not admit._networks, "networks without requests are removed"
        return site.most

    assert asyncio.run(run()) == 3


def test_too_many_waiting_requests_are_refused_with_retry_after(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")
    monkeypatch.setenv("LIMIT_REQUESTS_WAITING", "2")

    async def run():
        site = Site(responds=False)
        admit = Admission(site)
        clients = [Client(scope_of("/api/v1/me")) for _ in range(5)]
        tasks = [asyncio.ensure_future(admit(c.scope, c.receive, c.send)) for c in clients]
        await settle()
        refused = [one for one in clients if one.status == 429]
        site.released.set()
        await asyncio.gather(*tasks)
        return refused

    refused = asyncio.run(run())
    assert len(refused) == 2
    assert int(refused[0].headers[b"retry-after"]) == admission._RETRY_AFTER
    assert json.loads(refused[0].body)["code"] == "limits/too-many-at-once"


async def open_sockets(admit, count, address=FAR):
    """Begin the handshakes of WebSockets; return the messages to each, and their tasks."""
    sent: list[list[str]] = [[] for _ in range(count)]

    async def send(one, message):
        one.append(message["type"])

    scope = {**scope_of("/m/abc/socket", address=address), "type": "websocket"}
    tasks = [asyncio.ensure_future(admit(scope, None, partial(send, one))) for one in sent]
    await settle()
    return sent, tasks


class Handshakes:
    """Accepts WebSockets when released, and keeps them open."""

    def __init__(self):
        self.begun, self.accept, self.end = 0, asyncio.Event(), asyncio.Event()

    async def __call__(self, scope, receive, send):
        self.begun += 1
        await self.accept.wait()
        await send({"type": "websocket.accept"})
        await self.end.wait()


def test_handshakes_of_an_address_wait_while_others_are_in_progress(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "2")

    async def run():
        site = Handshakes()
        admit = HandshakeAdmission(site)
        sent, tasks = await open_sockets(admit, 6)
        assert site.begun == 2
        _, more = await open_sockets(admit, 1, OTHER)
        assert site.begun == 3, "other addresses do not wait for them"
        site.accept.set()
        await settle()
        assert sent == [["websocket.accept"]] * 6, "an open socket occupies no slot"
        site.end.set()
        await asyncio.gather(*tasks, *more)
        assert not admit._networks, "networks without requests are removed"

    asyncio.run(run())


def test_too_many_waiting_handshakes_are_refused(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")
    monkeypatch.setenv("LIMIT_REQUESTS_WAITING", "2")

    async def run():
        site = Handshakes()
        _, tasks = await open_sockets(HandshakeAdmission(site), 5)
        site.accept.set()
        site.end.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    refused = [one for one in asyncio.run(run()) if one is not None]
    assert [type(one) for one in refused] == [TooManyError] * 2


def test_a_slow_body_occupies_no_slot(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")

    async def run():
        admit = Admission(Site())
        slow = [Client(scope_of("/"), b"...", stalls=True) for _ in range(5)]
        tasks = [asyncio.ensure_future(admit(c.scope, c.receive, c.send)) for c in slow]
        await settle()
        quick = Client(scope_of("/"))
        await admit(quick.scope, quick.receive, quick.send)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return quick.status

    assert asyncio.run(run()) == 200


def test_a_stream_occupies_no_slot(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")

    async def run():
        site = Site(responds=False)
        admit = Admission(site)
        streams = [Client(scope_of("/stream")) for _ in range(4)]
        tasks = [asyncio.ensure_future(admit(c.scope, c.receive, c.send)) for c in streams]
        await settle()
        assert [one.status for one in streams] == [200] * 4
        site.released.set()
        await asyncio.gather(*tasks)

    asyncio.run(run())


def test_requests_of_this_machine_are_not_limited(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")

    async def run():
        site = Site(responds=False)
        admit = Admission(site)
        clients = [Client(scope_of("/", address="127.0.0.1")) for _ in range(9)]
        tasks = [asyncio.ensure_future(admit(c.scope, c.receive, c.send)) for c in clients]
        await settle()
        assert site.running == 9
        site.released.set()
        await asyncio.gather(*tasks)

    asyncio.run(run())


def test_a_failing_request_frees_its_slot(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")

    async def fail(*_):
        raise ZeroDivisionError

    async def run():
        admit = Admission(fail)
        for _ in range(3):
            client = Client(scope_of("/"))
            with pytest.raises(ZeroDivisionError):
                await asyncio.wait_for(admit(client.scope, client.receive, client.send), 10)
        assert not admit._networks

    asyncio.run(run())


@pytest.mark.parametrize(("path", "kind"), [("/", "text/html"), ("/api/v1/games", "json")])
def test_a_request_that_the_stopping_server_cancels_may_be_tried_again(path, kind):
    async def waits(_scope, _receive, _send):
        await asyncio.sleep(3_600)

    async def run(client):
        task = asyncio.create_task(Admission(waits)(client.scope, client.receive, client.send))
        await settle()
        task.cancel()
        await task

    client = Client(scope_of(path))
    asyncio.run(run(client))
    assert client.status == 503
    assert int(client.headers[b"retry-after"]) > 0
    assert kind in client.headers[b"content-type"].decode()
    assert "restarts" in client.body.decode()


def test_a_response_that_has_begun_ends_when_the_server_stops():
    async def run(client):
        application = Site(responds=False)
        task = asyncio.create_task(
            Admission(application)(client.scope, client.receive, client.send)
        )
        await settle()
        task.cancel()
        await task

    client = Client(scope_of())
    asyncio.run(run(client))
    assert [one["type"] for one in client.sent] == ["http.response.start"]


def test_an_ipv6_network_of_several_customers_has_four_times_as_many_requests(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")
    monkeypatch.setenv("LIMIT_REQUESTS_WAITING", "2")

    async def run():
        site = Site(responds=False)
        admit = Admission(site)
        addresses = [f"2001:db8:0:{number % 6}00::1" for number in range(15)]
        clients = [Client(scope_of("/", address=address)) for address in addresses]
        tasks = [asyncio.ensure_future(admit(c.scope, c.receive, c.send)) for c in clients]
        await settle()
        assert site.running == 4
        refused = [number for number, one in enumerate(clients) if one.status == 429]
        site.released.set()
        await asyncio.gather(*tasks)
        assert not admit._networks
        return refused

    assert asyncio.run(run()) == [12, 13, 14]


def test_a_refused_handshake_may_be_tried_again_soon(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")
    monkeypatch.setenv("LIMIT_REQUESTS_WAITING", "1")

    async def run():
        site = Handshakes()
        admit = HandshakeAdmission(site)
        _, tasks = await open_sockets(admit, 3)
        site.accept.set()
        site.end.set()
        [error] = [one for one in await asyncio.gather(*tasks, return_exceptions=True) if one]
        assert not admit._networks
        return error

    assert asyncio.run(run()).seconds == admission._RETRY_AFTER


def test_a_response_is_a_stream_by_its_header_whatever_the_case():
    left = []

    async def send(_message):
        pass

    response = admission._Response(send, lambda: left.append(1))
    for headers in ([], [(b"x-accel-buffering", b"yes")], [(b"other", b"no")]):
        asyncio.run(response.send({"type": "http.response.start", "headers": headers}))
    assert (left, response.has_begun) == ([], True)
    asyncio.run(response.send({"headers": [(b"X-Accel-Buffering", b"no")]}))
    assert left == [1]
