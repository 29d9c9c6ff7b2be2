"""Follow and block players, and check blocks before players meet."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal
from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError, MatchError
from antipodes.web.accounts.models import User
from antipodes.web.relations.models import BlockRow, FollowRow

MOST_FOLLOWED = 500  # players, and unfinished matches
MOST_BLOCKED = 1_000

# Sent with ``by`` and ``whom`` within the transaction of a block; receivers cancel invitations.
blocked = Signal()


def follow(user: User, other: User) -> None:
    """Follow a player; following twice has no further effect.

    Raises:
        InputError: the player is the user, a guest or the computer, one of both blocks the other,
            or the user follows too many players.
    """
    if user == other or other.is_guest or other.is_computer or not other.is_active:
        message = _("%(name)s cannot be followed") % {"name": other.name}
        raise InputError.single("community/follow", message)
    if is_blocked(user, other):
        message = _("you cannot follow %(name)s now") % {"name": other.name}
        raise InputError.single("community/follow", message)
    check_number(user.follows.exclude(whom=other).count(), MOST_FOLLOWED)
    FollowRow.objects.get_or_create(by=user, whom=other)


def unfollow(user: User, other: User) -> None:
    user.follows.filter(whom=other).delete()


def follows(user: User | None, other: User) -> bool:
    return user is not None and user.follows.filter(whom=other).exists()


def block(user: User, other: User) -> None:
    """Block a user; blocking twice has no further effect.

    Both unfollow each other, and invitations between them are cancelled. Their games continue.

    Raises:
        InputError: the other is the user or the computer, or the user blocks too many.
    """
    if user == other or other.is_computer:
        message = _("%(name)s cannot be blocked") % {"name": other.name}
        raise InputError.single("community/block", message)
    check_number(user.blocks.exclude(whom=other).count(), MOST_BLOCKED)
    with transaction.atomic():
        BlockRow.objects.get_or_create(by=user, whom=other)
        FollowRow.objects.filter(Q(by=user, whom=other) | Q(by=other, whom=user)).delete()
        blocked.send(sender=BlockRow, by=user, whom=other)


def unblock(user: User, other: User) -> None:
    """Remove the user's block; a block by the other stays."""
    user.blocks.filter(whom=other).delete()


def is_blocked(one: User, other: User) -> bool:
    """Return whether one of two users has blocked the other."""
    return _is_blocked_among(one, [other])


def _is_blocked_among(user: User, others: Iterable[User | int]) -> bool:
    """Return whether a user has blocked one of others, or one of them the user."""
    others = list(others)
    either = Q(by=user, whom__in=others) | Q(whom=user, by__in=others)
    return BlockRow.objects.filter(either).exists()


def blocked_by_or_blocking(user: User | int | None) -> frozenset[int]:
    """Return the ids of users whom a user has blocked, or who have blocked the user."""
    if user is None:
        return frozenset()
    key = user.pk if isinstance(user, User) else user
    pairs = BlockRow.objects.filter(Q(by=key) | Q(whom=key)).values_list("by", "whom")
    return frozenset(whom if by == key else by for by, whom in pairs)


def check_may_meet(user: User, others: Iterable[User | int]) -> None:
    """Refuse a game between users one of whom has blocked another.

    The message is the same for both, and does not say who has blocked whom.

    Raises:
        MatchError: one of the others blocks the user, or is blocked.
    """
    if _is_blocked_among(user, others):
        message = _("you cannot play with these players")
        raise MatchError([Fault("community/not-together", message)])


def check_number(count: int, most: int) -> None:
    """Refuse to exceed a maximum number.

    Raises:
        InputError: the maximum is reached.
    """
    if count >= most:
        message = _("you have reached the limit of %(most)s") % {"most": most}
        raise InputError.single("community/too-many", message)


def blocks_of(user: User) -> QuerySet[BlockRow]:
    return user.blocks.select_related("whom").order_by("whom__username")
