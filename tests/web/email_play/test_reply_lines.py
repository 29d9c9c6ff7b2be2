"""Replies whose move stands below a greeting or is decorated, and mails that cannot be read."""

import pytest

from antipodes.web.email_play.inbox import receive
from antipodes.web.email_play.inbox_task import process_due_mails
from antipodes.web.email_play.reply_addresses import reply_address
from antipodes.web.matches.models import ChatLine
from antipodes.web.notifications.models import EmailRow
from tests.web.email_play.conftest import moves_of, refused, told

pytestmark = pytest.mark.django_db


def test_the_only_legal_move_below_a_greeting_is_played_on_the_board(post, by_mail, ann, bob, row):
    post.reply(ann, row, "Hello Bob!\n\nf4\n\nGood luck")
    assert moves_of(row) == ["f4"]
    assert [line.text for line in ChatLine.objects.all()] == ["Hello Bob!\n\nGood luck"]
    post.reply(bob, row, "Thanks. Not\nf4\nbut\n* g5")
    assert moves_of(row) == ["f4", "g5"]
    answer = post.reply(ann, row, "Now\nd4\nor\ne5")
    assert refused(answer, "mail/which-move"), answer.text
    assert "your mail can mean several moves: d4, e5" in told(answer)
    post.reply(ann, row, "**d4**")
    assert moves_of(row) == ["f4", "g5", "d4"]


def test_a_reply_that_cannot_be_read_is_told_so(post, by_mail, ann, row):
    raw = (
        f"From: ann@example.org\nTo: {reply_address(ann, row)}\nSubject: {{}}\n"
        "Message-ID: <{}@mail.example>\nMIME-Version: 1.0\n"
        'Content-Type: multipart/encrypted; boundary="x"\n\n'
        "--x\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--x--\n"
    )
    for subject, expected in (
        (f"Re: Hex Board {row.pk} ann", "your mail has no text that can be read: it is encrypted"),
        (f"Re: Hex Board {row.pk} ann chat", "your mail has no text that can be read"),
        (
            f"Re: Hex Board {row.pk} ann f4",
            "The text of your mail cannot be read: it is encrypted.",
        ),
    ):
        mail = raw.format(subject, len(subject)).encode()
        receive(mail, sender="ann@example.org", recipients=[reply_address(ann, row)], via="lmtp")
        process_due_mails()
        answer = EmailRow.objects.latest("pk")
        assert expected in told(answer), subject
    assert moves_of(row) == ["f4"]
