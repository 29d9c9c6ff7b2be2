"""Laws of what a request may send, and of how many requests of one address are answered at once."""

import asyncio
import json
from base64 import b64encode
from functools import partial

import pytest
from django.conf import settings as site_settings

from antipodes.web.platform.limits import TooManyError
from antipodes.web.project import admission
from antipodes.web.project.admission import Admission, FewHandshakes

FAR = "192.0.2.7"  # an address of documentation, not of this machine
OTHER = "198.51.100.7"
SECRET = "antipodes:a-long-random-text"


def scope_of(path="/", *headers, address=FAR, query=b""):
    return {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": list(headers),
        "client": (address, 4711),
    }


def sized(length):
    return (b"content-length", str(length).encode())


class Client:
    """One request: what it sends, and what is answered."""

    def __init__(self, scope, *parts, stalls=False):
        self.scope = scope
        self.parts = list(parts) or [b""]
        self.read = 0
        self.stalls = stalls
        self.told = []

    async def receive(self):
        if not self.parts:
            await asyncio.sleep(3_600)
        part = self.parts.pop(0)
        self.read += len(part)
        return {"type": "http.request", "body": part, "more_body": self.stalls or bool(self.parts)}

    async def send(self, message):
        self.told.append(message)

    @property
    def status(self):
        return self.told[0]["status"] if self.told else None

    @property
    def headers(self):
        return dict(self.told[0]["headers"])

    @property
    def body(self):
        return b"".join(one.get("body", b"") for one in self.told)


class Site:
    """An application that says how much it was sent, once it is let go on."""

    def __init__(self, *, answers=True):
        self.bodies = []
        self.now = self.most = 0
        self.go_on = asyncio.Event()
        if answers:
            self.go_on.set()

    async def __call__(self, scope, receive, send):
        self.now += 1
        self.most = max(self.most, self.now)
        self.bodies.append((await receive())["body"])
        headers = [(b"x-accel-buffering", b"no")] if scope["path"] == "/stream" else []
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        try:
            await self.go_on.wait()
            await send({"type": "http.response.body", "body": b"done"})
        finally:
            self.now -= 1


def ask(*clients):
    """Let requests be answered one after another; return the bodies that reached the site."""

    async def run():
        site = Site()
        door = Admission(site)
        for client in clients:
            await door(client.scope, client.receive, client.send)
        return site.bodies

    return asyncio.run(run())


async def settle():
    for _ in range(50):
        await asyncio.sleep(0)


@pytest.fixture
def small(monkeypatch):
    """Limits that a test reaches."""
    for name, value in (("REQUEST_BODY", 1_000), ("WEBHOOK_BODY", 5_000), ("REQUEST_HEAD", 2_000)):
        monkeypatch.setenv(f"LIMIT_{name}", str(value))


def test_a_body_within_the_limit_arrives_whole(small):
    client = Client(scope_of("/", sized(1_000)), b"a" * 400, b"b" * 600)
    assert ask(client) == [b"a" * 400 + b"b" * 600]
    assert client.status == 200


def test_a_body_that_says_that_it_is_too_large_never_reaches_the_site(small):
    client = Client(scope_of("/", sized(500_000_000)), b"x" * 100)
    assert ask(client) == []
    assert client.status == 413
    assert client.headers[b"connection"] == b"close"
    assert b"at most 1000 bytes" in client.body


def test_a_body_that_does_not_say_how_large_it_is_is_counted(small):
    client = Client(scope_of("/"), *[b"x" * 300] * 100)
    assert ask(client) == []
    assert client.status == 413


def test_of_a_body_that_is_refused_little_is_read(small, monkeypatch):
    monkeypatch.setattr(admission, "_DISCARDED", 2_000)
    client = Client(scope_of("/", sized(10**12)), *[b"x" * 500] * 1_000)
    ask(client)
    assert client.read <= 2_500


@pytest.mark.parametrize("length", [b"-1", b"1e9", b"\xb2", b"9" * 400])
def test_a_length_that_is_no_length_is_refused(small, length):
    client = Client(scope_of("/", (b"content-length", length)))
    assert ask(client) == []
    assert client.status in {400, 413}


def test_under_the_api_a_refusal_is_a_problem(small):
    client = Client(scope_of("/api/v1/challenges", sized(5_000)), b"x")
    ask(client)
    told = json.loads(client.body)
    assert client.headers[b"content-type"] == b"application/json"
    assert told["code"] == told["faults"][0]["code"] == "request/body-too-large"


def test_a_refusal_is_in_the_language_of_whoever_reads_it(small):
    client = Client(scope_of("/", sized(5_000), (b"accept-language", b"de")), b"x")
    ask(client)
    assert b'lang="de"' in client.body


def test_addresses_and_headers_that_are_too_long_are_refused(small):
    long_address = Client(scope_of("/", query=b"x" * 3_000))
    long_headers = Client(scope_of("/", (b"cookie", b"x" * 3_000)))
    assert ask(long_address, long_headers) == []
    assert (long_address.status, long_headers.status) == (414, 431)


def test_a_provider_that_knows_the_secret_may_post_large_mails(small, settings):
    settings.MAIL_WEBHOOK_SECRET = SECRET
    right = (b"authorization", b"Basic " + b64encode(SECRET.encode()))
    wrong = (b"authorization", b"Basic " + b64encode(b"antipodes:something-else"))
    path = "/mail/webhooks/postmark/"
    known, unknown, elsewhere, larger = (
        Client(scope_of(path, sized(4_000), right), b"x" * 4_000),
        Client(scope_of(path, sized(4_000), wrong), b"x" * 4_000),
        Client(scope_of("/pair/", sized(4_000), right), b"x" * 4_000),
        Client(scope_of(path, right), *[b"x" * 1_000] * 6),
    )
    assert ask(known, unknown, elsewhere, larger) == [b"x" * 4_000]
    assert [one.status for one in (known, unknown, elsewhere, larger)] == [200, 413, 413, 413]


def test_a_mail_that_is_too_large_is_read_as_far_as_a_smaller_one(settings, monkeypatch):
    settings.MAIL_WEBHOOK_SECRET = SECRET
    monkeypatch.setattr(admission, "_DISCARDED", 1_000)
    monkeypatch.setenv("LIMIT_WEBHOOK_BODY", "50000")
    proved = (b"authorization", b"Basic " + b64encode(SECRET.encode()))
    scope = scope_of("/mail/webhooks/postmark/", proved, sized(60_000))
    client = Client(scope, *[b"x" * 10_000] * 6)
    asyncio.run(Admission(Site())(client.scope, client.receive, client.send))
    assert client.status == 413
    assert client.read == 50_000, "until the limit of the proxy too"


def test_no_body_that_is_let_in_is_written_to_the_disk():
    most = site_settings.FILE_UPLOAD_MAX_MEMORY_SIZE
    assert most >= site_settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert most >= int(admission.WEBHOOK_BODY.default) > int(admission.BODY.default)
    assert not any("Temporary" in one for one in site_settings.FILE_UPLOAD_HANDLERS)


def test_a_body_that_does_not_arrive_in_time_is_given_up(monkeypatch):
    monkeypatch.setattr(admission.BODY_SECONDS.__class__, "value", property(lambda _: 0.05))
    monkeypatch.setattr(admission, "_check_head", lambda _: None)
    monkeypatch.setattr(admission, "_most_bytes", lambda _: 1_000)
    monkeypatch.setattr(admission, "_Network", lambda _: _Roomy())
    client = Client(scope_of("/"), b"slow", stalls=True)
    assert ask(client) == []
    assert client.status == 408


class _Roomy:
    """A network without bounds."""

    def __init__(self):
        self.requests, self.most, self.free = 0, 1_000, asyncio.Semaphore(1_000)


def test_a_client_that_hangs_up_is_not_answered():
    client = Client(scope_of("/"))

    async def gone():
        return {"type": "http.disconnect"}

    asyncio.run(Admission(Site())(client.scope, gone, client.send))
    assert client.told == []


def test_one_address_has_few_requests_in_progress_and_the_others_wait(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "2")

    async def run():
        site = Site(answers=False)
        door = Admission(site)
        clients = [Client(scope_of("/")) for _ in range(6)]
        tasks = [asyncio.ensure_future(door(c.scope, c.receive, c.send)) for c in clients]
        await settle()
        assert site.now == 2
        stranger = Client(scope_of("/", address=OTHER))
        task = asyncio.ensure_future(door(stranger.scope, stranger.receive, stranger.send))
        await settle()
        assert site.now == 3, "somebody else does not wait for them"
        site.go_on.set()
        await asyncio.gather(task, *tasks)
        assert [one.status for one in clients] == [200] * 6
        assert not door._networks, "nothing is kept of addresses that have left"
        return site.most

    assert asyncio.run(run()) == 3


def test_beyond_those_that_wait_requests_are_refused_with_a_time_to_come_again(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")
    monkeypatch.setenv("LIMIT_REQUESTS_WAITING", "2")

    async def run():
        site = Site(answers=False)
        door = Admission(site)
        clients = [Client(scope_of("/api/v1/me")) for _ in range(5)]
        tasks = [asyncio.ensure_future(door(c.scope, c.receive, c.send)) for c in clients]
        await settle()
        refused = [one for one in clients if one.status == 429]
        site.go_on.set()
        await asyncio.gather(*tasks)
        return refused

    refused = asyncio.run(run())
    assert len(refused) == 2
    assert int(refused[0].headers[b"retry-after"]) > 0
    assert json.loads(refused[0].body)["code"] == "limits/too-many-at-once"


async def open_sockets(door, count, address=FAR):
    """Begin the handshakes of WebSockets; return what each of them was told."""
    told: list[list[str]] = [[] for _ in range(count)]

    async def tell(one, message):
        one.append(message["type"])

    scope = {**scope_of("/m/abc/socket", address=address), "type": "websocket"}
    tasks = [asyncio.ensure_future(door(scope, None, partial(tell, one))) for one in told]
    await settle()
    return told, tasks


class Handshakes:
    """Accepts WebSockets when it is told to, and keeps them open."""

    def __init__(self):
        self.begun, self.accept, self.end = 0, asyncio.Event(), asyncio.Event()

    async def __call__(self, scope, receive, send):
        self.begun += 1
        await self.accept.wait()
        await send({"type": "websocket.accept"})
        await self.end.wait()


def test_one_address_opens_few_sockets_at_once_and_the_others_wait(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "2")

    async def run():
        site = Handshakes()
        door = FewHandshakes(site)
        told, tasks = await open_sockets(door, 6)
        assert site.begun == 2
        _, more = await open_sockets(door, 1, OTHER)
        assert site.begun == 3, "somebody else does not wait for them"
        site.accept.set()
        await settle()
        assert told == [["websocket.accept"]] * 6, "an open socket takes no place"
        site.end.set()
        await asyncio.gather(*tasks, *more)
        assert not door._networks, "nothing is kept of addresses that have left"

    asyncio.run(run())


def test_beyond_those_that_wait_sockets_are_refused(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")
    monkeypatch.setenv("LIMIT_REQUESTS_WAITING", "2")

    async def run():
        site = Handshakes()
        _, tasks = await open_sockets(FewHandshakes(site), 5)
        site.accept.set()
        site.end.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    refused = [one for one in asyncio.run(run()) if one is not None]
    assert [type(one) for one in refused] == [TooManyError] * 2


def test_a_slow_body_takes_no_place_from_requests_that_are_complete(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")

    async def run():
        door = Admission(Site())
        slow = [Client(scope_of("/"), b"...", stalls=True) for _ in range(5)]
        tasks = [asyncio.ensure_future(door(c.scope, c.receive, c.send)) for c in slow]
        await settle()
        quick = Client(scope_of("/"))
        await door(quick.scope, quick.receive, quick.send)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return quick.status

    assert asyncio.run(run()) == 200


def test_streams_take_no_place_once_they_have_begun(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")

    async def run():
        site = Site(answers=False)
        door = Admission(site)
        streams = [Client(scope_of("/stream")) for _ in range(4)]
        tasks = [asyncio.ensure_future(door(c.scope, c.receive, c.send)) for c in streams]
        await settle()
        assert [one.status for one in streams] == [200] * 4
        site.go_on.set()
        await asyncio.gather(*tasks)

    asyncio.run(run())


def test_this_machine_is_not_bounded(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")

    async def run():
        site = Site(answers=False)
        door = Admission(site)
        clients = [Client(scope_of("/", address="127.0.0.1")) for _ in range(9)]
        tasks = [asyncio.ensure_future(door(c.scope, c.receive, c.send)) for c in clients]
        await settle()
        assert site.now == 9
        site.go_on.set()
        await asyncio.gather(*tasks)

    asyncio.run(run())


def test_a_request_that_fails_gives_its_place_back(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "1")

    async def fail(*_):
        raise ZeroDivisionError

    async def run():
        door = Admission(fail)
        for _ in range(3):
            client = Client(scope_of("/"))
            with pytest.raises(ZeroDivisionError):
                await asyncio.wait_for(door(client.scope, client.receive, client.send), 10)
        assert not door._networks

    asyncio.run(run())
