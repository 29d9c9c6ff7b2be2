"""Withdrawals, and pairings that are decided without a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import places
from antipodes.web.tournaments.log import Step, record
from antipodes.web.tournaments.models import POINTS, SEATS, EntryRow, PairingRow, TournamentRow
from antipodes.web.tournaments.results import Points


def withdraw(row: TournamentRow, entries: Sequence[EntryRow], by: User | None, reason: str) -> None:
    """Withdraw players from a locked event that has begun.

    They are paired no more. Games that have begun go on; opponents in pairings without a game win.
    """
    for entry in entries:
        entry.is_withdrawn = True
    EntryRow.objects.bulk_update(entries, ["is_withdrawn"])
    undecided = row.pairings.filter(first_points=None, games=None)
    points = decide(row, undecided.select_related(*SEATS))
    row.due_at = now()
    numbers = [one.number for one in entries]
    changed = places.after_withdrawal(row, entries)
    record(row, Step.WITHDRAWN, by, reason, withdrawn=numbers, points=points, places=changed)


def decide(row: TournamentRow, pairings: Iterable[PairingRow]) -> list[list[float]]:
    """Decide byes and pairings of withdrawn players; return their points for the log."""
    changed = []
    for pairing in pairings:
        points = _points(row, pairing)
        if points is not None:
            pairing.points = points
            pairing.is_forfeit = pairing.second is not None
            changed.append(pairing)
    PairingRow.objects.bulk_update(changed, [*POINTS, "is_forfeit"])
    return [points_for_log(one) for one in changed]


def points_for_log(pairing: PairingRow) -> list[float]:
    """Return a decided pairing as the log has it."""
    assert pairing.points is not None
    return [pairing.round, pairing.table, *pairing.points]


def _points(row: TournamentRow, pairing: PairingRow) -> Points | None:
    """Return the points of a pairing that needs no game; ``None`` if it needs one.

    Where a winner is needed and both players have withdrawn, the better pairing number wins. The
    players who are left at a larger table have a bye.
    """
    first, second = pairing.first, pairing.second
    if second is None:
        is_gone = first.is_withdrawn and not pairing.needs_winner
        return (0.0, 0.0) if is_gone else (row.format.bye(len(row.sides)), 0.0)
    players = pairing.players
    if not any(one.is_withdrawn for one in players):
        return None
    if pairing.needs_winner and first.is_withdrawn and second.is_withdrawn:
        return (1.0, 0.0) if (first.number or 0) < (second.number or 0) else (0.0, 1.0)
    present = row.format.bye(len(row.sides))
    return tuple(0.0 if one.is_withdrawn else present for one in players)
