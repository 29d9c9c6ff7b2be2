"""Notify followers of players and matches.

Nothing of this burdens a move: rounds look for what nobody was told yet. What a killed process has
not told is told by the next round, and what it has told is known by its key.
"""

from __future__ import annotations

import json

from django.db.models import F, Q

from antipodes.clocks import Pace, read_control
from antipodes.web.accounts.models import User
from antipodes.web.matches.access import may_watch
from antipodes.web.matches.models import MatchRow, WatchRow
from antipodes.web.matches.snapshots import standing_of
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.models import AnnouncedMatchRow, NotificationRow
from antipodes.web.notifications.services import see, tell
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every

_NEWS = 3_600_000  # milliseconds for which a beginning is news


@every(10)
def tell_of_beginnings() -> None:
    """Tell followers of players that a match between people has begun."""
    since = now() - _NEWS
    followed = User.objects.exclude(followed_by=None)
    begun = MatchRow.objects.filter(ended_at=None, begun_at__gt=since, seats__user__in=followed)
    told = AnnouncedMatchRow.objects.values("match")
    for row in begun.exclude(pk__in=told).exclude(seats__user__computer__gt="").distinct():
        _tell_followers(row)
        AnnouncedMatchRow.objects.get_or_create(match=row)
    AnnouncedMatchRow.objects.filter(match__begun_at__lt=since).delete()


def _tell_followers(row: MatchRow) -> None:
    players = [seat.user for seat in row.seats.select_related("user")]
    for player in dict.fromkeys(players):
        for row_of_follower in player.followed_by.select_related("by"):
            user = row_of_follower.by
            if user not in players and may_watch(row, user):
                key = f"followed {row.pk} began"
                tell(user, Kind.FOLLOWED_PLAYS, key=key, match=row, by=player, act="began")


@every(5)
def tell_of_watched_matches() -> None:
    """Tell those who follow matches what was moved, and how they ended."""
    has_news = Q(match__ended_at__gt=0) | Q(each_move=True, match__version__gt=F("told"))
    for watch in WatchRow.objects.filter(has_news, is_done=False).select_related("match", "user"):
        row, user = watch.match, watch.user
        if may_watch(row, user) and not row.seats.filter(user=user).exists():
            _tell_watcher(row, user)
        # Whoever has changed the row meanwhile, by choosing anew what to be told, keeps that.
        mine = WatchRow.objects.filter(pk=watch.pk)
        mine.update(told=row.version, is_done=row.ended_at is not None)


def _tell_watcher(row: MatchRow, user: User) -> None:
    """Tell what is new; what was told of the match before is out of date then."""
    if row.ended_at is not None:
        key = f"watched {row.pk} over"
        tell(user, Kind.FOLLOWED_PLAYS, key=key, match=row, act="over", result=row.result)
        _settle(row, user, key)
        return
    standing = standing_of(row)
    if not standing.match.moves:
        return
    last = standing.match.moves[-1]
    key = f"watched {row.pk} {standing.match.ply} {last.at}"
    tell(
        user,
        Kind.FOLLOWED_PLAYS,
        key=key,
        match=row,
        by=row.seats.select_related("user").get(number=last.seat).user,
        # Nobody wants a mail for each move of a live game.
        is_quiet=read_control(row.control).pace is Pace.LIVE,
        act="moved",
        move=str(json.loads(standing.moves[-1])["text"]),
    )
    _settle(row, user, key)


def _settle(row: MatchRow, user: User, key: str) -> None:
    before = NotificationRow.objects.filter(
        user=user, key__startswith=f"watched {row.pk} ", seen_at=None
    )
    see(user, list(before.exclude(key=key).values_list("pk", flat=True)))
