"""Streams send the current state, then each change, and recover lost messages."""

import asyncio
import json
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.test import RequestFactory
from pydantic import TypeAdapter

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign
from antipodes.tournaments.swiss import Swiss
from antipodes.web.api import stream_wakeups, streams
from antipodes.web.api.auth import Caller
from antipodes.web.api.event_stream import EventStream
from antipodes.web.api.match_stream import MatchStream
from antipodes.web.api.schemas.events import Event
from antipodes.web.api.tournament_stream import TournamentStream
from antipodes.web.challenges import services as lobby
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.connections import registry
from antipodes.web.matches import chat, snapshots
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.notifications import services as notices
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.platform import pubsub
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.plans import Plan
from antipodes.web.tournaments.services import create_tournament
from tests.web.channel_groups import channel_groups

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 10  # seconds

EVENT = TypeAdapter(Event)


@asynccontextmanager
async def reading(stream):
    """Read a stream by a function that returns the next line, without heartbeats by default."""
    lines = stream.lines()

    async def next_line(*, alive=False):
        while True:
            line = await asyncio.wait_for(anext(lines), PATIENCE)
            line = json.loads(line) if isinstance(line, str) else line
            if isinstance(stream, EventStream):
                EVENT.validate_python(line)
            if alive or line["type"] != "alive":
                return line

    try:
        yield next_line
    finally:
        await lines.aclose()


async def line_of_type(next_line, kind):
    while (line := await next_line())["type"] != kind:
        pass
    return line


@sync_to_async
def play(row, seat, ply, move):
    carry_out(row.slug, Play(seat=seat, ply=ply, key=f"{row.slug} {ply:04}", move=move))


@sync_to_async
def resign(row, seat, ply):
    carry_out(row.slug, Resign(seat=seat, ply=ply, key=f"resign {row.slug}"))


async def test_a_match_stream_sends_the_state_then_each_change_until_the_end(row, people):
    async with reading(MatchStream(row.slug, people[0])) as next_line:
        first = await next_line()
        assert (first["type"], first["match"]["own"]) == ("match", [0])
        assert (await next_line())["type"] == "chat"
        await play(row, 0, 0, 4)
        assert len((await next_line())["match"]["moves"]) == 1
        await play(row, 1, 1, 0)
        again = (await next_line())["match"]
        assert (again["from"], len(again["moves"])) == (0, 2)
        await resign(row, 0, 2)
        assert (await next_line())["match"]["result"]
        assert (await next_line())["type"] == "chat"
        with pytest.raises(StopAsyncIteration):
            await next_line()


async def test_a_match_stream_can_send_only_new_moves(row):
    async with reading(MatchStream(row.slug, None, only_new_moves=True)) as next_line:
        await next_line()
        for ply, move in enumerate((4, 0)):
            await play(row, ply % 2, ply, move)
            line = await line_of_type(next_line, "match")
            assert (line["match"]["from"], len(line["match"]["moves"])) == (ply, 1)


async def test_a_reconnecting_client_gets_only_newer_versions(row):
    await play(row, 0, 0, 4)
    async with reading(MatchStream(row.slug, None, version=1)) as next_line:
        assert (await next_line())["type"] == "chat"
        await play(row, 1, 1, 0)
        assert (await next_line())["match"]["version"] == 2
    async with reading(MatchStream(row.slug, None, version=1)) as next_line:
        assert (await next_line())["match"]["version"] == 2


async def test_a_following_stream_continues_after_the_end(row, people):
    await resign(row, 0, 0)
    async with reading(MatchStream(row.slug, None, follows=True)) as next_line:
        assert (await next_line())["match"]["result"]
        assert (await next_line())["lines"] == []
        message = {"key": "12345678", "text": "well played"}
        await sync_to_async(lambda: chat.say(snapshots.look_up(row.slug), people[0], message))()
        assert [line["text"] for line in (await next_line())["lines"]] == ["well played"]


async def test_a_listener_is_in_its_groups_until_it_is_closed(db):
    layer: Any = get_channel_layer()
    listener = streams.GroupListener()

    def groups():
        return {name for name, found in channel_groups().items() if listener._channel in found}

    await listener.subscribe(["one", "two"])
    assert groups() == {"one", "two"}
    await listener.subscribe(["two", "three"])
    assert groups() == {"two", "three"}
    assert await listener.receive(0.001) is None
    await layer.group_send("three", {"type": "late"})
    assert await listener.receive(PATIENCE) == {"type": "late"}
    await listener.close()
    assert groups() == set()


@pytest.mark.parametrize(("pause", "resyncs"), [(20.0, []), (-1.0, ["resync"])])
async def test_a_listener_resyncs_after_a_pause_only(db, monkeypatch, pause, resyncs):
    monkeypatch.setattr(streams, "RESYNC", pause)
    layer: Any = get_channel_layer()
    listener, heard = streams.GroupListener(), list[str]()

    async def hear(message):
        heard.append(message["type"])
        return [message]

    await listener.subscribe(["one"])
    await layer.group_send("one", {"type": "first"})
    sent = [line async for line in listener.lines(hear, {"type": "resync"}, lambda: bool(heard))]
    await listener.close()
    assert heard == [line["type"] for line in sent] == ["first", *resyncs]


async def test_chat_is_sent_to_clients_that_may_read_it(row, people):
    async with (
        reading(MatchStream(row.slug, people[1])) as player,
        reading(MatchStream(row.slug, None)) as spectator,
    ):
        for next_line in (player, spectator):
            assert (await next_line())["type"] == "match"
            assert (await next_line())["lines"] == []
        message = {"key": "12345678", "text": "good luck"}
        await sync_to_async(lambda: chat.say(snapshots.look_up(row.slug), people[0], message))()
        assert [line["text"] for line in (await player())["lines"]] == ["good luck"]
        await play(row, 0, 0, 4)
        assert (await spectator())["type"] == "match"


async def test_a_match_stream_sends_heartbeats_and_resyncs(row, people, monkeypatch):
    monkeypatch.setattr(streams, "HEARTBEAT", 0.05)
    monkeypatch.setattr(streams, "RESYNC", 0.1)
    monkeypatch.setattr(pubsub, "send_to_group", lambda group, message: None)
    async with reading(MatchStream(row.slug, people[0])) as next_line:
        await next_line()
        await next_line()
        assert await next_line(alive=True) == {"type": "alive"}
        await play(row, 0, 0, 4)
        assert (await line_of_type(next_line, "match"))["match"]["ply"] == 1


async def test_a_match_stream_ends_when_the_match_becomes_private(row, people, monkeypatch):
    async with reading(MatchStream(row.slug, people[2])) as next_line:
        await next_line()
        await next_line()
        await MatchRow.objects.filter(pk=row.pk).aupdate(is_private=True)
        await play(row, 0, 0, 4)
        assert await next_line() == {"type": "gone"}


# The event stream.


async def test_events_begin_with_the_current_state_and_ready(row, people):
    async with reading(EventStream(people[0])) as next_line:
        kinds = [(await next_line())["type"] for _ in range(3)]
        assert kinds == ["match", "your-turn", "ready"]
    async with reading(EventStream(people[1])) as next_line:
        kinds = [(await next_line())["type"] for _ in range(2)]
        assert kinds == ["match", "ready"]


async def test_each_turn_and_the_end_are_sent_once(row, people):
    async with reading(EventStream(people[1])) as next_line:
        await line_of_type(next_line, "ready")
        await play(row, 0, 0, 4)
        turn = await next_line()
        assert (turn["type"], turn["match"]["slug"]) == ("your-turn", row.slug)
        await play(row, 1, 1, 0)
        await resign(row, 0, 2)
        assert (await next_line())["type"] == "match-ended"


async def test_challenge_events_until_the_match_begins(people):
    game = GameRequest(
        game=make_game("hex", {"size": 3}), opponent=Opponent.PEOPLE, people=(people[1],)
    )
    async with (
        reading(EventStream(people[0])) as challenger,
        reading(EventStream(people[1])) as invited,
    ):
        for next_line in (challenger, invited):
            assert (await next_line())["type"] == "ready"
        made = await sync_to_async(lobby.request_game)(people[0], game)
        for next_line in (challenger, invited):
            line = await next_line()
            assert (line["type"], line["challenge"]["slug"]) == ("challenge", made.slug)
        match = await sync_to_async(lobby.join)(made.slug, people[1])
        assert match is not None
        for next_line in (challenger, invited):
            assert (await line_of_type(next_line, "match"))["match"]["slug"] == match.slug
            assert (await line_of_type(next_line, "challenge-gone"))["slug"] == made.slug


def test_changes_of_an_open_challenge_wake_the_streams_of_its_users(people, monkeypatch):
    woken: list[str] = []
    monkeypatch.setattr(pubsub, "send_to_group", lambda group, message: woken.append(group))
    ann, bob = (stream_wakeups.user_group(user.pk) for user in people[:2])
    game = make_game("antipalos", {"size": 12, "seats": "cutthroat3"})
    made = lobby.request_game(people[0], GameRequest(game=game, opponent=Opponent.PEOPLE))
    changes = (
        (lambda: lobby.join(made.slug, people[1]), {ann, bob}),
        (lambda: lobby.leave(made.slug, people[1]), {ann, bob}),
        (lambda: lobby.cancel(made.slug, people[0]), {ann}),
    )
    assert set(woken) == {ann}
    for change, users in changes:
        woken.clear()
        change()
        assert {one for one in woken if one.startswith("user-")} == users


def test_a_declined_invitation_wakes_all_who_were_invited(people, monkeypatch):
    game = GameRequest(
        game=make_game("antipalos", {"seats": "cutthroat3"}),
        opponent=Opponent.PEOPLE,
        people=(people[1], people[2]),
    )
    made = lobby.request_game(people[0], game)
    woken: list[str] = []
    monkeypatch.setattr(pubsub, "send_to_group", lambda group, message: woken.append(group))
    lobby.decline(made.slug, people[1])
    groups = {stream_wakeups.user_group(user.pk) for user in people[:3]}
    assert {one for one in woken if one.startswith("user-")} == groups


def test_the_beginning_of_a_match_wakes_its_players_but_no_move_does(people, begin, monkeypatch):
    woken: list[str] = []
    monkeypatch.setattr(pubsub, "send_to_group", lambda group, message: woken.append(group))
    row = begin(size=3)
    groups = {stream_wakeups.user_group(user.pk) for user in people[:2]}
    assert {one for one in woken if one.startswith("user-")} == groups
    woken.clear()
    for ply in range(2):
        carry_out(row.slug, Play(seat=ply, ply=ply, key=f"{row.slug} {ply}", move=ply))
    assert woken
    assert not [one for one in woken if one.startswith("user-")]


async def test_a_declined_challenge_is_gone_for_both_players(people):
    game = GameRequest(game=make_game("hex"), opponent=Opponent.PEOPLE, people=(people[1],))
    made = await sync_to_async(lobby.request_game)(people[0], game)
    async with (
        reading(EventStream(people[0])) as challenger,
        reading(EventStream(people[1])) as invited,
    ):
        for next_line in (challenger, invited):
            await line_of_type(next_line, "ready")
        await sync_to_async(lobby.decline)(made.slug, people[1])
        for next_line in (challenger, invited):
            assert await next_line() == {"type": "challenge-gone", "slug": made.slug}


async def test_an_event_stream_resyncs_without_messages(people, begin, monkeypatch):
    monkeypatch.setattr(streams, "HEARTBEAT", 0.05)
    monkeypatch.setattr(streams, "RESYNC", 0.1)
    monkeypatch.setattr(pubsub, "send_to_group", lambda group, message: None)
    async with reading(EventStream(people[0])) as next_line:
        await line_of_type(next_line, "ready")
        row = await sync_to_async(begin)(size=3)
        assert (await next_line())["match"]["slug"] == row.slug


async def test_events_of_other_users_are_not_sent(people, begin):
    async with reading(EventStream(people[2])) as next_line:
        await line_of_type(next_line, "ready")
        row = await sync_to_async(begin)(size=3)
        await play(row, 0, 0, 4)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(next_line(), 0.3)


def test_the_stream_of_an_unknown_match_is_a_404(ask, db):
    response = ask("GET", "matches/nowhere/stream")
    assert (response.status_code, response.data["code"]) == (404, "api/not-found")


def response_of(lines, user=None):
    """Return the response of an endpoint with a stream."""
    request: Any = RequestFactory().get("/")
    request.auth = Caller(user)
    return streams.stream_response(request, lines)


def test_a_stream_response_sends_json_lines():
    async def two():
        yield {"type": "alive"}
        yield '{"type":"match"}'

    async def all_of(source):
        return [chunk async for chunk in source]

    response = response_of(two())
    assert response.headers["Content-Type"] == "application/x-ndjson"
    lines = asyncio.run(all_of(response.streaming_content))
    assert lines == [b'{"type":"alive"}\n', b'{"type":"match"}\n']


async def test_notifications_are_sent_once_and_again_when_read(people):
    def notify(key):
        return notices.notify(people[0], NotificationKind.MODERATION, key=key, text=key)

    first = await sync_to_async(notify)("hello")
    async with reading(EventStream(people[0])) as next_line:
        line = await next_line()
        assert (line["type"], line["notice"]["id"]) == ("notice", first.pk)
        assert "hello" in line["notice"]["words"]
        assert line["notice"]["seen"] is False
        assert (await next_line())["type"] == "ready"
        second = await sync_to_async(notify)("again")
        assert (await next_line())["notice"]["id"] == second.pk
        await sync_to_async(notices.mark_seen)(people[0], [first.pk])
        assert await next_line() == {"type": "notice-seen", "id": first.pk}
    async with reading(EventStream(people[1])) as next_line:
        assert (await next_line())["type"] == "ready"


async def test_notifications_have_the_language_of_the_request(people, token, async_client):
    text = await sync_to_async(token)(people[0])

    def notify():
        notices.notify(people[0], NotificationKind.INVITED, key="one", by=people[1], game="hex")

    await sync_to_async(notify)()
    words = {}
    for language in ("en", "de"):
        headers = {"authorization": f"Bearer {text}", "accept-language": language}
        response = await async_client.get("/api/v1/stream/events", headers=headers)
        lines = aiter(response.streaming_content)
        words[language] = json.loads(await anext(lines))["notice"]["words"]
        await lines.aclose()
    assert "lädt" in words["de"]
    assert "invites" in words["en"]


async def test_each_stream_is_read_with_a_token(row, people, token, async_client):
    plan = Plan(title="Cup", format=Swiss(), game=make_game("hex"), control=read_control("5m+5s"))
    event = await sync_to_async(create_tournament)(people[0], plan)
    text = await sync_to_async(token)(people[0])
    for path in (f"matches/{row.slug}/stream", f"tournaments/{event.slug}/stream", "stream/events"):
        headers = {"authorization": f"Bearer {text}"}
        response = await async_client.get(f"/api/v1/{path}", headers=headers)
        assert response.status_code == 200, path
        lines = aiter(response.streaming_content)
        assert json.loads(await anext(lines))["type"], path
        await lines.aclose()


async def test_by_default_a_match_stream_ends_with_the_match(row, async_client):
    await resign(row, 0, 0)
    response = await async_client.get(f"/api/v1/matches/{row.slug}/stream")
    lines = [json.loads(line)["type"] async for line in response.streaming_content]
    assert lines == ["match", "chat"]


@pytest.mark.parametrize("kind", ["match", "events"])
async def test_streams_end_when_the_site_shuts_down(row, people, kind):
    source = EventStream(people[0]) if kind == "events" else MatchStream(row.slug, people[0])
    response = response_of(source.lines())
    lines = aiter(response)
    assert json.loads(await asyncio.wait_for(anext(lines), PATIENCE))
    registry.end_streams()
    rest = [line async for line in lines]
    assert all(json.loads(line)["type"] != "alive" for line in rest)
    assert not registry.open_connections()


async def test_a_match_stream_tells_of_hidden_chat_lines_and_of_nothing_for_pages(row, people):
    async with reading(MatchStream(row.slug, people[1])) as next_line:
        await next_line()
        await next_line()
        message = {"key": "12345678", "text": "insults"}
        await sync_to_async(lambda: chat.say(snapshots.look_up(row.slug), people[0], message))()
        [line] = (await next_line())["lines"]
        group = {"type": "match.thinking", "share": 0.5}
        await sync_to_async(pubsub.send_to_group)(f"match-{row.slug}", group)
        found = await ChatLine.objects.aget()
        await sync_to_async(chat.hide)(found)
        assert await next_line() == {"type": "chat-hidden", "id": line["id"]}


async def test_messages_of_versions_that_were_sent_wake_no_match_stream(row, people):
    stream = MatchStream(row.slug, people[0])
    await sync_to_async(lambda: stream._first_lines(snapshots.look_up(row.slug)))()
    await play(row, 0, 0, 4)
    assert await stream._lines_for({"type": "match.changed", "version": 0}) == []
    (line,) = await stream._lines_for({"type": "match.changed", "version": 1})
    assert json.loads(str(line))["match"]["ply"] == 1
    for message in ({"type": "match.changed"}, {"type": "match.guarded"}):
        assert await stream._lines_for(message) == []


async def test_a_match_stream_tells_no_chat_of_blocked_players(row, people):
    stream = MatchStream(row.slug, people[0])
    await sync_to_async(lambda: stream._first_lines(snapshots.look_up(row.slug)))()
    said = ChatLine(match=row, room="seated", user=people[1], text="good luck", at=1)
    message = {"type": "chat.said", "line": chat.line_data(said), "deaf": [people[1].pk]}
    (told,) = await stream._lines_for(message)
    assert isinstance(told, dict)
    assert [line["text"] for line in told["lines"]] == ["good luck"]
    assert await stream._lines_for({**message, "deaf": [people[0].pk]}) == []


async def test_what_is_only_for_pages_is_no_event(row, people):
    stream = EventStream(people[0])
    assert await stream._lines_for({"type": "match.thinking", "share": 0.5}) == []
    kinds = [line["type"] for line in await stream._lines_for({"type": "match.changed"})]
    assert kinds == ["match", "your-turn"]


async def test_the_end_of_a_match_between_two_queries_is_sent_once(row, people):
    stream = EventStream(people[0])
    await resign(row, 0, 0)

    @sync_to_async
    def lines():
        return stream._match_lines(MatchRow.objects.get(pk=row.pk))

    assert [line["type"] for line in await lines()] == ["match-ended"]
    assert await lines() == []


async def test_a_tournament_stream_looks_only_for_versions_that_were_not_sent(people):
    plan = Plan(title="Cup", format=Swiss(), game=make_game("hex"), control=read_control("5m+5s"))
    row = await sync_to_async(create_tournament)(people[0], plan)
    stream = TournamentStream(row.slug, None)
    await sync_to_async(stream._changes)()
    version = row.version
    await TournamentRow.objects.aupdate(version=version + 1)
    for sent in (version - 1, version):
        assert await stream._lines_for({"version": sent}) == []
    [line] = await stream._lines_for({"version": version + 1})
    assert line["tournament"]["version"] == version + 1
    await TournamentRow.objects.aupdate(version=version + 2)
    assert await stream._lines_for({})
    assert await stream._lines_for({}) == []
