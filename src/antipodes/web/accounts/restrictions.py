"""Restrictions: whether a user may start games, or say something to others.

The checks are functions of apps above this one, which raise a `MatchError` with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from antipodes.web.accounts.models import User

Check = Callable[[User], None]
play_checks: Sequence[Check] = ()  # set by the wiring
speech_checks: Sequence[Check] = ()  # set by the wiring


def check_may_play(user: User) -> None:
    """Check that a user may start games; games in progress are not affected.

    Raises:
        MatchError: they may not; the message has the reason and the end of the restriction.
    """
    for check in play_checks:
        check(user)


def check_may_speak(user: User) -> None:
    """Check that a user may say something to others, in whatever way.

    `accounts.masking.passed_on` checks it for texts; services check it for invitations.

    Raises:
        MatchError: they may not; the message has the reason and the end of the restriction.
    """
    for check in speech_checks:
        check(user)
