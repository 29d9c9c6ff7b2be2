"""Groups: round robins whose best players go on to a final.

Players are divided into groups of about equal size and strength, and all players of a group meet.
The first ones of each group play a final: a knockout, or a round robin of all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from antipodes.errors import Phrase
from antipodes.games.options import choice, whole
from antipodes.tournaments.formats import Crosstable, EventState, Format, Part
from antipodes.tournaments.history import History, Pairing
from antipodes.tournaments.knockout import (
    bracket,
    bracket_of,
    neighbours,
    pair_knockout,
    rank_by_losses,
    rounds_of_knockout,
)
from antipodes.tournaments.round_robin import (
    TIE_BREAKS,
    groups,
    pair_round_robin,
    pair_side_by_side,
    rounds_of_round_robin,
    tables_side_by_side,
)
from antipodes.tournaments.standings import Standing, ranked

_FINAL_GROUP = Phrase("Final group")


def seeds_of_final(
    tables: Sequence[Sequence[Standing]], promoted: int, chosen: Collection[int]
) -> list[int]:
    """Return the players of a final in the order of their seeds.

    The winners of all groups come first, then all who are second, and so on. Where two players of a
    group would meet in the first round of a knockout, one of them is exchanged with another of the
    same rank if that helps.

    Args:
        tables: of the groups.
        promoted: how many of each group go on.
        chosen: the players who can go on; those who have withdrawn cannot.
    """
    able = [[row.player for row in table if row.player in chosen][:promoted] for table in tables]
    tiers = [[group[rank] for group in able if rank < len(group)] for rank in range(promoted)]
    group_of = {player: at for at, group in enumerate(able) for player in group}
    seeds = [player for tier in tiers for player in tier]
    rank_of = {player: rank for rank, tier in enumerate(tiers) for player in tier}

    def meetings(order: Sequence[int]) -> int:
        """Count first pairings of two players of a group."""
        pairs = (pair for pair in neighbours(bracket(order)) if None not in pair)
        return sum(group_of.get(one or 0) == group_of.get(other or 0) for one, other in pairs)

    for at in reversed(range(len(seeds))):
        for to in range(at):
            count = meetings(seeds)
            if not count:
                return seeds
            if rank_of[seeds[at]] == rank_of[seeds[to]]:
                exchanged = list(seeds)
                exchanged[at], exchanged[to] = seeds[to], seeds[at]
                if meetings(exchanged) < count:
                    seeds = exchanged
    return seeds


@dataclass(frozen=True, kw_only=True)
class Groups(Format):
    """Round robins in groups, and a final of their best players."""

    name = "groups"
    title = "Groups and final"
    summary = "Everyone meets everyone in a group; the first ones of each group play a final"
    usual_tie_breaks = TIE_BREAKS

    group_size: int = whole(4, 3, 16, "players of a group at most")
    promoted: int = whole(2, 1, 4, "how many of each group go on")
    final: str = choice("knockout", "round-robin", help="how those who go on meet")
    cycles: int = whole(1, 1, 2, "how often two players of a group meet, with seats exchanged")

    def groups_of(self, players: Sequence[int]) -> list[list[int]]:
        """Return the players of each group.

        Raises:
            InputError: there are fewer than two players.
        """
        return groups(players, max(1, -(-len(players) // self.group_size)))

    def rounds_of_groups(self, count: int) -> int:
        """Return in how many rounds so many players play in groups."""
        largest = max(map(len, self.groups_of(range(1, count + 1))))
        return rounds_of_round_robin(largest, self.cycles)

    def _finalists(self, count: int) -> int:
        """Return how many of so many players go on at most."""
        return sum(min(self.promoted, len(one)) for one in self.groups_of(range(1, count + 1)))

    def rounds_for(self, count: int) -> int:
        """Return how many rounds so many players need at most, with the final."""
        return self.rounds_of_groups(count) + self._rounds_of_final(self._finalists(count))

    def _rounds_of_final(self, count: int) -> int:
        if count < 2:
            return 0
        rounds = rounds_of_knockout if self.final == "knockout" else rounds_of_round_robin
        return rounds(count)

    def pair(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return the pairings of a round, in groups or in the final."""
        before = self.rounds_of_groups(len(event.players))
        if round_number <= before:
            groups_now = self.groups_of(event.players)
            return pair_side_by_side(groups_now, round_number, self.cycles)
        seeds, earlier = self._final(event)
        number = round_number - before
        if number > self._rounds_of_final(len(seeds)):
            return []
        if self.final == "knockout":
            made = pair_knockout(seeds, earlier, number, History(event.pairings))
        else:
            made = pair_round_robin(seeds, number)
        return [replace(one, round=round_number) for one in made]

    def _final(self, event: EventState) -> tuple[list[int], list[Pairing]]:
        """Return the players of the final by their seeds, and its pairings with rounds from 1.

        Before its first round these are the players who would go on now. Later they are those who
        were paired in it, also if some have withdrawn since.
        """
        before = self.rounds_of_groups(len(event.players))
        earlier = [
            replace(pairing, round=pairing.round - before)
            for pairing in event.pairings
            if pairing.round > before
        ]
        first = [one for one in earlier if one.round == 1]
        paired = {player for one in first for player in (one.first, one.second) if player}
        tables = self._tables(event)
        return seeds_of_final(tables, self.promoted, paired or set(event.active)), earlier

    def _tables(self, event: EventState) -> list[list[Standing]]:
        before = self.rounds_of_groups(len(event.players))
        played = [one for one in event.pairings if one.round <= before]
        return tables_side_by_side(self.groups_of(event.players), played, event.tie_breaks)

    def table(self, event: EventState) -> list[Standing]:
        """Rank the players of the final by it, then the others by their ranks in the groups."""
        tables = self._tables(event)
        points = History(event.pairings).points
        shown = {row.player: (points(row.player), *row.values) for table in tables for row in table}
        order = {
            row.player: (0.0, -float(row.rank), row.points, *row.values)
            for table in tables
            for row in table
        }
        seeds, earlier = self._final(event)
        if earlier:
            final = EventState(seeds, earlier, event.tie_breaks)
            is_knockout = self.final == "knockout"
            rows = rank_by_losses(final) if is_knockout else super().table(final)
            order |= {row.player: (1.0, -float(row.rank)) for row in rows}
        return ranked(order, shown)

    def parts(self, event: EventState) -> list[Part]:
        """Return the final if it has begun, and the crosstable of each group."""
        before = self.rounds_of_groups(len(event.players))
        played = [one for one in event.pairings if one.round <= before]
        parts: list[Part] = []
        seeds, earlier = self._final(event)
        if earlier and self.final == "knockout":
            parts.append(bracket_of(seeds, earlier, before))
        elif earlier:
            final = EventState(seeds, earlier, event.tie_breaks)
            parts.append(Crosstable(_FINAL_GROUP, super().table(final), earlier))
        for number, rows in enumerate(self._tables(event), start=1):
            members = {row.player for row in rows}
            among = [one for one in played if one.first in members]
            title = Phrase("Group {number}", {"number": number})
            up = frozenset(members.intersection(seeds)) if earlier else frozenset()
            parts.append(Crosstable(title, rows, among, up=up))
        return parts

    def largest_group(self, count: int) -> int:
        """Return how many players all meet each other in the final; groups are small."""
        return self._finalists(count) if self.final == "round-robin" else 0

    def pairs_ahead(self, count: int, round_number: int) -> bool:
        """Return whether a round can be paired before the earlier ones are over: in groups."""
        return round_number <= self.rounds_of_groups(count)

    def is_built_on(self, count: int, round_number: int, latest: int) -> bool:
        """Return whether the final depends on the round: on all of the groups, and its own."""
        before = self.rounds_of_groups(count)
        if round_number <= before:
            return latest > before
        return self.final == "knockout" and latest > round_number
