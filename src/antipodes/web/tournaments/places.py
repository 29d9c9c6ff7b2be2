"""Places of players in formats that have them: after games, inactivity and withdrawals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from antipodes.clocks import SECOND
from antipodes.web.platform.clock import now
from antipodes.web.tournaments.log import Step, record
from antipodes.web.tournaments.models import SEATS, EntryRow, TournamentRow

Places = list[list[int | None]]  # number and place of each player whose place has changed


def order_of(row: TournamentRow) -> list[int]:
    """Return the pairing numbers of the players who have places, the first one on top."""
    entries = row.entries.filter(place__isnull=False).order_by("place")
    return [one for one in entries.values_list("number", flat=True) if one is not None]


def store(row: TournamentRow, order: Sequence[int]) -> Places:
    """Store the places of players; return the changes for the log."""
    places = {number: place for place, number in enumerate(order, start=1)}
    changed = []
    for entry in row.entries.exclude(number=None):
        place = places.get(entry.number or 0)
        if entry.place != place:
            entry.place = place
            changed.append(entry)
    EntryRow.objects.bulk_update(changed, ["place"])
    return [[one.number, one.place] for one in changed]


def after_results(row: TournamentRow, points: Iterable[Sequence[float]]) -> Places:
    """Return the changed places after some pairings were decided, in the order of their rounds.

    Args:
        row: the event; one without places has no changes.
        points: round, table and points of each pairing, as in the log.
    """
    if not row.format.has_places:
        return []
    order = order_of(row)
    for round_number, _table, first_points, second_points in sorted(map(tuple, points)):
        pairing = row.pairings.select_related(*SEATS).get(round=int(round_number))
        numbers = [one.number or 0 for one in pairing.players]
        if first_points != second_points and set(numbers) <= set(order):
            winner, loser = numbers if first_points > second_points else reversed(numbers)
            order = row.format.order_after_win(order, winner, loser)
    return store(row, order)


def after_withdrawal(row: TournamentRow, entries: Iterable[EntryRow]) -> Places:
    """Return the changed places after players have left; those below move up."""
    if not row.format.has_places:
        return []
    gone = {one.number for one in entries}
    return store(row, [one for one in order_of(row) if one not in gone])


def drop_inactive(row: TournamentRow) -> bool:
    """Let players of a running event drop who have had no game for long; tell if there are."""
    if row.format.longest_idle is None:
        return False
    at = now()
    idle = row.entries.filter(
        place__isnull=False, free_since__lte=at - row.format.longest_idle * SECOND
    ).order_by("-place")
    playing = row.pairings.filter(first_points=None).values_list("first", "second")
    busy = {key for pair in playing for key in pair}
    dropping = [one for one in idle if one.pk not in busy]
    if not dropping:
        return False
    order = order_of(row)
    for entry in dropping:
        order = row.format.order_after_idle(order, entry.number or 0)
    places = store(row, order)
    row.entries.filter(pk__in=[one.pk for one in dropping]).update(free_since=at)
    record(row, Step.DROPPED, dropped=[one.number for one in dropping], places=places)
    return True
