"""Notify followers of players and matches.

Delivery tasks look for new events, so that moves do not wait for notifications. If a process is
killed, the next run continues; the keys of notifications prevent duplicates.
"""

from __future__ import annotations

import json

from django.db.models import Exists, F, OuterRef, Q

from antipodes.clocks import HOUR, Pace, read_control
from antipodes.web.accounts.models import User
from antipodes.web.matches.access import may_watch
from antipodes.web.matches.models import MatchRow, WatchRow
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import AnnouncedMatchRow, NotificationRow
from antipodes.web.notifications.services import mark_seen, notify
from antipodes.web.platform.clock import now

_RECENT = HOUR  # milliseconds after its start in which followers learn of a match


def notify_of_started_matches() -> None:
    """Notify followers of players that a match without the computer has begun."""
    since = now() - _RECENT
    followed = User.objects.exclude(followed_by=None)
    begun = MatchRow.objects.filter(ended_at=None, begun_at__gt=since, seats__user__in=followed)
    announced = AnnouncedMatchRow.objects.values("match")
    for row in begun.exclude(pk__in=announced).exclude(seats__user__computer__gt="").distinct():
        _notify_followers(row)
        AnnouncedMatchRow.objects.get_or_create(match=row)
    # Looks the few announced matches up; a join would let SQLite read all matches ever played.
    old = MatchRow.objects.filter(pk=OuterRef("match"), begun_at__lt=since)
    AnnouncedMatchRow.objects.filter(Exists(old)).delete()


def _notify_followers(row: MatchRow) -> None:
    players = [seat.user for seat in row.seats.select_related("user")]
    for player in dict.fromkeys(players):
        for follow in player.followed_by.select_related("by"):
            user = follow.by
            if user not in players and may_watch(row, user):
                key = f"followed {row.pk} began"
                notify(
                    user,
                    NotificationKind.FOLLOWED_PLAYS,
                    key=key,
                    match=row,
                    by=player,
                    act="began",
                )


def notify_of_followed_matches() -> None:
    """Notify users who follow matches of moves and results."""
    is_pending = Q(match__ended_at__gt=0) | Q(
        each_move=True, match__version__gt=F("notified_version")
    )
    for watch in WatchRow.objects.filter(is_pending, is_done=False).select_related("match", "user"):
        row, user = watch.match, watch.user
        if may_watch(row, user) and not row.seats.filter(user=user).exists():
            _notify_spectator(row, user)
        # Update two columns only: the user may have changed the others meanwhile.
        current = WatchRow.objects.filter(pk=watch.pk)
        current.update(notified_version=row.version, is_done=row.ended_at is not None)


def _notify_spectator(row: MatchRow, user: User) -> None:
    """Notify of the latest move or the result; older notifications of the match become seen."""
    if row.ended_at is not None:
        key = f"watched {row.pk} over"
        notify(user, NotificationKind.FOLLOWED_PLAYS, key=key, match=row, act="over")
        _mark_older_seen(row, user, key)
        return
    snapshot = snapshot_of(row)
    if not snapshot.match.moves:
        return
    last = snapshot.match.moves[-1]
    key = f"watched {row.pk} {snapshot.match.ply} {last.at}"
    notify(
        user,
        NotificationKind.FOLLOWED_PLAYS,
        key=key,
        match=row,
        by=row.seats.select_related("user").get(number=last.seat).user,
        # A mail for each move of a live game would be too many.
        is_quiet=read_control(row.control).pace is Pace.LIVE,
        act="moved",
        move=str(json.loads(snapshot.moves[-1])["text"]),
    )
    _mark_older_seen(row, user, key)


def _mark_older_seen(row: MatchRow, user: User, key: str) -> None:
    before = NotificationRow.objects.filter(
        user=user, key__startswith=f"watched {row.pk} ", seen_at=None
    )
    mark_seen(user, list(before.exclude(key=key).values_list("pk", flat=True)))
