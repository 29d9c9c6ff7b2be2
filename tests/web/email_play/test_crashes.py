"""Crashes: a mail is processed and answered exactly once, wherever a process dies."""

import itertools

import pytest
from django.db import connection, transaction

from antipodes.web.email_play import inbox, inbox_task
from antipodes.web.email_play.inbox import receive
from antipodes.web.email_play.models import InboundMailRow
from antipodes.web.email_play.processing import MailProcessor
from antipodes.web.email_play.reply_addresses import command_address, reply_address
from antipodes.web.matches import snapshots
from antipodes.web.matches.models import ChatLine
from antipodes.web.notifications import outbox
from antipodes.web.notifications.models import EmailRow
from antipodes.web.platform.limits import limiter
from tests.raising import raising
from tests.thorough import repetitions
from tests.web.email_play.conftest import moves_of, raw_mail

pytestmark = pytest.mark.django_db


class KilledError(BaseException):
    """The process has died, and its transaction is rolled back."""


class Killer:
    """Kills the process before the statement with a given number."""

    def __init__(self, at):
        self.left = at

    def __call__(self, execute, sql, params, many, context):
        if not sql.startswith(("SAVEPOINT", "RELEASE", "ROLLBACK")):
            self.left -= 1
            if self.left < 0:
                raise KilledError
        return execute(sql, params, many, context)


def receive_mail(user, row, body="f4\n\nHello"):
    address = reply_address(user, row)
    raw = raw_mail(f"{user.username}@example.org", address, "", body)
    receipt = receive(raw, sender=f"{user.username}@example.org", recipients=[address], via="lmtp")
    assert receipt.is_new
    return raw


def emails_about(row):
    return EmailRow.objects.filter(subject=f"Hex Board {row.pk} ann")


def test_a_mail_is_processed_once_wherever_the_process_dies(people, reachable, slow):
    """The process dies before the first statement, before a later one, and so on to the last."""
    for at in itertools.count(step=repetitions(2, 1)):
        limiter().storage.reset()  # so many mails of one sender are too many
        row = slow()
        receive_mail(people[0], row)
        snapshots.forget()
        try:
            with connection.execute_wrapper(Killer(at)), transaction.atomic():
                inbox_task.process_due_mails()
        except KilledError:
            snapshots.forget()
            inbox_task.process_due_mails()
            is_over = False
        else:
            is_over = True
        assert moves_of(row) == ["f4"], at
        assert emails_about(row).count() == 1, at
        assert ChatLine.objects.filter(match=row).count() == 1, at
        assert not InboundMailRow.objects.filter(processed_at=None).exists()
        if is_over:
            break
    assert at > 20


def test_a_mail_delivered_again_is_processed_once(people, reachable, row):
    """The process died after storing the mail and before acknowledging it."""
    raw = receive_mail(people[0], row)
    again = receive(raw, sender="ann@example.org", recipients=[], via="lmtp")
    assert not again.is_new
    assert not again.refused
    inbox_task.process_due_mails()
    receive(raw, sender="ann@example.org", recipients=[], via="lmtp")
    inbox_task.process_due_mails()
    assert moves_of(row) == ["f4"]
    assert emails_about(row).count() == 1


def test_a_reply_is_sent_after_the_process_died(people, reachable, row, monkeypatch, mailoutbox):
    receive_mail(people[0], row)
    inbox_task.process_due_mails()

    with monkeypatch.context() as dying:
        dying.setattr(outbox, "django_message", raising(KilledError))
        with pytest.raises(KilledError):
            outbox.send_due_emails()
    assert mailoutbox == []
    EmailRow.objects.update(due_at=1)  # as if the claim of the dead process had expired
    assert outbox.send_due_emails() == 1
    assert outbox.send_due_emails() == 0
    assert len(mailoutbox) == 1


def test_an_error_in_a_handler_is_answered_and_changes_nothing(
    people, reachable, slow, monkeypatch
):
    from antipodes.web.email_play import match_commands

    row = slow()
    monkeypatch.setattr(match_commands, "reply_with_board", raising(RuntimeError("an error")))
    receive_mail(people[0], row)
    inbox_task.process_due_mails()
    [email] = EmailRow.objects.all()
    assert "because of an error of the site" in email.text
    assert moves_of(row) == []
    assert not ChatLine.objects.exists()


def test_a_failing_mail_does_not_delay_others(people, reachable, slow, monkeypatch):
    process = MailProcessor.process

    def fail_once(processor):
        if processor.mail.subject == "bad":
            raise RuntimeError("an error")
        return process(processor)

    monkeypatch.setattr(MailProcessor, "process", fail_once)
    raw = raw_mail("x@else.example", command_address(), "bad")
    receive(raw, sender="x@else.example", recipients=[command_address()], via="lmtp")
    row = slow()
    receive_mail(people[0], row)
    inbox_task.process_due_mails()
    assert moves_of(row) == ["f4"]


def test_storing_a_mail_calls_the_listeners(people, reachable, slow, monkeypatch):
    calls: list[int] = []
    monkeypatch.setattr(inbox, "_listeners", [lambda: calls.append(1)])
    raw = receive_mail(people[0], slow())
    receive(raw, sender="ann@example.org", recipients=[], via="lmtp")
    assert calls == [1]
