"""Automatic game limits: how many games of a kind a player wants to have at once.

A limit applies to games that start automatically: by a seek, or when another player joins an open
challenge. It does not apply to invitations, which a player sends or accepts deliberately.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Count, F, QuerySet
from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.games.registry import game_class, game_ids
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow, GameLimitRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.translations import translate

HIGHEST = 100


def set_limit(user: User, game_id: str, most: int | None) -> None:
    """Set a user's limit for a game; ``None`` removes it.

    Raises:
        InputError: there is no such game, or the number is out of range.
    """
    game = game_class(game_id)
    if most is None:
        GameLimitRow.objects.filter(user=user, game_id=game.id).delete()
        return
    if not 0 <= most <= HIGHEST:
        message = _("a limit must be 0 to %(most)d games, not %(count)d")
        values = {"most": HIGHEST, "count": most}
        raise InputError.single("lobby/limit", message % values)
    GameLimitRow.objects.update_or_create(user=user, game_id=game.id, defaults={"most": most})


def counts_of(user: User) -> Mapping[str, int]:
    """Return the number of games of each kind that a user is playing with people."""
    playing = _in_progress([user.pk])
    return {game_id: playing[user.pk, game_id] for game_id in game_ids()}


def users_at_limit(users: Collection[int], game_id: str) -> frozenset[int]:
    """Return which of some users have reached their limit for a game."""
    reached = _reached(GameLimitRow.objects.filter(user__in=users, game_id=game_id))
    return frozenset(user for user, _game in reached)


def challengers_at_limit() -> frozenset[tuple[int, str]]:
    """Return the users with open challenges who have reached their limit for a game.

    The result has pairs of a user's id and a game's id, from one query if no limits are set.
    """
    waiting = ChallengeRow.objects.filter(match=None, is_listed=True).values("by")
    return _reached(GameLimitRow.objects.filter(user__in=waiting))


def limit_reached(user: User, game_id: str) -> Fault:
    """Return the error that a user has reached their limit for a game."""
    message = _("%(name)s plays as many games of %(game)s as they want now")
    told = {"name": user.name, "game": translate(game_class(game_id).title)}
    return Fault("lobby/limit-reached", message % told)


def _reached(limits: QuerySet[GameLimitRow]) -> frozenset[tuple[int, str]]:
    """Return user and game of those limits that are reached."""
    known = [*limits.values_list("user", "game_id", "most")]
    playing = _in_progress({user for user, _, _ in known}) if known else Counter()
    return frozenset(
        (user, game_id) for user, game_id, most in known if playing[user, game_id] >= most
    )


def _in_progress(users: Collection[int]) -> Counter[tuple[int, str]]:
    """Return the number of each user's matches with people in progress, by user and game."""
    with_people = MatchRow.objects.filter(ended_at=None).exclude(seats__user__computer__gt="")
    seats: Any = with_people.filter(seats__user__in=users).values("game_id", user=F("seats__user"))
    counted = seats.annotate(count=Count("pk", distinct=True))
    return Counter({(one["user"], one["game_id"]): one["count"] for one in counted})
