"""Messages that play by mail passes on keep their lines and indentation."""

from email.message import EmailMessage

import pytest

from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.inbox import receive
from antipodes.web.email_play.inbox_task import process_due_mails
from antipodes.web.email_play.reply_addresses import command_address, reply_address
from antipodes.web.matches.models import ChatLine
from antipodes.web.moderation.services import hide_line
from antipodes.web.notifications.models import EmailRow

pytestmark = pytest.mark.django_db

POEM = """\
    a b c d
  1 . x o .
   2 . x . .

- a list
  - with a part of it
\tand a tab


Two roses,
    one thorn.

One.

Two.

Three.

Four.

Five."""
SHOWN = POEM.expandtabs(8)


def to(user, emails):
    return [one for one in emails if one.to == f"{user.username}@example.org"]


def test_a_comment_keeps_its_lines_on_the_site_and_by_mail(post, by_mail, ann, bob, row):
    post.reply(ann, row, f"f4\n\n{POEM}\n\n-- \nAnn")
    assert ChatLine.objects.get().text == SHOWN
    [email] = to(bob, post.notifications())
    assert f"ann writes:\n{SHOWN}\n" in email.text
    assert f">{SHOWN}</p>" in email.html


def test_text_after_end_and_chat_keep_their_lines(post, by_mail, slow):
    ann, row = by_mail[0], slow()
    post.reply(ann, row, f"multiple\nf4\nend\n{POEM}")
    post.reply(ann, row, f"chat\n{POEM}")
    assert [line.text for line in ChatLine.objects.all()] == [SHOWN, SHOWN]


def test_a_message_and_an_invitation_keep_their_lines(post, by_mail, ann, bob):
    token = mail_tokens.make_token(ann, "mutt")
    for subject in (f"message ann {token} bob", f"hex challenge ann {token} bob"):
        [email] = to(bob, post.send(ann, command_address(), subject, POEM))
        assert f"ann writes:\n{SHOWN}\n" in email.text


def test_preformatted_markup_keeps_its_indentation(post, by_mail, slow):
    ann, row = by_mail[0], slow()
    mail = EmailMessage()
    mail["From"], mail["Message-ID"] = "ann@example.org", "<markup@mail.example>"
    mail.set_content(
        "<div>f4</div><pre>  1 . x\n   2 . o</pre><div>&nbsp; &nbsp;so</div>", subtype="html"
    )
    address = reply_address(ann, row)
    receive(mail.as_bytes(), sender="ann@example.org", recipients=[address], via="lmtp")
    process_due_mails()
    assert ChatLine.objects.get().text == "  1 . x\n   2 . o\n   so"


def test_only_a_message_above_the_limit_is_cut_and_at_a_line(post, by_mail, slow):
    ann, row = by_mail[0], slow()
    whole = "\n".join(["word " * 13 + "last"] * 57)
    assert len(whole) < 4_000
    answer = post.reply(ann, row, f"f4\n\n{whole}")
    assert ChatLine.objects.get().text == whole
    assert "Your message was long" not in answer.text
    ChatLine.objects.all().delete()
    answer = post.reply(ann, row, f"chat\n{whole}\n{whole}")
    sent = ChatLine.objects.get().text
    assert 3_900 < len(sent) <= 4_000
    assert sent.endswith(" last")
    told = " ".join(answer.text.split())
    assert f"Your message was long; only its first {len(sent)} characters were sent." in told


def test_moderators_delete_a_long_message(post, by_mail, slow, moderator):
    post.reply(by_mail[0], slow(), f"f4\n\n{POEM * 4}")
    sanction = hide_line(moderator, ChatLine.objects.get(), "too long")
    assert sanction.what == (SHOWN * 4)[:500]


def test_a_quote_without_marks_in_a_language_that_is_not_listed_is_not_passed_on(
    post, by_mail, ann, bob, row
):
    shown = post.reply(ann, row, "show")
    head = "Blurb: Games\nFloop: ann@example.org\nZonk: Nwm 21\nWip: Hex"
    body = f"f4\n\nHave fun!\n\n{head}\n\n{shown.text}"
    post.reply(ann, row, body, In_Reply_To=shown.message_id)
    assert ChatLine.objects.get().text == "Have fun!"
    [email] = to(bob, post.notifications())
    assert "Blurb" not in email.text
    assert "example.org" not in email.text


def test_a_welcome_mail_with_its_token_is_cut_from_a_reply(post, by_mail, ann, row):
    post.reply(ann, row, "show")
    token = mail_tokens.make_token(ann, "mutt")
    welcome = EmailRow.objects.create(
        key="welcome 1",
        user=ann,
        to="ann@example.org",
        subject="Welcome",
        text=f"Welcome to the site, ann.\nYour mail token is {token}\nKeep it secret, please.\n",
        message_id="<welcome.1@antipodes.example>",
        made_at=1,
    )
    body = f"f4\n\nHello\n\nBlurb 2026 12:00:\n{welcome.text}"
    post.reply(ann, row, body, References=f"{welcome.message_id} <x@mail.example>")
    assert ChatLine.objects.get().text == "Hello"
