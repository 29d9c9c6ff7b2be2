"""Laws of whom mail is believed: never an account's password, never a sender's name alone."""

import pytest
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
from tests.web.email_play.conftest import moves_of
from tests.web.email_play.test_playing import refused

pytestmark = pytest.mark.django_db

PASSWORD = "correct-horse"
AUTHSERV = "mx.play.example"


def all_texts():
    """Return all that was written and kept."""
    letters = [
        f"{one.subject} {one.text} {one.html} {one.headers}" for one in EmailRow.objects.all()
    ]
    rows = [str(row) for row in InboundMailRow.objects.values()]
    return " ".join([*letters, *rows])


def test_a_password_is_refused_and_forgotten_and_its_owner_warned(post, people, slow):
    row = slow()
    people[0].set_password(PASSWORD)
    people[0].save()
    subject = f"hex move {row.pk} ann {PASSWORD} f4"
    letters = post.send("thief@else.example", command_address(), subject, f"hi {PASSWORD}")
    assert moves_of(row) == []
    warning = next(letter for letter in letters if letter.to == "ann@example.org")
    assert "Never send a password by mail" in warning.text
    answer = next(letter for letter in letters if letter.to == "thief@else.example")
    assert refused(answer, "mail/password")
    assert PASSWORD not in all_texts()


def test_the_answer_does_not_tell_whether_the_password_was_right(post, people, slow):
    row = slow()
    people[0].set_password(PASSWORD)
    people[0].save()
    texts = set()
    for word in (PASSWORD, "another-word"):
        subject = f"hex move {row.pk} ann {word} f4"
        letters = post.send("thief@else.example", command_address(), subject)
        texts.add(next(one.text for one in letters if one.to == "thief@else.example"))
    assert len(texts) == 1


def test_an_owner_is_warned_once_a_day(post, people, slow):
    row = slow()
    for word in ("first-word", "second-word", "third-word"):
        post.send("x@else.example", command_address(), f"hex move {row.pk} ann {word} f4")
    assert EmailRow.objects.filter(to="ann@example.org").count() == 1


def test_revoked_addresses_and_tokens_do_nothing(post, people, slow):
    row = slow()
    ann = people[0]
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


def test_what_the_own_mail_server_calls_forged_does_nothing(post, people, slow, settings):
    settings.MAIL_AUTHSERV_ID = [AUTHSERV]
    row = slow()
    verdict = f"{AUTHSERV}; dkim=fail header.d=example.org; dmarc=fail header.from=example.org"
    address = reply_address(people[0], row)
    letters = post.send(people[0], address, "", "f4", Authentication_Results=verdict)
    assert moves_of(row) == []
    assert [letter.to for letter in letters] == ["ann@example.org"]
    assert "Nothing of it was carried out" in letters[0].text
    assert post.send(people[0], address, "", "f4", Authentication_Results=verdict) == []


def test_what_others_write_about_forgery_is_not_believed(post, people, slow, settings):
    settings.MAIL_AUTHSERV_ID = [AUTHSERV]
    row = slow()
    verdict = "mx.else.example; dmarc=fail header.from=example.org"
    post.send(people[0], reply_address(people[0], row), "", "f4", Authentication_Results=verdict)
    assert moves_of(row) == ["f4"]


def test_strangers_are_answered_without_their_own_words(post):
    """Whoever forges a sender shall not have us send a text to it."""
    [answer] = post.send("victim@else.example", command_address(), "Buy now", "cheap pills")
    assert answer.to == "victim@else.example"
    assert "cheap" not in answer.text


def test_several_reply_addresses_in_one_mail_do_nothing(post, people, slow):
    one, other = slow(), slow()
    both = f"{reply_address(people[0], one)}, {reply_address(people[0], other)}"
    [answer] = post.send(people[0], both, "", "f4")
    assert refused(answer, "mail/several-boards")
    assert moves_of(one) == moves_of(other) == []


@pytest.mark.parametrize("kind", ["suspension", "mute"])
def test_those_whom_moderators_silence_play_on_and_say_nothing(post, people, slow, kind):
    from antipodes.web.moderation.models import SanctionRow

    row = slow()
    SanctionRow.objects.create(user=people[0], kind=kind, reason="rude", by=people[3])
    answer = post.reply(people[0], row, "f4\n\nYou are bad")
    assert moves_of(row) == ["f4"]
    assert "Your words were not passed on" in answer.text
    assert not ChatLine.objects.exists()


def test_mail_is_written_to_nobody_by_the_handling_itself(post, people, slow):
    post.reply(people[0], slow(), "f4")
    assert django_mail.outbox == []
