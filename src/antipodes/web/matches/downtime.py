"""Give players back the time of downtimes, in which they could not move.

Each match gets the time back at its next change, or when the scheduler handles it, whichever comes
first. A human player's time is given back when no web process could take moves, the computer's when
no engine could search.
"""

from __future__ import annotations

from django.db.models import F, Q

from antipodes.clocks.control import DAY
from antipodes.match import Event, Match, bridge
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import MatchSnapshot
from antipodes.web.platform import heartbeats
from antipodes.web.platform.heartbeats import Downtime
from antipodes.web.platform.models import ProcessKind

COMPUTER_MOVES = Q(seats__number=F("seat_to_move"), seats__user__computer__gt="")


def given_back(
    snapshot: MatchSnapshot, at: int, downtime: Downtime | None = None
) -> tuple[Match, tuple[Event, ...]]:
    """Return a match with the time of a downtime given back, and the resulting events.

    Args:
        snapshot: the match as stored.
        at: the present time.
        downtime: the downtime; by default the one that the site knows of at that time.
    """
    match = snapshot.match
    if match.clock.deadline is None:
        return match, ()
    downtime = downtime or heartbeats.downtime(_moved_by(snapshot), at)
    since = match.clock.turn_since
    if downtime is None or (since is not None and since >= downtime.ended):
        return match, ()  # it cost no time, or its time has been given back already
    return bridge(match, downtime.stopped, downtime.resumed)


def _moved_by(snapshot: MatchSnapshot) -> ProcessKind:
    """Return the kind of process that handles the next move."""
    to_move = snapshot.match.seat_to_move
    is_computer = any(seat.computer for seat in snapshot.seats if seat.number == to_move)
    return ProcessKind.ENGINE if is_computer else ProcessKind.WEB


def unbridged(kind: ProcessKind, downtime: Downtime) -> list[str]:
    """Return the slugs of matches whose player to move may have lost time in a downtime."""
    # Live games time out within two days; correspondence clocks with more time lose nothing.
    running = MatchRow.objects.filter(
        ended_at=None, begun_at__lt=downtime.ended, deadline__lt=downtime.resumed + 2 * DAY
    )
    computers = running.filter(COMPUTER_MOVES).values("pk")
    if kind is ProcessKind.ENGINE:
        running = running.filter(pk__in=computers)
    else:
        running = running.exclude(pk__in=computers)
    return list(running.values_list("slug", flat=True))
