"""Laws of letters from person to person: passed on without addresses, limited, not to be forced."""

import pytest
from django.contrib.auth.models import Permission

from antipodes.web.email_play.commands import players as by_mail
from antipodes.web.moderation.models import AuditRow, SanctionRow
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.relations.services import block


def shown(letter):
    return f"{letter.subject}\n{letter.text}\n{letter.html}\n{letter.headers}"


def test_a_message_and_its_answer_are_passed_on_without_addresses(players):
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


def test_why_somebody_is_not_reached_is_not_told(players, prefer):
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


def test_whoever_may_not_talk_writes_no_messages(players):
    ann, *_ = players
    SanctionRow.objects.create(user=ann.user, kind=SanctionRow.Kind.MUTE, reason="insults")
    refused = ann.ask("message", "bob", "Hello")
    assert "chat/muted" in refused.text


def test_messages_are_few_and_to_few_and_not_long(players, people):
    ann, *_ = players
    assert "mail/text" in ann.ask("message", "bob", "x" * 5_000).text
    assert "mail/too-many-people" in ann.ask("message", "b1 b2 b3 b4 b5 b6", "Hello").text
    for _ in range(10):
        assert len(ann.say("message", "bob", "Hello")) == 2
    assert "limits/too-many" in ann.ask("message", "bob", "Hello").text


@pytest.fixture
def moderator(players):
    ann = players[0]
    ann.user.user_permissions.add(Permission.objects.get(codename="moderate"))
    return ann


def test_a_broadcast_of_moderators_goes_to_all_who_play_by_mail_and_is_written_down(
    players, moderator
):
    _, bob, cy, _ = players
    by_mail.switch(bob.user, on=True)
    by_mail.switch(cy.user, on=True)
    letters = moderator.say("broadcast", "", "We are away on Monday.")
    assert {one.to for one in letters} == {bob.address, cy.address, moderator.address}
    row = AuditRow.objects.get()
    assert (row.act, row.what, row.reason) == ("broadcast", "2 letters", "We are away on Monday.")


def test_nobody_else_broadcasts(players):
    _, bob, *_ = players
    by_mail.switch(players[0].user, on=True)
    assert "mail/moderators-only" in bob.ask("broadcast", "", "Buy my hats").text
    assert not AuditRow.objects.exists()
