"""Restrictions: whether a user may start games or write in chats now.

Apps above this one, such as moderation, add functions that raise a `MatchError` with the reason.
"""

from __future__ import annotations

from collections.abc import Callable

from antipodes.web.accounts.models import User

Check = Callable[[User], None]
play_checks: list[Check] = []
chat_checks: list[Check] = []


def check_may_play(user: User) -> None:
    """Refuse new games to a user who may start none now; games in progress go on.

    Raises:
        MatchError: with the reason, and until when.
    """
    for check in play_checks:
        check(user)


def check_may_chat(user: User) -> None:
    """Refuse messages of a user who may send none now.

    Raises:
        MatchError: with the reason, and until when.
    """
    for check in chat_checks:
        check(user)
