"""How many games of a kind somebody wants at once.

A limit is about games that begin by themselves: by a search for an opponent, or because somebody
joins a challenge to anybody. Whom one invites, and whose invitation one takes up, is one's own
choice each time; no limit holds there.
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
from antipodes.web.platform.translations import said

HIGHEST = 100


def set_limit(user: User, game_id: str, most: int | None) -> None:
    """Let somebody have so many games of a kind at once; ``None`` for as many as come.

    Raises:
        InputError: there is no such game, or nobody can mean that number.
    """
    game = game_class(game_id)
    if most is None:
        GameLimitRow.objects.filter(user=user, game_id=game.id).delete()
        return
    if not 0 <= most <= HIGHEST:
        message = _("a limit is 0 to %(most)d games, not %(count)d")
        told = {"most": HIGHEST, "count": most}
        raise InputError.single("lobby/limit", message % told)
    GameLimitRow.objects.update_or_create(user=user, game_id=game.id, defaults={"most": most})


def limit_of(user: User, game_id: str) -> int | None:
    """Return how many games of a kind somebody wants at once; ``None`` for as many as come."""
    found = GameLimitRow.objects.filter(user=user, game_id=game_id)
    return found.values_list("most", flat=True).first()


def counts_of(user: User) -> Mapping[str, int]:
    """Return how many games of each kind somebody plays with people now; no kind is missing."""
    playing = _going_on([user.pk])
    return {game_id: playing[user.pk, game_id] for game_id in game_ids()}


def satisfied(users: Collection[int], game_id: str) -> frozenset[int]:
    """Return the keys of those among some users who have as many games of a kind as they want."""
    reached = _reached(GameLimitRow.objects.filter(user__in=users, game_id=game_id))
    return frozenset(user for user, _game in reached)


def satisfied_challengers() -> frozenset[tuple[int, str]]:
    """Return who has as many games of a kind as they want, of those with open challenges.

    Pairs of a user's key and the id of a game; one query where nobody has a limit.
    """
    waiting = ChallengeRow.objects.filter(match=None, is_listed=True).values("by")
    return _reached(GameLimitRow.objects.filter(user__in=waiting))


def enough(user: User, game_id: str) -> Fault:
    """Say that somebody has as many games of a kind as they want."""
    message = _("%(name)s plays as many games of %(game)s as they want now")
    told = {"name": user.name, "game": said(game_class(game_id).title)}
    return Fault("lobby/limit-reached", message % told)


def _reached(limits: QuerySet[GameLimitRow]) -> frozenset[tuple[int, str]]:
    """Return the users and games of those limits that are reached."""
    known = [*limits.values_list("user", "game_id", "most")]
    playing = _going_on({user for user, _, _ in known}) if known else Counter()
    return frozenset(
        (user, game_id) for user, game_id, most in known if playing[user, game_id] >= most
    )


def _going_on(users: Collection[int]) -> Counter[tuple[int, str]]:
    """Return how many matches with other people each of some users plays now, of each game."""
    with_people = MatchRow.objects.filter(ended_at=None).exclude(seats__user__computer__gt="")
    seats: Any = with_people.filter(seats__user__in=users).values("game_id", user=F("seats__user"))
    counted = seats.annotate(count=Count("pk", distinct=True))
    return Counter({(one["user"], one["game_id"]): one["count"] for one in counted})
