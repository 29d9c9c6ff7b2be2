"""Play by mail, as far as notices need to know of it.

The mailroom knows of notices; so that notices need not know of it, it says here what it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.models import EmailRow, NotificationRow

# What a board is mailed for, whatever somebody has chosen for those who do not play by mail.
_CALLS = frozenset(
    {
        Kind.YOUR_TURN,
        Kind.MATCH_BEGAN,
        Kind.MATCH_ENDED,
        Kind.OFFER,
        Kind.CHAT,
        Kind.REMINDER,
        Kind.FLAG_FELL,
        Kind.FOLLOWED_PLAYS,
    }
)
_OF_PLAYERS = frozenset({"began"})  # what is told of people, not of a match that one follows


class Mailroom(Protocol):
    """What the mailroom does for notices."""

    def plays(self, user: User) -> bool:
        """Return whether somebody plays by mail."""

    def headers(self, user: User, row: MatchRow) -> Mapping[str, str]:
        """Return what the headers of a letter to somebody about a match say beside the usual."""

    def letter(self, user: User, to: str, rows: Sequence[NotificationRow]) -> EmailMessage | None:
        """Return the letter that shows boards; ``None`` if its reader has been shown all."""

    def returns_to(self, letter: EmailRow) -> str:
        """Return the address to which a letter comes back; empty if the site receives no mail."""


_mailrooms: list[Mailroom] = []


def register(mailroom: Mailroom) -> None:
    """Let a mailroom write letters about boards."""
    _mailrooms[:] = [mailroom]


def is_called(user: User, kind: Kind, match: MatchRow | None, act: object = "") -> bool:
    """Return whether somebody is sent the board for a piece of news, because they play by mail."""
    if match is None or kind not in _CALLS:
        return False
    if kind is Kind.FOLLOWED_PLAYS and act in _OF_PLAYERS:
        return False
    return plays(user)


def plays(user: User) -> bool:
    """Return whether somebody plays by mail."""
    return any(mailroom.plays(user) for mailroom in _mailrooms)


def headers(user: User, match: MatchRow | None) -> dict[str, str]:
    """Return the headers of a letter about one match beside the usual."""
    found: dict[str, str] = {}
    for mailroom in _mailrooms if match is not None else ():
        assert match is not None
        found |= mailroom.headers(user, match)
    return found


def letter(user: User, to: str, rows: Sequence[NotificationRow]) -> EmailMessage | None:
    """Return the letter that shows the boards of some notices; ``None`` if it says nothing new."""
    return _mailrooms[0].letter(user, to, rows)


def returns_to(letter: EmailRow) -> str:
    """Return the address to which a letter comes back that cannot be delivered.

    It is the sender of its envelope, and names the letter, so that it is known whose mail does not
    arrive. Empty if the site receives no mail; then it comes back to whom the letter is from.
    """
    return next((mailroom.returns_to(letter) for mailroom in _mailrooms), "")
