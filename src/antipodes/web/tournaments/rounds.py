"""Rounds of an event: its pairings as the library's pure functions know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from antipodes.tournaments import (
    Pairing,
    Standing,
    arena_standings,
    pair_arena,
    pair_knockout,
    pair_round_robin,
    pair_swiss,
    rounds_of_knockout,
    rounds_of_round_robin,
    standings,
)
from antipodes.web.tournaments.models import EntryRow, Format, TournamentRow

Pairs = list[tuple[int, int | None]]

_PATIENCE = 10_000  # milliseconds before the last opponent of an arena is met again

_PAIRING = (
    "round",
    "first__number",
    "second__number",
    "first_points",
    "second_points",
    "is_forfeit",
)


def pairings_of(row: TournamentRow) -> list[Pairing]:
    """Return all pairings of an event."""
    return [
        _pairing(*values)
        for values in row.pairings.order_by("round", "table").values_list(*_PAIRING)
    ]


def _pairing(
    round_number: int, first: int, second: int | None, one: Any, other: Any, is_forfeit: bool
) -> Pairing:
    points = None if one is None else (one, other)
    return Pairing(round_number, first, second, points, is_forfeit)


def rounds_for(row: TournamentRow, count: int) -> int | None:
    """Return the number of rounds for so many players; ``None`` for an arena.

    A Swiss event without a given number has as many as a knockout would need, and one more; but
    never so many that players would have to meet twice.
    """
    if row.is_arena:
        return None
    if row.format == Format.ROUND_ROBIN:
        return rounds_of_round_robin(count, row.cycles)
    if row.format == Format.KNOCKOUT:
        return rounds_of_knockout(count)
    return min(row.rounds or rounds_of_knockout(count) + 1, rounds_of_round_robin(count))


def pairs_of_next_round(row: TournamentRow, number: int) -> Pairs:
    """Return the pairing numbers of a round, the first seat first.

    Players who have withdrawn from a round robin or a knockout are paired: their opponents win.

    Raises:
        InputError: the round cannot be paired.
    """
    entries = row.entries.exclude(number=None).filter(from_round__lte=number)
    if row.format == Format.SWISS:
        players = _numbers(entries.filter(is_withdrawn=False))
        found = pair_swiss(
            players,
            pairings_of(row),
            number,
            row.last_round or number,
            accelerated=row.accelerated,
        )
    else:
        players = _numbers(entries)
        if row.format == Format.KNOCKOUT:
            found = pair_knockout(players, pairings_of(row), number)
        else:
            found = pair_round_robin(players, number, row.cycles)
    return [(one.first, one.second) for one in found]


def pairs_of_arena(row: TournamentRow, at: int) -> Pairs:
    """Return pairs of the players who are free now; none if there are none.

    Players who have waited for some seconds meet their last opponent again if there is no other.
    """
    free = free_players(row)
    patient = [one for one, since in free if at - (since or 0) >= _PATIENCE]
    numbers = [one for one, _ in free]
    found = pair_arena(numbers, pairings_of(row), row.round + 1, patient)
    return [(one.first, one.second) for one in found]


def free_players(row: TournamentRow) -> list[tuple[int, int | None]]:
    """Return the pairing numbers of players without a game, and since when they wait."""
    undecided = row.pairings.filter(first_points=None)
    busy = {key for pair in undecided.values_list("first", "second") for key in pair}
    entries = row.entries.filter(is_withdrawn=False).exclude(number=None)
    return [
        (number, since)
        for key, number, since in entries.values_list("pk", "number", "free_since")
        if key not in busy and number is not None
    ]


def _numbers(entries: QuerySet[EntryRow]) -> list[int]:
    return [one for one in entries.values_list("number", flat=True) if one is not None]


def table_of(row: TournamentRow, pairings: Sequence[Pairing] | None = None) -> list[Standing]:
    """Return the standings of an event."""
    numbers = _numbers(row.entries.exclude(number=None))
    known = pairings_of(row) if pairings is None else pairings
    if row.is_arena:
        return arena_standings(numbers, known)
    ranked = standings(numbers, known, row.ranking)
    return _by_last_round(row, ranked, known) if row.is_knockout else ranked


def _by_last_round(
    row: TournamentRow, ranked: Sequence[Standing], pairings: Sequence[Pairing]
) -> list[Standing]:
    """Rank the players of a knockout by the round in which they lost."""
    lost: dict[int, int] = {}
    for game in pairings:
        if game.second is not None and game.points is not None:
            loser = game.second if game.points[0] > game.points[1] else game.first
            lost[loser] = game.round
    never = (row.last_round or 0) + 1
    rounds = {one.player: lost.get(one.player, never) for one in ranked}
    found: list[Standing] = []
    ordered = sorted(ranked, key=lambda one: (-rounds[one.player], one.player))
    for place, one in enumerate(ordered, start=1):
        is_equal = bool(found) and rounds[found[-1].player] == rounds[one.player]
        rank = found[-1].rank if is_equal else place
        found.append(Standing(rank, one.player, one.points, one.values))
    return found
