"""Account commands: what a mail token can do, and what needs a reply to a confirmation."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as outbox
from django.urls import reverse

from antipodes.clocks import DAY
from antipodes.match import Abort, Ended
from antipodes.web.accounts.models import User
from antipodes.web.email_play.commands import emails
from antipodes.web.email_play.commands import preferences as by_mail
from antipodes.web.email_play.mail_tokens import user_of
from antipodes.web.email_play.models import ConfirmationRow, MailTokenRow
from antipodes.web.matches.models import EventRow, MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.preferences import preference_of
from antipodes.web.platform.clock import now
from tests.web.email_play.conftest import HOST, confirm_address, told

NEW = "new@example.org"


def token_in(letter):
    return next(word for word in letter.text.split() if word.startswith("mt-"))


def test_sign_up_and_first_match_by_mail(post, players):
    asked = post.only(NEW, "signup heron")
    assert asked.to == NEW
    assert not User.objects.filter(username="heron").exists()
    (welcome,) = post.answer(asked, "confirm")
    heron = User.objects.get(username="heron")
    assert not heron.has_usable_password()
    assert EmailAddress.objects.get(user=heron, verified=True, primary=True).email == NEW
    assert by_mail.plays_by_mail(heron)
    assert user_of(token_in(welcome)) == heron
    post.command(NEW, f"hex seek heron {token_in(welcome)}")
    players[0].say("hex seek")
    assert MatchRow.objects.get().seats.filter(user=heron).exists()


def test_an_account_created_by_mail_can_set_a_password_on_the_site(post, client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    (_welcome,) = post.answer(post.only(NEW, "signup heron"), "confirm")
    client.post(reverse("account_reset_password"), {"email": NEW})
    assert [one.to for one in outbox.outbox] == [[NEW]]


def test_signing_up_another_address_needs_a_reply_from_there(post):
    letters = post.command("friend@example.org", f"signup heron {NEW}")
    letter = next(one for one in letters if one.to == NEW)
    (answer,) = [one for one in letters if one.to == "friend@example.org"]
    assert "Reply-To" not in answer.headers or "+" not in answer.headers["Reply-To"]
    post.answer(letter, "confirm")
    assert EmailAddress.objects.get(user__username="heron").email == NEW


@pytest.mark.parametrize("name", ["ann", "ANN", "x", "admin", "computer-3"])
def test_taken_and_invalid_names_are_refused(post, players, name):
    assert "Refused: mail/" in post.only(NEW, f"signup {name}").text
    assert not ConfirmationRow.objects.exists()


def test_only_the_owner_learns_that_an_address_has_an_account(post, ann):
    known = post.command("spy@example.org", f"signup heron {ann.address}")
    unknown = post.command("spy@example.org", f"signup heron {NEW}")

    def to_spy(letters, address):
        letter = next(one for one in letters if one.to == "spy@example.org")
        return (letter.text + letter.subject).replace(address, "ADDRESS")

    assert to_spy(known, ann.address) == to_spy(unknown, NEW)
    assert "you have an account: ann" in next(one for one in known if one.to == ann.address).subject


def test_a_cancelled_sign_up_makes_no_account(post):
    letter = post.only(NEW, "signup heron")
    (answer,) = post.answer(letter, "no")
    assert "Nothing was changed" in answer.text
    assert "token" not in answer.text
    assert not User.objects.filter(username="heron").exists()


def test_a_name_taken_since_the_sign_up_is_refused(post):
    first = post.only(NEW, "signup heron")
    second = post.only("other@example.org", "signup heron")
    post.answer(first, "confirm")
    (refused,) = post.answer(second, "confirm")
    assert "“heron” is the name of another account" in refused.text
    assert User.objects.filter(username__iexact="heron").count() == 1


def test_of_two_sign_ups_confirmed_at_once_one_gets_the_name(post, meanwhile):
    letter = post.only(NEW, "signup heron")
    other = {"username": "heron", "email": "other@example.org"}
    insert = 'INSERT INTO "accounts_user"'
    with meanwhile(lambda: User.objects.create(**other), insert):
        (refused,) = post.answer(letter, "confirm")
    assert "mail/name" in refused.text
    assert "“heron” is the name of another account" in refused.text
    assert not User.objects.filter(email=NEW).exists()


def test_a_sign_up_is_refused_when_the_address_got_an_account_meanwhile(post, people):
    letter = post.only(NEW, "signup heron")
    EmailAddress.objects.create(user=people[0], email=NEW, verified=True)
    (refused,) = post.answer(letter, "confirm")
    assert "this address already has an account" in refused.text
    assert not User.objects.filter(username="heron").exists()


def test_an_expired_confirmation_is_refused_and_deleted(post, monkeypatch):
    letter = post.only(NEW, "signup heron")
    later = now() + emails.LIFETIME + 1
    monkeypatch.setattr(emails, "now", lambda: later)
    (refused,) = post.answer(letter, "confirm")
    assert "mail/answered" in refused.text
    monkeypatch.setattr(emails, "now", lambda: later + DAY)
    emails.delete_expired_confirmations()
    assert not ConfirmationRow.objects.exists()


@pytest.mark.parametrize("command", ["change address", "add"])
def test_an_address_is_changed_after_both_addresses_confirm(ann, command):
    letters = ann.say(command, NEW)
    to_old = next(one for one in letters if one.headers["Reply-To"].startswith("play+"))
    assert to_old.to == ann.address
    asked = ann._post.answer(to_old, "confirm")
    assert EmailAddress.objects.get(user=ann.user).email == ann.address
    to_new = next(one for one in asked if one.to == NEW)
    ann._post.answer(to_new, "confirm")
    found = EmailAddress.objects.get(user=ann.user)
    assert (found.email, found.verified, found.primary) == (NEW, True, True)
    ann.user.refresh_from_db()
    assert ann.user.email == NEW


def test_a_token_alone_cannot_take_over_an_account(ann):
    ann._post.command("thief@example.org", f"change address ann {ann.token} thief@example.org")
    ann._post.command("thief@example.org", f"delete ann {ann.token}")
    assert EmailAddress.objects.get(user=ann.user).email == ann.address
    assert User.objects.get(pk=ann.user.pk).is_active


def test_an_address_of_another_account_is_refused(ann, bob):
    letters = ann.say("change address", bob.address)
    to_old = next(one for one in letters if "+" in one.headers["Reply-To"])
    asked = ann._post.answer(to_old, "confirm")
    to_bob = next(one for one in asked if one.to == bob.address)
    assert "stays yours" in to_bob.subject
    assert "+" not in to_bob.headers["Reply-To"]
    mine = next(one for one in asked if one.to == ann.address)
    assert "bob" not in mine.text.replace(bob.address, "")


def test_passwords_are_not_changed_by_mail(post, players):
    letters = post.command("ann@example.org", "change password ann")
    assert any(reverse("account_change_password") in one.text for one in letters)


def test_signing_off_resigns_nothing_and_lists_games_in_progress(ann, cy, slow):
    row, over = slow(), slow()
    carry_out(over.slug, Abort(seat=0, ply=0, key="a"))
    before = EventRow.objects.count()
    by_mail.set_play_by_mail(ann.user, on=True)
    ann.say("hex notify", "on")
    answer = ann.ask("signoff")
    assert answer.subject == "Antipodes: you are signed off"
    assert "Games: 1\n" in answer.text
    assert f"\n  {row.pk} " in answer.text
    assert "or https://antipodes.example/" in told(answer)
    assert preference_of(ann.user).frequency == Frequency.NEVER
    assert not by_mail.plays_by_mail(ann.user)
    assert not ann.user.seek_alerts.exists()
    assert EventRow.objects.count() == before
    assert "Games: 0\n" in cy.ask("signoff").text


def test_an_account_is_deleted_after_a_reply_confirms_it(ann, row):
    letter = ann.ask("delete")
    assert User.objects.get(pk=ann.user.pk).is_active
    answers = ann._post.answer(letter, "confirm")
    assert any(one.to == ann.address and "has been deleted" in one.text for one in answers)
    gone = User.objects.get(pk=ann.user.pk)
    assert not gone.is_active
    assert gone.username.startswith("deleted-")
    assert not MailTokenRow.objects.filter(user=ann.user).exists()
    ended = EventRow.objects.filter(match=row, data__kind=Ended.kind)
    assert ended.exists()


def test_a_cancelled_deletion_cannot_be_confirmed(ann):
    letter = ann.ask("delete")
    (answer,) = ann._post.answer(letter, "no")
    assert "Revoke them on your account's page" in " ".join(answer.text.split())
    ann._post.answer(letter, "confirm")
    assert User.objects.get(pk=ann.user.pk).is_active


@pytest.mark.parametrize("flag", ["is_staff", "is_superuser"])
def test_staff_accounts_cannot_be_deleted_by_mail(ann, flag):
    User.objects.filter(pk=ann.user.pk).update(**{flag: True})
    refused = told(ann.ask("delete"))
    assert "mail/staff; staff accounts cannot be deleted by mail" in refused
    assert not ConfirmationRow.objects.exists()


def test_revoking_reply_addresses_revokes_confirmations(ann):
    from antipodes.web.email_play.reply_addresses import revoke_all

    letter = ann.ask("delete")
    revoke_all(ann.user)
    (refused,) = ann._post.answer(letter, "confirm")
    assert "mail/address" in refused.text
    assert User.objects.get(pk=ann.user.pk).is_active


def test_a_first_address_is_asked_for_at_once(ann):
    EmailAddress.objects.filter(user=ann.user).delete()
    letters = ann.say("add", NEW)
    asked, answer = sorted(
        letters, key=lambda one: one.to != NEW or "+" not in one.headers["Reply-To"]
    )
    assert (asked.to, answer.to) == (NEW, ann.address)
    assert answer.subject == "Antipodes: your address"
    assert f"A mail was sent to {NEW}." in answer.text
    row = ConfirmationRow.objects.get()
    assert (row.kind, row.user, row.address) == ("address", ann.user, NEW)
    [done] = ann._post.answer(asked, "confirm")
    assert EmailAddress.objects.get(user=ann.user).email == NEW
    assert (done.to, told(done)) == (NEW, "News: Mail for ann is now sent to this address.")


def test_an_address_that_another_account_got_meanwhile_is_refused(ann, bob):
    to_old = next(one for one in ann.say("add", NEW) if "+" in one.headers["Reply-To"])
    to_new = next(one for one in ann._post.answer(to_old, "confirm") if one.to == NEW)
    EmailAddress.objects.create(user=bob.user, email=NEW, verified=True)
    (refused,) = ann._post.answer(to_new, "confirm")
    told = "Refused: mail/answered; this address belongs to another account"
    assert told in " ".join(refused.text.split())
    assert EmailAddress.objects.get(user=ann.user).email == ann.address


def test_an_own_address_that_was_not_used_yet_can_become_the_only_one(ann):
    to_old = next(one for one in ann.say("add", NEW) if "+" in one.headers["Reply-To"])
    to_new = next(one for one in ann._post.answer(to_old, "confirm") if one.to == NEW)
    EmailAddress.objects.create(user=ann.user, email=NEW, verified=True)
    ann._post.answer(to_new, "confirm")
    assert EmailAddress.objects.get(user=ann.user).email == NEW


def test_an_account_without_an_address_is_not_deleted_by_mail(ann):
    EmailAddress.objects.filter(user=ann.user).delete()
    refused = " ".join(ann.ask("delete").text.split())
    page = reverse("delete-account")
    assert "Refused: mail/no-confirmed-address; you have no confirmed address" in refused
    assert f"delete the account on the site: https://antipodes.example{page}" in refused
    assert not ConfirmationRow.objects.exists()


@pytest.mark.parametrize("loses", ["account", "row"])
def test_a_confirmation_of_an_account_that_is_gone_is_refused(ann, loses):
    letter = ann.ask("delete")
    if loses == "account":
        User.objects.filter(pk=ann.user.pk).update(is_active=False)
    else:
        ConfirmationRow.objects.all().delete()
    (refused,) = ann._post.answer(letter, "confirm")
    assert "Refused: mail/address" in refused.text
    assert User.objects.get(pk=ann.user.pk).username == "ann"


def test_signing_up_needs_a_name(post, ann):
    told = "Refused: mail/no-name; choose a user name: signup NAME"
    assert told in " ".join(post.only(ann.address, f"signup {ann.token}").text.split())
    assert not ConfirmationRow.objects.exists()


def test_a_sign_up_is_answered_in_the_thread_of_its_sender_only(post):
    asked = post.only(NEW, "signup heron")
    assert "In-Reply-To" in asked.headers
    letters = post.command("friend@example.org", "signup egret other@example.org")
    by_address = {one.to: one for one in letters}
    assert "In-Reply-To" not in by_address["other@example.org"].headers
    assert "In-Reply-To" in by_address["friend@example.org"].headers
    text = "A mail was sent to other@example.org; a reply to it creates the account."
    assert text in told(by_address["friend@example.org"])


def test_a_sign_up_mail_tells_what_it_is_for(post, players):
    asked = post.only(NEW, "signup heron")
    assert asked.subject == "Antipodes: an account for heron"
    assert "asks for an account heron with this address." in told(asked)
    assert "reply with the word confirm in the first line" in told(asked)
    assert "The games and their rules: https://antipodes.example/" in asked.text
    [welcome] = post.answer(asked, "confirm")
    assert welcome.subject == "Antipodes: welcome, heron"
    assert f"antipod seek heron {token_in(welcome)}" in welcome.text
    assert f"a mail to play@{HOST}," in told(welcome)
    [known] = post.command(players[0].address, "signup egret")
    assert "The address belongs to your account ann, so none was created." in told(known)
    assert "/accounts/password/reset/" in known.text
    assert "+" not in known.headers["Reply-To"]


@pytest.mark.parametrize(("length", "accepted"), [(254, True), (255, False)])
def test_an_address_has_up_to_254_characters(ann, length, accepted):
    host = ".".join("b" * 60 for _ in range(4))
    address = f"{'a' * (length - len(host) - 5)}@{host}.org"
    letters = ann.say("add", address)
    assert len(address) == length
    assert ConfirmationRow.objects.exists() == accepted
    if not accepted:
        assert "is too long" in told(letters[0])


def test_the_owner_of_both_addresses_is_told_of_a_change(ann):
    mails = ann.say("add", NEW)
    [to_old] = [one for one in mails if "+" in one.headers["Reply-To"]]
    [answer] = [one for one in mails if one != to_old]
    assert to_old.subject == "Antipodes: another address for ann"
    assert f"A mail asks to change the address of ann to {NEW}." in told(to_old)
    assert answer.to == ann.address
    assert "A mail was sent to your present address; reply to it from there." in told(answer)
    by_address = {one.to: one for one in ann._post.answer(to_old, "confirm")}
    assert by_address[NEW].subject == "Antipodes: an address for ann"
    assert f"A mail was sent to {NEW}; a reply to it makes the change." in told(
        by_address[ann.address]
    )
    last = {one.to: told(one) for one in ann._post.answer(by_address[NEW], "confirm")}
    assert last == {
        NEW: "News: Mail for ann is now sent to this address.",
        ann.address: "News: Mail for ann is no longer sent to this address, as you asked.",
    }


def test_a_deletion_that_another_address_asks_for_is_answered_there_too(ann):
    confirm_address(ann.user, "ann@work.example")
    letters = ann._post.command("ann@work.example", f"delete ann {ann.token}")
    by_address = {one.to: one for one in letters}
    assert set(by_address) == {ann.address, "ann@work.example"}
    text = "A mail was sent to your address; a reply to it deletes the account."
    assert text in told(by_address["ann@work.example"])
    to_ann = by_address[ann.address]
    assert to_ann.subject == "Antipodes: delete the account ann?"
    [done] = ann._post.answer(to_ann, "confirm")
    assert (done.to, done.subject) == (ann.address, "Antipodes: your account is deleted")
    assert done.user is None
