"""Round robin: each player meets each other player, once or several times.

Source of the tables: FIDE Handbook C.05, Annex 1 (Berger tables), from caissify-pairings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from caissify_pairings.engines.round_robin import berger_round

from antipodes.games.options import whole
from antipodes.tournaments.formats import EventState
from antipodes.tournaments.history import Pairing, check_players, check_round
from antipodes.tournaments.playoff import WithPlayoff
from antipodes.tournaments.standings import Standing, TieBreak, standings

TIE_BREAKS = (TieBreak.DIRECT_ENCOUNTER, TieBreak.SONNEBORN_BERGER, TieBreak.WINS)


def rounds_of_round_robin(count: int, cycles: int = 1) -> int:
    """Return how many rounds so many players need."""
    return cycles * (count + count % 2 - 1)


def pair_round_robin(players: Sequence[int], round_number: int, cycles: int = 1) -> list[Pairing]:
    """Return the pairings of a round; with an odd number of players, each has one bye a cycle.

    Args:
        players: pairing numbers; their order decides who meets when.
        round_number: from 1 to ``rounds_of_round_robin``.
        cycles: how often each two players meet. Seats are exchanged from cycle to cycle.

    Raises:
        InputError: fewer than two players, one twice, or no such round.
    """
    check_players(players)
    check_round(round_number, rounds_of_round_robin(len(players), cycles))
    numbers: list[int | None] = [*sorted(players), *[None] * (len(players) % 2)]
    cycle, table = divmod(round_number - 1, len(numbers) - 1)
    pairings = []
    for first_place, second_place in berger_round(len(numbers), table + 1):
        first, second = numbers[first_place - 1], numbers[second_place - 1]
        if cycle % 2:
            first, second = second, first
        pairings.append(Pairing.of(round_number, first, second))
    return pairings


def pair_side_by_side(
    groups: Sequence[Sequence[int]], round_number: int, cycles: int = 1
) -> list[Pairing]:
    """Return the pairings of a round of several round robins; smaller ones are over earlier."""
    return [
        one
        for group in groups
        if round_number <= rounds_of_round_robin(len(group), cycles)
        for one in pair_round_robin(group, round_number, cycles)
    ]


def tables_side_by_side(
    groups: Sequence[Sequence[int]], pairings: Sequence[Pairing], tie_breaks: Sequence[TieBreak]
) -> list[list[Standing]]:
    """Return the table of each of several round robins."""
    return [
        standings(group, [one for one in pairings if one.first in group], tie_breaks)
        for group in groups
    ]


def groups(players: Sequence[int], count: int) -> list[list[int]]:
    """Return groups of about equal strength and size: 1 2 3 in one direction, 4 5 6 in the other.

    Raises:
        InputError: a group would have fewer than two players.
    """
    check_players(players, least=2 * count)
    members: list[list[int]] = [[] for _ in range(count)]
    for place, player in enumerate(sorted(players)):
        lap, at = divmod(place, count)
        members[count - 1 - at if lap % 2 else at].append(player)
    return members


@dataclass(frozen=True, kw_only=True)
class RoundRobin(WithPlayoff):
    """Everyone meets everyone."""

    name = "round-robin"
    title = "Round robin"
    summary = "Everyone meets everyone"
    usual_tie_breaks = TIE_BREAKS

    cycles: int = whole(1, 1, 2, "how often two players meet, with seats exchanged")

    def rounds_for(self, count: int) -> int:
        """Return how many rounds so many players need."""
        return rounds_of_round_robin(count, self.cycles)

    def pair_regular(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return the pairings of a round; opponents of players who have withdrawn win."""
        if round_number > self.rounds_for(len(event.players)):
            return []
        return pair_round_robin(event.players, round_number, self.cycles)

    def largest_group(self, count: int) -> int:
        """Return how many players all meet each other: all."""
        return count

    def pairs_ahead(self, count: int, round_number: int) -> bool:
        """Return whether a round can be paired before the earlier ones are over: all can."""
        return round_number <= self.rounds_for(count)
