"""Standings of an event, with tie-breaks by name.

Source: FIDE Handbook C.07 (tie-break regulations). A round without a game, such as a bye, counts as
one against an opponent who has as many points as the player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, groupby

from antipodes.tournaments.history import History, Pairing

_PLAYING = 0.5  # rounds of a playoff, for one in progress


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table, after the points.

    Attributes:
        name: as in files and the API.
        title: in English.
        meaning: a sentence in English.
    """

    name: str
    title: str
    meaning: str


class TieBreak(StrEnum):
    """How players with equal points are ordered."""

    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT = "buchholz-cut"
    MEDIAN_BUCHHOLZ = "median-buchholz"
    SONNEBORN_BERGER = "sonneborn-berger"
    DIRECT_ENCOUNTER = "direct-encounter"
    WINS = "wins"
    GAME_DIFFERENCE = "game-difference"
    PLAYOFF = "playoff"

    @property
    def column(self) -> Column:
        """Its column of the table."""
        return Column(self.value, *_WORDS[self])


_WORDS = {
    TieBreak.BUCHHOLZ: (
        "Buchholz",
        "The sum of the points of all opponents: who met stronger players is ahead.",
    ),
    TieBreak.BUCHHOLZ_CUT: (
        "Buchholz cut 1",
        "The sum of the points of all opponents, without the one with the fewest.",
    ),
    TieBreak.MEDIAN_BUCHHOLZ: (
        "Median Buchholz",
        "The same without the opponents with the fewest and with the most points.",
    ),
    TieBreak.SONNEBORN_BERGER: (
        "Sonneborn-Berger",
        "The points of each opponent, times the points won against them.",
    ),
    TieBreak.DIRECT_ENCOUNTER: (
        "Direct encounter",
        "The points among those who are equal, if all of them have met.",
    ),
    TieBreak.WINS: ("Wins", "The number of pairings won by play."),
    TieBreak.GAME_DIFFERENCE: (
        "Game difference",
        "The points won in all games, minus those of the opponents.",
    ),
    TieBreak.PLAYOFF: (
        "Playoff",
        "Players who are tied for the first place play a knockout with short games.",
    ),
}


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the table.

    Attributes:
        rank: from 1; players who are equal in everything share it.
        player: pairing number.
        points: of all rounds.
        values: of the columns of the format, such as the tie-breaks in their order.
    """

    rank: int
    player: int
    points: float
    values: tuple[float, ...]


def standings(
    players: Sequence[int], pairings: Sequence[Pairing], tie_breaks: Sequence[TieBreak] = ()
) -> list[Standing]:
    """Return the table, the best player first; pairings without points count as undecided."""
    decided = [one for one in pairings if one.points is not None]
    history = History(one for one in decided if not one.is_playoff)
    scores: dict[int, tuple[float, ...]] = {one: (history.points(one),) for one in players}
    for tie_break in tie_breaks:
        if tie_break is TieBreak.DIRECT_ENCOUNTER:
            added = _direct_encounters(scores, history)
        elif tie_break is TieBreak.PLAYOFF:
            added = _playoff_wins(players, pairings)
        else:
            added = {player: _VALUES[tie_break](history, player) for player in players}
        scores = {player: (*scores[player], added[player]) for player in players}
    return ranked(scores, scores)


def ranked(
    order: Mapping[int, tuple[float, ...]], shown: Mapping[int, tuple[float, ...]]
) -> list[Standing]:
    """Return a table of players.

    Args:
        order: what ranks each player, the highest first; who is equal in it shares a rank.
        shown: points and values of tie-breaks of each player.
    """
    players = sorted(order, key=lambda player: ([-value for value in order[player]], player))
    rows: list[Standing] = []
    for place, player in enumerate(players, start=1):
        is_equal = bool(rows) and order[rows[-1].player] == order[player]
        rank = rows[-1].rank if is_equal else place
        rows.append(Standing(rank, player, shown[player][0], shown[player][1:]))
    return rows


def _opponents_points(history: History, player: int) -> list[float]:
    """Return the points of each opponent, lowest first."""
    return sorted(
        history.points(opponent)
        for one in history.games(player)
        for opponent in _counted_opponents(one, player)
    )


def _counted_opponents(pairing: Pairing, player: int) -> list[int]:
    """Return the opponents; without a game the player, who has the points that then count."""
    return pairing.opponents_of(player) if pairing.is_played else [player]


def _buchholz(history: History, player: int) -> float:
    return sum(_opponents_points(history, player))


def _buchholz_cut(history: History, player: int) -> float:
    return sum(_opponents_points(history, player)[1:])


def _median_buchholz(history: History, player: int) -> float:
    return sum(_opponents_points(history, player)[1:-1])


def _sonneborn_berger(history: History, player: int) -> float:
    return sum(
        one.points_of(player) * history.points(opponent)
        for one in history.games(player)
        for opponent in _counted_opponents(one, player)
    )


def _wins(history: History, player: int) -> float:
    games = (one for one in history.games(player) if one.is_played and one.points)
    return float(
        sum(one.points_of(player) > sum(one.points or ()) / len(one.players) for one in games)
    )


def _game_difference(history: History, player: int) -> float:
    """Return the points won in the games of all pairings, minus those of the opponents."""
    total = 0.0
    for one in history.games(player):
        if one.score is not None:
            own = one.score[one.players.index(player)]
            total += 2 * own - sum(one.score)
    return total


def _playoff_wins(players: Sequence[int], pairings: Sequence[Pairing]) -> dict[int, float]:
    """Return how many rounds of the playoff each player has won; a bye counts as one.

    A round that a player is playing counts half, so they are ahead of those who have lost in it.
    """
    wins = dict.fromkeys(players, 0.0)
    for pairing in pairings:
        if pairing.is_playoff and pairing.points is None and pairing.second is not None:
            for player in pairing.players:
                wins[player] += _PLAYING
        elif pairing.is_playoff:
            wins[pairing.winner or pairing.first] += 1
    return wins


_VALUES: dict[TieBreak, Callable[[History, int], float]] = {
    TieBreak.BUCHHOLZ: _buchholz,
    TieBreak.BUCHHOLZ_CUT: _buchholz_cut,
    TieBreak.MEDIAN_BUCHHOLZ: _median_buchholz,
    TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
    TieBreak.WINS: _wins,
    TieBreak.GAME_DIFFERENCE: _game_difference,
}


def _direct_encounters(scores: dict[int, tuple[float, ...]], history: History) -> dict[int, float]:
    """Return the points among those who are equal so far, where each of them has met the others."""
    points = dict.fromkeys(scores, 0.0)
    for _, equal in groupby(sorted(scores, key=lambda one: scores[one]), lambda one: scores[one]):
        tied = set(equal)
        if all(history.have_met(one, other) for one, other in combinations(tied, 2)):
            for player in tied:
                games = (one for one in history.games(player) if one.is_played)
                among = (one for one in games if tied.issuperset(one.players))
                points[player] = sum(one.points_of(player) for one in among)
    return points
