"""League: divisions of about equal strength, in each of which all players meet.

After a season the best players of a division go up and the last ones go down. The next season
begins with the order in which they then stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from antipodes.errors import Fault, Phrase
from antipodes.games.options import whole
from antipodes.tournaments.formats import Crosstable, EventState, Format, Part
from antipodes.tournaments.history import Pairing, check_players
from antipodes.tournaments.round_robin import (
    TIE_BREAKS,
    pair_side_by_side,
    rounds_of_round_robin,
    tables_side_by_side,
)
from antipodes.tournaments.standings import Standing, ranked

_LEAST = 2  # players who stay in a division


def divisions(players: Sequence[int], size: int) -> list[list[int]]:
    """Return the players of each division, the strongest first; sizes differ by one at most.

    Args:
        players: pairing numbers.
        size: of a division at most.
    """
    check_players(players)
    count = -(-len(players) // size)
    least, longer = divmod(len(players), count)
    order, divided = sorted(players), []
    for at in range(count):
        here = least + (at < longer)
        divided.append(order[:here])
        order = order[here:]
    return divided


def movers(tables: Sequence[Sequence[int]], moved: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return who goes up from each division after a season, and who goes down.

    Args:
        tables: the players of each division in the order of their ranks.
        moved: how many go up and down; fewer in a division that is too small.
    """
    up: list[list[int]] = [[] for _ in tables]
    down: list[list[int]] = [[] for _ in tables]
    for at, (upper, lower) in enumerate(pairwise(tables)):
        count = min(moved, len(upper) // 2, len(lower) // 2)
        down[at], up[at + 1] = list(upper[len(upper) - count :]), list(lower[:count])
    return up, down


def order_after_season(tables: Sequence[Sequence[int]], moved: int) -> list[int]:
    """Return the players in the order with which the next season begins.

    In a division those come first who came down, and those last who came up.
    """
    up, down = movers(tables, moved)
    order: list[int] = []
    for at, table in enumerate(tables):
        leaving = {*up[at], *down[at]}
        came_down = down[at - 1] if at else []
        came_up = up[at + 1] if at + 1 < len(tables) else []
        order += [*came_down, *(one for one in table if one not in leaving), *came_up]
    return order


@dataclass(frozen=True, kw_only=True)
class League(Format):
    """Round robins in divisions, with players who go up and down after the season."""

    name = "league"
    title = "League"
    summary = "Everyone meets everyone in a division; the best go up, the last ones go down"
    usual_tie_breaks = TIE_BREAKS
    carries_over = True

    division_size: int = whole(8, 4, 16, "players of a division at most")
    moved: int = whole(2, 1, 4, "how many go up and down after the season")
    cycles: int = whole(1, 1, 2, "how often two players meet, with seats exchanged")

    def _check_together(self) -> list[Fault]:
        if 2 * self.moved + _LEAST > self.division_size:
            fault = Fault.of(
                "option/out-of-range",
                "moved is {moved}, but in a division of {size} at most {most} can go up and down",
                where="moved",
                moved=self.moved,
                size=self.division_size,
                most=(self.division_size - _LEAST) // 2,
            )
            return [fault]
        return []

    def divisions_of(self, players: Sequence[int]) -> list[list[int]]:
        """Return the players of each division, the strongest first."""
        return divisions(players, self.division_size)

    def rounds_for(self, count: int) -> int:
        """Return how many rounds the largest division needs."""
        largest = max(map(len, self.divisions_of(range(1, count + 1))))
        return rounds_of_round_robin(largest, self.cycles)

    def pair(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return the pairings of a round in all divisions."""
        return pair_side_by_side(self.divisions_of(event.players), round_number, self.cycles)

    def _tables(self, event: EventState) -> list[list[Standing]]:
        return tables_side_by_side(
            self.divisions_of(event.players), event.pairings, event.tie_breaks
        )

    def table(self, event: EventState) -> list[Standing]:
        """Rank the players by their divisions, then by their ranks in them."""
        rows = [(at, row) for at, table in enumerate(self._tables(event)) for row in table]
        order = {row.player: (-float(at), -float(row.rank)) for at, row in rows}
        return ranked(order, {row.player: (row.points, *row.values) for _, row in rows})

    def parts(self, event: EventState) -> list[Part]:
        """Return the crosstable of each division, with the players who would go up and down."""
        tables = self._tables(event)
        up, down = movers(self._orders(event), self.moved)
        return [
            Crosstable(
                Phrase("Division {number}", {"number": at + 1}),
                rows,
                [one for one in event.pairings if one.first in {row.player for row in rows}],
                up=frozenset(up[at]),
                down=frozenset(down[at]),
            )
            for at, rows in enumerate(tables)
        ]

    def _orders(self, event: EventState) -> list[list[int]]:
        """Return the players of each division by rank, but those who have withdrawn last."""
        return [
            sorted((row.player for row in rows), key=lambda one: one in event.withdrawn)
            for rows in self._tables(event)
        ]

    def order_of_next(self, event: EventState) -> list[int]:
        """Return all players in the order with which the next season begins."""
        return order_after_season(self._orders(event), self.moved)

    def pairs_ahead(self, count: int, round_number: int) -> bool:
        """Return whether a round can be paired before the earlier ones are over: all can."""
        return round_number <= self.rounds_for(count)
