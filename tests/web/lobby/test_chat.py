"""Chat of the lobby: off by default, and moderated as the chats of matches are."""

import json
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.db import OperationalError

from antipodes.clocks import DAY
from antipodes.web.accounts.models import User
from antipodes.web.matches import open_chat
from antipodes.web.matches.chat import group_of_room
from antipodes.web.matches.models import ChatLine
from antipodes.web.moderation import services as moderation
from antipodes.web.moderation.models import ReportRow, SanctionRow
from antipodes.web.platform.clock import now
from antipodes.web.relations.services import block
from tests.web.channel_groups import channel_groups
from tests.web.chat_clients import Visitor, lobby_chat, texts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _is_on(settings):
    settings.LOBBY_CHAT = True


@pytest.fixture
def warden(db):
    """A superuser, since tests with transactions leave no group of moderators."""
    return User.objects.create(username="ruth", is_staff=True, is_superuser=True)


def say(user, data):
    return open_chat.say(lobby_chat(), user, data)


async def test_all_visitors_read_what_accounts_write(people):
    ann, bob, visitor = Visitor(people[0]), Visitor(people[1]), Visitor()
    for one in (ann, bob, visitor):
        await one.connect()
    assert (await ann.says("hello all"))["type"] == "done"
    assert texts(await bob.hears()) == texts(await visitor.hears()) == ["hello all"]
    later = json.loads((await Visitor().connect())["text"])
    assert texts(later) == ["hello all"]


async def test_guests_and_muted_accounts_read_only(people):
    guest = await database_sync_to_async(User.objects.create)(username="Guest 4821", is_guest=True)
    await database_sync_to_async(SanctionRow.objects.create)(
        user=people[1], kind="mute", reason="spam"
    )
    for user, code in ((None, "chat/account"), (guest, "chat/account"), (people[1], "chat/muted")):
        visitor = Visitor(user)
        await visitor.connect()
        assert (await visitor.says("buy this"))["code"] == code
    assert not await ChatLine.objects.aexists()


async def test_lines_are_limited_as_in_matches(people):
    ann = Visitor(people[0])
    await ann.connect()
    assert (await ann.says("x" * 501))["code"] == "chat/text"
    assert (await ann.says("hello", command="resign"))["code"] == "match/message"
    answers = [await ann.says(f"line {number}") for number in range(6)]
    assert [one["type"] for one in answers] == ["done"] * 5 + ["refused"]
    assert answers[-1]["code"] == "chat/too-fast"


async def test_blocked_players_do_not_read_each_other(people):
    await database_sync_to_async(block)(people[1], people[0])
    ann, bob = Visitor(people[0]), Visitor(people[1])
    await ann.connect()
    await bob.connect()
    await ann.says("hello bob")
    assert await bob.wire.receive_nothing()
    assert texts(json.loads((await Visitor(people[1]).connect())["text"])) == []


async def test_a_line_that_moderators_delete_leaves_all_open_pages(people, warden):
    visitor = Visitor()
    await visitor.connect()
    line = await database_sync_to_async(say)(people[0], {"key": "one", "text": "rude"})
    assert (await visitor.hears())["type"] == "chat"
    await database_sync_to_async(moderation.hide_line)(warden, line, "be kind")
    assert await visitor.hears() == {"type": "chat-hidden", "id": line.pk}
    assert await database_sync_to_async(open_chat.history)(lobby_chat(), None) == []


async def test_without_the_hosts_setting_there_is_no_chat(people, settings, client):
    settings.LOBBY_CHAT = False
    answer = await Visitor(people[0]).connect()
    assert answer == {"type": "websocket.close", "code": 4404}
    page = await database_sync_to_async(client.get)("/lobby/")
    assert "antipodes-open-chat" not in page.content.decode()


def test_the_page_has_the_lines_and_the_form_for_those_who_may_use_them(people, client):
    say(people[0], {"key": "one", "text": "good evening"})
    block(people[1], people[0])
    guest = User.objects.create(username="Guest 4821", is_guest=True)
    for user, shown, may_write in (
        (None, ["good evening"], False),
        (guest, ["good evening"], False),
        (people[1], [], True),
        (people[2], ["good evening"], True),
    ):
        if user is not None:
            client.force_login(user)
        found = client.get("/lobby/").context["chat"]
        assert ([line["text"] for line in found["lines"]], found["may_write"]) == (shown, may_write)


def test_lines_are_read_and_reported_without_javascript(people, client, warden):
    line = say(people[0], {"key": "one", "text": "<b>rude</b>"})
    client.force_login(people[1])
    assert "&lt;b&gt;rude&lt;/b&gt;" in client.get("/lobby/").content.decode()
    client.post(f"/chat/{line.pk}/report/", {"reason": "insult"})
    report = ReportRow.objects.get()
    assert (report.about, report.line) == (people[0], line)
    client.force_login(warden)
    evidence = client.get(f"/admin/moderation/reportrow/{report.pk}/change/").content.decode()
    assert "&lt;b&gt;rude&lt;/b&gt;" in evidence


def test_old_lines_are_deleted_unless_they_are_reported(people):
    lines = [say(people[0], {"key": f"key {n}", "text": "hello"}) for n in range(3)]
    ChatLine.objects.filter(pk__in=[one.pk for one in lines[:2]]).update(at=now() - 31 * 86_400_000)
    ReportRow.objects.create(by=people[1], about=people[0], reason="spam", line=lines[0])
    open_chat.delete_old_lines()
    assert set(ChatLine.objects.all()) == {lines[0], lines[2]}


def test_a_line_is_deleted_after_thirty_days_unless_moderators_hid_it(people, clocks, warden):
    for number, age in enumerate((30 * DAY + 1, 30 * DAY, 31 * DAY)):
        say(people[0], {"key": f"key {number}", "text": "hello"})
        ChatLine.objects.filter(key=f"key {number}").update(at=now() - age)
    moderation.hide_line(warden, ChatLine.objects.get(key="key 2"), "be kind")
    open_chat.delete_old_lines()
    assert set(ChatLine.objects.values_list("key", flat=True)) == {"key 1", "key 2"}


@pytest.mark.parametrize("fails", [False, True], ids=["usual", "outage"])
async def test_a_visitor_who_leaves_is_told_nothing_any_more(people, monkeypatch, fails):
    layer: Any = get_channel_layer()
    group = group_of_room("lobby", "")
    before = channel_groups().get(group, set())
    visitor = Visitor()
    await visitor.connect()
    (own,) = channel_groups()[group] - before
    discard = layer.group_discard

    async def discard_and_fail(name, channel):
        await discard(name, channel)
        if fails:
            raise OperationalError("the channel layer is away")

    monkeypatch.setattr(layer, "group_discard", discard_and_fail)
    await visitor.wire.send_input({"type": "websocket.disconnect", "code": 1000})
    await visitor.wire.wait()
    assert own not in channel_groups().get(group, set())
