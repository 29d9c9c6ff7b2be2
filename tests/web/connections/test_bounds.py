"""Tests of the limits on connections."""

import asyncio
import resource
from ipaddress import ip_address
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db.backends.utils import CursorWrapper

from antipodes.web.accounts.api_tokens import make_token
from antipodes.web.connections import middleware, refusals, registry
from antipodes.web.connections.credentials import Credentials
from antipodes.web.connections.handshakes import refuse
from tests.web.connections.wires import FarClient, Stream, Wire

pytestmark = pytest.mark.django_db(transaction=True)

FAR = "192.0.2.7"
FARTHER = "198.51.100.9"
TOO_MANY = 4429


@pytest.fixture
def bounded(monkeypatch):
    """A function that sets a limit."""

    def bound(limit, most):
        monkeypatch.setenv(limit.setting, str(most))

    return bound


async def answers_of(path, addresses):
    """Open WebSockets one after another; return the responses to their handshakes, and them."""
    wires = [Wire(path, address=address) for address in addresses]
    return [await wire.shake_hands() for wire in wires], wires


async def leave(wires):
    for wire in wires:
        await wire.leave()


async def test_open_sockets_of_an_address_are_limited(row, bounded):
    bounded(registry.SOCKETS_OF_ADDRESS, 2)
    path = f"/m/{row.slug}/socket"
    answers, wires = await answers_of(path, [FAR, FAR, FAR, FARTHER, "127.0.0.1"])
    assert answers == [101, 101, 429, 101, 101]
    await wires[0].leave()
    answers, more = await answers_of(path, [FAR, FAR])
    assert answers == [101, 429]
    await leave([*wires[1:2], *wires[3:], more[0]])


async def test_new_sockets_of_an_address_are_rate_limited(row, bounded):
    bounded(middleware.NEW_SOCKETS, "3/minute")
    path = f"/m/{row.slug}/socket"
    for expected in (101, 101, 101, 429):
        (answer,), wires = await answers_of(path, [FAR])
        assert answer == expected
        await leave(wires if answer == 101 else [])
    answers, wires = await answers_of(path, [FARTHER])
    assert answers == [101], "other addresses may"
    await leave(wires)


async def test_networks_of_ipv6_count_together(row, bounded):
    bounded(registry.SOCKETS_OF_ADDRESS, 1)
    path = f"/m/{row.slug}/socket"
    of_56 = ["2001:db8:0:1::1", "2001:db8:0:2::1"]
    of_48 = [f"2001:db8:0:{number}00::1" for number in range(1, 6)]
    answers, wires = await answers_of(path, [*of_56, *of_48, "2001:db8:1::1"])
    assert answers == [101, 429, 101, 101, 101, 429, 429, 101]
    await leave([wire for wire, answer in zip(wires, answers, strict=True) if answer == 101])


async def test_a_refused_socket_costs_no_query(row, signed_in, bounded, monkeypatch):
    bounded(registry.SOCKETS_OF_ADDRESS, 1)
    client = await sync_to_async(signed_in)()
    first = Wire(f"/m/{row.slug}/socket", client=client)
    assert await first.shake_hands() == 101
    queries: list[str] = []
    execute = CursorWrapper.execute

    def note(cursor, sql, parameters=None):
        queries.append(sql)
        return execute(cursor, sql, parameters)

    monkeypatch.setattr(CursorWrapper, "execute", note)
    second = Wire(f"/m/{row.slug}/socket", client=client)
    assert await second.shake_hands() == 429
    assert not queries
    await first.leave()


async def test_the_most_idle_socket_of_a_user_is_closed_for_a_new_one(
    row, people, signed_in, bounded
):
    bounded(registry.SOCKETS_OF_USER, 2)
    path = f"/m/{row.slug}/socket"
    ann, bob = [await sync_to_async(signed_in)(user) for user in people[:2]]
    other = Wire(path, client=bob)
    wires = [Wire(path, client=ann) for _ in range(3)]
    assert await other.shake_hands() == 101
    assert [await wire.shake_hands() for wire in wires[:2]] == [101, 101]
    await wires[0].say(command="claim-flag", seat=0, ply=0, key="12345678")
    await wires[0].hears(lambda one: one.get("key") == "12345678")
    assert await wires[2].shake_hands() == 101
    assert await wires[1].code() == TOO_MANY
    await leave([wires[0], wires[2], other])


async def test_spectators_of_a_match_are_limited_but_players_are_not(row, signed_in, bounded):
    bounded(registry.SPECTATORS, 1)
    path = f"/m/{row.slug}/socket"
    answers, wires = await answers_of(path, [FAR, FARTHER])
    assert answers == [101, 429]
    player = Wire(path, client=await sync_to_async(signed_in)())
    assert await player.shake_hands() == 101
    await leave([wires[0], player])


async def test_all_connections_of_a_process_are_limited(row, bounded):
    bounded(registry.CONNECTIONS, 2)
    path = f"/m/{row.slug}/socket"
    answers, wires = await answers_of(path, [FAR, FARTHER, "203.0.113.1"])
    assert answers == [101, 101, 429]
    await leave(wires[:2])


async def test_an_address_has_at_most_a_quarter_of_all_connections(row, bounded):
    bounded(registry.CONNECTIONS, 8)
    path = f"/m/{row.slug}/socket"
    answers, wires = await answers_of(path, [FAR, FAR, FAR, FARTHER])
    assert answers == [101, 101, 429, 101]
    await leave([wires[0], wires[1], wires[3]])


def test_a_process_has_fewer_connections_than_files(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 4096))
    assert registry.max_connections() < 1000
    set_to = []
    monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: set_to.append(limits))
    registry.raise_file_limit()
    assert set_to == [(4096, 4096)]


def test_a_process_without_a_limit_of_files_has_the_connections_of_the_setting(
    monkeypatch, bounded
):
    bounded(registry.CONNECTIONS, 700)
    files = {"most": resource.RLIM_INFINITY}
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files["most"], resource.RLIM_INFINITY))
    assert registry.max_connections() == 700
    files["most"] = 100_000
    assert registry.max_connections() == 700
    files["most"] = 500
    assert registry.max_connections() == int(registry._SHARE_OF_FILES * 500)


async def test_servers_without_responses_to_handshakes_close_refused_sockets():
    sent = []

    async def send(message):
        sent.append(message)

    error = registry.TooManyConnectionsError(registry.CONNECTIONS)
    await refuse({}, send, 429, error.seconds, str(error), TOO_MANY)
    assert sent == [{"type": "websocket.close", "code": TOO_MANY}]


async def streams_of(row, tokens, address=FAR):
    streams = [
        Stream(f"/api/v1/matches/{row.slug}/stream", text, FarClient(address)) for text in tokens
    ]
    return [await stream.open() for stream in streams], streams


async def leave_streams(answers, streams):
    for status, stream in zip(answers, streams, strict=True):
        if status == 200:
            await stream.leave()


@sync_to_async
def token_of(user):
    return make_token(user, "a test", ["read"], None)[1]


async def test_streams_of_a_token_are_limited(row, people, bounded):
    bounded(registry.STREAMS_OF_TOKEN, 2)
    first, second = await token_of(people[0]), await token_of(people[0])
    answers, streams = await streams_of(row, [first, first, first, second])
    assert answers == [200, 200, 429, 200]
    await streams[0].leave()
    more, others = await streams_of(row, [first])
    assert more == [200]
    await leave_streams([0, *answers[1:], *more], [*streams, *others])


async def test_streams_of_all_tokens_of_a_user_are_limited(row, people, bounded):
    bounded(registry.STREAMS_OF_USER, 2)
    tokens = [await token_of(people[0]) for _ in range(3)]
    answers, streams = await streams_of(row, [*tokens, await token_of(people[1])])
    assert answers == [200, 200, 429, 200]
    await leave_streams(answers, streams)


async def test_streams_of_an_address_are_limited(row, bounded):
    bounded(registry.STREAMS_OF_ADDRESS, 2)
    answers, streams = await streams_of(row, [None, None, None])
    assert answers == [200, 200, 429]
    more, others = await streams_of(row, [None], FARTHER)
    assert more == [200]
    await leave_streams([*answers, *more], [*streams, *others])


async def test_a_refused_stream_has_a_code_and_retry_after(row, bounded):
    bounded(registry.STREAMS_OF_ADDRESS, 1)
    _answers, [stream] = await streams_of(row, [None])
    path = f"/api/v1/matches/{row.slug}/stream"
    refused = await FarClient(FAR).get(path)
    assert refused.status_code == 429
    assert refused.json()["code"] == "limits/too-many-connections"
    assert int(refused.headers["Retry-After"]) > 0
    await stream.leave()


async def test_an_ended_connection_is_not_counted_any_more(bounded):
    bounded(registry.CONNECTIONS, 1)
    first, second = (registry.Connection(registry.ConnectionKind.SOCKET) for _ in range(2))
    first.open()
    with pytest.raises(registry.TooManyConnectionsError):
        second.open()
    first.end(registry.Ending.SIGNED_OUT)
    second.open()
    first.leave()
    assert registry.open_connections() == [second]
    second.leave()


async def test_an_awaitable_is_cancelled_when_the_connection_ends():
    one = registry.Connection(registry.ConnectionKind.STREAM)
    waiting = asyncio.ensure_future(one.unless_ended(asyncio.sleep(60)))
    await asyncio.sleep(0)
    one.end(registry.Ending.RESTART)
    with pytest.raises(registry.EndedError):
        await waiting


def test_refused_addresses_are_forgotten_when_there_are_too_many(monkeypatch):
    at = [100.0]
    monkeypatch.setattr(refusals, "time", SimpleNamespace(monotonic=lambda: at[0]))
    monkeypatch.setattr(refusals, "_MAX_ADDRESSES", 2)
    first, second, third, fourth = (ip_address(f"192.0.2.{number}") for number in range(1, 5))
    refusals.note(first)
    at[0] += 1
    refusals.note(second)
    at[0] += refusals.SECONDS - 1  # the first has expired, and the second has not
    assert [refusals.is_refused(one) for one in (first, second)] == [False, True]
    refusals.note(third)
    assert [refusals.is_refused(one) for one in (second, third)] == [True, True]
    refusals.note(fourth)  # none has expired: all are forgotten
    assert [refusals.is_refused(one) for one in (second, third, fourth)] == [False, False, True]


@pytest.mark.parametrize(
    ("soft", "hard", "set_to"),
    [
        (1_024, 4_096, (4_096, 4_096)),
        (4_096, 4_096, None),
        (1_024, 65_537, (65_536, 65_537)),
        (65_536, 100_000, None),
        (1_024, resource.RLIM_INFINITY, (65_536, resource.RLIM_INFINITY)),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, None),
    ],
)
def test_the_limit_of_files_is_raised_as_far_as_allowed_but_not_without_end(
    monkeypatch, soft, hard, set_to
):
    found = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _kind, limits: found.append(limits))
    registry.raise_file_limit()
    assert found == ([set_to] if set_to else [])


def opened(address=None, *, kind=registry.ConnectionKind.SOCKET, user=None, active=0.0):
    """Register a connection without a client."""
    found = registry.Connection(kind, address and ip_address(address))
    found.open()
    if user is not None:
        found.identify(Credentials(user))
    found.active = active
    return found


def leave_all():
    for one in registry.open_connections():
        one.leave()


def test_an_address_has_a_connection_however_few_there_are(bounded):
    bounded(registry.CONNECTIONS, 2)
    opened(FAR)
    with pytest.raises(registry.TooManyConnectionsError) as refused:
        opened(FAR)
    assert refused.value.code == "limits/too-many-connections"
    assert refused.value.seconds == 10
    assert str(refused.value) == (
        "There are too many open connections (sockets-per-address); close some first."
    )
    opened(FARTHER)
    leave_all()


def test_a_refused_connection_is_not_counted_at_all(bounded):
    bounded(registry.SOCKETS_OF_ADDRESS, 1)
    for customer in range(4):
        opened(f"2001:db8:0:{customer}00::1")
    before = dict(registry._counts)
    with pytest.raises(registry.TooManyConnectionsError):
        opened("2001:db8:0:900::1")
    assert dict(registry._counts) == before
    leave_all()


def test_the_socket_that_makes_room_is_the_most_idle_one_of_the_same_user(bounded):
    bounded(registry.SOCKETS_OF_USER, 3)
    opened(user=2, active=1.0)
    opened(kind=registry.ConnectionKind.STREAM, user=1, active=2.0)
    opened(active=3.0)
    wires = [opened(user=1, active=active) for active in (6.0, 4.0, 5.0)]
    newest = opened(user=1, active=0.5)
    assert [one.ending for one in wires] == [None, registry.Ending.TOO_MANY, None]
    assert registry.open_connections()[-1] is newest
    assert len(registry.open_connections()) == 6
    leave_all()


def test_the_first_reason_of_an_end_is_kept():
    one = opened()
    one.end(registry.Ending.SIGNED_OUT)
    one.end(registry.Ending.RESTART)
    assert one.ending is registry.Ending.SIGNED_OUT


def test_streams_alone_end_at_a_shutdown():
    kinds = [
        registry.ConnectionKind.SOCKET,
        registry.ConnectionKind.STREAM,
        registry.ConnectionKind.STREAM,
    ]
    found = [opened(kind=kind) for kind in kinds]
    registry.end_streams()
    restart = registry.Ending.RESTART
    assert [one.ending for one in found] == [None, restart, restart]
    leave_all()


async def test_messages_are_held_back_until_the_last_check_has_ended():
    one = registry.Connection(registry.ConnectionKind.SOCKET)
    assert await one.may_send()
    one.begin_check()
    one.begin_check()
    waiting = asyncio.ensure_future(one.may_send())
    one.end_check()
    await asyncio.sleep(0)
    assert not waiting.done()
    one.end_check()
    assert await waiting
    one.end(registry.Ending.SIGNED_OUT)
    assert not await one.may_send()


async def test_an_awaitable_is_awaited_unless_the_connection_has_ended():
    one = registry.Connection(registry.ConnectionKind.SOCKET)
    assert await one.unless_ended(asyncio.sleep(0, "a result")) == "a result"

    async def fail():
        one.end(registry.Ending.SIGNED_OUT)
        raise ValueError("a failure")

    with pytest.raises(registry.EndedError):
        await one.unless_ended(fail())
    begun = []

    async def begin():
        begun.append(1)

    with pytest.raises(registry.EndedError):
        await one.unless_ended(begin())
    assert begun == []


async def test_a_refused_handshake_is_answered_with_the_seconds_to_wait():
    sent = []

    async def send(message):
        sent.append(message)

    error = registry.TooManyConnectionsError(registry.CONNECTIONS)
    scope: dict[str, Any] = {"extensions": {"websocket.http.response": {}}}
    await refuse(scope, send, 429, error.seconds, str(error), TOO_MANY)
    text = "There are too many open connections (connections); close some first.\n"
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"retry-after", b"10")]
    assert sent == [
        {"type": "websocket.http.response.start", "status": 429, "headers": headers},
        {"type": "websocket.http.response.body", "body": text.encode()},
    ]

    async def leave_early(_message):
        raise OSError("gone")

    await refuse(scope, leave_early, 429, error.seconds, str(error), TOO_MANY)


@pytest.mark.parametrize("accepts", [True, False])
async def test_a_socket_is_refused_until_its_handshake_is_accepted(accepts):
    sent = []

    async def send(message):
        sent.append(message["type"])

    async def serve(scope, _receive, send):
        assert registry.open_connections() == [middleware.connection_of(scope)]
        if accepts:
            await send({"type": "websocket.accept"})
        raise registry.TooManyConnectionsError(registry.SPECTATORS)

    await middleware.CountedSockets(serve)({"client": (FAR, 4)}, None, send)
    assert sent == ["websocket.accept" if accepts else "websocket.close"]
    assert registry.open_connections() == []


async def test_streams_are_counted_until_their_requests_end(rf):
    streams: list[registry.Connection] = []

    async def serve(scope, _receive, _send):
        request = rf.get("/", REMOTE_ADDR=FAR)
        request.scope = scope
        streams.extend(middleware.new_stream(request) for _ in range(2))
        assert registry.open_connections() == streams
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await middleware.CountedStreams(serve)({}, None, None)
    assert registry.open_connections() == []
    assert [(one.kind, str(one.address)) for one in streams] == [
        (registry.ConnectionKind.STREAM, FAR)
    ] * 2
    alone = middleware.new_stream(rf.get("/"))
    assert registry.open_connections() == [alone]
    alone.leave()


def test_a_socket_that_was_not_counted_has_a_connection_all_the_same():
    found = middleware.connection_of({})
    assert (found.kind, found.credentials, found.ending) == (
        registry.ConnectionKind.SOCKET,
        None,
        None,
    )
    assert registry.open_connections() == []


def test_clients_of_unknown_addresses_are_not_refused():
    refusals.note(None)
    assert not refusals.is_refused(None)
    refusals.note(ip_address(FAR))
    assert not refusals.is_refused(None)
    assert refusals.is_refused(ip_address(FAR))
