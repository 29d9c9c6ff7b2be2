"""Messages between players: forwarded without addresses, limited, and never to blocked players."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission

from antipodes.clocks import DAY
from antipodes.web.accounts.models import User
from antipodes.web.email_play.commands import preferences as by_mail
from antipodes.web.email_play.models import ConfirmationRow
from antipodes.web.moderation.models import AuditRow
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.relations.services import block


def shown(letter):
    return f"{letter.subject}\n{letter.text}\n{letter.html}\n{letter.headers}"


def test_messages_and_answers_reveal_no_addresses(ann, bob):
    letters = ann.say("message", "bob", "A rematch on Sunday?")
    to_bob = next(one for one in letters if one.to == bob.address)
    assert "A rematch on Sunday?" in to_bob.text
    assert ann.address not in shown(to_bob)
    assert bob.address not in shown(next(one for one in letters if one.to == ann.address))
    answers = ann._post.answer(to_bob, "Gladly.\n\nAt nine.")
    to_ann = next(one for one in answers if one.to == ann.address)
    assert "At nine." in to_ann.text
    assert bob.address not in shown(to_ann)
    assert ann._post.answer(to_ann, "Fine.")


def test_the_reason_why_a_message_is_not_delivered_is_not_revealed(ann, bob, cy, dee, prefer):
    block(bob.user, ann.user)
    block(ann.user, cy.user)
    prefer(dee.user, Frequency.NEVER)
    texts = {
        ann.ask("message", one.name, "Hello").text.replace(one.name, "NAME")
        for one in (bob, cy, dee)
    }
    assert len(texts) == 1
    assert "mail/not-passed-on" in texts.pop()


@pytest.fixture
def moderator(ann):
    ann.user.user_permissions.add(Permission.objects.get(codename="moderate"))
    return ann


def test_only_moderators_can_broadcast(players, bob):
    by_mail.set_play_by_mail(players[0].user, on=True)
    assert "mail/moderators-only" in bob.ask("broadcast", "", "Buy my hats").text
    assert not AuditRow.objects.exists()


def test_an_answer_to_an_account_that_is_gone_is_refused(ann, bob):
    letters = ann.say("message", "bob", "A rematch on Sunday?")
    to_bob = next(one for one in letters if one.to == bob.address)
    type(ann.user).objects.filter(pk=ann.user.pk).update(is_active=False)
    (refused,) = ann._post.answer(to_bob, "Gladly.")
    told = "mail/answered; the account that wrote this no longer exists"
    assert told in " ".join(refused.text.split())
    assert refused.to == bob.address


@pytest.mark.parametrize(("length", "sent"), [(0, False), (1, True), (4_000, True), (4_001, False)])
def test_a_message_has_up_to_4000_characters(ann, bob, length, sent):
    letters = ann.say("message", "bob", "\n".join(["x" * 79] * 60)[-length:] if length else "")
    assert (bob.address in {one.to for one in letters}) == sent
    if not sent:
        text = "a message has 1 to 4000 characters in the body of the mail"
        refused = " ".join(letters[0].text.split())
        assert f"mail/text; {text}, not {length}" in refused


def test_a_message_goes_to_up_to_five_players_each_once(ann):
    for name in ("eva", "fay", "gus"):
        user = User.objects.create(username=name)
        address = f"{name}@example.org"
        EmailAddress.objects.create(user=user, email=address, verified=True, primary=True)
    letters = ann.say("message", "bob, CY dee eva fay bob", "Hello")
    *others, own = sorted(letters, key=lambda one: one.to == ann.address)
    assert [one.to for one in others] == [
        f"{name}@example.org" for name in ("bob", "cy", "dee", "eva", "fay")
    ]
    assert own.subject == "Antipodes: your message"
    assert "Your message was sent to bob, cy, dee, eva, fay." in own.text
    refused = " ".join(ann.ask("message", "bob cy dee eva fay gus", "Hello").text.split())
    assert "mail/too-many-people; a message can have at most 5 recipients, not 6" in refused


def test_a_message_tells_how_to_answer_for_sixty_days_and_how_to_block(ann, bob):
    [letter] = [one for one in ann.say("message", "bob", "Hello") if one.to == bob.address]
    assert letter.subject == "Antipodes: a message from ann"
    text = " ".join(letter.text.split())
    assert "News: ann has sent you a message without seeing your address." in text
    assert "Reply to this mail, and your answer is sent to ann." in text
    assert "block them: https://antipodes.example/people/ann/" in text
    assert letter.text.rstrip().endswith("ann writes:\nHello")
    row = ConfirmationRow.objects.get()
    assert (row.user, row.reply_to, row.answered_at) == (bob.user, ann.user, None)
    assert row.expires_at - row.made_at == 60 * DAY
    # It can be answered several times.
    for _ in range(2):
        assert ann.address in {one.to for one in bob._post.answer(letter, "Hi")}


def test_users_do_not_write_to_themselves(ann):
    assert "mail/not-passed-on" in ann.ask("message", "ann", "Hello").text
    assert not ConfirmationRow.objects.exists()


def test_a_broadcast_goes_to_reachable_mail_players_only(bob, cy, dee, moderator, prefer):
    for one in (moderator, bob, cy, dee):
        by_mail.set_play_by_mail(one.user, on=True)
    prefer(cy.user, Frequency.NEVER)
    User.objects.filter(pk=dee.user.pk).update(is_active=False)
    off = User.objects.create(username="eva")
    EmailAddress.objects.create(user=off, email="eva@example.org", verified=True, primary=True)
    by_mail.set_play_by_mail(off, on=False)
    to_bob, own = moderator.say("broadcast", "", "We are away on Monday.")
    assert (to_bob.to, own.to) == (bob.address, moderator.address)
    assert to_bob.subject == "Antipodes: news from the moderators"
    assert "A moderator writes to everyone who plays by mail here." in to_bob.text
    assert to_bob.text.rstrip().endswith("ann writes:\nWe are away on Monday.")
    assert "Sent to 1 players." in own.text
    row = AuditRow.objects.get()
    assert (row.act, row.what, row.reason) == ("broadcast", "1 mails", "We are away on Monday.")
