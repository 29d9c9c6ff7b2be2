"""Laws of accounts by mail: what a token alone can do to one, and what only a reply can."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as outbox
from django.urls import reverse

from antipodes.match import Ended
from antipodes.web.accounts.models import User
from antipodes.web.email_play.commands import confirmations
from antipodes.web.email_play.commands import players as by_mail
from antipodes.web.email_play.mail_tokens import user_of
from antipodes.web.email_play.models import ConfirmationRow, MailTokenRow
from antipodes.web.matches.models import EventRow, MatchRow
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.preferences import preference_of
from antipodes.web.platform.clock import now

NEW = "new@example.org"


def token_in(letter):
    return next(word for word in letter.text.split() if word.startswith("mt-"))


def test_from_the_first_mail_to_the_first_match(post, players):
    asked = post.only(NEW, "signup heron")
    assert asked.to == NEW
    assert not User.objects.filter(username="heron").exists()
    (welcome,) = post.reply(asked, "confirm")
    heron = User.objects.get(username="heron")
    assert not heron.has_usable_password()
    assert EmailAddress.objects.get(user=heron, verified=True, primary=True).email == NEW
    assert by_mail.plays_by_mail(heron)
    assert user_of(token_in(welcome)) == heron
    post.send(NEW, f"hex seek heron {token_in(welcome)}")
    players[0].say("hex seek")
    assert MatchRow.objects.get().seats.filter(user=heron).exists()


def test_an_account_opened_by_mail_gets_a_password_on_the_site(post, client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    (_welcome,) = post.reply(post.only(NEW, "signup heron"), "confirm")
    client.post(reverse("account_reset_password"), {"email": NEW})
    assert [one.to for one in outbox.outbox] == [[NEW]]


def test_a_letter_to_another_address_opens_an_account_for_that_one_alone(post):
    letters = post.send("friend@example.org", f"signup heron {NEW}")
    letter = next(one for one in letters if one.to == NEW)
    (answer,) = [one for one in letters if one.to == "friend@example.org"]
    assert "Reply-To" not in answer.headers or "+" not in answer.headers["Reply-To"]
    post.reply(letter, "confirm")
    assert EmailAddress.objects.get(user__username="heron").email == NEW


@pytest.mark.parametrize("name", ["ann", "ANN", "x", "admin", "computer-3"])
def test_names_that_cannot_be_had_are_refused(post, players, name):
    assert "Refused: mail/" in post.only(NEW, f"signup {name}").text
    assert not ConfirmationRow.objects.exists()


def test_whether_an_address_has_an_account_is_told_to_its_owner_alone(post, players):
    ann, *_ = players
    known = post.send("spy@example.org", f"signup heron {ann.address}")
    unknown = post.send("spy@example.org", f"signup heron {NEW}")

    def told(letters, address):
        letter = next(one for one in letters if one.to == "spy@example.org")
        return (letter.text + letter.subject).replace(address, "ADDRESS")

    assert told(known, ann.address) == told(unknown, NEW)
    assert "you have an account: ann" in next(one for one in known if one.to == ann.address).subject


def test_nobody_is_sent_letters_without_end(post):
    for number in range(3):
        assert post.send(f"spy{number}@example.org", f"signup heron{number} {NEW}")
    letters = post.send("spy@example.org", f"signup heron9 {NEW}")
    assert NEW not in {one.to for one in letters}


def test_a_name_that_somebody_took_meanwhile_is_refused(post):
    first = post.only(NEW, "signup heron")
    second = post.only("other@example.org", "signup heron")
    post.reply(first, "confirm")
    (refused,) = post.reply(second, "confirm")
    assert "“heron” is the name of another account" in refused.text
    assert User.objects.filter(username__iexact="heron").count() == 1


def test_what_is_too_old_can_be_confirmed_no_longer(post, monkeypatch):
    letter = post.only(NEW, "signup heron")
    later = now() + confirmations.KEPT + 1
    monkeypatch.setattr(confirmations, "now", lambda: later)
    (refused,) = post.reply(letter, "confirm")
    assert "mail/answered" in refused.text
    monkeypatch.setattr(confirmations, "now", lambda: later + confirmations.DAY)
    confirmations.forget_slips()
    assert not ConfirmationRow.objects.exists()


@pytest.mark.parametrize("command", ["change address", "add"])
def test_an_address_is_changed_when_both_have_agreed(players, command):
    ann, *_ = players
    letters = ann.say(command, NEW)
    to_old = next(one for one in letters if one.headers["Reply-To"].startswith("play+"))
    assert to_old.to == ann.address
    asked = ann._post.reply(to_old, "confirm")
    assert EmailAddress.objects.get(user=ann.user).email == ann.address
    to_new = next(one for one in asked if one.to == NEW)
    ann._post.reply(to_new, "confirm")
    found = EmailAddress.objects.get(user=ann.user)
    assert (found.email, found.verified, found.primary) == (NEW, True, True)
    ann.user.refresh_from_db()
    assert ann.user.email == NEW


def test_a_token_alone_takes_no_account_away(players):
    ann, *_ = players
    ann._post.send("thief@example.org", f"change address ann {ann.token} thief@example.org")
    ann._post.send("thief@example.org", f"delete ann {ann.token}")
    assert EmailAddress.objects.get(user=ann.user).email == ann.address
    assert User.objects.get(pk=ann.user.pk).is_active


def test_an_address_of_another_account_stays_theirs(players):
    ann, bob, *_ = players
    letters = ann.say("change address", bob.address)
    to_old = next(one for one in letters if "+" in one.headers["Reply-To"])
    asked = ann._post.reply(to_old, "confirm")
    to_bob = next(one for one in asked if one.to == bob.address)
    assert "stays yours" in to_bob.subject
    assert "+" not in to_bob.headers["Reply-To"]
    mine = next(one for one in asked if one.to == ann.address)
    assert "bob" not in mine.text.replace(bob.address, "")


def test_passwords_are_not_changed_by_mail(post, players):
    letters = post.send("ann@example.org", "change password ann")
    assert any(reverse("account_change_password") in one.text for one in letters)


def test_whoever_signs_off_resigns_nothing_and_is_told_what_remains(players, slow):
    ann, *_ = players
    row = slow()
    by_mail.switch(ann.user, on=True)
    ann.say("hex notify", "on")
    left = ann.ask("signoff")
    assert f"  {row.pk} " in left.text
    assert preference_of(ann.user).frequency == Frequency.NEVER
    assert not by_mail.plays_by_mail(ann.user)
    assert not ann.user.seek_alerts.exists()
    assert not EventRow.objects.exists()


def test_an_account_is_deleted_when_a_reply_confirms_it(players, slow):
    ann, *_ = players
    row = slow()
    letter = ann.ask("delete")
    assert User.objects.get(pk=ann.user.pk).is_active
    farewell = ann._post.reply(letter, "confirm")
    assert any(one.to == ann.address and "Fare well" in one.text for one in farewell)
    gone = User.objects.get(pk=ann.user.pk)
    assert not gone.is_active
    assert gone.username.startswith("deleted-")
    assert not MailTokenRow.objects.filter(user=ann.user).exists()
    ended = EventRow.objects.filter(match=row, data__kind=Ended.kind)
    assert ended.exists()


def test_whoever_thinks_better_of_it_stays(players):
    ann, *_ = players
    letter = ann.ask("delete")
    ann._post.reply(letter, "no")
    ann._post.reply(letter, "confirm")
    assert User.objects.get(pk=ann.user.pk).is_active


def test_the_staff_is_not_deleted_by_mail(players):
    ann, *_ = players
    User.objects.filter(pk=ann.user.pk).update(is_staff=True)
    assert "mail/staff" in ann.ask("delete").text
    assert not ConfirmationRow.objects.exists()


def test_revoking_reply_addresses_revokes_slips_too(players):
    from antipodes.web.email_play.reply_addresses import revoke_all

    ann, *_ = players
    letter = ann.ask("delete")
    revoke_all(ann.user)
    (refused,) = ann._post.reply(letter, "confirm")
    assert "mail/address" in refused.text
    assert User.objects.get(pk=ann.user.pk).is_active
