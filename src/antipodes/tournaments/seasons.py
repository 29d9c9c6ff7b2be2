"""Seasons: points for places in several events.

The places of an event from the first to the eighth count 10, 8, 6, 5, 4, 3, 2 and 1 points. Players
who share a place share the points of the places that they take together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from antipodes.tournaments.standings import ranked

POINTS = (10, 8, 6, 5, 4, 3, 2, 1)


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A row of the table of a season.

    Attributes:
        rank: from 1; players with equal points and first places share it.
        player: their number.
        points: of all events.
        events: in how many the player took part.
        wins: in how many the player was first.
    """

    rank: int
    player: int
    points: float
    events: int
    wins: int


def place_points(ranks: Mapping[int, int]) -> dict[int, float]:
    """Return the points of each player of an event.

    Args:
        ranks: of the players, where players who are equal share a rank.
    """
    sharing = Counter(ranks.values())
    return {
        player: sum(POINTS[rank - 1 : rank - 1 + sharing[rank]]) / sharing[rank]
        for player, rank in ranks.items()
    }


def season_standings(events: Sequence[Mapping[int, int]]) -> list[SeasonRow]:
    """Return the table of a season, ranked by points, then by first places.

    Args:
        events: the ranks of the players in each event.
    """
    points: defaultdict[int, float] = defaultdict(float)
    taken: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    for ranks in events:
        taken.update(ranks.keys())
        wins.update(player for player, rank in ranks.items() if rank == 1)
        for player, more in place_points(ranks).items():
            points[player] += more
    scores = {player: (round(points[player], 6), float(wins[player])) for player in points}
    return [
        SeasonRow(row.rank, row.player, row.points, taken[row.player], wins[row.player])
        for row in ranked(scores, scores)
    ]
