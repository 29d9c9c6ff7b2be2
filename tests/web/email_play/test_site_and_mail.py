"""Matches between players who play by mail and on the site."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from channels.db import database_sync_to_async

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Decline, Offer, OfferKind, Resign, Terms
from antipodes.web.accounts.services import computer
from antipodes.web.email_play.match_emails import play_by_mail
from antipodes.web.email_play.reply_addresses import address_owner, reply_address
from antipodes.web.matches import chat
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications.kinds import Frequency, NotificationKind
from antipodes.web.notifications.models import NotificationRow, ViewingRow
from antipodes.web.notifications.services import mark_match_seen
from antipodes.web.platform.clock import now
from tests.web.email_play.conftest import Post, moves_of, on_the_site
from tests.web.matches.sockets import joined

pytestmark = pytest.mark.django_db


@pytest.fixture
def row(slow, by_mail, post):
    """A match of two mail players, who were told that it has begun."""
    made = slow()
    post.notifications()
    return made


def test_a_move_by_mail_is_emailed_to_the_opponent(post, people, row):
    answer = post.reply(people[0], row, "f4\n\nHave fun!")
    assert answer.to == "ann@example.org"
    [email] = post.notifications()
    assert email.to == "bob@example.org"
    assert email.subject == f"Hex Board {row.pk} bob"
    assert "News: ann played f4." in email.text
    assert "ann writes:\nHave fun!" in email.text
    assert email.headers["Auto-Submitted"] == "auto-generated"
    sender = address_owner(email.headers["Reply-To"])
    assert sender is not None
    assert (sender.user, sender.row) == (people[1], row)
    assert post.notifications() == []


def test_a_move_on_the_site_is_emailed_to_the_opponent(post, people, row):
    on_the_site(row, "f4")
    [email] = post.notifications()
    assert (email.to, email.subject) == ("bob@example.org", f"Hex Board {row.pk} bob")
    post.reply(people[1], row, "g5")
    assert moves_of(row) == ["f4", "g5"]


def test_emails_about_a_match_are_one_thread(post, people, row):
    on_the_site(row, "a1")
    [first] = post.notifications()
    on_the_site(row, "b2", "by hand 2")
    post.notifications()
    on_the_site(row, "f4", "by hand 3")
    [email] = post.notifications()
    assert first.message_id in email.headers["References"]
    answer = post.reply(people[1], row, "g5")
    assert first.message_id in answer.headers["References"]


def test_moves_shown_in_the_reply_are_not_emailed_again(post, people, row):
    post.reply(people[1], row, "queue g5")
    answer = post.reply(people[0], row, "f4")
    assert "bob played g5 (conditional move)." in answer.text
    assert post.notifications() == []


def test_the_owner_of_a_queued_move_sees_that_it_was_played(post, people, row):
    post.reply(people[1], row, "queue g5")
    post.reply(people[0], row, "f4")
    post.notifications()
    answer = post.reply(people[1], row, "chat Oh")
    assert "g5 (auto)" in answer.text


def test_chat_on_the_site_is_in_the_next_email_once(post, people, row):
    standing = look_up(row.slug)
    chat.say(standing, people[0], {"key": "said on the site", "text": "Hello bob"})
    on_the_site(row, "f4")
    [email] = post.notifications()
    assert email.text.count("ann writes:\nHello bob") == 1
    on_the_site(row, "g5", "by hand 2")
    post.notifications()
    on_the_site(row, "h6", "by hand 3")
    emails = post.notifications()
    assert all("Hello" not in one.text for one in emails)


def test_chat_without_a_move_is_emailed(post, people, row):
    post.reply(people[0], row, "chat Are you there?")
    [email] = post.notifications()
    assert email.to == "bob@example.org"
    assert "ann writes:\nAre you there?" in email.text


def test_chat_of_blocked_users_is_left_out(post, people, row):
    from antipodes.web.relations.services import block

    block(people[1], people[0])
    post.reply(people[0], row, "f4\n\nYou are bad")
    [email] = post.notifications()
    assert "bad" not in email.text


def test_offers_and_results_are_emailed(post, people, row):
    carry_out(row.slug, Offer(seat=0, ply=0, key="offer one", kind=OfferKind.PAUSE))
    [email] = post.notifications()
    assert "ann asked for a pause." in email.text
    assert "Offer: pause; by ann; waits for bob" in email.text
    carry_out(row.slug, Resign(seat=0, ply=0, key="resigns 1"))
    [email] = post.notifications()
    assert email.to == "bob@example.org"
    assert "News: ann resigned." in email.text
    assert "State: over" in email.text


def test_withdrawn_and_declined_offers_are_emailed(post, people, row):
    carry_out(row.slug, Offer(seat=0, ply=0, key="offer one", kind=OfferKind.PAUSE))
    post.notifications()
    carry_out(row.slug, Decline(seat=0, ply=0, key="withdraw", kind=OfferKind.PAUSE))
    [email] = post.notifications()
    assert email.to == "bob@example.org"
    assert "News: ann withdrew the request for a pause." in email.text
    carry_out(row.slug, Offer(seat=0, ply=0, key="offer two", kind=OfferKind.PAUSE))
    post.notifications()
    carry_out(row.slug, Decline(seat=1, ply=0, key="decline it", kind=OfferKind.PAUSE))
    [email] = post.notifications()
    assert email.to == "ann@example.org"
    assert "News: bob declined the pause." in email.text


def test_a_player_with_the_board_open_gets_no_email(post, people, row):
    ViewingRow.objects.create(user=people[1], match=row, until=now() + 60_000)
    on_the_site(row, "f4")
    assert post.notifications() == []


def test_moves_seen_on_the_site_are_not_emailed(post, people, row):
    from antipodes.web.notifications import match_events
    from antipodes.web.notifications.emails import write_emails

    on_the_site(row, "f4")
    match_events.notify_of_match_events()
    mark_match_seen(people[1], row.pk)
    NotificationRow.objects.filter(mail_due__gt=0).update(mail_due=1)
    assert write_emails() == 0


def test_ordinary_notifications_can_be_answered_with_a_move(post, people, slow, prefer):
    prefer(people[1], Frequency.EACH)
    row = slow()
    on_the_site(row, "f4")
    emails = post.notifications()
    assert {email.to for email in emails} == {"bob@example.org"}
    assert emails[-1].subject == "Hex with ann"
    assert emails[-1].headers["Reply-To"] == reply_address(people[1], row)
    post.reply(people[1], row, "g5")
    assert moves_of(row) == ["f4", "g5"]


def test_a_site_that_receives_no_mail_sends_no_reply_address(post, people, slow, prefer, settings):
    settings.MAIL_HOST = ""
    prefer(people[1], Frequency.EACH)
    on_the_site(slow(), "f4")
    assert all("Reply-To" not in email.headers for email in post.notifications())


def test_boards_wait_for_the_chosen_digest(post, people, slow, by_mail, prefer):
    far = (datetime.fromtimestamp(now() / 1000, UTC).hour + 12) % 24
    prefer(people[1], Frequency.DAILY, hour=far, zone="UTC")
    on_the_site(slow(), "f4")
    from antipodes.web.notifications import match_events
    from antipodes.web.notifications.emails import write_emails

    match_events.notify_of_match_events()
    due = NotificationRow.objects.filter(user=people[1]).values_list("mail_due", flat=True)
    assert due
    assert all(at is not None and at > now() + 60_000 for at in due)
    assert write_emails() == 0


def test_a_player_who_has_stopped_all_mail_gets_none(post, people, row, prefer):
    prefer(people[1], Frequency.NEVER)
    on_the_site(row, "f4")
    assert post.notifications() == []


def test_a_board_is_emailed_within_seconds_and_includes_all_events(post, people, row):
    from antipodes.web.notifications import match_events

    post.reply(people[0], row, "f4\n\nHello")
    match_events.notify_of_match_events()
    waiting = NotificationRow.objects.filter(user=people[1], mail_due__gt=0)
    turn = waiting.get(kind=NotificationKind.YOUR_TURN)
    assert turn.mail_due is not None
    assert turn.mail_due - turn.made_at <= 5_000
    assert len(post.notifications()) == 1
    assert not NotificationRow.objects.filter(user=people[1], mail_due__gt=0).exists()


def test_a_move_of_the_computer_is_emailed(post, people, by_mail):
    level = computer("1")
    players = (str(people[0].pk), str(level.pk))
    control = read_control("3d/move")
    row = begin_match(
        Terms(game=make_game("hex"), players=players, control=control), [people[0], level]
    )
    post.reply(people[0], row, "f4")
    on_the_site(row, "g5")
    [email] = post.notifications()
    assert email.to == "ann@example.org"
    assert "played g5." in email.text


def test_play_by_mail_can_be_switched_off(post, people, row):
    play_by_mail(people[1], on=False)
    on_the_site(row, "f4")
    assert all(not email.subject.startswith("Hex Board") for email in post.notifications())


@pytest.mark.django_db(transaction=True)
async def test_a_move_by_mail_is_sent_to_sockets(people, slow, reachable):
    del reachable
    row = await database_sync_to_async(slow)()
    socket, _ = await joined(row, people[1])
    answer = asyncio.create_task(database_sync_to_async(Post().reply)(people[0], row, "f4\n\nHi"))
    received: dict[str, Any] = {}
    while not {"match", "chat"} <= received.keys():  # other messages, about spectators, too
        message = await socket.hears()
        received[message["type"]] = message
    assert (await answer).to == "ann@example.org"
    assert [move["text"] for move in received["match"]["match"]["moves"]] == ["f4"]
    await socket.disconnect()
