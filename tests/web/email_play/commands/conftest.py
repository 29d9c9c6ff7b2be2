"""Fixtures for tests of e-mail commands: senders, and the mails that the site answers."""

from functools import cached_property

import pytest

from antipodes.games.registry import make_game
from antipodes.match import Play
from antipodes.web.email_play import mail_tokens
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from tests.web.email_play.conftest import Post


@pytest.fixture
def post(db):
    """A way to send mails to the site, of people with and without accounts."""
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
        return self._post.command(self.address, subject, text)

    def ask(self, before, after="", text=""):
        """Send a command with name and token; return the only response."""
        (letter,) = self.say(before, after, text)
        return letter


@pytest.fixture
def players(reachable, people, post):
    """The players whom ``ann``, ``bob``, ``cy`` and ``dee`` name in these tests."""
    return [Player(user, post) for user in people]


@pytest.fixture
def board(begin):
    """Return a function that begins a match and returns its number."""

    def make(game_id="hex", **options):
        return begin(game_id, **options).pk

    return make


def slug_of(number):
    """Return the slug of a board."""
    return MatchRow.objects.get(pk=number).slug


def play(number, *moves):
    """Play the first moves of a board."""
    row = MatchRow.objects.get(pk=number)
    game = make_game(row.game_id, row.options)
    position = game.initial()
    for ply, text in enumerate(moves):
        seat = position.seat_to_move
        move = position.parse_move(text)
        carry_out(row.slug, Play(seat=seat, ply=ply, key=f"{ply}", move=move))
        position = position.play(move)


def hide(number):
    MatchRow.objects.filter(pk=number).update(is_private=True)
