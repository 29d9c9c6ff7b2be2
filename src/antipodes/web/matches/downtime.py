"""Giving back the time of downtimes: what players could not use is not taken from their clocks.

Each match gets it back when it is next changed, or when the scheduler comes to it, whichever is
first. A person's time is bridged where web processes could not take moves, the computer's where no
engine could think.
"""

from __future__ import annotations

from django.db.models import F, Q

from antipodes.clocks.control import DAY
from antipodes.match import Event, Match, Resumed, bridge
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import MatchSnapshot
from antipodes.web.platform import heartbeats
from antipodes.web.platform.heartbeats import Downtime
from antipodes.web.platform.models import Kind

COMPUTER_MOVES = Q(seats__number=F("seat_to_move"), seats__user__computer__gt="")


def given_back(
    standing: MatchSnapshot, at: int, downtime: Downtime | None = None
) -> tuple[Match, tuple[Event, ...]]:
    """Return a match with the time of a downtime given back, and the events of that.

    Args:
        standing: how the match stands in the database.
        at: an instant.
        downtime: the downtime; by default the one that the site knows of at the instant.
    """
    match = standing.match
    if match.clock.deadline is None:
        return match, ()
    downtime = downtime or heartbeats.downtime(_moved_by(standing), at)
    if downtime is None or _is_done(standing, downtime):
        return match, ()
    return bridge(match, downtime.stopped, downtime.resumed)


def _moved_by(standing: MatchSnapshot) -> Kind:
    """Return the kind of process that takes the move that is awaited."""
    to_move = standing.match.seat_to_move
    is_computer = any(seat.computer for seat in standing.seats if seat.number == to_move)
    return Kind.ENGINE if is_computer else Kind.WEB


def _is_done(standing: MatchSnapshot, downtime: Downtime) -> bool:
    """Return whether no time of a downtime was charged, or it has been given back."""
    since = standing.match.clock.since
    if not downtime.was_set_back:
        return since is not None and since >= downtime.ended
    resumed = standing.row.events.filter(data__kind=Resumed.kind, data__at=downtime.resumed)
    return standing.row.begun_at > downtime.stopped or resumed.exists()


def unbridged(kind: Kind, downtime: Downtime) -> list[str]:
    """Return the matches whose player to move may have lost time in a downtime."""
    running = MatchRow.objects.filter(ended_at=None).exclude(deadline=None)
    if not downtime.was_set_back:
        # In live games time is up within two days; those with more time left lose nothing.
        running = running.filter(
            begun_at__lt=downtime.ended, deadline__lt=downtime.resumed + 2 * DAY
        )
    computers = running.filter(COMPUTER_MOVES).values("pk")
    if kind is Kind.ENGINE:
        running = running.filter(pk__in=computers)
    else:
        running = running.exclude(pk__in=computers)
    return list(running.values_list("slug", flat=True))
