"""Match chat: rooms, limits and escaping."""

import json

import pytest
from asgiref.sync import sync_to_async

from antipodes.match import Resign
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.services import carry_out
from tests.web.matches.sockets import joined

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def row(begin):
    """A match between the first two of four people."""
    return begin(size=3)


def texts(message):
    return [line["text"] for line in message["lines"]]


async def test_players_and_spectators_do_not_read_each_other(row, people):
    sockets = [(await joined(row, user))[0] for user in (*people[:3], None)]
    ann, bob, cy, visitor = sockets
    assert (await ann.command("chat", text="good luck", room="seated"))["type"] == "done"
    assert texts(await bob.hears_of("chat")) == ["good luck"]
    await cy.command("chat", text="she will lose")
    assert texts(await visitor.hears_of("chat")) == ["she will lose"]
    for player in (ann, bob):
        assert await player.is_quiet() or player is ann
    for socket in sockets:
        await socket.disconnect()
    for user, expected in ((people[0], ["good luck"]), (people[2], ["she will lose"])):
        again = await joined_with_chat(row, user)
        assert again == expected


async def joined_with_chat(row, user):
    from tests.web.matches.sockets import Socket

    socket = Socket(row.slug, user)
    await socket.connect()
    lines = texts(await socket.hears_of("chat"))
    await socket.disconnect()
    return lines


async def test_users_talk_only_in_their_own_room(row, people):
    for user, room in ((people[0], "spectators"), (people[2], "seated"), (None, "spectators")):
        socket, _ = await joined(row, user)
        answer = await socket.command("chat", text="hello", room=room)
        assert answer["code"] == "chat/room"
        await socket.disconnect()
    assert not await ChatLine.objects.aexists()


async def test_after_the_end_both_rooms_are_open(row, people):
    ann, _ = await joined(row, people[0])
    cy, _ = await joined(row, people[2])
    await ann.command("chat", text="good game")
    await cy.command("chat", text="nice")
    await sync_to_async(carry_out)(row.slug, Resign(seat=0, ply=0, key="I resign"))
    await cy.hears_of("match")
    assert texts(await cy.hears_of("chat")) == ["good game", "nice"]
    for socket in (ann, cy):
        await socket.disconnect()


@pytest.mark.parametrize("text", ["", "   ", "x" * 501, None, "\n\t"])
async def test_empty_and_long_lines_are_refused(row, people, text):
    socket, _ = await joined(row, people[0])
    answer = await socket.command("chat", text=text if text is not None else "")
    assert answer["code"] == "chat/text"
    await socket.disconnect()


async def test_a_repeated_line_is_stored_once_and_unchanged(row, people):
    socket, _ = await joined(row, people[0])
    text = "<script>alert('a')</script> & <b>"
    for _ in range(2):
        assert (await socket.command("chat", text=text, key="the same"))["type"] == "done"
    line = await ChatLine.objects.aget()
    assert line.text == text
    await socket.disconnect()


async def test_chat_lines_are_rate_limited(row, people):
    socket, _ = await joined(row, people[0])
    answers = [await socket.command("chat", text=f"line {number}") for number in range(7)]
    assert [answer["type"] for answer in answers].count("done") == 5
    assert answers[-1]["code"] == "chat/too-fast"
    await socket.disconnect()


async def test_names_are_escaped_in_pages(row, people, client):
    people[0].username = "<img src=x onerror=alert(1)>"
    await people[0].asave()
    page = await sync_to_async(client.get)(f"/m/{row.slug}/")
    assert b"<img src=x" not in page.content
    answer = await sync_to_async(client.get)(f"/m/{row.slug}/match.json")
    assert answer.headers["Content-Type"] == "application/json"
    assert json.loads(answer.content)["seats"][0]["name"] == people[0].username
