"""Processing of a mail: who sent it, what it passes on, and that it is answered exactly once."""

import itertools
import re
from email.message import EmailMessage

import pytest
from allauth.account.models import EmailAddress
from django.core import mail as django_mail
from django.db import connection, transaction

from antipodes.clocks import DAY
from antipodes.mail.commands import Verb
from antipodes.puzzles import store
from antipodes.web.accounts.models import User
from antipodes.web.email_play import inbox, inbox_task, mail_tokens, processing
from antipodes.web.email_play.commands.emails import confirmation_address, create_confirmation
from antipodes.web.email_play.commands.puzzles import puzzle_address, thread_of
from antipodes.web.email_play.context import request_key
from antipodes.web.email_play.inbox import receive
from antipodes.web.email_play.inbox_task import process_due_mails
from antipodes.web.email_play.models import ConfirmationRow, InboundMailRow
from antipodes.web.email_play.processing import MailProcessor
from antipodes.web.email_play.reply_addresses import (
    command_address,
    reply_address,
    revoke_all,
    revoke_at,
)
from antipodes.web.matches import snapshots
from antipodes.web.matches.models import ChatLine
from antipodes.web.moderation.services import hide_line
from antipodes.web.notifications import outbox
from antipodes.web.notifications.models import EmailRow
from antipodes.web.platform import limits
from antipodes.web.platform.limits import limiter
from tests.raising import raising
from tests.thorough import repetitions
from tests.web.email_play.conftest import confirm_address, moves_of, raw_mail, refused, told

pytestmark = pytest.mark.django_db


AUTHSERV = "mx.play.example"
PASSED = {"Authentication_Results": f"{AUTHSERV}; dmarc=pass header.from=example.org"}
FAILED = {"Authentication_Results": f"{AUTHSERV}; dmarc=fail header.from=example.org"}
STRANGER = "stranger@else.example"
SEVERAL = "this mail went to several reply addresses; write one mail for each board"


@pytest.fixture(autouse=True)
def _own_server(settings):
    settings.MAIL_AUTHSERV_ID = [AUTHSERV]


@pytest.fixture
def addresses(people, slow):
    """Ann's addresses of two boards, a confirmation and two puzzles, and the first board."""
    ann, row = people[0], slow()
    question = create_confirmation(ConfirmationRow.Kind.DELETE, user=ann, address="ann@example.org")
    other = create_confirmation(ConfirmationRow.Kind.MESSAGE, user=ann, reply_to=people[1])
    puzzles = store.puzzles("hex")[:2]
    return {
        "board": reply_address(ann, row),
        "other board": reply_address(ann, slow()),
        "confirmation": confirmation_address(question),
        "other confirmation": confirmation_address(other),
        "puzzle": puzzle_address(thread_of(ann, puzzles[0])),
        "other puzzle": puzzle_address(thread_of(ann, puzzles[1])),
    }


@pytest.mark.parametrize(
    "names",
    [
        ("board", "other board"),
        ("board", "confirmation"),
        ("board", "puzzle"),
        ("confirmation", "puzzle"),
        ("confirmation", "other confirmation"),
        ("puzzle", "other puzzle"),
        ("board", "other board", "puzzle"),
    ],
)
def test_a_mail_to_several_personal_addresses_does_nothing(post, people, addresses, names):
    both = ", ".join(addresses[name] for name in names)
    [answer] = post.send(people[0], both, "", "confirm")
    assert refused(answer, "mail/several-boards")
    assert SEVERAL in told(answer)
    assert User.objects.get(pk=people[0].pk).is_active
    assert not ConfirmationRow.objects.exclude(answered_at=None).exists()


def test_a_mail_to_one_address_twice_and_to_the_site_is_for_that_address(post, people, row):
    address = reply_address(people[0], row)
    [answer] = post.send(people[0], f"{address}, {address.upper()}, {command_address()}", "", "f4")
    assert moves_of(row) == ["f4"]
    assert not answer.text.startswith("Refused")


def test_an_invalid_address_beside_a_valid_one_does_not_matter(post, people, row):
    address = reply_address(people[0], row)
    forged = address.replace("play+", "play+a")
    post.send(people[0], f"{address}, {forged}", "", "f4")
    assert moves_of(row) == ["f4"]
    [answer] = post.send(people[0], forged, "", "g5")
    text = "this reply address is no longer valid; reply to a newer mail or use a token"
    assert text in " ".join(told(answer).split())


@pytest.mark.parametrize("where", ["confirmed", "unknown"])
def test_answers_go_to_a_confirmed_address_of_the_owner_of_the_tokens(post, ann, bob, where):
    confirm_address(ann, "ann@work.example")
    sender = "ann@work.example" if where == "confirmed" else STRANGER
    token = mail_tokens.make_token(ann, "mutt")
    lines = "\n".join([f"games ann {token}"] * 2)
    emails = post.send(sender, command_address(), "multiple", lines)
    to = sender if where == "confirmed" else "ann@example.org"
    assert [(one.to, one.user) for one in emails] == [(to, ann)] * 2
    both = f"games ann {token}\ngames bob {mail_tokens.make_token(bob, 'mutt')}"
    emails = post.send(sender, command_address(), "multiple", both)
    assert [(one.to, one.user) for one in emails] == [(sender, None)] * 2
    assert ["Boards of ann." in emails[0].text, "Boards of bob." in emails[1].text] == [True, True]


def test_an_owner_without_an_address_is_answered_where_the_mail_came_from(post, people):
    token = mail_tokens.make_token(people[0], "mutt")
    EmailAddress.objects.filter(user=people[0]).delete()
    [answer] = post.send(STRANGER, command_address(), f"games ann {token}")
    assert answer.to == STRANGER


def test_the_owners_of_all_tokens_are_warned_of_a_forged_mail(post, ann, bob, clocks, row):
    lines = f"games bob {mail_tokens.make_token(bob, 'mutt')}\ngames cy mt-{'a' * 24}"
    to = reply_address(ann, row)
    emails = post.send(ann, to, "multiple", lines, **FAILED)
    assert sorted(one.to for one in emails) == ["ann@example.org", "bob@example.org"]
    for one in emails:
        assert one.subject == "A mail in your name was refused"
        assert one.text.count("News: ") == 2
    assert post.send(ann, to, "multiple", lines, **FAILED) == []
    clocks.advance(DAY)
    assert len(post.send(ann, to, "multiple", lines, **FAILED)) == 2
    outcomes = set(InboundMailRow.objects.values_list("outcome", flat=True))
    assert outcomes == {InboundMailRow.Outcome.IGNORED}
    assert moves_of(row) == []


def test_a_password_is_warned_of_again_on_the_next_day(post, people, clocks):
    def sent():
        return post.send(STRANGER, command_address(), "move 7 ann correct-horse f4")

    assert [len(sent()), len(sent())] == [2, 1]
    clocks.advance(DAY)
    emails = sent()
    assert len(emails) == 2
    [warning] = [one for one in emails if one.to == "ann@example.org"]
    assert warning.subject == "Please send no password by mail"
    assert warning.text.count("News: ") == 2


@pytest.mark.parametrize("body", ["", "\n> e5\n"])
def test_a_reply_to_a_puzzle_has_its_move_in_the_first_line_with_words(post, people, puzzle, body):
    address = puzzle_address(thread_of(people[0], puzzle))
    [answer] = post.send(people[0], address, "Re: Hex Puzzle", body)
    assert "the first line of your reply is empty; write your move there" in told(answer)
    [answer] = post.send(people[0], address, "Re: Hex Puzzle", f"\n\n{puzzle.line[0]}\n\nBye")
    assert f"{puzzle.line[0]} is right." in told(answer)


@pytest.mark.parametrize(
    ("sender", "verdict", "quotes"),
    [(STRANGER, {}, False), (STRANGER, PASSED, True), ("ann@example.org", {}, False)],
)
def test_only_mail_of_a_verified_sender_is_quoted(post, people, sender, verdict, quotes):
    [answer] = post.send(sender, command_address(), "nonsense of mine", "and more", **verdict)
    assert ("> Subject: nonsense of mine" in answer.text) == quotes
    subject = "Re: nonsense of mine" if quotes else "Antipodes: your mail"
    assert answer.subject == subject


def test_mail_with_a_token_is_quoted_without_it(post, people):
    token = mail_tokens.make_token(people[0], "mutt")
    subject = f"games ann {token} nonsense"
    [answer] = post.send(people[0], command_address(), subject, "Hello")
    assert token not in answer.text + answer.subject
    assert answer.subject == "Re: games ann *** nonsense"
    assert "> Subject: games ann *** nonsense\n>\n> Hello" in answer.text


def test_long_subjects_and_texts_are_cut_in_answers(post, people, monkeypatch):
    monkeypatch.setattr(processing, "_MAX_QUOTED", 40)
    subject = "nonsense " + "x" * 300
    [answer] = post.send(STRANGER, command_address(), subject, "y" * 100, **PASSED)
    assert answer.subject == f"Re: {subject}"[:200]
    quoted = "".join(line[2:] for line in answer.text.splitlines() if line.startswith("> "))
    assert quoted == f"Subject: {subject}"[:40]


def test_the_own_text_of_a_mail_is_quoted_and_else_all_of_it(post, people):
    for body, quoted in (("Hello\n\n> from before", "Hello"), ("> from before", "> > from before")):
        [answer] = post.send(STRANGER, command_address(), "nonsense", body, **PASSED)
        assert quoted in answer.text
        assert ("from before" in answer.text) == ("Hello" not in body)


def test_a_refusal_shows_the_board_to_those_who_may_watch_it(post, people, row):
    token = mail_tokens.make_token(people[2], "mutt")
    [answer] = post.send(people[2], command_address(), f"move {row.pk} cy {token} f4")
    assert refused(answer, "mail/not-yours")
    assert "Picture: " in answer.text
    assert answer.thread == f"match {row.slug}"
    # A reply from an address of a board shows that board, even for other commands.
    reply = post.reply(people[0], row, "vacation off")
    assert f"Hex Board {row.pk}" in reply.text
    assert "Picture: " in reply.text
    [answer] = post.send(people[2], command_address(), f"move 999 cy {token} f4")
    assert "Picture: " not in answer.text
    assert answer.thread == ""


def test_a_challenge_names_its_sender_among_the_players(post, people):
    token = mail_tokens.make_token(people[0], "mutt")
    [answer] = post.send(people[0], command_address(), f"hex challenge bob {token} cy")
    assert refused(answer, "mail/other-user")
    assert "this mail token or reply address is not one of bob" in told(answer)
    emails = post.send(people[0], command_address(), f"hex challenge bob {token} ANN")
    assert {one.to for one in emails} == {"ann@example.org", "bob@example.org"}


def test_a_known_address_does_not_count_among_strangers(post, people, monkeypatch):
    monkeypatch.setenv("LIMIT_MAIL_OF_STRANGERS", "1/hour")
    assert len(post.send(STRANGER, command_address(), "help")) == 1
    assert post.send(STRANGER, command_address(), "help") == []
    assert InboundMailRow.objects.latest("pk").outcome == InboundMailRow.Outcome.IGNORED
    EmailAddress.objects.create(user=people[0], email="new@else.example", verified=False)
    assert post.send("new@else.example", command_address(), "help") == []
    EmailAddress.objects.update(verified=True)
    assert len(post.send("NEW@else.example", command_address(), "help")) == 1
    limits.limiter().storage.reset()
    # Such mail is not counted at all.
    for _ in range(2):
        assert len(post.send("ann@example.org", command_address(), "help")) == 1
    assert len(post.send(STRANGER, command_address(), "help")) == 1


def test_each_command_of_a_mail_has_a_key_of_its_own():
    keys = {request_key(mail, index) for mail in ("a", "b") for index in range(3)}
    assert len(keys) == 6
    assert {len(key) for key in keys} == {40}


def test_revoked_addresses_of_confirmations_are_invalid(post, people, addresses):
    revoke_all(people[0])
    for name in ("confirmation", "puzzle", "board"):
        [answer] = post.send(people[0], addresses[name], "", "confirm")
        assert refused(answer, "mail/address")


PASSWORD = "correct-horse"


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
    row = slow()
    verdict = f"{AUTHSERV}; dkim=fail header.d=example.org; dmarc=fail header.from=example.org"
    address = reply_address(people[0], row)
    emails = post.send(people[0], address, "", "f4", Authentication_Results=verdict)
    assert moves_of(row) == []
    assert [email.to for email in emails] == ["ann@example.org"]
    assert "It was ignored" in emails[0].text
    assert post.send(people[0], address, "", "f4", Authentication_Results=verdict) == []


def test_verification_results_of_other_servers_are_ignored(post, people, slow, settings):
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


TOLD = "In what you wrote to others, *** stands for"
# An Outlook block as a program writes it in a language that is on no list.
BLOCK = "Blurb: Games <{site}>\nFloop: {own}\nZonk: Nwm 21\nWip: Welcome"


def words_of(email):
    return " ".join(f"{email.subject} {email.text} {email.html}".split())


def test_the_address_in_the_rest_of_a_reply_does_not_reach_the_opponent(post, by_mail, ann, row):
    address = reply_address(ann, row)
    told = post.reply(ann, row, f"f4\n\nGood luck!\nTo: Games <{address}>\nSubject: Hex")
    assert f"{TOLD} an address of this site" in words_of(told)
    assert ChatLine.objects.get().text == "Good luck!\nTo: Games <***>\nSubject: Hex"
    [email] = [one for one in post.notifications() if one.to == "bob@example.org"]
    assert "Good luck!" in email.text
    # All that bob gets to read: no address in it moves in ann's name.
    for found in set(re.findall(r"play\+[\w-]+@play\.example", words_of(email))):
        post.send("stranger@mail.example", found, "", "a1")
    assert address not in words_of(email)
    assert moves_of(row) == ["f4"]


def test_the_token_of_a_repeated_command_does_not_reach_the_opponent(post, by_mail, ann, slow):
    token, row = mail_tokens.make_token(ann, "phone"), slow()
    command = f"hex move ann {token} b{row.pk} f4"
    told = post.reply(ann, row, f"f4\n\nI had sent\n{command}\nbefore")
    assert f"{TOLD} a token" in words_of(told)
    assert ChatLine.objects.get().text == f"I had sent\nhex move ann *** b{row.pk} f4\nbefore"
    assert not any(token in words_of(one) for one in post.notifications())


def test_a_block_in_an_unknown_language_gives_neither_token_nor_address(post, by_mail, ann, row):
    token, own = mail_tokens.make_token(ann, "from your first mail"), "ann@example.org"
    head = BLOCK.format(site=command_address(), own=own)
    welcome = f"Welcome, ann. You can play by mail now.\n\nYour mail token: {token}\n"
    told = post.reply(ann, row, f"f4\n\nHello\n\n{head}\n\n{welcome}")
    assert f"{TOLD} a token, an address of this site, your mail address" in words_of(told)
    [email] = [one for one in post.notifications() if one.to == "bob@example.org"]
    for text in (ChatLine.objects.get().text, words_of(email)):
        assert "Hello" in text
        assert token not in text
        assert own not in text
    assert "Games <***>" in ChatLine.objects.get().text


@pytest.mark.parametrize("verb", Verb)
def test_no_command_of_mail_passes_on_a_secret(post, by_mail, ann, slow, verb):
    """The law walks all commands: in replies to a board, and with the token in the Subject."""
    row, token = slow(), mail_tokens.make_token(ann, "phone")
    secrets = [token, reply_address(ann, row), "ann@example.org"]
    body = "\n".join(["Hi!", *secrets])
    for words in ("", "f4", "bob"):
        post.send(ann, reply_address(ann, row), "", f"{verb} {words}\n\n{body}")
        for subject in (f"{verb} ann {token} {words}", f"hex {verb} ann {token} bob"):
            post.send(ann, command_address(), subject, body)
    post.notifications()
    texts = list(ChatLine.objects.values_list("text", flat=True))
    others = EmailRow.objects.exclude(to="ann@example.org")
    texts += [words_of(one) for one in others]
    for secret in secrets:
        assert not any(secret in text for text in texts)
