"""Following and blocking, and what others ask before they let people meet."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal
from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError, MatchError
from antipodes.web.accounts.models import User
from antipodes.web.relations.models import BlockRow, FollowRow

MOST_FOLLOWED = 500  # people, and matches that go on
MOST_BLOCKED = 1_000

# With ``by`` and ``whom``, in the transaction that blocks: what they had agreed on is called off.
blocked = Signal()


def follow(user: User, other: User) -> None:
    """Let somebody follow a player; doing it twice does it once.

    Raises:
        InputError: nobody follows themselves, guests, the computer, or somebody who is blocked
            either way; or there are too many.
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
    """Follow a player no longer."""
    user.follows.filter(whom=other).delete()


def follows(user: User | None, other: User) -> bool:
    """Return whether somebody follows a player."""
    return user is not None and user.follows.filter(whom=other).exists()


def followers_of(user: User) -> QuerySet[User]:
    """Return those who follow a player."""
    return User.objects.filter(follows__whom=user)


def block(user: User, other: User) -> None:
    """Let somebody have nothing to do with somebody else any more; twice is once.

    They follow each other no longer, and invitations between them are called off. Games that they
    play go on.

    Raises:
        InputError: nobody blocks themselves or the computer; or there are too many.
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
    """Take a block back; what the other one has blocked stays so."""
    user.blocks.filter(whom=other).delete()


def is_blocked(one: User, other: User) -> bool:
    """Return whether one of two people has blocked the other."""
    either = Q(by=one, whom=other) | Q(by=other, whom=one)
    return BlockRow.objects.filter(either).exists()


def blocked_by_or_blocking(user: User | int | None) -> QuerySet[User, int]:
    """Return the keys of all whom a user has blocked, or who have blocked the user."""
    if user is None:
        return User.objects.none().values_list("pk", flat=True)
    return (
        User.objects.filter(Q(blocked_by__by=user) | Q(blocks__whom=user))
        .values_list("pk", flat=True)
        .distinct()
    )


def check_may_meet(user: User, others: Iterable[User | int]) -> None:
    """Refuse a game between people one of whom has blocked another.

    What is told is the same for both, and does not say who has blocked whom.

    Raises:
        MatchError: one of the others blocks the user, or is blocked.
    """
    keys = {other.pk if isinstance(other, User) else other for other in others}
    if blocked_by_or_blocking(user).filter(pk__in=keys).exists():
        message = _("you cannot play with these people now")
        raise MatchError([Fault("community/not-together", message)])


def check_number(count: int, most: int) -> None:
    """Refuse one more of what there may be at most so many.

    Raises:
        InputError: there are as many already.
    """
    if count >= most:
        message = _("%(most)s are enough") % {"most": most}
        raise InputError.single("community/too-many", message)


def blocks_of(user: User) -> QuerySet[BlockRow]:
    """Return whom somebody has blocked."""
    return user.blocks.select_related("whom").order_by("whom__username")
