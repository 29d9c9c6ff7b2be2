"""Chats of tournaments: who reads and writes them, and who deletes lines."""

import pytest
from channels.db import database_sync_to_async

from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.matches import open_chat
from antipodes.web.matches.models import ChatLine
from antipodes.web.moderation.models import AuditRow, HiddenLineRow, ReportRow
from antipodes.web.platform.clock import now
from antipodes.web.relations.services import block
from antipodes.web.simuls import services as simuls
from antipodes.web.tournaments.chat import chat_of
from tests.web.chat_clients import Visitor, texts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event(make_event):
    return make_event()


def say(row, user, text="hello"):
    place = chat_of(row, user)
    assert place is not None
    return open_chat.say(place, user, {"key": f"{user.pk} {text}", "text": text})


def visitor(row, user=None):
    return Visitor(user, f"/tournament/{row.slug}/chat")


def lines_on_page(client, row):
    return [
        line["text"] for line in client.get(f"/tournament/{row.slug}/").context["chat"]["lines"]
    ]


async def test_spectators_read_at_once_what_accounts_write(event, make_event, people):
    other = await database_sync_to_async(make_event)()
    ann, watching, elsewhere = visitor(event, people[0]), visitor(event), visitor(other)
    for client in (ann, watching, elsewhere):
        await client.connect()
    assert (await ann.says("good luck all"))["type"] == "done"
    assert texts(await watching.hears()) == ["good luck all"]
    assert await elsewhere.wire.receive_nothing()
    assert (await watching.says("me too"))["code"] == "chat/account"


async def test_lines_leave_all_open_pages_when_the_host_deletes_them(event, people, host, client):
    watching = visitor(event)
    await watching.connect()
    line = await database_sync_to_async(say)(event, people[0], "rude")
    assert (await watching.hears())["type"] == "chat"

    def delete(user):
        client.force_login(user)
        return client.post(f"/chat/{line.pk}/delete/").status_code

    assert await database_sync_to_async(delete)(people[0]) == 404
    assert await database_sync_to_async(delete)(host) == 302
    assert await watching.hears() == {"type": "chat-hidden", "id": line.pk}
    assert await database_sync_to_async(delete)(host) == 404
    entry = await AuditRow.objects.aget()
    assert (entry.by_name, entry.about_name, entry.what) == ("host", "ann", "rude")
    assert await HiddenLineRow.objects.acount() == 1


def test_lines_of_one_event_are_not_those_of_another_or_of_the_lobby(
    event, make_event, people, client
):
    say(event, people[0], "here")
    say(make_event(), people[0], "there")
    ChatLine.objects.create(room="lobby", user=people[0], text="lobby", at=now())
    assert lines_on_page(client, event) == ["here"]


def test_directors_read_players_who_have_blocked_them(event, people, host, client):
    block(people[0], host)
    block(people[0], people[1])
    say(event, people[0], "unseen")
    for user, shown in ((people[1], []), (host, ["unseen"])):
        client.force_login(user)
        assert lines_on_page(client, event) == shown


def test_readers_see_the_acts_that_are_theirs(event, people, host, client):
    line = say(event, people[0])
    for user, acts in (
        (None, set()),
        (people[0], set()),
        (people[1], {"report"}),
        (host, {"report", "delete"}),
    ):
        if user is not None:
            client.force_login(user)
        page = client.get(f"/tournament/{event.slug}/").content.decode()
        shown = {act for act in ("report", "delete") if f"/chat/{line.pk}/{act}/" in page}
        assert shown == acts, user


async def test_the_chat_of_a_private_event_closes_for_members_who_leave(make_event, people, host):
    def make():
        club = ClubRow.objects.create(name="Club", slug="club", made_at=now())
        for user in (host, *people[:2]):
            MemberRow.objects.create(club=club, user=user, since=now())
        return make_event(club=club, is_private=True)

    row = await database_sync_to_async(make)()
    stranger, member, leaving = (visitor(row, user) for user in (people[2], host, people[1]))
    assert await stranger.connect() == {"type": "websocket.close", "code": 4404}
    for client in (member, leaving):
        await client.connect()
    await MemberRow.objects.filter(user=people[1]).adelete()
    assert (await leaving.says("am I here?"))["code"] == "chat/closed"
    await member.says("private words")
    assert await leaving.wire.receive_output(5) == {"type": "websocket.close", "code": 4404}


def test_a_report_has_the_lines_of_its_event_only(event, make_event, people, client):
    say(make_event(), people[0], "of another event")
    line = say(event, people[0], "insulting")
    client.force_login(people[1])
    client.post(f"/chat/{line.pk}/report/", {"reason": "insult"})
    people[2].is_staff = people[2].is_superuser = True
    people[2].save()
    client.force_login(people[2])
    report = ReportRow.objects.get()
    page = client.get(f"/admin/moderation/reportrow/{report.pk}/change/").content.decode()
    assert "insulting" in page
    assert "of another event" not in page


def test_a_site_without_chats_of_events_has_none(event, people, host, client, settings):
    line = say(event, people[0])
    settings.EVENT_CHAT = False
    client.force_login(host)
    assert client.get(f"/tournament/{event.slug}/").context["chat"] is None
    for act in ("report", "delete"):
        assert client.post(f"/chat/{line.pk}/{act}/", {"reason": "insult"}).status_code == 404


async def test_a_simul_has_a_chat_whose_host_deletes_lines(people, client):
    row = await database_sync_to_async(simuls.make_simul)(
        people[0], game_id="hex", board="small", control="10m+5s", host_seat=None
    )
    watching, bob = (Visitor(one, f"/simul/{row.slug}/chat") for one in (None, people[1]))
    for visitor_of_simul in (watching, bob):
        await visitor_of_simul.connect()
    await bob.says("well played")
    assert texts(await watching.hears()) == ["well played"]
    line = await ChatLine.objects.aget()
    assert (line.room, line.slug) == ("simul", row.slug)

    def page_of_host():
        client.force_login(people[0])
        page = client.get(f"/simul/{row.slug}/").content.decode()
        return page, client.post(f"/chat/{line.pk}/delete/").status_code

    page, status = await database_sync_to_async(page_of_host)()
    assert ("well played" in page, status) == (True, 302)
    assert (await watching.hears())["type"] == "chat-hidden"
    nothing = Visitor(people[1], "/simul/nothing/chat")
    assert await nothing.connect() == {"type": "websocket.close", "code": 4404}
