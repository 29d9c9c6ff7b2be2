"""Fixtures for tests of e-mail commands: senders, and the mails that the site answers."""

import itertools
from email.message import EmailMessage
from functools import cached_property

import pytest

from antipodes.web.email_play import inbox, mail_tokens
from antipodes.web.email_play.inbox_task import process_due_mails
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications.models import EmailRow
from tests.web.email_play.conftest import HOST

_numbers = itertools.count(1)


class Post:
    """Sends mails to the site and returns the mails that it writes."""

    def __init__(self):
        self._seen = 0

    def send(self, sender, subject, text="", to=f"play@{HOST}"):
        """Send a mail, process it, and return the mails that the site has written."""
        mail = EmailMessage()
        mail["From"] = sender
        mail["To"] = to
        mail["Subject"] = subject
        mail["Message-ID"] = f"<{next(_numbers)}@mail.example>"
        mail.set_content(text)
        inbox.receive(mail.as_bytes(), sender=sender, recipients=[to], via="lmtp")
        process_due_mails()
        return self.letters()

    def letters(self):
        """Return the mails written since the last call."""
        found = list(EmailRow.objects.filter(pk__gt=self._seen).order_by("pk"))
        self._seen = found[-1].pk if found else self._seen
        return found

    def only(self, sender, subject, text="", to=f"play@{HOST}"):
        """Send a mail and return the only response."""
        (letter,) = self.send(sender, subject, text, to)
        return letter

    def reply(self, letter, text):
        """Reply to a mail of the site and return what it writes."""
        to = letter.headers["Reply-To"]
        return self.send(letter.to, f"Re: {letter.subject}", text, to)


@pytest.fixture
def post(db):
    """Return a way to send mails to the site."""
    return Post()


class Player:
    """A player with an account, a confirmed address and a mail token."""

    def __init__(self, user, post):
        self.user = user
        self.name = user.username
        self.address = f"{user.username}@example.org"
        self._post = post

    @cached_property
    def token(self):
        """The mail token, made when it is first needed."""
        return mail_tokens.make_token(self.user, "for tests")

    def say(self, before, after="", text=""):
        """Send a command with name and token; return all responses."""
        subject = f"{before} {self.name} {self.token} {after}".strip()
        return self._post.send(self.address, subject, text)

    def ask(self, before, after="", text=""):
        """Send a command with name and token; return the only response."""
        (letter,) = self.say(before, after, text)
        return letter


@pytest.fixture
def players(reachable, people, post):
    """Return four players: ann, bob, cy and dee."""
    return [Player(user, post) for user in people]


@pytest.fixture
def ann(players):
    """The first player."""
    return players[0]


@pytest.fixture
def bob(players):
    """The second player."""
    return players[1]


@pytest.fixture
def cy(players):
    """The third player."""
    return players[2]


@pytest.fixture
def dee(players):
    """The fourth player."""
    return players[3]


@pytest.fixture
def board(begin):
    """Return a function that begins a match and returns its number."""

    def make(game_id="hex", **options):
        return begin(game_id, **options).pk

    return make


def slug_of(number):
    """Return the slug of a board."""
    return MatchRow.objects.get(pk=number).slug
