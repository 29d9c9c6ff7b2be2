"""Laws of streams: first how everything stands, then each change, and nothing is lost for ever."""

import asyncio
import json
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import RequestFactory
from pydantic import TypeAdapter

from antipodes.games.registry import make_game
from antipodes.match import Play, Resign
from antipodes.web.api import event_stream, match_stream, streams
from antipodes.web.api.auth import Caller
from antipodes.web.api.event_stream import EventStream
from antipodes.web.api.match_stream import MatchStream
from antipodes.web.api.schemas.events import Event
from antipodes.web.challenges import services as lobby
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.connections import registry
from antipodes.web.matches import chat, snapshots
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.notifications import services as notices
from antipodes.web.notifications.kinds import Kind
from antipodes.web.platform import pubsub

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 10  # seconds

# What is published of the lines of events.
EVENT = TypeAdapter(Event)


@asynccontextmanager
async def heard(stream):
    """Listen to a stream; gives a function that returns the next line that is not `alive`."""
    lines = stream.lines()

    async def following(*, alive=False):
        while True:
            line = await asyncio.wait_for(anext(lines), PATIENCE)
            line = json.loads(line) if isinstance(line, str) else line
            if isinstance(stream, EventStream):
                EVENT.validate_python(line)
            if alive or line["type"] != "alive":
                return line

    try:
        yield following
    finally:
        await lines.aclose()


async def until(following, kind):
    while (line := await following())["type"] != kind:
        pass
    return line


@pytest.fixture
def row(begin):
    """A match of Hex between Ann and Bob; Ann is to move."""
    return begin(size=3)


@sync_to_async
def play(row, seat, ply, move):
    carry_out(row.slug, Play(seat=seat, ply=ply, key=f"{row.slug} {ply:04}", move=move))


@sync_to_async
def resign(row, seat, ply):
    carry_out(row.slug, Resign(seat=seat, ply=ply, key=f"resign {row.slug}"))


async def test_a_match_is_told_as_it_stands_then_with_each_move_until_its_end(row, people):
    async with heard(MatchStream(row.slug, people[0])) as following:
        first = await following()
        assert (first["type"], first["match"]["own"]) == ("match", [0])
        assert (await following())["type"] == "chat"
        await play(row, 0, 0, 4)
        assert len((await following())["match"]["moves"]) == 1
        await resign(row, 1, 1)
        assert (await following())["match"]["result"]
        assert (await following())["type"] == "chat"
        with pytest.raises(StopAsyncIteration):
            await following()


async def test_only_new_moves_are_told_to_whoever_wants_that(row):
    async with heard(MatchStream(row.slug, None, only_new_moves=True)) as following:
        await following()
        for ply, move in enumerate((4, 0)):
            await play(row, ply % 2, ply, move)
            told = await until(following, "match")
            assert (told["match"]["from"], len(told["match"]["moves"])) == (ply, 1)


async def test_whoever_connects_again_is_told_only_what_is_newer(row):
    await play(row, 0, 0, 4)
    async with heard(MatchStream(row.slug, None, version=1)) as following:
        assert (await following())["type"] == "chat"
        await play(row, 1, 1, 0)
        assert (await following())["match"]["version"] == 2
    async with heard(MatchStream(row.slug, None, version=1)) as following:
        assert (await following())["match"]["version"] == 2


async def test_a_stream_that_follows_tells_of_the_rematch(row):
    await resign(row, 0, 0)
    async with heard(MatchStream(row.slug, None, follows=True)) as following:
        assert (await following())["match"]["result"]


async def test_chat_is_told_to_those_who_may_read_it(row, people):
    async with (
        heard(MatchStream(row.slug, people[1])) as player,
        heard(MatchStream(row.slug, None)) as spectator,
    ):
        for following in (player, spectator):
            assert (await following())["type"] == "match"
            assert (await following())["lines"] == []
        said = {"key": "12345678", "text": "good luck"}
        await sync_to_async(lambda: chat.say(snapshots.look_up(row.slug), people[0], said))()
        assert [line["text"] for line in (await player())["lines"]] == ["good luck"]
        await play(row, 0, 0, 4)
        assert (await spectator())["type"] == "match"


async def test_a_stream_says_that_it_is_there_and_finds_what_it_was_not_told(
    row, people, monkeypatch
):
    monkeypatch.setattr(match_stream, "ALIVE", 0.05)
    monkeypatch.setattr(match_stream, "LOOK", 0.1)
    monkeypatch.setattr(pubsub, "send_to_group", lambda group, message: None)
    async with heard(MatchStream(row.slug, people[0])) as following:
        await following()
        await following()
        assert await following(alive=True) == {"type": "alive"}
        await play(row, 0, 0, 4)
        assert (await until(following, "match"))["match"]["ply"] == 1


async def test_a_match_that_one_may_no_longer_watch_is_gone(row, people, monkeypatch):
    async with heard(MatchStream(row.slug, people[2])) as following:
        await following()
        await following()
        await MatchRow.objects.filter(pk=row.pk).aupdate(is_private=True)
        await play(row, 0, 0, 4)
        assert await following() == {"type": "gone"}


# Own events.


async def test_events_begin_with_what_there_is_and_say_when_that_is_all(row, people):
    async with heard(EventStream(people[0])) as following:
        kinds = [(await following())["type"] for _ in range(3)]
        assert kinds == ["match", "your-turn", "ready"]
    async with heard(EventStream(people[1])) as following:
        kinds = [(await following())["type"] for _ in range(2)]
        assert kinds == ["match", "ready"]


async def test_each_turn_is_told_once_and_the_end_too(row, people):
    async with heard(EventStream(people[1])) as following:
        await until(following, "ready")
        await play(row, 0, 0, 4)
        turn = await following()
        assert (turn["type"], turn["match"]["slug"]) == ("your-turn", row.slug)
        await play(row, 1, 1, 0)
        await resign(row, 0, 2)
        assert (await following())["type"] == "match-ended"


async def test_a_challenge_is_told_with_each_change_until_it_is_a_match(people):
    wish = GameRequest(
        game=make_game("hex", {"size": 3}), opponent=Opponent.PEOPLE, people=(people[1],)
    )
    async with (
        heard(EventStream(people[0])) as challenger,
        heard(EventStream(people[1])) as invited,
    ):
        for following in (challenger, invited):
            assert (await following())["type"] == "ready"
        made = await sync_to_async(lobby.request_game)(people[0], wish)
        for following in (challenger, invited):
            told = await following()
            assert (told["type"], told["challenge"]["slug"]) == ("challenge", made.slug)
        match = await sync_to_async(lobby.join)(made.slug, people[1])
        assert match is not None
        for following in (challenger, invited):
            assert (await until(following, "match"))["match"]["slug"] == match.slug
            assert (await until(following, "challenge-gone"))["slug"] == made.slug


async def test_a_declined_invitation_is_gone_for_both(people):
    wish = GameRequest(game=make_game("hex"), opponent=Opponent.PEOPLE, people=(people[1],))
    made = await sync_to_async(lobby.request_game)(people[0], wish)
    async with (
        heard(EventStream(people[0])) as challenger,
        heard(EventStream(people[1])) as invited,
    ):
        for following in (challenger, invited):
            await until(following, "ready")
        await sync_to_async(lobby.decline)(made.slug, people[1])
        for following in (challenger, invited):
            assert await following() == {"type": "challenge-gone", "slug": made.slug}


async def test_events_are_found_without_being_told(people, begin, monkeypatch):
    monkeypatch.setattr(event_stream, "ALIVE", 0.05)
    monkeypatch.setattr(event_stream, "LOOK", 0.1)
    monkeypatch.setattr(pubsub, "send_to_group", lambda group, message: None)
    async with heard(EventStream(people[0])) as following:
        await until(following, "ready")
        row = await sync_to_async(begin)(size=3)
        assert (await following())["match"]["slug"] == row.slug


async def test_one_hears_nothing_of_what_others_do(people, begin):
    async with heard(EventStream(people[2])) as following:
        await until(following, "ready")
        row = await sync_to_async(begin)(size=3)
        await play(row, 0, 0, 4)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(following(), 0.3)


def test_a_stream_of_a_match_that_is_not_there_is_a_404(ask, db):
    answer = ask("GET", "matches/nowhere/stream")
    assert (answer.status_code, answer.data["code"]) == (404, "api/not-found")


def answer_of(lines, user=None):
    """Return what an endpoint answers with a stream."""
    request: Any = RequestFactory().get("/")
    request.auth = Caller(user)
    return streams.stream_of(request, lines)


def test_streams_are_told_line_by_line_and_not_kept_back():
    async def two():
        yield {"type": "alive"}
        yield '{"type":"match"}'

    async def all_of(source):
        return [chunk async for chunk in source]

    answer = answer_of(two())
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    lines = asyncio.run(all_of(answer.streaming_content))
    assert lines == [b'{"type":"alive"}\n', b'{"type":"match"}\n']


async def test_notices_are_told_once_and_that_they_were_seen(people):
    def told(key):
        return notices.notify(people[0], Kind.MODERATION, key=key, text=key)

    first = await sync_to_async(told)("hello")
    async with heard(EventStream(people[0])) as following:
        line = await following()
        assert (line["type"], line["notice"]["id"]) == ("notice", first.pk)
        assert "hello" in line["notice"]["words"]
        assert (await following())["type"] == "ready"
        second = await sync_to_async(told)("again")
        assert (await following())["notice"]["id"] == second.pk
        await sync_to_async(notices.mark_seen)(people[0], [first.pk])
        assert await following() == {"type": "notice-seen", "id": first.pk}
    async with heard(EventStream(people[1])) as following:
        assert (await following())["type"] == "ready"


async def test_notices_speak_the_language_of_the_request(people, token, async_client):
    text = await sync_to_async(token)(people[0])

    def told():
        notices.notify(people[0], Kind.INVITED, key="one", by=people[1], game="hex")

    await sync_to_async(told)()
    words = {}
    for language in ("en", "de"):
        headers = {"authorization": f"Bearer {text}", "accept-language": language}
        answer = await async_client.get("/api/v1/stream/events", headers=headers)
        lines = aiter(answer.streaming_content)
        words[language] = json.loads(await anext(lines))["notice"]["words"]
        await lines.aclose()
    assert "lädt" in words["de"]
    assert "invites" in words["en"]


@pytest.mark.parametrize("kind", ["match", "events"])
async def test_streams_end_at_once_when_the_site_does(row, people, kind):
    source = EventStream(people[0]) if kind == "events" else MatchStream(row.slug, people[0])
    answer = answer_of(source.lines())
    lines = aiter(answer)
    assert json.loads(await asyncio.wait_for(anext(lines), PATIENCE))
    registry.end_streams()
    told = [line async for line in lines]
    assert all(json.loads(line)["type"] != "alive" for line in told)
    assert not registry.open_connections()
