"""Messages between players: forwarded without addresses, limited, and never to blocked players."""

import pytest
from django.contrib.auth.models import Permission

from antipodes.web.email_play.commands import players as by_mail
from antipodes.web.moderation.models import AuditRow, SanctionRow
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.relations.services import block


def shown(letter):
    return f"{letter.subject}\n{letter.text}\n{letter.html}\n{letter.headers}"


def test_messages_and_answers_reveal_no_addresses(players):
    ann, bob, *_ = players
    letters = ann.say("message", "bob", "A rematch on Sunday?")
    to_bob = next(one for one in letters if one.to == bob.address)
    assert "A rematch on Sunday?" in to_bob.text
    assert ann.address not in shown(to_bob)
    assert bob.address not in shown(next(one for one in letters if one.to == ann.address))
    answers = ann._post.reply(to_bob, "Gladly.\n\nAt nine.")
    to_ann = next(one for one in answers if one.to == ann.address)
    assert "At nine." in to_ann.text
    assert bob.address not in shown(to_ann)
    assert ann._post.reply(to_ann, "Fine.")


def test_the_reason_why_a_message_is_not_delivered_is_not_revealed(players, prefer):
    ann, bob, cy, dee = players
    block(bob.user, ann.user)
    block(ann.user, cy.user)
    prefer(dee.user, Frequency.NEVER)
    texts = {
        ann.ask("message", one.name, "Hello").text.replace(one.name, "NAME")
        for one in (bob, cy, dee)
    }
    assert len(texts) == 1
    assert "mail/not-passed-on" in texts.pop()


def test_a_muted_player_cannot_send_messages(players):
    ann, *_ = players
    SanctionRow.objects.create(user=ann.user, kind=SanctionRow.Kind.MUTE, reason="insults")
    refused = ann.ask("message", "bob", "Hello")
    assert "chat/muted" in refused.text


def test_recipients_and_length_of_messages_are_limited(players, people):
    ann, *_ = players
    for text in ("", "x" * 5_000):
        assert "mail/text" in ann.ask("message", "bob", text).text
    assert "mail/too-many-people" in ann.ask("message", "b1 b2 b3 b4 b5 b6", "Hello").text
    for _ in range(10):
        assert len(ann.say("message", "bob", "Hello")) == 2
    assert "limits/too-many" in ann.ask("message", "bob", "Hello").text


@pytest.fixture
def moderator(players):
    ann = players[0]
    ann.user.user_permissions.add(Permission.objects.get(codename="moderate"))
    return ann


def test_a_broadcast_goes_to_all_mail_players_and_is_audited(players, moderator):
    _, bob, cy, _ = players
    by_mail.set_play_by_mail(bob.user, on=True)
    by_mail.set_play_by_mail(cy.user, on=True)
    letters = moderator.say("broadcast", "", "We are away on Monday.")
    assert {one.to for one in letters} == {bob.address, cy.address, moderator.address}
    row = AuditRow.objects.get()
    assert (row.act, row.what, row.reason) == ("broadcast", "2 mails", "We are away on Monday.")


def test_only_moderators_can_broadcast(players):
    _, bob, *_ = players
    by_mail.set_play_by_mail(players[0].user, on=True)
    assert "mail/moderators-only" in bob.ask("broadcast", "", "Buy my hats").text
    assert not AuditRow.objects.exists()


def test_an_answer_to_an_account_that_is_gone_is_refused(players):
    ann, bob, *_ = players
    letters = ann.say("message", "bob", "A rematch on Sunday?")
    to_bob = next(one for one in letters if one.to == bob.address)
    type(ann.user).objects.filter(pk=ann.user.pk).update(is_active=False)
    (refused,) = ann._post.reply(to_bob, "Gladly.")
    told = "mail/answered; the account that wrote this no longer exists"
    assert told in " ".join(refused.text.split())
    assert refused.to == bob.address
