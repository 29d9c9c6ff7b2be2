"""The corpus of unusual mails, read by the parser."""

from functools import cache

from antipodes.mail.incoming import MailVerdict, read_mail
from antipodes.mail.requests import Verb, read_requests
from tests.cases import for_each
from tests.mail.corpus import Setting, What, corpus

SETTING = Setting()
CASES = corpus(SETTING)


@cache
def read(case):
    mail = read_mail(
        case.raw,
        sender=SETTING.address if case.expected.envelope is None else case.expected.envelope,
        recipients=[SETTING.to],
        trusted=[SETTING.mta],
        own_hosts=[SETTING.site],
    )
    return mail, read_requests(mail, board=SETTING.board, user=SETTING.user)


@for_each("case", CASES, ids=lambda case: case.name)
def test_the_requests_of_each_mail(case):
    mail, reading = read(case)
    expected = case.expected
    assert mail.verdict.value == expected.verdict
    is_silent = bool(mail.automatic) or mail.verdict is MailVerdict.FAIL
    assert is_silent == (expected.what is What.IGNORED), mail.automatic
    if is_silent:
        return
    codes = [fault.code for fault in reading.faults]
    if expected.what is What.REFUSED:
        assert codes
        assert all(one.verb is Verb.HELP for one in reading.requests)
        assert expected.code in ("", codes[-1])
    else:
        assert codes == [], reading.faults
        (request,) = reading.requests
        assert (request.verb, request.board) == (Verb.MOVE, SETTING.board)
        assert [word.lower() for word in request.words] == [SETTING.move]
        assert request.user.lower() == SETTING.user
        assert request.ply in (None, 0)
        assert expected.comment in (None, request.text)
        assert request.text == reading.comment
    assert bool(reading.exposed) == expected.exposes
    assert "correcthorse" not in str((reading, [str(fault) for fault in reading.faults]))


@for_each("case", CASES, ids=lambda case: case.name)
def test_the_fields_of_each_mail(case):
    mail, _ = read(case)
    assert mail.size == len(case.raw)
    assert mail.recipients == (SETTING.to,)
    assert "\n" not in mail.subject
    assert not set(mail.text + mail.own_text + mail.subject) & set("\0\r\ud800")
    if b"\nMessage-ID: <" in case.raw.replace(b"\r", b"\n"):
        assert mail.message_id.startswith("<")
        assert mail.message_id.endswith(">")


def test_replies_go_to_the_sender():
    cases = {case.name: case for case in CASES}
    mail, _ = read(cases["body plain"])
    assert (mail.sender_name, mail.sender) == ("Ann Möller", SETTING.address)
    assert read(cases["no from"])[0].sender == SETTING.address
    assert mail.in_reply_to == f"<letter@{SETTING.site}>"
