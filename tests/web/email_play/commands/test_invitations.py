"""Invitations to challenges, reminders that challenges set, and confirmations of requests."""

from types import SimpleNamespace
from typing import Any

import pytest

from antipodes.clocks import DAY, read_control
from antipodes.games.registry import make_game
from antipodes.match import Resign
from antipodes.web.challenges import services
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.email_play.commands import challenges, emails
from antipodes.web.email_play.commands import preferences as by_mail
from antipodes.web.email_play.commands.emails import (
    confirmation_address,
    confirmation_of,
    create_confirmation,
    mark_answered,
    paragraphs,
)
from antipodes.web.email_play.commands.handlers import answer_word
from antipodes.web.email_play.models import ConfirmationRow, ReminderRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.platform.clock import now
from tests.cases import for_each
from tests.web.email_play.commands.conftest import play
from tests.web.email_play.conftest import on_the_site, state_of, told


def challenge_to(user, *guests, **more):
    """Challenge players on the site."""
    game = make_game("hex") if len(guests) == 1 else make_game("antipalos", {"seats": "cutthroat3"})
    request = GameRequest(
        game=game, opponent=Opponent.PEOPLE, people=guests, control=read_control("3d/move"), **more
    )
    row = services.request_game(user, request)
    assert isinstance(row, ChallengeRow)
    return row


@pytest.mark.parametrize(("left", "days"), [(None, 60), (DAY // 2, 1), (DAY, 1), (3 * DAY, 3)])
def test_an_invitation_can_be_answered_as_long_as_its_challenge_and_a_day_at_least(
    ann, bob, clocks, left, days
):
    row = challenge_to(ann.user, bob.user)
    row.expires_at = None if left is None else clocks.wall + left
    confirmation = challenges.invite(row, bob.user)
    assert confirmation is not None
    assert confirmation.expires_at - confirmation.made_at == days * DAY
    assert (confirmation.kind, confirmation.user) == ("challenge", bob.user)


def test_an_invitation_tells_all_of_its_challenge(ann, bob):
    row = challenge_to(ann.user, bob.user, seat=1, promised=((bob.user.pk, 0),))
    challenges.invite(row, bob.user, "Good luck!\n")
    [letter] = bob._post.letters()
    assert letter.subject == f"Antipodes: challenge c{row.pk} from ann"
    assert letter.text.splitlines()[0] == "News: ann invites bob to a game of Hex."
    text = told(letter)
    assert "You play Black, seat 1, and move first." in text
    assert "expires on" not in text
    assert "For the rules, send a mail with the Subject: hex help" in text
    assert f"On the site: https://antipodes.example/c/{row.slug}/" in text
    assert letter.text.rstrip().endswith("ann writes:\nGood luck!")
    notification = NotificationRow.objects.get(user=bob.user)
    assert (notification.by, notification.path) == (ann.user, f"/c/{row.slug}/")
    assert notification.mail_due is None
    assert letter.headers["Reply-To"] == confirmation_address(ConfirmationRow.objects.get())


@pytest.mark.parametrize("comment", ["", " \n"])
def test_an_invitation_without_a_comment_or_seat_has_neither(ann, bob, comment):
    challenges.invite(challenge_to(ann.user, bob.user), bob.user, comment)
    [letter] = bob._post.letters()
    assert "writes:" not in letter.text
    assert "You play" not in letter.text
    assert "Your colour is drawn by lot or free to choose on the site." in told(letter)


def test_an_invitation_for_two_names_the_colour_that_the_challenger_leaves(ann, bob):
    challenges.invite(challenge_to(ann.user, bob.user, seat=0), bob.user)
    [letter] = bob._post.letters()
    assert "You play White, seat 2." in told(letter)


def test_an_invitation_to_a_game_of_pairs_names_the_partner(ann, bob, cy, dee):
    request = GameRequest(
        game=make_game("antipalos", {"seats": "team"}),
        opponent=Opponent.PEOPLE,
        people=(bob.user, cy.user, dee.user),
        control=read_control("3d/move"),
        seat=0,
        promised=((bob.user.pk, 1), (cy.user.pk, 2), (dee.user.pk, 3)),
    )
    row = services.request_game(ann.user, request)
    assert isinstance(row, ChallengeRow)
    for one, partner in ((cy, "ann"), (dee, "bob")):
        challenges.invite(row, one.user)
        [letter] = one._post.letters()
        assert f"Your partner is {partner}." in told(letter)


def test_mail_players_get_invitations_to_all_recent_challenges_of_the_site(players, clocks):
    ann, bob, cy, dee = players
    for one in (bob, cy):
        by_mail.set_play_by_mail(one.user, on=True)
    by_mail.set_play_by_mail(dee.user, on=False)
    first = challenge_to(ann.user, bob.user)
    challenges.invite(first, bob.user)
    bob._post.letters()
    rows = [challenge_to(ann.user, *(one.user for one in guests)) for guests in
            ((cy,), (bob, cy), (dee,), (bob,), (cy,))]  # fmt: skip
    ages = [DAY - 1, 0, 0, DAY, 0]
    for row, age in zip(rows, ages, strict=True):
        ChallengeRow.objects.filter(pk=row.pk).update(made_at=clocks.wall - age)
    services.join(rows[4].slug, cy.user)
    challenges.write_invitations()
    found = {(one.to, one.subject) for one in bob._post.letters()}
    assert found == {
        (cy.address, f"Antipodes: challenge c{rows[0].pk} from ann"),
        (cy.address, f"Antipodes: challenge c{rows[1].pk} from ann"),
        (bob.address, f"Antipodes: challenge c{rows[1].pk} from ann"),
    }


def test_a_challenge_that_began_meanwhile_invites_no_players(ann, bob, meanwhile):
    by_mail.set_play_by_mail(bob.user, on=True)
    row = challenge_to(ann.user, bob.user)
    with meanwhile(lambda: services.join(row.slug, bob.user)):
        challenges.write_invitations()
    assert not ConfirmationRow.objects.exists()
    other = challenge_to(ann.user, bob.user)
    with meanwhile(other.delete):
        challenges.write_invitations()
    assert not ConfirmationRow.objects.exists()


def test_a_site_that_receives_no_mail_writes_no_invitations(ann, bob, settings):
    by_mail.set_play_by_mail(bob.user, on=True)
    challenge_to(ann.user, bob.user)
    settings.MAIL_HOST = ""
    challenges.write_invitations()
    assert not ConfirmationRow.objects.exists()


# Reminders.


@pytest.fixture
def reminded(ann, bob):
    """A match of ann and bob with reminders after two days."""
    ann.say("hex challenge", "bob --nagtime=2")
    services.join(ChallengeRow.objects.get().slug, bob.user)
    return MatchRow.objects.get()


def sent():
    """Send reminders; return the names of all reminded players."""
    challenges.send_reminders()
    rows = NotificationRow.objects.filter(kind="reminder").order_by("pk")
    return [row.user.username for row in rows]


def at_time(monkeypatch, at):
    monkeypatch.setattr(challenges, "now", lambda: at)


def test_a_reminder_is_sent_when_the_turn_has_lasted_so_long(reminded, monkeypatch):
    at_time(monkeypatch, reminded.begun_at + 2 * DAY - 1)
    assert sent() == []
    at_time(monkeypatch, reminded.begun_at + 2 * DAY)
    assert sent() == ["ann"]
    row = NotificationRow.objects.get(kind="reminder")
    assert (row.match, row.arguments["deadline"]) == (reminded, reminded.deadline)
    play(reminded.pk, "a1")
    reminded.refresh_from_db()
    moved_at = reminded.match().moves[0].at
    at_time(monkeypatch, moved_at + 2 * DAY - 1)
    assert sent() == ["ann"]
    at_time(monkeypatch, moved_at + 2 * DAY)
    assert sent() == ["ann", "bob"]


def test_a_turn_begins_with_the_last_move(reminded, monkeypatch, clocks):
    for number, text in enumerate(("a1", "b2")):
        clocks.advance(DAY)
        on_the_site(reminded, text, f"by hand {number}")
    first, last = state_of(reminded).moves
    assert last.at - first.at == DAY
    at_time(monkeypatch, last.at + 2 * DAY - 1)
    assert sent() == []
    at_time(monkeypatch, last.at + 2 * DAY)
    assert sent() == ["ann"]


@pytest.mark.parametrize("fields", [{"deadline": None}, {"seat_to_move": None}])
def test_no_reminder_is_sent_without_a_deadline_or_a_player_to_move(reminded, monkeypatch, fields):
    MatchRow.objects.update(**fields)
    at_time(monkeypatch, reminded.begun_at + 9 * DAY)
    assert sent() == []


def test_the_computer_is_not_reminded(reminded, monkeypatch):
    seat = reminded.seats.get(number=0)
    seat.user.computer = "computer:1"
    seat.user.save()
    at_time(monkeypatch, reminded.begun_at + 9 * DAY)
    assert sent() == []


def test_a_match_that_is_not_begun_yet_by_this_clock_is_not_reminded(reminded, monkeypatch):
    ReminderRow.objects.update(after=-2 * DAY)
    at_time(monkeypatch, reminded.changed_at - 1)
    assert sent() == []
    at_time(monkeypatch, reminded.changed_at)
    assert sent() == ["ann"]


def test_reminders_of_a_match_end_with_it(players, reminded, monkeypatch):
    players[0].say("hex challenge", "cy --nagtime=1")
    at_time(monkeypatch, reminded.begun_at + 9 * DAY)
    play(reminded.pk, "a1", "b2")
    carry_out(reminded.slug, Resign(seat=0, ply=2, key="r"))
    assert ReminderRow.objects.count() == 2
    assert sent() == []
    assert [row.challenge.match for row in ReminderRow.objects.all()] == [None]


# Confirmations.


@pytest.fixture
def question(people):
    return create_confirmation(ConfirmationRow.Kind.DELETE, user=people[0])


def test_a_confirmation_is_answered_once_before_it_expires(question, clocks, people):
    clocks.advance(question.expires_at - 1 - now())
    assert [mark_answered(question), mark_answered(question)] == [True, False]
    question.refresh_from_db()
    assert question.answered_at == clocks.wall
    other = create_confirmation(ConfirmationRow.Kind.DELETE, lifetime=9, user=people[0])
    clocks.advance(9)
    assert not mark_answered(other)


def test_a_confirmation_is_kept_for_a_day_after_it_has_expired(question, clocks):
    clocks.advance(question.expires_at + DAY - now())
    emails.delete_expired_confirmations()
    assert ConfirmationRow.objects.exists()
    clocks.advance(1)
    emails.delete_expired_confirmations()
    assert not ConfirmationRow.objects.exists()


def test_the_address_of_a_confirmation_stays_valid_with_the_previous_key(question, settings):
    address = confirmation_address(question)
    assert confirmation_of(address.upper()) == question
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert confirmation_of(address) == question
    settings.SECRET_KEY_FALLBACKS = []
    assert confirmation_of(address) is None


def test_confirmations_of_new_accounts_have_addresses_too(db, settings):
    row = create_confirmation(ConfirmationRow.Kind.SIGNUP, name="heron")
    assert confirmation_of(confirmation_address(row)) == row
    settings.MAIL_HOST = ""
    assert confirmation_address(row) == ""


@for_each(
    "text, subject, word",
    [
        ("accept", "", "accept"),
        ("\n  Yes, gladly!\n\nBye", "", "yes"),
        ("*OK*", "", "ok"),
        ("no thank you, sir", "", "no"),
        ("no thank you, dear sir", "", ""),
        ("Hello\naccept", "", ""),
        ("please accept", "", ""),
        ("", "Re: Antipodes: challenge c7 from ann accept", "accept"),
        ("", "decline", "decline"),
        ("", "accept please", ""),
        ("Hello", "Re: challenge accept.", "accept"),
        ("cancel", "accept", "cancel"),
        ("", "", ""),
    ],
)
def test_a_reply_consents_by_its_first_word_or_the_last_of_its_subject(text, subject, word):
    mail: Any = SimpleNamespace(own_text=text, subject=subject)
    assert answer_word(mail) == word


@pytest.mark.parametrize("kind", ["challenge", "account"])
def test_a_reply_that_does_not_say_what_to_do_can_be_sent_again(ann, bob, kind):
    letters = ann.say("hex challenge", "bob") if kind == "challenge" else bob.say("delete")
    [letter] = [one for one in letters if one.to == bob.address]
    [refused] = bob._post.answer(letter, "Hello there")
    words = "accept or reject" if kind == "challenge" else "confirm"
    text = f"the first line of the reply does not say what to do: write {words} there"
    assert f"mail/no-answer; {text}" in told(refused)
    assert ConfirmationRow.objects.get().answered_at is None
    assert "mail/no-answer" not in told(bob._post.answer(letter, "no")[0])
    [late] = bob._post.answer(letter, "no")
    code = "mail/address" if kind == "challenge" else "mail/answered"
    assert f"Refused: {code};" in told(late)


def test_paragraphs_have_blank_lines_between_them():
    assert paragraphs("a\n\n", ["b", "c"], "", ["d"]) == "a\n\nb\nc\n\nd\n"
