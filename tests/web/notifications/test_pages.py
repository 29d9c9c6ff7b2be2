"""Pages of notifications and preferences, and the bell."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser

from antipodes.web.notifications import consumers
from antipodes.web.notifications.context_processors import bell
from antipodes.web.notifications.kinds import Channel, Frequency, NotificationKind
from antipodes.web.notifications.models import NotificationRow, PreferenceRow, ViewingRow
from antipodes.web.notifications.preferences import read_token, token_for
from antipodes.web.notifications.services import mark_all_seen, notify
from antipodes.web.project.asgi import SOCKETS

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(people, client):
    client.force_login(people[0])
    return people[0]


def text(response):
    assert response.status_code == 200, response
    return response.content.decode()


def test_signed_out_users_have_no_unread_badge(client):
    assert "antipodes-unread-badge" not in text(client.get("/rules/"))


def test_the_list_marks_unread_notifications(client, ann, people, slow):
    notify(
        ann, NotificationKind.OFFER, key="1", match=slow(), by=people[1], sentence="offered-draw"
    )
    page = text(client.get("/notices/"))
    assert "Hex: bob offered a draw." in page
    assert 'class="new"' in page
    mark_all_seen(ann)
    assert 'class="new"' not in text(client.get("/notices/"))
    assert "No unread notifications" in text(client.get("/notices/?new"))


def test_the_list_is_paginated(client, ann):
    for number in range(40):
        notify(ann, NotificationKind.MODERATION, key=str(number), text=f"number {number};")
    assert "number 39;" in text(client.get("/notices/"))
    assert "number 0;" in text(client.get("/notices/?page=2"))
    assert "number 0;" in text(client.get("/notices/?page=nonsense&page=99"))


def test_opening_a_notification_marks_it_as_seen(client, ann, match):
    told = notify(ann, NotificationKind.YOUR_TURN, key="1", match=match)
    assert told is not None
    assert client.get(f"/notices/{told.pk}/").url == f"/m/{match.slug}/"
    assert NotificationRow.objects.get().seen_at is not None


def test_users_cannot_open_notifications_of_others(client, ann, people):
    told = notify(people[1], NotificationKind.MODERATION, key="1", text="secret")
    assert told is not None
    assert client.get(f"/notices/{told.pk}/").status_code == 404
    client.post("/notices/see", {"notice": told.pk})
    client.post("/notices/see", {"notice": "all"})
    assert NotificationRow.objects.get().seen_at is None


@pytest.mark.parametrize("notice", ["", "x", "9" * 40, "-1", "²"])
def test_an_invalid_key_marks_nothing_as_seen(client, ann, notice):
    notify(ann, NotificationKind.MODERATION, key="1")
    assert client.post("/notices/see", {"notice": notice}).status_code == 302
    assert NotificationRow.objects.get().seen_at is None


def test_the_bell_counts_unread_notifications(client, ann, match):
    notify(ann, NotificationKind.YOUR_TURN, key="1", match=match)
    notify(ann, NotificationKind.INVITED, key="2", path="/c/abc/", game="hex")
    assert '<span aria-hidden="true">2</span>' in text(client.get("/rules/"))
    # The page of the match marks its notifications as seen.
    assert '<span aria-hidden="true">1</span>' in text(client.get(f"/m/{match.slug}/"))
    assert NotificationRow.objects.filter(seen_at=None).count() == 1


def test_a_page_marks_the_notifications_that_link_to_it_as_seen(client, ann):
    notify(ann, NotificationKind.MODERATION, key="1", path="/rules/")
    notify(ann, NotificationKind.MODERATION, key="2", path="/learn/")
    notify(ann, NotificationKind.MODERATION, key="3")
    assert '<span aria-hidden="true">2</span>' in text(client.get("/rules/"))
    unread = NotificationRow.objects.filter(seen_at=None)
    assert set(unread.values_list("key", flat=True)) == {"2", "3"}


def test_hidden_notifications_are_not_counted(client, ann, prefer):
    prefer(ann, choices={"invited": ["mail"]})
    notify(ann, NotificationKind.INVITED, key="2", game="hex")
    assert 'unread-badge-count" hidden' in text(client.get("/rules/"))
    assert "invites you to a game" not in text(client.get("/notices/"))


def test_texts_of_all_kinds_need_no_arguments(client, ann, prefer, slow):
    prefer(ann, choices={kind.value: ["page"] for kind in NotificationKind})
    for kind in NotificationKind:
        notify(ann, kind, key=f"{kind} bare")
        notify(ann, kind, key=f"{kind} match", match=slow())
    assert text(client.get("/notices/")).count("Mark as read") == 2 * len(NotificationKind)


def chosen(**more):
    return {
        "frequency": "hourly",
        "hour": "21",
        "zone": "Europe/Rome",
        "language": "de",
        "reminders": ["24", "0"],
        "your-turn-page": "on",
        "your-turn-mail": "on",
        **more,
    }


def test_preferences_are_saved(client, ann):
    assert client.post("/accounts/notices/", chosen()).status_code == 302
    row = PreferenceRow.objects.get()
    assert (row.frequency, row.hour, row.zone, row.language) == ("hourly", 21, "Europe/Rome", "de")
    assert row.channels_for(NotificationKind.YOUR_TURN) == {Channel.PAGE, Channel.MAIL}
    assert row.channels_for(NotificationKind.CHAT) == set()
    assert row.channels_for(NotificationKind.MODERATION) == {Channel.PAGE}
    assert row.reminders == [24, 0]
    assert 'value="Europe/Rome" selected' in text(client.get("/accounts/notices/"))


@pytest.mark.parametrize(
    "wrong",
    [{"frequency": "often"}, {"hour": "24"}, {"zone": "Mars/Olympus"}, {"reminders": ["5"]}],
)
def test_invalid_preferences_are_refused(client, ann, wrong):
    page = text(client.post("/accounts/notices/", chosen(**wrong)))
    assert "errorlist" in page
    assert not PreferenceRow.objects.exists()


def test_new_preferences_reschedule_pending_mail(client, ann):
    told = notify(ann, NotificationKind.YOUR_TURN, key="1")
    assert told is not None
    client.post("/accounts/notices/", chosen(frequency="never"))
    told.refresh_from_db()
    assert told.mail_due is None


def test_unsubscribing_needs_no_sign_in(client, people):
    address = f"/notices/stop/{token_for(people[0])}/"
    assert "Stop all e-mails" in text(client.get(address))
    assert not PreferenceRow.objects.exists()
    text(client.post(address, {"List-Unsubscribe": "One-Click"}))
    assert PreferenceRow.objects.get().frequency == Frequency.NEVER
    assert PreferenceRow.objects.get().user == people[0]


def test_unsubscribing_needs_no_csrf_token(people):
    from django.test import Client

    address = f"/notices/stop/{token_for(people[0])}/"
    assert Client(enforce_csrf_checks=True).post(address).status_code == 200


@pytest.mark.parametrize("change", [lambda t: t[:-1], lambda t: "9" + t, lambda t: "nonsense"])
def test_a_forged_token_does_not_unsubscribe(client, people, change):
    assert client.post(f"/notices/stop/{change(token_for(people[0]))}/").status_code == 404
    assert not PreferenceRow.objects.exists()


def test_a_chosen_time_zone_replaces_that_of_the_browser(client, ann):
    client.post("/notices/browser", {"zone": "Asia/Tokyo"})
    assert PreferenceRow.objects.get().zone == "Asia/Tokyo"
    client.post("/notices/browser", {"zone": "Europe/Rome"})
    assert PreferenceRow.objects.get().zone == "Asia/Tokyo"


def test_an_unknown_time_zone_is_not_stored(client, ann):
    client.post("/notices/browser", {"zone": "../../etc/passwd"})
    assert not PreferenceRow.objects.exclude(zone="").exists()


def browser(user, query=""):
    scope = {
        "type": "websocket",
        "path": "/notices/socket",
        "query_string": query.encode(),
        "headers": [],
        "user": user,
    }
    return ApplicationCommunicator(URLRouter(SOCKETS), scope)


async def connected(user, query=""):
    socket = browser(user, query)
    await socket.send_input({"type": "websocket.connect"})
    assert (await socket.receive_output(5))["type"] == "websocket.accept"
    return socket


async def received(socket):
    return json.loads((await socket.receive_output(5))["text"])


@pytest.mark.django_db(transaction=True)
async def test_open_pages_get_the_unread_count_in_their_language(people):
    socket = await connected(people[0])
    assert await received(socket) == {"type": "bell", "unseen": 0}
    telling = sync_to_async(notify)
    row: Any = await telling(people[0], NotificationKind.INVITED, key="1", by=people[1], game="hex")
    told = await received(socket)
    assert told == {
        "type": "bell",
        "unseen": 1,
        "words": "bob invites you to a game of Hex.",
        "address": f"/notices/{row.pk}/",
    }
    await sync_to_async(mark_all_seen)(people[0])
    assert (await received(socket))["unseen"] == 0
    await socket.send_input({"type": "websocket.disconnect", "code": 1000})
    await socket.wait()


@pytest.mark.django_db(transaction=True)
async def test_a_page_reports_which_match_it_shows(people, slow):
    match = await sync_to_async(slow)()
    socket = await connected(people[0])
    await received(socket)
    await socket.send_input(
        {"type": "websocket.receive", "text": json.dumps({"looking": match.slug})}
    )
    await socket.receive_nothing(0.3)
    assert await ViewingRow.objects.acount() == 1
    for nonsense in ("{", "[]", '{"looking": 5}', "x" * 1_000):
        await socket.send_input({"type": "websocket.receive", "text": nonsense})
    await socket.receive_nothing(0.3)
    assert await ViewingRow.objects.acount() == 0
    await socket.send_input({"type": "websocket.disconnect", "code": 1000})
    await socket.wait()


@pytest.mark.django_db(transaction=True)
async def test_signed_out_users_have_no_socket():
    socket = await connected(None)
    assert await socket.receive_output(5) == {"type": "websocket.close", "code": 4401}


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ('{"looking": "abc"}', "abc"),
        ('{"looking": 7}', None),
        ("[]", None),
        ("no JSON", None),
        (None, None),
        ('{"looking": "abc"}'.ljust(consumers._LONGEST), "abc"),
        ('{"looking": "abc"}'.ljust(consumers._LONGEST + 1), None),
        ("[" * consumers._LONGEST, None),
    ],
)
def test_a_page_names_the_match_that_it_shows_in_a_short_message(text, slug):
    assert consumers._viewed_match(text) == slug


@pytest.mark.django_db(transaction=True)
async def test_what_signed_out_users_send_is_ignored(slow):
    match = await sync_to_async(slow)()
    socket = await connected(None)
    await socket.receive_output(5)
    for slug in (match.slug, None):
        text = json.dumps({"looking": slug})
        await socket.send_input({"type": "websocket.receive", "text": text})
    await socket.send_input({"type": "websocket.disconnect", "code": 4401})
    await socket.wait()
    assert await ViewingRow.objects.acount() == 0


def test_the_form_of_preferences_offers_all_hours_zones_and_reminders(client, ann):
    form = client.get("/accounts/notices/").context["form"]
    assert form["hour"].field.choices == [(hour, f"{hour:02}:00") for hour in range(24)]
    assert form["reminders"].field.choices == [
        (72, "3 days before"),
        (48, "2 days before"),
        (24, "1 day before"),
        (12, "12 hours before"),
        (6, "6 hours before"),
        (3, "3 hours before"),
        (1, "1 hour before"),
        (0, "when a tenth of the time for the move is left"),
    ]
    assert form.initial == {
        "frequency": "daily", "hour": 8, "zone": "UTC", "language": "", "reminders": [24, 3]
    }  # fmt: skip
    assert ("America/New_York", "America/New York") in form["zone"].field.choices
    boxes = {box.name: box.field for _, row in form.table() for box in row}
    assert len(boxes) == len(NotificationKind) * len(Channel)
    assert {name for name, box in boxes.items() if box.disabled} == {
        "moderation-page", "mail-fails-page", "mail-fails-mail", "secrets-page"
    }  # fmt: skip
    assert [boxes[f"chat-{one}"].initial for one in Channel] == [True, True, False]


def test_preferences_need_neither_language_nor_reminders(client, ann):
    client.post("/accounts/notices/", chosen(language="", reminders=[], hour="0", zone="UTC"))
    row = PreferenceRow.objects.get()
    assert (row.hour, row.zone, row.language, row.reminders) == (0, "UTC", "", [])


def test_the_page_of_preferences_shows_the_confirmed_address_first(client, ann):
    for email, verified, primary in (("a@x.org", False, True), ("b@x.org", True, False)):
        EmailAddress.objects.create(user=ann, email=email, verified=verified, primary=primary)
    assert client.get("/accounts/notices/").context["address"].email == "b@x.org"
    assert not client.get("/accounts/notices/").context["has_zone"]


def test_a_token_of_a_deleted_account_is_done_already(client, people):
    address = f"/notices/stop/{token_for(people[0])}/"
    assert not client.get(address).context["is_done"]
    assert client.post(address).context["is_done"]
    people[0].delete()
    for answer in (client.get(address), client.post(address)):
        assert (answer.status_code, answer.context["is_done"]) == (200, True)
    assert not PreferenceRow.objects.exists()


def test_a_token_may_name_a_kind_of_mail(people):
    for kind in (None, NotificationKind.DAILY_PUZZLE):
        assert read_token(token_for(people[0], kind)) == (people[0], kind)


def test_a_notification_about_nothing_opens_the_list(client, ann):
    told = [
        notify(ann, NotificationKind.MODERATION, key=path, path=path) for path in ("", "/rules/")
    ]
    targets = [client.get(f"/notices/{row.pk}/").url for row in told if row is not None]
    assert targets == ["/notices/", "/rules/"]


def test_one_notification_is_marked_as_seen_by_its_key(client, ann):
    told = [notify(ann, NotificationKind.MODERATION, key=key) for key in "12"]
    assert told[0] is not None
    assert client.post("/notices/see", {"notice": told[0].pk}).url == "/notices/"
    unread = NotificationRow.objects.filter(seen_at=None)
    assert list(unread.values_list("key", flat=True)) == ["2"]
    shown = client.get("/notices/?new").context
    assert ([line.row.key for line in shown["lines"]], shown["is_unread_only"]) == (["2"], True)
    client.post("/notices/see", {"notice": "all"})
    assert not unread.exists()


@pytest.mark.django_db(transaction=True)
async def test_a_page_asks_for_its_language(people):
    await sync_to_async(notify)(people[0], NotificationKind.MODERATION, key="1")
    words = []
    for query in ("language=de", "language=tlh", ""):
        socket = await connected(people[0], query)
        words.append((await received(socket))["words"])
        await socket.send_input({"type": "websocket.disconnect", "code": 1000})
        await socket.wait()
    german, *others = words
    assert others == ["The moderators sent you a message."] * 2
    assert german not in others


async def test_messages_within_a_second_of_the_last_one_are_ignored(monkeypatch):
    consumer, heard = consumers.NotificationConsumer(), []

    async def note(slug):
        heard.append(slug)

    consumer.heard_at = 0.0
    monkeypatch.setattr(consumer, "_set_viewed", note)
    clock = SimpleNamespace()
    monkeypatch.setattr(consumers, "time", clock)
    told = [(10.0, "a"), (10.75, "b"), (11.0, "c"), (11.5, None), (12.25, "d"), (12.5, "e")]
    for at, slug in told:
        clock.monotonic = lambda at=at: at
        await consumer.receive(json.dumps({"looking": slug}))
    assert heard == ["a", "c", None, "e"]


def test_requests_without_a_user_have_no_bell(people, rf):
    request = rf.get("/rules/")
    assert bell(request) == {}
    request.user = AnonymousUser()
    assert bell(request) == {}
    request.user = people[0]
    assert list(bell(request)) == ["bell"]
