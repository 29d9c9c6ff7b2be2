"""Laws of one room with two doors: those who play by mail and on the site meet at one board."""

import asyncio
from typing import Any

import pytest
from channels.db import database_sync_to_async

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Offer, OfferKind, Resign, Terms
from antipodes.web.accounts.services import computer
from antipodes.web.email_play.match_emails import play_by_mail
from antipodes.web.email_play.reply_addresses import address_owner, reply_address
from antipodes.web.matches import chat
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications.kinds import Frequency, Kind
from antipodes.web.notifications.models import NotificationRow, ViewingRow
from antipodes.web.notifications.services import mark_match_seen, notify
from antipodes.web.platform.clock import now
from tests.web.email_play.conftest import Post, moves_of
from tests.web.email_play.test_playing import on_the_site
from tests.web.matches.sockets import joined

pytestmark = pytest.mark.django_db


@pytest.fixture
def row(slow, by_mail, post):
    """A match of two who play by mail; that it has begun was told."""
    made = slow()
    post.round()
    return made


def test_a_move_by_mail_is_one_letter_to_the_other_player(post, people, row):
    answer = post.reply(people[0], row, "f4\n\nHave fun!")
    assert answer.to == "ann@example.org"
    [letter] = post.round()
    assert letter.to == "bob@example.org"
    assert letter.subject == f"Hex Board {row.pk} bob"
    assert "News: ann played f4." in letter.text
    assert "ann writes:\nHave fun!" in letter.text
    assert letter.headers["Auto-Submitted"] == "auto-generated"
    sender = address_owner(letter.headers["Reply-To"])
    assert sender is not None
    assert (sender.user, sender.row) == (people[1], row)
    assert post.round() == []


def test_a_move_on_the_site_is_the_same_letter(post, people, row):
    on_the_site(row, "f4")
    [letter] = post.round()
    assert (letter.to, letter.subject) == ("bob@example.org", f"Hex Board {row.pk} bob")
    post.reply(people[1], row, "g5")
    assert moves_of(row) == ["f4", "g5"]


def test_letters_and_answers_are_one_thread(post, people, row):
    on_the_site(row, "a1")
    [first] = post.round()
    on_the_site(row, "b2", "by hand 2")
    post.round()
    on_the_site(row, "f4", "by hand 3")
    [letter] = post.round()
    assert first.message_id in letter.headers["References"]
    answer = post.reply(people[1], row, "g5")
    assert first.message_id in answer.headers["References"]


def test_what_the_answer_has_shown_comes_in_no_second_letter(post, people, row):
    """Bob had his answer prepared: ann sees it in the answer to her own mail."""
    post.reply(people[1], row, "queue g5")
    answer = post.reply(people[0], row, "f4")
    assert "bob played g5" in answer.text
    assert post.round() == []


def test_a_prepared_move_of_somebody_who_plays_by_mail_is_not_kept_from_them(post, people, row):
    post.reply(people[1], row, "queue g5")
    post.reply(people[0], row, "f4")
    post.round()
    answer = post.reply(people[1], row, "chat Oh")
    assert "g5 (auto)" in answer.text


def test_what_is_said_on_the_page_is_in_the_next_letter_once(post, people, row):
    standing = look_up(row.slug)
    chat.say(standing, people[0], {"key": "said on the page", "text": "Hello bob"})
    on_the_site(row, "f4")
    [letter] = post.round()
    assert letter.text.count("ann writes:\nHello bob") == 1
    on_the_site(row, "g5", "by hand 2")
    post.round()
    on_the_site(row, "h6", "by hand 3")
    letters = post.round()
    assert all("Hello" not in one.text for one in letters)


def test_chat_alone_is_mailed_too(post, people, row):
    post.reply(people[0], row, "chat Are you there?")
    [letter] = post.round()
    assert letter.to == "bob@example.org"
    assert "ann writes:\nAre you there?" in letter.text


def test_blocked_people_do_not_read_each_other(post, people, row):
    from antipodes.web.relations.services import block

    block(people[1], people[0])
    post.reply(people[0], row, "f4\n\nYou are bad")
    [letter] = post.round()
    assert "bad" not in letter.text


def test_offers_and_ends_are_mailed(post, people, row):
    carry_out(row.slug, Offer(seat=0, ply=0, key="offer one", kind=OfferKind.PAUSE))
    [letter] = post.round()
    assert "ann asked for a pause." in letter.text
    assert "Offer: pause; by ann; waits for bob" in letter.text
    carry_out(row.slug, Resign(seat=0, ply=0, key="resigns 1"))
    [letter] = post.round()
    assert letter.to == "bob@example.org"
    assert "News: ann resigned." in letter.text
    assert "State: over" in letter.text


def test_whoever_looks_at_the_board_is_not_mailed(post, people, row):
    ViewingRow.objects.create(user=people[1], match=row, until=now() + 60_000)
    on_the_site(row, "f4")
    assert post.round() == []


def test_what_was_seen_on_the_site_meanwhile_is_not_mailed(post, people, row):
    from antipodes.web.notifications import match_events
    from antipodes.web.notifications.emails import write_emails

    on_the_site(row, "f4")
    match_events.notify_of_match_events()
    mark_match_seen(people[1], row.pk)
    NotificationRow.objects.filter(mail_due__gt=0).update(mail_due=1)
    assert write_emails() == 0


def test_somebody_who_does_not_play_by_mail_gets_their_usual_letter_and_may_answer_it(
    post, people, slow, prefer
):
    prefer(people[1], Frequency.EACH)
    row = slow()
    on_the_site(row, "f4")
    letters = post.round()
    assert {letter.to for letter in letters} == {"bob@example.org"}
    assert letters[-1].subject == "Hex with ann"
    assert letters[-1].headers["Reply-To"] == reply_address(people[1], row)
    post.reply(people[1], row, "g5")
    assert moves_of(row) == ["f4", "g5"]


def test_a_site_that_receives_no_mail_names_no_address(post, people, slow, prefer, settings):
    settings.MAIL_HOST = ""
    prefer(people[1], Frequency.EACH)
    on_the_site(slow(), "f4")
    assert all("Reply-To" not in letter.headers for letter in post.round())


def test_the_chosen_digest_holds_for_boards_too(post, people, slow, by_mail, prefer):
    prefer(people[1], Frequency.DAILY)
    on_the_site(slow(), "f4")
    from antipodes.web.notifications import match_events
    from antipodes.web.notifications.emails import write_emails

    match_events.notify_of_match_events()
    due = NotificationRow.objects.filter(user=people[1]).values_list("mail_due", flat=True)
    assert due
    assert all(at is not None and at > now() + 60_000 for at in due)
    assert write_emails() == 0


def test_whoever_wants_no_mail_gets_none(post, people, row, prefer):
    prefer(people[1], Frequency.NEVER)
    on_the_site(row, "f4")
    assert post.round() == []


def test_the_board_comes_soon_and_what_happens_at_once_is_one_letter(post, people, row):
    from antipodes.web.notifications import match_events

    post.reply(people[0], row, "f4\n\nHello")
    match_events.notify_of_match_events()
    waiting = NotificationRow.objects.filter(user=people[1], mail_due__gt=0)
    turn = waiting.get(kind=Kind.YOUR_TURN)
    assert turn.mail_due is not None
    assert turn.mail_due - turn.made_at <= 5_000
    assert len(post.round()) == 1
    assert not NotificationRow.objects.filter(user=people[1], mail_due__gt=0).exists()


def test_reminders_come_though_nothing_has_happened(post, people, row):
    notify(people[0], Kind.REMINDER, key="reminder 1", match=row, deadline=now() + 3_600_000)
    [letter] = post.round()
    assert letter.to == "ann@example.org"
    assert "News: Your time" in letter.text


def test_the_computer_is_played_by_mail(post, people, by_mail):
    level = computer("1")
    players = (str(people[0].pk), str(level.pk))
    control = read_control("3d/move")
    row = begin_match(
        Terms(game=make_game("hex"), players=players, control=control), [people[0], level]
    )
    post.reply(people[0], row, "f4")
    on_the_site(row, "g5")
    [letter] = post.round()
    assert letter.to == "ann@example.org"
    assert "played g5." in letter.text


def test_playing_by_mail_can_be_switched_off(post, people, row):
    play_by_mail(people[1], on=False)
    on_the_site(row, "f4")
    assert all(not letter.subject.startswith("Hex Board") for letter in post.round())


@pytest.mark.django_db(transaction=True)
async def test_a_move_by_mail_is_seen_at_once_on_the_page(people, slow, reachable):
    del reachable
    row = await database_sync_to_async(slow)()
    socket, _ = await joined(row, people[1])
    answer = asyncio.create_task(database_sync_to_async(Post().reply)(people[0], row, "f4\n\nHi"))
    told: dict[str, Any] = {}
    while not {"match", "chat"} <= told.keys():  # in any order; who watches is told as well
        message = await socket.hears()
        told[message["type"]] = message
    assert (await answer).to == "ann@example.org"
    assert [move["text"] for move in told["match"]["match"]["moves"]] == ["f4"]
    await socket.disconnect()
