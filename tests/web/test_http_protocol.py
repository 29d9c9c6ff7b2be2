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
    refused, address, is_refused
):
    begun = []

    async def socket(scope, receive, send):
        begun.append(scope["type"])

    refused.note(parse(FAR))
    wire = connect(address, socket, ws="websockets-sansio")
    wire.protocol.data_received(UPGRADE)
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
