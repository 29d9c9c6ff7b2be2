"""Chat between users who block each other, and deleted lines."""

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group, Permission

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import ChatLine
from antipodes.web.moderation import services as moderation
from antipodes.web.moderation.moderators import MODERATORS
from antipodes.web.relations import services
from tests.web.matches.sockets import joined

pytestmark = pytest.mark.django_db(transaction=True)


def make_moderator():
    """Create a moderator; tests with transactions delete what migrations have created."""
    group, _ = Group.objects.get_or_create(name=MODERATORS)
    group.permissions.add(Permission.objects.get(codename="moderate"))
    user = User.objects.create(username="mod", is_staff=True)
    user.groups.add(group)
    return user


async def received_lines(socket):
    """Return the chat lines that a socket receives until no message follows."""
    texts = []
    while not await socket.wire.receive_nothing(0.5):
        message = await socket.hears()
        texts += [line["text"] for line in message.get("lines", ())]
    return texts


async def test_lines_are_hidden_between_blocked_users(begin, people):
    row = await sync_to_async(begin)(size=3)
    cy, dee = people[2:]
    sockets = [(await joined(row, user))[0] for user in (cy, dee, None)]
    await sync_to_async(services.block)(cy, dee)
    for speaker, other in ((0, 1), (1, 0)):
        answer = await sockets[speaker].command("chat", text=f"line {speaker}")
        assert answer["type"] == "done"
        assert f"line {speaker}" in await received_lines(sockets[2])
        assert f"line {speaker}" not in await received_lines(sockets[other])
    for socket in sockets:
        await socket.disconnect()


async def test_a_deleted_line_disappears_from_open_pages(begin, people):
    row = await sync_to_async(begin)(size=3)
    socket, _ = await joined(row, people[0])
    await socket.command("chat", text="you fool")
    line = await ChatLine.objects.select_related("user", "match").aget()
    moderator = await sync_to_async(make_moderator)()
    await sync_to_async(moderation.hide_line)(moderator, line, "an insult")
    assert (await socket.hears_of("chat-hidden"))["id"] == line.pk
    await socket.disconnect()
