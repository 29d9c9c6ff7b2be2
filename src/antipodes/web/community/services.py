"""Following and blocking, and what others ask before they let people meet."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.dispatch import Signal
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError, MatchError
from antipodes.web.community.models import BlockRow, FollowRow, MeasureRow, WatchRow
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.people.models import User

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
    _check_number(user.follows.exclude(whom=other).count(), MOST_FOLLOWED)
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


def follow_match(user: User, row: MatchRow, *, each_move: bool) -> None:
    """Let somebody follow a match, from now on.

    Who may see the match is for the caller to ask.

    Raises:
        InputError: the match is over or one's own, or too many others are followed.
    """
    if row.seats.filter(user=user).exists():
        message = _("you play this match, and are told of it anyway")
        raise InputError.single("community/follow", message)
    if row.ended_at is not None:
        raise InputError.single("community/over", _("this match is over"))
    others = user.watched_matches.filter(is_done=False).exclude(match=row)
    _check_number(others.count(), MOST_FOLLOWED)
    WatchRow.objects.update_or_create(
        match=row,
        user=user,
        defaults={"each_move": each_move, "is_done": False},
        create_defaults={"each_move": each_move, "told": row.version},
    )


def unfollow_match(user: User, row: MatchRow) -> None:
    """Follow a match no longer."""
    user.watched_matches.filter(match=row).delete()


def watchers_of_match(row: MatchRow) -> QuerySet[User]:
    """Return those who follow a match."""
    return User.objects.filter(watched_matches__match=row)


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
    _check_number(user.blocks.exclude(whom=other).count(), MOST_BLOCKED)
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


def check_rematch(row: MatchRow) -> None:
    """Refuse a rematch of people who block each other, or of whom one is suspended.

    Raises:
        InputError: there can be none.
    """
    users = [seat.user for seat in SeatRow.objects.filter(match=row).select_related("user")]
    people = {user.pk for user in users}
    if BlockRow.objects.filter(by__in=people, whom__in=people).exists():
        message = _("you cannot play with these people now")
        raise MatchError([Fault("community/not-together", message)])
    for user in dict.fromkeys(users):
        check_may_play(user)


def in_force(user: User | int, kind: str) -> MeasureRow | None:
    """Return the measure that keeps a user from something longest now, or ``None``."""
    holds = Q(until=None) | Q(until__gt=timezone.now())
    rows = MeasureRow.objects.filter(holds, user=user, kind=kind, lifted_at=None)
    return rows.order_by(F("until").desc(nulls_first=True)).first()


def check_may_play(user: User) -> None:
    """Refuse new games to somebody who is suspended; running ones go on.

    Raises:
        MatchError: the user is suspended; the message says why, and until when.
    """
    _check(user, MeasureRow.Kind.SUSPENSION, "community/suspended")


def check_may_chat(user: User) -> None:
    """Refuse the chat to somebody who is muted or suspended.

    Raises:
        MatchError: with the reason, and until when.
    """
    _check(user, MeasureRow.Kind.SUSPENSION, "community/suspended")
    _check(user, MeasureRow.Kind.MUTE, "chat/muted")


def _check(user: User, kind: str, code: str) -> None:
    row = in_force(user, kind)
    if row is not None:
        raise MatchError([Fault(code, measure_words(row))])


def measure_words(row: MeasureRow) -> str:
    """Say what a measure keeps its person from, until when, and why."""
    told = {"reason": row.reason, "until": row.until and date_format(row.until, "DATETIME_FORMAT")}
    if row.kind == MeasureRow.Kind.SUSPENSION:
        if row.until is None:
            return _("you are suspended for ever: %(reason)s") % told
        return _("you are suspended until %(until)s: %(reason)s") % told
    if row.until is None:
        return _("you cannot use the chat any more: %(reason)s") % told
    return _("you cannot use the chat until %(until)s: %(reason)s") % told


def _check_number(count: int, most: int) -> None:
    if count >= most:
        message = _("%(most)s are enough") % {"most": most}
        raise InputError.single("community/too-many", message)
