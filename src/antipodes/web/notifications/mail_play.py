"""Interface to play by e-mail.

The app ``email_play`` depends on notifications. The wiring sets its backend here, so that
notifications need not depend on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import EmailRow, NotificationRow

# Kinds for which mail players get the board, whatever channels they have chosen.
_WITH_BOARD = frozenset(
    {
        NotificationKind.YOUR_TURN,
        NotificationKind.MATCH_BEGAN,
        NotificationKind.MATCH_ENDED,
        NotificationKind.OFFER,
        NotificationKind.CHAT,
        NotificationKind.REMINDER,
        NotificationKind.FLAG_FELL,
        NotificationKind.FOLLOWED_PLAYS,
    }
)
_ABOUT_PLAYERS = frozenset({"began"})  # notifications about followed players, not matches


class MailPlayBackend(Protocol):
    """Interface that play by e-mail implements for notifications."""

    def plays(self, user: User) -> bool:
        """Return whether a user plays by e-mail."""

    def headers(self, user: User, row: MatchRow) -> Mapping[str, str]:
        """Return additional headers of an e-mail to a user about a match."""

    def board_email(
        self, user: User, to: str, rows: Sequence[NotificationRow]
    ) -> EmailMessage | None:
        """Return the e-mail with boards; ``None`` if the user has received everything in it."""

    def return_path(self, email: EmailRow) -> str:
        """Return the bounce address of an e-mail; empty if the site receives no mail."""


backend = cast(MailPlayBackend, None)  # set by the wiring


def has_board(user: User, kind: NotificationKind, match: MatchRow | None, act: object = "") -> bool:
    """Return whether a notification goes to a mail player as an e-mail with the board."""
    if match is None or kind not in _WITH_BOARD:
        return False
    if kind is NotificationKind.FOLLOWED_PLAYS and act in _ABOUT_PLAYERS:
        return False
    return plays(user)


def plays(user: User) -> bool:
    """Return whether a user plays by e-mail."""
    return backend.plays(user)


def headers(user: User, match: MatchRow | None) -> dict[str, str]:
    """Return additional headers of an e-mail about one match."""
    return {} if match is None else dict(backend.headers(user, match))


def board_email(user: User, to: str, rows: Sequence[NotificationRow]) -> EmailMessage | None:
    """Return the e-mail with the boards of notifications; ``None`` if it has nothing new."""
    return backend.board_email(user, to, rows)


def return_path(email: EmailRow) -> str:
    """Return the address that receives bounces of an e-mail: the sender of its envelope.

    It names the e-mail, so that a bounce tells which address is undeliverable. It is empty if the
    site receives no mail; then bounces go to the ``From`` address.
    """
    return backend.return_path(email)
