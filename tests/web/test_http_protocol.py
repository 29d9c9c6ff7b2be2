"""Tests of the timeouts of HTTP connections, and of their number for an address."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from antipodes.web.connections import refusals
from antipodes.web.platform.client_addresses import parse
from antipodes.web.server import http_protocol
from antipodes.web.server.http_protocol import BoundedHttpProtocol

FAR = "192.0.2.7"
OTHER = "198.51.100.7"
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


class Wire(asyncio.Transport):
    """The server's end of a connection, without a network."""

    def __init__(self, address):
        super().__init__()
        self._peer = (address, 4711)
        self.written = b""
        self.unread = 0
        self.ended = asyncio.Event()
        self.protocol: Any = None

    def get_extra_info(self, name, default=None):
        return {"peername": self._peer, "sockname": ("127.0.0.1", 8000)}.get(name, default)

    def write(self, data):
        self.written += data

    def is_closing(self):
        return self.ended.is_set()

    def close(self):
        if not self.ended.is_set():
            self.ended.set()
            asyncio.get_running_loop().call_soon(self.protocol.connection_lost, None)

    abort = close

    def get_write_buffer_size(self):
        return self.unread

    def pause_reading(self): ...

    def resume_reading(self): ...

    def set_protocol(self, protocol): ...


async def site(scope, receive, send):
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"well"})


def connect(address=FAR, application=site, ws="none"):
    config = uvicorn.Config(application, http=BoundedHttpProtocol, ws=ws, log_config=None)
    config.load()
    wire = Wire(address)
    wire.protocol = BoundedHttpProtocol(config, ServerState(), {})
    wire.protocol.connection_made(wire)
    return wire


async def settle():
    for _ in range(50):
        await asyncio.sleep(0)


@pytest.fixture
def quick(monkeypatch):
    """Check often, with short timeouts."""
    monkeypatch.setattr(http_protocol, "_CHECK_EVERY", 0.01)
    monkeypatch.setattr(http_protocol.HEAD_SECONDS.__class__, "value", property(_soon))


def _soon(limit):
    return 0.05 if limit.name.endswith("-seconds") else int(limit.amount)


def ends(wire):
    return asyncio.wait_for(wire.ended.wait(), 30)


@pytest.mark.parametrize("sent", [b"", b"GET", HEAD, b"\r\n"])
def test_a_connection_without_request_is_closed(quick, sent):
    async def run():
        wire = connect()
        if sent:
            wire.protocol.data_received(sent)
        await ends(wire)

    asyncio.run(run())


def test_slow_headers_do_not_keep_a_connection_open(quick):
    async def run():
        wire = connect()
        wire.protocol.data_received(HEAD)
        while not wire.ended.is_set():
            wire.protocol.data_received(b"a: b\r\n")
            await asyncio.sleep(0.02)

    asyncio.run(asyncio.wait_for(run(), 30))


def test_empty_lines_do_not_keep_a_connection_open(quick):
    async def run():
        wire = connect()
        wire.protocol.data_received(HEAD + b"\r\n")
        await asyncio.sleep(0.02)
        assert b"200 OK" in wire.written
        while not wire.ended.is_set():
            wire.protocol.data_received(b"\r\n")
            await asyncio.sleep(0.02)

    asyncio.run(asyncio.wait_for(run(), 30))


def test_a_client_that_does_not_read_is_disconnected(quick):
    async def run():
        wire = connect()
        wire.protocol.data_received(HEAD + b"\r\n")
        wire.unread = 50_000
        await ends(wire)

    asyncio.run(run())


def test_a_client_that_reads_slowly_stays_connected(quick):
    async def run():
        wire = connect()
        wire.protocol.data_received(HEAD + b"\r\n")
        wire.unread = 50_000
        for _ in range(20):
            wire.unread -= 1_000
            await asyncio.sleep(0.02)
        assert not wire.ended.is_set()

    asyncio.run(run())


def test_a_slow_response_does_not_time_out(quick):
    async def slow(scope, receive, send):
        await receive()
        await asyncio.sleep(0.3)
        await site(scope, receive, send)

    async def run():
        wire = connect(application=slow)
        wire.protocol.data_received(HEAD + b"\r\n")
        await asyncio.sleep(0.2)
        assert not wire.ended.is_set()

    asyncio.run(run())


def test_headers_without_end_are_refused(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUEST_HEAD", "5000")

    async def run():
        wire = connect()
        wire.protocol.data_received(HEAD + b"a: ")
        for _ in range(20):
            if not wire.ended.is_set():
                wire.protocol.data_received(b"x" * 1_000)
        assert wire.ended.is_set()
        assert b" 431 " in wire.written

    asyncio.run(run())


def test_connections_of_an_address_are_limited(monkeypatch):
    monkeypatch.setenv("LIMIT_HTTP_CONNECTIONS", "3")

    async def run():
        wires = [connect() for _ in range(4)]
        assert [wire.ended.is_set() for wire in wires] == [False, False, False, True]
        assert b" 429 " in wires[3].written
        assert not connect(OTHER).ended.is_set()
        wires[0].close()
        await asyncio.sleep(0)
        assert not connect().ended.is_set()

    http_protocol._open.clear()
    asyncio.run(run())
    http_protocol._open.clear()


@pytest.mark.parametrize("proxies", [0, 1])
def test_connections_of_this_machine_and_of_a_proxy_are_not_limited(monkeypatch, settings, proxies):
    monkeypatch.setenv("LIMIT_HTTP_CONNECTIONS", "1")
    settings.TRUSTED_PROXIES = proxies

    async def run():
        address = FAR if proxies else "127.0.0.1"
        assert not any(connect(address).ended.is_set() for _ in range(5))

    asyncio.run(run())


UPGRADE = (
    HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@pytest.fixture
def refused():
    """Forget refused addresses."""
    refusals._refused_until.clear()
    yield refusals
    refusals._refused_until.clear()


@pytest.mark.parametrize(("address", "is_refused"), [(FAR, True), (OTHER, False)])
async def test_an_address_with_too_many_sockets_is_refused_before_the_handshake(
    refused, address, is_refused, monkeypatch
):
    begun = []
    monkeypatch.setattr(http_protocol, "_has_left", lambda _transport: False)

    async def socket(scope, receive, send):
        begun.append(scope["type"])

    refused.note(parse(FAR))
    http_protocol._open.clear()
    wire = connect(address, socket, ws="websockets-sansio")
    assert http_protocol._open == {address: 1}
    wire.protocol.data_received(UPGRADE)
    assert not http_protocol._open, "the registry limits sockets"
    await asyncio.sleep(0.05)
    assert wire.written.startswith(b"HTTP/1.1 429 ") == is_refused
    assert begun == ([] if is_refused else ["websocket"])


def test_a_refusal_expires_and_does_not_affect_neighbours(refused, monkeypatch):
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    refused.note(parse("2001:db8:0:100::1"))
    assert refused.is_refused(parse("2001:db8:0:1ff::2"))
    assert not refused.is_refused(parse("2001:db8:0:200::1")), "another customer of the provider"
    now += refused.SECONDS
    assert not refused.is_refused(parse("2001:db8:0:100::1"))


def test_this_machine_is_never_refused(refused):
    refused.note(parse("127.0.0.1"))
    assert not refused.is_refused(parse("127.0.0.1"))


def test_a_client_that_reads_again_is_not_stalled():
    async def run():
        protocol = connect().protocol
        protocol.pause_writing()
        assert protocol.flow.write_paused
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(protocol, "loop", SimpleNamespace(time=lambda: 1e9))
            protocol.resume_writing()
        assert protocol._read_at == 1e9
        assert not protocol.flow.write_paused
        protocol.connection_lost(None)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("at", "state", "is_aborted"),
    [
        (15.0, {}, False),
        (15.1, {}, True),
        (15.1, {"_head_began": None}, False),
        (15.1, {"cycle": SimpleNamespace(response_complete=False)}, False),
        (15.1, {"cycle": SimpleNamespace(response_complete=True)}, True),
        (15.1, {"unread": 100}, False),
        (30.0, {"unread": 100, "_pending": 100}, False),
        (30.1, {"unread": 100, "_pending": 100}, True),
        (30.1, {"unread": 100, "_pending": 50}, True),
        (30.1, {"unread": 100, "_pending": 101}, False),
        (30.1, {"_head_began": None}, False),
    ],
)
async def test_a_client_has_15_seconds_for_its_headers_and_30_to_read(at, state, is_aborted):
    wire = connect()
    protocol, later = wire.protocol, []
    protocol._check_timer.cancel()
    protocol.cycle = None
    protocol._head_began = protocol._read_at = 0.0
    for name, value in state.items():
        setattr(wire if name == "unread" else protocol, name, value)
    loop = protocol.loop
    protocol.loop = SimpleNamespace(time=lambda: at, call_later=lambda *call: later.append(call))
    protocol._check_timer = None
    protocol._check()
    protocol.cycle = None
    assert wire.ended.is_set() is is_aborted
    assert later == ([] if is_aborted else [(http_protocol._CHECK_EVERY, protocol._check)])
    assert protocol._pending == wire.unread
    protocol.loop, protocol._check_timer = loop, None
    protocol.connection_lost(None)


@pytest.mark.parametrize(("more", "is_refused"), [(0, False), (1, True)])
async def test_headers_are_counted_to_the_byte_for_each_request(monkeypatch, more, is_refused):
    monkeypatch.setenv("LIMIT_REQUEST_HEAD", "200")
    wire = connect()
    for _ in range(2):
        wire.protocol.data_received(HEAD + b"a: " + b"x" * 150 + b"\r\n\r\n")
        await settle()
    assert wire.written.count(b"200 OK") == 2
    wire.protocol.data_received(HEAD + b"a: ".ljust(200 - len(HEAD) + more, b"x"))
    assert wire.ended.is_set() is is_refused
    wire.close()
    await asyncio.sleep(0)


async def test_a_body_does_not_count_as_headers(monkeypatch):
    monkeypatch.setenv("LIMIT_REQUEST_HEAD", "200")
    wire = connect()
    wire.protocol.data_received(HEAD.replace(b"GET", b"POST") + b"Content-Length: 900\r\n\r\n")
    for _ in range(2):
        wire.protocol.data_received(b"x" * 450)
    await settle()
    assert not wire.ended.is_set()
    assert b"200 OK" in wire.written
    wire.close()
    await asyncio.sleep(0)


def test_connections_of_an_ipv6_network_of_several_customers_are_four_times_as_many(monkeypatch):
    monkeypatch.setenv("LIMIT_HTTP_CONNECTIONS", "1")

    async def run():
        addresses = ["2001:db8:0:100::1", "2001:db8:0:1ff::1"]
        addresses += [f"2001:db8:0:{number}00::1" for number in range(2, 7)]
        wires = [connect(address) for address in addresses]
        ended = [wire.ended.is_set() for wire in wires]
        assert ended == [False, True, False, False, False, True, True]
        assert sorted(http_protocol._open.values()) == [1, 1, 1, 1, 4]
        for wire in wires:
            wire.close()
        await asyncio.sleep(0)
        assert not http_protocol._open

    http_protocol._open.clear()
    asyncio.run(run())


def test_a_refused_connection_is_told_why_and_when_to_try_again(monkeypatch):
    monkeypatch.setenv("LIMIT_HTTP_CONNECTIONS", "1")

    async def run():
        wires = [connect(), connect()]
        text = b"Your network has too many open connections; close some.\n"
        assert wires[1].written == (
            b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: text/plain; charset=utf-8\r\n"
            b"content-length: " + str(len(text)).encode() + b"\r\nretry-after: 5\r\n"
            b"connection: close\r\n\r\n" + text
        )
        for wire in wires:
            wire.close()
        await asyncio.sleep(0)
        assert not http_protocol._open

    http_protocol._open.clear()
    asyncio.run(run())
