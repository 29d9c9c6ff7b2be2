"""Match chat: rooms, limits and escaping."""

import json

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction

from antipodes.errors import MatchError
from antipodes.match import Resign
from antipodes.web.matches import chat
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.relations.services import block
from tests.web.matches.sockets import joined

pytestmark = pytest.mark.django_db(transaction=True)


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


def message(text, number=0):
    return {"text": text, "key": f"line {number:06}"}


def test_a_line_of_the_chat_has_1_to_500_characters(row, people):
    snapshot = look_up(row.slug)
    for number, text in enumerate(("x", "x" * 500)):
        assert chat.say(snapshot, people[0], message(text, number)).text == text
    for text, length in (("x" * 501, 501), (" \n", 0)):
        with pytest.raises(MatchError) as caught:
            chat.say(snapshot, people[0], message(text))
        assert str(caught.value) == f"a line has 1 to 500 characters, not {length}"


def test_five_lines_in_ten_seconds_are_enough_except_by_mail(people, clocks, row):
    snapshot = look_up(row.slug)
    for number in range(5):
        chat.say(snapshot, people[0], message("hello", number))
    clocks.advance(9_999)
    with pytest.raises(MatchError) as caught:
        chat.say(snapshot, people[0], message("hello", 5))
    assert str(caught.value) == "5 lines in 10 seconds are enough; wait a moment"
    chat.say(snapshot, people[0], message("by mail", 6), is_mail=True)
    chat.say(snapshot, people[1], message("of another player", 7))
    ChatLine.objects.filter(text="by mail").delete()
    clocks.advance(1)
    assert chat.say(snapshot, people[0], message("hello", 8)).text == "hello"


def test_the_history_has_the_latest_lines_that_a_user_may_read(ann, bob, cy, clocks, row):
    snapshot = look_up(row.slug)
    lines = []
    for number, user in enumerate((ann, bob, ann, cy)):
        lines.append(chat.say(snapshot, user, message(f"line {number}", number)))
        clocks.advance(1)

    def seen(line, own):
        shown = {"id": line.pk, "room": line.room, "name": line.user.name}
        return {**shown, "text": line.text, "at": line.at, "own": own}

    first, second, third, of_spectators = lines
    assert chat.history(snapshot, ann.pk) == [
        seen(first, True),
        seen(second, False),
        seen(third, True),
    ]
    assert chat.history(snapshot, cy.pk) == [seen(of_spectators, True)]
    assert chat.history(snapshot, None) == [seen(of_spectators, False)]
    latest = chat.latest(row.chat.all(), bob.pk, 2)
    assert latest == [seen(third, False), seen(of_spectators, False)]
    block(bob, ann)
    assert chat.history(snapshot, ann.pk) == [seen(first, True), seen(third, True)]
    assert chat.history(snapshot, bob.pk) == [seen(second, True)]


@pytest.mark.parametrize(
    ("who", "room", "error"),
    [
        (0, "spectators", "you can talk among the players only"),
        (2, "seated", "you can talk among the spectators only"),
        (None, "spectators", "play, or sign in, to have a name in the chat"),
    ],
)
def test_a_line_for_another_room_is_refused_with_the_reason(row, people, who, room, error):
    user = None if who is None else people[who]
    with pytest.raises(MatchError) as caught:
        chat.say(look_up(row.slug), user, {**message("hello"), "room": room})
    assert (str(caught.value), caught.value.code) == (error, "chat/room")


async def test_a_blocked_player_does_not_hear_the_other(row, people):
    await sync_to_async(block)(people[0], people[1])
    ann, _ = await joined(row, people[0])
    bob, _ = await joined(row, people[1])
    await ann.command("chat", text="good luck")
    await bob.command("chat", seat=1, text="thanks")
    carry = Resign(seat=0, ply=0, key="I resign")
    await sync_to_async(carry_out)(row.slug, carry)
    for socket, expected in ((ann, ["good luck"]), (bob, ["thanks"])):
        heard = await socket.hears_of("chat")
        while texts(heard) != expected:
            heard = await socket.hears_of("chat")
        await socket.disconnect()


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


def test_of_two_equal_keys_at_once_the_first_line_is_returned(row, people, meanwhile):
    first = []

    def say():
        return chat.say(look_up(row.slug), people[0], message("hello"))

    with meanwhile(lambda: first.append(say()), "SAVEPOINT"), transaction.atomic():
        second = say()
    assert [second] == first
    assert ChatLine.objects.count() == 1
