"""Telling people something, and noting what they have seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from antipodes.clocks import Pace, read_control
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications import mail_play
from antipodes.web.notifications.kinds import ALWAYS_SHOWN, Channel, Kind
from antipodes.web.notifications.models import NotificationRow, PreferenceRow
from antipodes.web.notifications.preferences import mail_due, preference_of
from antipodes.web.platform import pubsub
from antipodes.web.platform.clock import now

# What nobody shall hear from somebody whom they have blocked.
_PERSONAL = frozenset({Kind.CHAT, Kind.INVITED, Kind.FOLLOWED_PLAYS})

_PUSH_AFTER = 2_000  # milliseconds; whoever looks has seen it by then


def tell(
    user: User,
    kind: Kind,
    *,
    key: str,
    match: MatchRow | None = None,
    by: User | None = None,
    path: str = "",
    is_quiet: bool = False,
    **arguments: str | int,
) -> NotificationRow | None:
    """Tell somebody something once, by the ways that they have chosen.

    Args:
        user: who is told; the computer never is.
        kind: what it is about.
        key: names this piece of news among all that this user is told: telling twice tells once.
        match: what it is about, if that is a match; opening the match marks it seen.
        by: whose doing it was. Their name is looked up when it is read.
        path: page that it is about, such as ``/c/abc/``, where that is no match.
        is_quiet: tell it on the site alone.
        arguments: what the words of this kind need to know, see ``texts``.

    Returns:
        the notice, or ``None`` if it had been told before or nobody wants to hear of it.
    """
    if user.is_computer or not user.is_active:
        return None
    preference = preference_of(user)
    ways = preference.ways(kind) | ({Channel.PAGE} if kind in ALWAYS_SHOWN else set())
    if is_quiet:
        ways &= {Channel.PAGE}
    is_called = mail_play.is_called(user, kind, match, arguments.get("act"))
    if is_called:
        ways |= {Channel.MAIL}
    if kind in _PERSONAL and by is not None and _are_apart(user, by):
        return None
    if not ways or NotificationRow.objects.filter(user=user, key=key).exists():
        return None
    at = now()
    row, is_new = NotificationRow.objects.get_or_create(
        user=user,
        key=key,
        defaults={
            "kind": kind,
            "match": match,
            "by": by,
            "path": path,
            "arguments": arguments,
            "made_at": at,
            "is_shown": Channel.PAGE in ways,
            "mail_due": (
                mail_due(preference, kind, at, is_called=is_called)
                if _may_mail(user, match, ways)
                else None
            ),
            "push_due": _push_due(user, preference, ways, at),
        },
    )
    if not is_new:
        return None
    ring(user.pk)
    return row


def _are_apart(one: User, other: User) -> bool:
    # What people are to each other may tell notices itself.
    from antipodes.web.relations.services import is_blocked

    return is_blocked(one, other)


def _may_mail(user: User, match: MatchRow | None, ways: Collection[Channel]) -> bool:
    """Return whether mail makes sense: nobody waits for mail about a live game."""
    if Channel.MAIL not in ways or user.is_guest or not settings.MAIL_IS_SENT:
        return False
    return match is None or read_control(match.control).pace is not Pace.LIVE


def _push_due(
    user: User, preference: PreferenceRow, ways: Collection[Channel], at: int
) -> int | None:
    is_away = (preference.away_until or 0) > at
    if Channel.PUSH not in ways or is_away or not user.subscriptions.exists():
        return None
    return at + _PUSH_AFTER


def see(user: User, keys: Collection[int]) -> int:
    """Note that somebody has seen some of their notices; return how many were new."""
    return _see(user.pk, Q(pk__in=keys))


def see_all(user: User) -> int:
    """Note that somebody has seen all of their notices; return how many were new."""
    return _see(user.pk, Q())


def see_match(user: User, match: int) -> int:
    """Note that somebody looks at a match, and so has seen what they were told about it."""
    return _see(user.pk, Q(match=match))


def see_path(user: User, path: str) -> int:
    """Note that somebody looks at a page, and so has seen what they were told about it."""
    return _see(user.pk, Q(path=path))


def settle(matches: Mapping[int, int], kinds: Collection[Kind]) -> None:
    """Mark what was told about matches as seen where it is out of date: the turn has passed.

    Args:
        matches: for the key of each match the instant before which its notices are out of date.
        kinds: which notices.
    """
    unseen = NotificationRow.objects.filter(match__in=list(matches), kind__in=kinds, seen_at=None)
    outdated: dict[int, list[int]] = defaultdict(list)
    for key, user, match, made_at in unseen.values_list("pk", "user", "match", "made_at"):
        if made_at < matches[match]:
            outdated[user].append(key)
    for user, keys in outdated.items():
        _see(user, Q(pk__in=keys))


def _see(user: int, which: Q) -> int:
    unseen = NotificationRow.objects.filter(which, user=user, seen_at=None)
    seen = unseen.update(seen_at=now(), mail_due=None, push_due=None)
    if seen:
        ring(user)
    return seen


def ring(user: int) -> None:
    """Let the bells of somebody's pages look how many notices are unseen."""
    transaction.on_commit(partial(pubsub.send_to_group, bell_of(user), {"type": "notices.changed"}))


def bell_of(user: int) -> str:
    """Return the name of the group of sockets of somebody's pages."""
    return f"bell-{user}"
