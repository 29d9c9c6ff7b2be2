"""Resync: WebSockets receive the changes whose broadcasts were lost."""

import asyncio

import pytest
from asgiref.sync import sync_to_async

from antipodes.match import Play
from antipodes.web.matches import chat, resync
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.platform import pubsub
from tests.web.matches.sockets import joined

pytestmark = pytest.mark.django_db(transaction=True)

PLAY = Play(seat=0, ply=0, key="12345678", move=4)
LINE = {"text": "still here", "key": "12345679"}


@pytest.fixture
def lost(monkeypatch):
    """A function that makes a change of which no socket is told."""

    async def change(function, *arguments):
        with monkeypatch.context() as patched:
            patched.setattr(pubsub, "send_to_group", lambda *_: None)
            await sync_to_async(function)(*arguments)

    return change


async def look():
    """Resync once, and wait until all sockets have their messages."""
    await resync.look()
    await asyncio.gather(*resync._telling.values())


async def test_a_lost_move_is_sent_once(row, people, lost):
    player, _ = await joined(row, people[0])
    other, _ = await joined(row)
    await lost(carry_out, row.slug, PLAY)
    await look()
    for socket in (player, other):
        message = await socket.hears_of("match")
        assert [move["text"] for move in message["match"]["moves"]] == ["b2"]
    await look()
    for socket in (player, other):
        assert await socket.is_quiet(0.01)
        await socket.disconnect()


async def test_a_lost_chat_line_is_sent_once_to_those_who_may_read_it(row, people, lost):
    player, _ = await joined(row, people[0])
    spectator, _ = await joined(row)
    await lost(lambda: chat.say(look_up(row.slug), people[1], LINE))
    await look()
    message = await player.hears_of("chat")
    assert [line["text"] for line in message["lines"]] == ["still here"]
    await look()
    assert (await spectator.hears_of("chat"))["lines"] == []
    for socket in (player, spectator):
        assert await socket.is_quiet(0.01)
        await socket.disconnect()


async def test_old_chat_lines_are_not_looked_for(row, people, lost):
    player, _ = await joined(row, people[0])
    await lost(lambda: chat.say(look_up(row.slug), people[1], LINE))
    line = await ChatLine.objects.aget()
    await ChatLine.objects.aupdate(at=line.at - resync._RECENT)
    await look()
    assert await player.is_quiet(0.01)
    await player.disconnect()


async def test_without_changes_nothing_is_sent(row, people):
    player, _ = await joined(row, people[0])
    await look()
    assert await player.is_quiet(0.01)
    await player.disconnect()


async def test_without_sockets_nothing_is_queried(monkeypatch):
    monkeypatch.setattr(resync, "_ask", None)
    await resync.look()


async def test_a_socket_that_fails_is_resynced_next_time(row, people, lost, monkeypatch, caplog):
    player, _ = await joined(row, people[0])
    await lost(carry_out, row.slug, PLAY)

    async def fail(*_):
        raise OSError("away")

    with monkeypatch.context() as patched:
        patched.setattr("antipodes.web.matches.consumers.MatchSocket.match_changed", fail)
        await look()
    assert f"socket resync failed match={row.slug} error=away" in caplog.text
    await look()
    assert (await player.hears_of("match"))["match"]["moves"]
    await player.disconnect()


async def test_the_resync_continues_after_an_outage(monkeypatch, caplog):
    rounds: list[int] = []

    async def fail():
        rounds.append(len(rounds))
        if len(rounds) == 3:
            raise asyncio.CancelledError
        raise OSError("away")

    monkeypatch.setattr(resync, "_EACH", 0)
    monkeypatch.setattr(resync, "look", fail)
    with pytest.raises(asyncio.CancelledError):
        await resync.keep()
    assert caplog.text.count("socket resync failed error=away") == 2
