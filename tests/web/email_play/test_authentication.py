"""Authentication of mail: by signed addresses and tokens, never by sender or password."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as django_mail

from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.models import InboundMailRow
from antipodes.web.email_play.reply_addresses import (
    command_address,
    reply_address,
    revoke_all,
    revoke_at,
)
from antipodes.web.matches.models import ChatLine
from antipodes.web.notifications.models import EmailRow
from tests.web.email_play.conftest import moves_of, refused

pytestmark = pytest.mark.django_db

PASSWORD = "correct-horse"
AUTHSERV = "mx.play.example"


def all_texts():
    """Return the texts of all e-mails and stored mails."""
    emails = [
        f"{one.subject} {one.text} {one.html} {one.headers}" for one in EmailRow.objects.all()
    ]
    rows = [str(row) for row in InboundMailRow.objects.values()]
    return " ".join([*emails, *rows])


def test_a_password_is_refused_and_not_stored_and_its_owner_warned(post, people, row):
    people[0].set_password(PASSWORD)
    people[0].save()
    subject = f"hex move {row.pk} ann {PASSWORD} f4"
    emails = post.send("thief@else.example", command_address(), subject, f"hi {PASSWORD}")
    assert moves_of(row) == []
    warning = next(email for email in emails if email.to == "ann@example.org")
    assert "Never send a password by mail" in warning.text
    answer = next(email for email in emails if email.to == "thief@else.example")
    assert refused(answer, "mail/password")
    assert PASSWORD not in all_texts()


def test_the_reply_does_not_reveal_whether_the_password_was_right(post, people, row):
    people[0].set_password(PASSWORD)
    people[0].save()
    texts = set()
    for word in (PASSWORD, "another-word"):
        subject = f"hex move {row.pk} ann {word} f4"
        emails = post.send("thief@else.example", command_address(), subject)
        texts.add(next(one.text for one in emails if one.to == "thief@else.example"))
    assert len(texts) == 1


def test_revoked_addresses_and_tokens_do_nothing(post, ann, row):
    at_board, at_all = reply_address(ann, row), reply_address(ann, row)
    revoke_at(ann, row)
    [answer] = post.send(ann, at_board, "", "f4")
    assert refused(answer, "mail/address")
    at_all = reply_address(ann, row)
    revoke_all(ann)
    [answer] = post.send(ann, at_all, "", "f4")
    assert refused(answer, "mail/address")
    token = mail_tokens.make_token(ann, "mutt")
    mail_tokens.revoke(ann, mail_tokens.tokens_of(ann).get().pk)
    [answer] = post.send(ann, command_address(), f"move {row.pk} ann {token} f4")
    assert refused(answer, "mail/token")
    assert moves_of(row) == []


def test_mail_that_the_own_mail_server_calls_forged_does_nothing(post, people, slow, settings):
    settings.MAIL_AUTHSERV_ID = [AUTHSERV]
    row = slow()
    verdict = f"{AUTHSERV}; dkim=fail header.d=example.org; dmarc=fail header.from=example.org"
    address = reply_address(people[0], row)
    emails = post.send(people[0], address, "", "f4", Authentication_Results=verdict)
    assert moves_of(row) == []
    assert [email.to for email in emails] == ["ann@example.org"]
    assert "It was ignored" in emails[0].text
    assert post.send(people[0], address, "", "f4", Authentication_Results=verdict) == []


def test_verification_results_of_other_servers_are_ignored(post, people, slow, settings):
    settings.MAIL_AUTHSERV_ID = [AUTHSERV]
    row = slow()
    verdict = "mx.else.example; dmarc=fail header.from=example.org"
    post.send(people[0], reply_address(people[0], row), "", "f4", Authentication_Results=verdict)
    assert moves_of(row) == ["f4"]


@pytest.mark.parametrize("kind", ["suspension", "mute"])
def test_sanctioned_players_can_play_but_not_chat(post, people, slow, kind):
    from antipodes.web.moderation.models import SanctionRow

    row = slow()
    SanctionRow.objects.create(user=people[0], kind=kind, reason="rude", by=people[3])
    answer = post.reply(people[0], row, "f4\n\nYou are bad")
    assert moves_of(row) == ["f4"]
    assert "Your message was not sent" in answer.text
    assert not ChatLine.objects.exists()


def test_processing_a_mail_sends_no_mail_by_itself(post, people, slow):
    post.reply(people[0], slow(), "f4")
    assert django_mail.outbox == []


def test_an_owner_without_an_address_is_not_warned(post, people, row):
    EmailAddress.objects.filter(user=people[0]).delete()
    [answer] = post.send("x@else.example", command_address(), f"move {row.pk} ann first-word f4")
    assert answer.to == "x@else.example"
    emails = post.send("x@else.example", command_address(), f"move {row.pk} bob first-word f4")
    assert {email.to for email in emails} == {"x@else.example", "bob@example.org"}
