"""Fixtures and helpers of tests of play by e-mail."""

import itertools
import re
from email.message import EmailMessage

import pytest
from allauth.account.models import EmailAddress
from django.db.models.signals import post_save

from antipodes.mail.layout.text import WIDTH
from antipodes.match import Play
from antipodes.web.email_play.inbox import receive
from antipodes.web.email_play.inbox_task import process_due_mails
from antipodes.web.email_play.match_emails import play_by_mail
from antipodes.web.email_play.reply_addresses import command_address, reply_address
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications import match_events
from antipodes.web.notifications.emails import write_emails
from antipodes.web.notifications.models import EmailRow, NotificationRow
from tests.web.notifications.conftest import _mail_is_sent, prefer, reachable, slow

__all__ = ["_mail_is_sent", "prefer", "reachable", "slow"]

HOST = "play.example"

_numbers = itertools.count(1)


@pytest.fixture(autouse=True)
def _receives_mail(settings):
    settings.MAIL_HOST = HOST
    settings.SITE_URL = "https://antipodes.example"


@pytest.fixture(autouse=True)
def _reset_feeds(monkeypatch):
    """Read all events again, and notify of each turn at once."""
    monkeypatch.setattr(match_events, "TURN_DELAY", 0)
    for feed in match_events.FEEDS:
        feed.forget()


@pytest.fixture(autouse=True)
def _lines_fit():
    """The law of all e-mails of these tests: lines fit a terminal, if their words can."""
    post_save.connect(_check_lines, sender=EmailRow)
    yield
    post_save.disconnect(_check_lines, sender=EmailRow)


def _check_lines(instance, **_more):
    lines = iter(instance.text.split("\n"))
    for line in lines:
        picture = re.fullmatch(r"Picture: (\d+) lines; .*", line)
        for _ in range(int(picture[1]) if picture else 0):
            next(lines)
        is_word = len(line.split()) == 1
        assert len(line) <= WIDTH or is_word or line.startswith("> "), line


def raw_mail(sender, to, subject="", body="", **headers):
    """Return a mail as bytes, by default with a new Message-ID."""
    mail = EmailMessage()
    fields = {
        "From": sender,
        "To": to,
        "Subject": subject,
        "Message-ID": f"<{next(_numbers)}@mail.example>",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    for name, value in fields.items():
        mail[name] = value
    mail.set_content(body)
    return mail.as_bytes()


class Post:
    """Sends mails of users to the site, and returns the e-mails of the site."""

    def __init__(self):
        self._seen = 0

    def letters(self):
        """Return the e-mails that the site wrote since the last mail or call."""
        rows = list(EmailRow.objects.filter(pk__gt=self._seen).order_by("pk"))
        self._see()
        return rows

    def _see(self):
        self._seen = EmailRow.objects.order_by("-pk").values_list("pk", flat=True).first() or 0

    def send(self, sender, to, subject="", body="", **headers):
        """Send a mail and process it; return the e-mails that the site wrote."""
        if not isinstance(sender, str):
            sender = f"{sender.username}@example.org"
        self._see()
        raw = raw_mail(sender, to, subject, body, **headers)
        receive(raw, sender=sender, recipients=to.split(","), via="lmtp")
        process_due_mails()
        return self.letters()

    def command(self, sender, subject, body="", **headers):
        """Send a mail to the address for commands; return what the site wrote."""
        return self.send(sender, command_address(), subject, body, **headers)

    def only(self, sender, subject, body="", **headers):
        """Send a mail to the address for commands; return the only response."""
        [email] = self.command(sender, subject, body, **headers)
        return email

    def answer(self, email, body):
        """Answer an e-mail of the site; return what it writes."""
        return self.send(email.to, email.headers["Reply-To"], f"Re: {email.subject}", body)

    def reply(self, user, row, body="", subject="", **headers):
        """Reply to an e-mail about a board; return the only reply of the site."""
        [email] = self.send(user, reply_address(user, row), subject, body, **headers)
        assert email.to == f"{user.username}@example.org"
        return email

    def notifications(self):
        """Write due notifications; return the e-mails."""
        self._see()
        match_events.notify_of_match_events()
        NotificationRow.objects.filter(mail_due__gt=0).update(mail_due=1)
        write_emails()
        return self.letters()


@pytest.fixture
def post(reachable):
    """Mail of four users with confirmed addresses."""
    return Post()


@pytest.fixture
def by_mail(reachable):
    """Four users who play by mail."""
    for user in reachable:
        play_by_mail(user, on=True)
    return reachable


@pytest.fixture
def row(slow):
    """A correspondence match of Hex between the first two people."""
    return slow()


def moves_of(row):
    """Return the moves of a match as text."""
    match = look_up(row.slug).match
    position = match.terms.game.initial()
    texts = []
    for made in match.moves:
        texts.append(position.format_move(made.move))
        position = position.play(made.move)
    return texts


def state_of(row):
    return look_up(row.slug).match


def on_the_site(row, text, key=None):
    """Make a move of a match on the site."""
    match = look_up(row.slug).match
    move = match.position.parse_move(text)
    seat = match.position.seat_to_move
    key = key or f"by hand {match.ply}"
    carry_out(row.slug, Play(seat=seat, ply=match.ply, key=key, move=int(move)))


def refused(email, code):
    """Return whether an email is a refusal with a code."""
    lines = email.text.splitlines()
    return lines[0].startswith(f"Refused: {code};") and "Changed: nothing" in lines


def told(email):
    """Return the text of an e-mail in one line."""
    return " ".join(email.text.split())


def confirm_address(user, address):
    """Give a user another confirmed address."""
    EmailAddress.objects.create(user=user, email=address, verified=True)
