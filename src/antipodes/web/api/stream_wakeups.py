"""Telling streams of events that it is worth looking.

What each move costs stays as it was: streams listen to the matches themselves. Only matches that
begin and challenges that change are told to people.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.db import transaction

from antipodes.web.challenges.models import ChallengeRow, JoinRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform import pubsub


def person_group(user: int) -> str:
    """Return the name of the group that hears what is for one user."""
    return f"person-{user}"


def tell_people(users: Iterable[int]) -> None:
    """Let the streams of some users look, once what is being changed is stored."""
    for user in set(users):
        tell = partial(pubsub.send_to_group, person_group(user), {"type": "person.news"})
        transaction.on_commit(tell)


def on_match(row: MatchRow, **_: object) -> None:
    """Tell players of a match that has just begun."""
    if row.version == 0:
        tell_people(row.seats.values_list("user", flat=True))


def on_challenge(instance: ChallengeRow, **_: object) -> None:
    """Tell those who have to do with a challenge that was made, begun or taken back."""
    if instance.pk is not None:
        tell_people(_people(instance))


def on_join(instance: JoinRow, **_: object) -> None:
    """Tell those who have to do with a challenge that somebody has joined or left."""
    tell_people({instance.user_id, *_people(instance.challenge)})


def on_invitation(instance: Any, action: str, pk_set: set[int] | None, **_: object) -> None:
    """Tell those who are invited, or are no longer."""
    if isinstance(instance, ChallengeRow) and action.startswith(("post_", "pre_clear")):
        tell_people({*(pk_set or ()), *_people(instance)})


def _people(row: ChallengeRow) -> set[int]:
    invited = row.invited.values_list("pk", flat=True)
    return {row.by_id, *invited, *row.joins.values_list("user", flat=True)}
