"""Statistics of a host's events."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, Q

from antipodes.web.accounts.models import User
from antipodes.web.tournaments.models import (
    EntryRow,
    GameRow,
    PairingRow,
    TournamentRow,
    TournamentState,
)

_MOST_EVENTS = 100


@dataclass(frozen=True)
class EventLine:
    """An event and how many played it.

    Attributes:
        row: the event.
        players: who were paired.
        games: that have begun.
        forfeits: pairings that were decided without a game, or because a player made no move.
        withdrawn: players who left after the start.
        returning: players who have played an earlier event of the host.
    """

    row: TournamentRow
    players: int
    games: int
    forfeits: int
    withdrawn: int
    returning: int


@dataclass(frozen=True)
class HostStatistics:
    """The events of a host.

    Attributes:
        lines: the latest events that have begun, the latest first.
        events: how many have begun.
        finished: how many were played to their end.
        players: different players of all events.
        returning: how many of them have played more than one.
        games: of all events.
    """

    lines: list[EventLine]
    events: int
    finished: int
    players: int
    returning: int
    games: int


def statistics_of(host: User) -> HostStatistics:
    """Return the statistics of all events of a host that have begun."""
    begun = TournamentRow.objects.filter(host=host, begun_at__isnull=False)
    entries = EntryRow.objects.filter(tournament__in=begun, number__isnull=False)
    played = entries.order_by().values("user").annotate(events=Count("tournament"))
    games = GameRow.objects.filter(pairing__tournament__in=begun)
    rows = begun.annotate(
        players=Count("entries", filter=Q(entries__number__isnull=False)),
        withdrawn=Count("entries", filter=Q(entries__is_withdrawn=True)),
    ).order_by("-begun_at", "-pk")[:_MOST_EVENTS]
    begun_games = dict(games.order_by().values_list("pairing__tournament").annotate(Count("pk")))
    forfeits = dict(
        PairingRow.objects.filter(tournament__in=begun, is_forfeit=True)
        .order_by()
        .values_list("tournament")
        .annotate(Count("pk"))
    )
    returning = _returning(host)
    return HostStatistics(
        lines=[
            EventLine(
                row,
                row.players,
                begun_games.get(row.pk, 0),
                forfeits.get(row.pk, 0),
                row.withdrawn,
                returning[row.pk],
            )
            for row in rows
        ],
        events=begun.count(),
        finished=begun.filter(state=TournamentState.FINISHED).count(),
        players=played.count(),
        returning=played.filter(events__gt=1).count(),
        games=games.count(),
    )


def _returning(host: User) -> Counter[int]:
    """Return how many players of each event have played an earlier one of the host."""
    entries = EntryRow.objects.filter(tournament__host=host, number__isnull=False)
    known: set[int] = set()
    returning: Counter[int] = Counter()
    order = entries.order_by("tournament__begun_at", "tournament")
    for event, user in order.values_list("tournament", "user"):
        returning[event] += user in known
        known.add(user)
    return returning
