"""The corpus of unusual mails, sent to the site."""

import pytest

from antipodes.web.email_play import processing
from antipodes.web.email_play.inbox import receive
from antipodes.web.email_play.inbox_task import process_due_mails
from antipodes.web.email_play.reply_addresses import reply_address
from antipodes.web.notifications.models import EmailRow
from tests.mail.corpus import Setting, What, each
from tests.thorough import repetitions
from tests.web.email_play.conftest import moves_of

pytestmark = pytest.mark.django_db

MTA = "mx.play.example"


def deliver(case, setting):
    """Deliver a mail of the corpus, and again if thorough; return the e-mails of the site."""
    before = EmailRow.objects.count()
    sender = setting.address if case.expected.envelope is None else case.expected.envelope
    for _ in range(repetitions(1, 2)):
        receive(case.raw, sender=sender, recipients=[setting.to], via="imap")
        process_due_mails()
    return list(EmailRow.objects.order_by("pk")[before:])


def problem_of(case, moves, emails):
    """Return the difference from the expected result; empty if there is none."""
    what, expected = case.expected.what, case.expected
    warnings = [one for one in emails if one.thread == "" and "password" in one.subject.lower()]
    warnings += [one for one in emails if "in your name was refused" in one.subject]
    answers = [one for one in emails if one not in warnings]
    is_large = len(case.raw) > 1 << 20
    played = [Setting.move] if what is What.MOVE and not is_large else []
    if moves != played:
        return f"played {moves}"
    if bool(answers) == (what is What.IGNORED) or (len(answers) > 1 and what is not What.REFUSED):
        return f"answered with {[one.text[:80] for one in answers]}"
    if what is What.REFUSED and not any("Refused: " in one.text for one in answers):
        return f"not refused: {[one.text[:80] for one in answers]}"
    if any("correcthorse" in one.text + one.subject for one in emails):
        return "an e-mail contains the password"
    return "" if warnings or not expected.exposes else "the owner was not warned"


@pytest.mark.slow
def test_each_mail_of_the_corpus_is_processed_as_expected(
    people, post, slow, settings, monkeypatch
):
    settings.MAIL_AUTHSERV_ID = [MTA]
    # All come from one sender within seconds.
    monkeypatch.setattr(processing, "take", lambda *_: None)
    found = {}
    rows = []

    def new_setting():
        rows.append(slow())
        return Setting(
            to=reply_address(people[0], rows[-1]),
            sender=f"Ann Möller <{people[0].username}@example.org>",
            board=rows[-1].pk,
            user=people[0].username,
            game="Hex",
            site="antipodes.example",
            mta=MTA,
        )

    # The parser's tests read every mail.
    for setting, case in each(new_setting, step=repetitions(3, 1)):
        emails = deliver(case, setting)
        found[case.name] = problem_of(case, moves_of(rows[-1]), emails)
    assert {name: problem for name, problem in found.items() if problem} == {}
    assert len(found) > repetitions(60, 190)
