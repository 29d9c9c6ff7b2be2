"""Tests of handshakes: bounded for the process, dropped when the client leaves, well answered."""

import asyncio
import socket
import threading
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper
from django.test.utils import CaptureQueriesContext
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from antipodes.web.connections import handshakes, sessions
from antipodes.web.connections.handshakes import GuardedSockets, Handshake
from antipodes.web.platform import metrics
from antipodes.web.project.admission import HandshakeAdmission
from antipodes.web.server import http_protocol
from tests.web.connections.wires import EXTENSIONS, Wire

RESTART, TRY_AGAIN = 1012, 1013


@pytest.fixture(autouse=True)
def _none_is_in_progress():
    yield
    assert handshakes._progress.count == 0


class Page:
    """A client of an application that is not the site's."""

    def __init__(self, application, address="192.0.2.7", *, has_left=False):
        self.sent: list[dict[str, Any]] = []
        self.has_left = has_left
        self.messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.messages.put_nowait({"type": "websocket.connect"})
        scope = {"client": (address, 1), "headers": [], "extensions": EXTENSIONS}
        self.task = asyncio.ensure_future(application(scope, self.messages.get, self._send))

    async def _send(self, message):
        self.sent.append(message)
        if self.has_left and message["type"] != "websocket.accept":
            raise OSError("gone")

    def leave(self):
        self.messages.put_nowait({"type": "websocket.disconnect", "code": 1006})

    @property
    def status(self):
        """The status of the handshake; ``None`` while it is in progress."""
        kinds = {one["type"]: one for one in self.sent}
        if "websocket.accept" in kinds:
            return 101
        return kinds.get("websocket.http.response.start", {}).get("status")

    @property
    def retry_after(self):
        return int(dict(self.sent[0]["headers"])[b"retry-after"])


class Application:
    """Accepts a WebSocket when released, and keeps it open until it is cancelled."""

    def __init__(self):
        self.begun, self.cancelled, self.accepts = 0, 0, asyncio.Event()

    async def __call__(self, _scope, receive, send):
        self.begun += 1
        try:
            assert (await receive())["type"] == "websocket.connect"
            await self.accepts.wait()
            await send({"type": "websocket.accept"})
            while (await receive())["type"] != "websocket.disconnect":
                pass
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


async def settle():
    for _ in range(20):
        await asyncio.sleep(0)


async def end(pages):
    for page in pages:
        page.leave()
    await asyncio.gather(*(page.task for page in pages))


def addresses(count):
    return [f"192.0.2.{number}" for number in range(1, count + 1)]


async def test_handshakes_of_the_process_are_bounded_and_further_ones_get_503(monkeypatch):
    monkeypatch.setenv(handshakes.HANDSHAKES.setting, "6")
    application = Application()
    site = GuardedSockets(HandshakeAdmission(application))
    refused = metrics._refused_handshakes._value.get()
    pages = [Page(site, address) for address in addresses(10)]
    await settle()
    assert application.begun == handshakes.AT_ONCE, "the others wait for them"
    assert [page.status for page in pages] == [None] * 6 + [503] * 4
    assert all(2 <= page.retry_after <= 8 for page in pages[6:])
    assert all(page.sent[-1]["body"].decode() == f"{handshakes.BUSY}\n" for page in pages[6:])
    assert metrics._refused_handshakes._value.get() == refused + 4
    assert handshakes.is_full()
    application.accepts.set()
    await settle()
    assert [page.status for page in pages[:6]] == [101] * 6
    assert not handshakes.is_full(), "an open socket is no handshake"
    later = Page(site)
    await settle()
    assert later.status == 101
    await end([*pages, later])


async def test_one_address_occupies_only_its_share_of_the_process(monkeypatch):
    monkeypatch.setenv(handshakes.HANDSHAKES.setting, "3")
    monkeypatch.setenv("LIMIT_REQUESTS_IN_PROGRESS", "2")
    application = Application()
    site = GuardedSockets(HandshakeAdmission(application))
    pages = [Page(site) for _ in range(9)]
    other = Page(site, "198.51.100.1")
    await settle()
    assert [page.status for page in (*pages, other)] == [None] * 10
    assert application.begun == 3
    application.accepts.set()
    await end([*pages, other])


async def test_a_client_that_leaves_before_the_answer_costs_nothing_more():
    application = Application()
    site = GuardedSockets(HandshakeAdmission(application))
    pages = [Page(site, address) for address in addresses(handshakes.AT_ONCE + 3)]
    await settle()
    assert application.begun == handshakes.AT_ONCE
    await end(pages)
    assert application.begun == handshakes.AT_ONCE, "those that waited were dropped"
    assert application.cancelled == handshakes.AT_ONCE
    assert not any(page.sent for page in pages)


async def test_a_message_before_the_answer_is_received_after_it():
    got = []

    async def application(_scope, receive, send):
        got.append(await receive())
        await send({"type": "websocket.accept"})
        got.extend([await receive() for _ in range(3)])

    page = Page(GuardedSockets(application))
    page.messages.put_nowait({"type": "websocket.receive", "text": "1"})
    await settle()
    page.messages.put_nowait({"type": "websocket.receive", "text": "2"})
    await end([page])
    assert [one.get("text", one["type"]) for one in got] == [
        "websocket.connect",
        "1",
        "2",
        "websocket.disconnect",
    ]


async def test_a_drained_server_ends_sockets_with_1012_and_handshakes_with_503(caplog):
    application = Application()
    site = GuardedSockets(HandshakeAdmission(application))
    application.accepts.set()
    opened = Page(site)
    await settle()
    application.accepts.clear()
    waiting = Page(site, "198.51.100.1")
    await settle()
    for page in (opened, waiting):
        page.task.cancel()
    await asyncio.gather(opened.task, waiting.task)  # none raises
    assert opened.sent[-1] == {"type": "websocket.close", "code": RESTART}
    assert waiting.status == 503
    assert not caplog.records


@pytest.mark.parametrize("is_accepted", [False, True])
@pytest.mark.parametrize("has_left", [False, True])
async def test_an_outage_ends_handshakes_with_503_and_sockets_with_1013(is_accepted, has_left):
    async def fail(_scope, _receive, send):
        if is_accepted:
            await send({"type": "websocket.accept"})
        raise OperationalError("connection refused")

    page = Page(GuardedSockets(fail), has_left=has_left)
    await page.task
    if is_accepted:
        assert page.sent[1:] == [{"type": "websocket.close", "code": TRY_AGAIN}]
    else:
        assert page.status == 503


async def test_other_errors_of_a_socket_are_raised():
    async def fail(_scope, _receive, _send):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await Page(GuardedSockets(fail)).task


class Transport:
    def __init__(self, socket=None):
        self.written, self.is_closed, self.is_aborted = b"", False, False
        self.socket = socket

    def get_extra_info(self, _name):
        return self.socket

    def write(self, data):
        self.written += data

    def close(self):
        self.is_closed = True

    def abort(self):
        self.is_aborted = True


@pytest.fixture
def ends():
    """The two ends of a connection."""
    pair = socket.socketpair()
    yield pair
    for one in pair:
        one.close()


@pytest.fixture
def protocol(ends, monkeypatch):
    """The HTTP protocol of the first end, which notes what it parses."""
    made: Any = http_protocol.BoundedHttpProtocol.__new__(http_protocol.BoundedHttpProtocol)
    made._head_began, made.transport, made.parsed = 0.0, Transport(ends[0]), b""

    def parse(self, data):
        self.parsed += data

    monkeypatch.setattr(HttpToolsProtocol, "data_received", parse)
    return made


HEAD = b"GET /m/x/socket HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"


def test_a_full_process_refuses_before_the_handshake_is_parsed(protocol, monkeypatch):
    monkeypatch.setenv(handshakes.HANDSHAKES.setting, "1")
    handshake = Handshake()
    asyncio.run(handshake.begin())
    protocol.data_received(HEAD)
    handshake.leave()
    assert protocol.transport.written.startswith(b"HTTP/1.1 503 ")
    assert b"\r\nretry-after: " in protocol.transport.written
    assert protocol.transport.written.endswith(f"\r\n\r\n{handshakes.BUSY}\n".encode())
    assert protocol.transport.is_closed
    assert not protocol.parsed


@pytest.mark.parametrize("has_left", [False, True])
def test_the_handshake_of_a_client_that_has_left_is_not_parsed(protocol, ends, has_left):
    if has_left:
        ends[1].close()
    protocol.data_received(HEAD)
    assert protocol.parsed == (b"" if has_left else HEAD)
    assert protocol.transport.is_aborted == has_left
    assert not protocol.transport.written


def test_a_page_for_a_client_that_sends_no_more_is_parsed(protocol, ends):
    ends[1].shutdown(socket.SHUT_WR)
    protocol.data_received(b"GET / HTTP/1.0\r\n\r\n")
    assert protocol.parsed


@pytest.mark.parametrize("is_complete", [False, True])
async def test_the_stop_of_a_server_refuses_handshakes_with_503_and_closes_with_1012(is_complete):
    protocol: Any = http_protocol.SocketProtocol.__new__(http_protocol.SocketProtocol)
    protocol.handshake_complete, protocol.initial_response = is_complete, None
    protocol.close_sent, protocol.queue, protocol.transport = False, asyncio.Queue(), Transport()
    protocol.ping_timer = protocol.pong_timer = protocol.pending_ping_payload = None
    closed: list[int] = []
    protocol.conn = SimpleNamespace(send_close=closed.append, data_to_send=lambda: [b"closed"])
    protocol.shutdown()
    assert protocol.queue.get_nowait() == {"type": "websocket.disconnect", "code": RESTART}
    assert protocol.transport.is_closed
    if is_complete:
        assert (closed, protocol.transport.written) == ([RESTART], b"closed")
    else:
        assert protocol.transport.written.startswith(b"HTTP/1.1 503 ")
        assert protocol.transport.written.endswith(f"\r\n\r\n{handshakes.STOPS}\n".encode())
        assert protocol.handshake_complete


@pytest.mark.django_db(transaction=True)
class TestSite:
    async def test_an_outage_of_the_database_answers_503_to_each_kind(
        self, row, signed_in, monkeypatch
    ):
        def fail(_key):
            raise OperationalError("the database system is shutting down")

        monkeypatch.setattr(sessions, "_find", fail)
        client = await sync_to_async(signed_in)()
        refused = metrics._refused_handshakes._value.get()
        for path in (
            f"/m/{row.slug}/socket",
            "/notices/socket",
            "/lobby/socket",
            "/study/any/1/socket",
            "/tournament/any/socket",
        ):
            assert await Wire(path, client=client).shake_hands() == 503
        assert metrics._refused_handshakes._value.get() == refused + 5

    async def test_a_client_that_leaves_while_it_connects_leaves_all_groups(
        self, row, monkeypatch, people
    ):
        layer: Any = get_channel_layer()
        for path, function in (
            (f"/m/{row.slug}/socket", "antipodes.web.matches.consumers.MatchSocket._arrive"),
            ("/lobby/socket", "antipodes.web.matches.open_chat.history"),
        ):
            gate, begun = threading.Event(), asyncio.Event()
            loop = asyncio.get_running_loop()

            def wait(*_: object, gate=gate, begun=begun, loop=loop):
                loop.call_soon_threadsafe(begun.set)
                gate.wait(10)
                raise AssertionError("the client has left")

            monkeypatch.setattr("django.conf.settings.LOBBY_CHAT", True)
            monkeypatch.setattr(function, wait)
            wire = Wire(path)
            await wire.wire.send_input({"type": "websocket.connect"})
            await begun.wait()
            assert layer.groups
            await wire.wire.send_input({"type": "websocket.disconnect", "code": 1006})
            await settle()
            gate.set()
            await wire.wire.wait(10)
            assert not any(layer.groups.values())

    def test_a_session_and_its_user_cost_two_queries(self, signed_in, people):
        client = signed_in()
        key = client.cookies["sessionid"].value
        with CaptureQueriesContext(connection) as queries:
            session, user = sessions._find(key)
        assert len(queries) == 2
        assert (session.session_key, user) == (key, people[0])
        assert user is not None
        assert user.date_joined == people[0].date_joined
        assert sessions._find("0" * 32)[1] is None

    def test_a_session_of_an_inactive_user_or_an_old_password_is_anonymous(self, signed_in, people):
        client = signed_in()
        key = client.cookies["sessionid"].value
        people[0].is_active = False
        people[0].save()
        assert sessions._find(key)[1] is None
        people[0].is_active = True
        people[0].set_password("another one for tests 8")
        people[0].save()
        assert sessions._find(key)[1] is None

    @pytest.mark.parametrize("cookie", ["", "sessionid", "a\x01=b; sessionid=x", "other=1"])
    async def test_cookies_without_a_session_are_anonymous(self, row, cookie):
        wire = Wire(f"/m/{row.slug}/socket", cookie=cookie)
        assert await wire.shake_hands() == 101
        await wire.leave()

    async def test_the_handshake_of_a_known_match_costs_five_queries(
        self, row, signed_in, monkeypatch
    ):
        client = await sync_to_async(signed_in)()
        first = Wire(f"/m/{row.slug}/socket", client=client)
        assert await first.shake_hands() == 101  # reads the match
        await first.settles()
        second = Wire(f"/m/{row.slug}/socket", client=client)
        queries = []
        execute = CursorWrapper.execute

        def count(self, sql, params=None):
            queries.append(sql)
            return execute(self, sql, params)

        monkeypatch.setattr(CursorWrapper, "execute", count)
        assert await second.shake_hands() == 101
        monkeypatch.undo()
        # Session, user, version of the match, seen moves, chat.
        assert len(queries) == 5, queries
        await second.settles()
        for wire in (first, second):
            await wire.leave()

    async def test_a_lost_socket_stores_nothing_in_the_thread_of_moves(
        self, row, signed_in, monkeypatch
    ):
        stored = []

        def note(_row, user, ply):
            stored.append((threading.current_thread().name, user.username, ply))

        monkeypatch.setattr("antipodes.web.matches.viewer_state.note_seen", note)
        client = await sync_to_async(signed_in)()
        wire = Wire(f"/m/{row.slug}/socket", client=client)
        assert await wire.shake_hands() == 101
        await wire.settles()
        await wire.leave()
        [(thread, _name, ply)] = stored
        assert thread.startswith("slow commands")
        assert ply == 0
