"""Wake-ups of event streams: messages that the challenges or matches of a user have changed.

Streams subscribe to the groups of their matches themselves, so a move sends no message here; only
the beginning of a match does.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.db import transaction

from antipodes.web.challenges.models import ChallengeRow, JoinRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform import pubsub

USER_CHANGED = {"type": "user.changed"}


def user_group(user: int) -> str:
    """Return the name of a user's group in the channel layer."""
    return f"user-{user}"


def wake_streams(users: Iterable[int]) -> None:
    """Wake the event streams of users once the transaction is committed."""
    for user in set(users):
        transaction.on_commit(partial(pubsub.send_to_group, user_group(user), USER_CHANGED))


def on_match(row: MatchRow, **_: object) -> None:
    """Wake the players of a match that has just begun."""
    if row.version == 0:
        wake_streams(row.seats.values_list("user", flat=True))


def on_challenge(instance: ChallengeRow, **_: object) -> None:
    """Wake the users of a challenge that was made or changed, or is about to be deleted."""
    wake_streams(_users_of(instance))


def on_join(instance: JoinRow, **_: object) -> None:
    """Wake the users of a challenge that a player has joined or left."""
    wake_streams({instance.user_id, *_users_of(instance.challenge)})


def on_invitation(instance: Any, action: str, pk_set: set[int] | None, **_: object) -> None:
    """Wake the users of a challenge whose invitations have changed."""
    if isinstance(instance, ChallengeRow) and action.startswith(("post_", "pre_clear")):
        wake_streams({*(pk_set or ()), *_users_of(instance)})


def _users_of(row: ChallengeRow) -> set[int]:
    invited = row.invited.values_list("pk", flat=True)
    return {row.by_id, *invited, *row.joins.values_list("user", flat=True)}
