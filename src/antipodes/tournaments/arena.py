"""Arena: players whose game is over are paired again until the time is up.

A game that ends frees both players at once, and they are paired within seconds with others who have
about as many points. The rounds of an arena are these moments of pairing, numbered from 1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from antipodes.games.options import whole
from antipodes.tournaments.formats import EventState, Format
from antipodes.tournaments.history import History, Pairing, check_players
from antipodes.tournaments.matching import heaviest_pairs
from antipodes.tournaments.standings import Column, Standing, TieBreak, ranked

_BLOCK = 24  # players that are matched together
_WIN, _DRAW = 2, 1  # points
_STREAK = 2  # wins in a row after which points count double
# Costs of a pair: seats out of balance count like a difference of so many places.
_OUT_OF_BALANCE, _MOST = 4, 10**6


def pair_arena(
    waiting: Sequence[int],
    pairings: Iterable[Pairing],
    round_number: int,
    patient: Collection[int] = (),
) -> list[Pairing]:
    """Return pairings of players who are free; players who find no opponent go on waiting.

    Two players who have just played each other meet again only if both are patient.

    Args:
        waiting: the pairing numbers of the players who are free.
        pairings: all earlier ones.
        round_number: of the new pairings.
        patient: those of them who have waited long enough to meet the last opponent again.

    Raises:
        InputError: a number is not from 1, or there twice.
    """
    check_players(waiting, least=0)
    history = History(pairings)
    points = {one: arena_points(history, one) for one in waiting}
    order = sorted(waiting, key=lambda one: (-points[one], one))
    last = {one: _last_opponent(history, one) for one in waiting}
    pairings_made: list[Pairing] = []
    left: list[int] = []
    for at in range(0, len(order), _BLOCK):
        block = [*left, *order[at : at + _BLOCK]]
        pairs = _matched(block, history, last, frozenset(patient))
        pairings_made += [_seated(pair, history, round_number) for pair in pairs]
        paired = {one for pair in pairs for one in pair}
        left = [one for one in block if one not in paired]
    return pairings_made


def _last_opponent(history: History, player: int) -> int | None:
    games = history.games(player)
    return games[-1].opponent_of(player) if games else None


def _matched(
    block: Sequence[int],
    history: History,
    last: dict[int, int | None],
    patient: Collection[int],
) -> list[tuple[int, int]]:
    """Return the best pairs among some players, in the order of their points."""
    edges = []
    for at, player in enumerate(block):
        for to in range(at + 1, len(block)):
            other = block[to]
            just_met = last[player] == other and last[other] == player
            if just_met and not (player in patient and other in patient):
                continue
            cost = (to - at) ** 2
            cost += _OUT_OF_BALANCE * (history.lead(player) * history.lead(other) > 0)
            edges.append((at, to, _MOST - cost))
    pairs = heaviest_pairs(edges)
    return sorted((block[min(pair)], block[max(pair)]) for pair in pairs)


def _seated(pair: tuple[int, int], history: History, round_number: int) -> Pairing:
    """Give the first seat to who had it less often, else to the player with the higher number."""
    first, second = sorted(pair, key=lambda one: (history.lead(one), -one))
    return Pairing(round_number, first, second)


def arena_points(history: History, player: int) -> int:
    """Return the points of a player: 2 for a win, 1 for a draw, double after two wins in a row.

    The streak ends with the first game that is not won. A win by forfeit counts like any other.
    """
    total = streak = 0
    for game in history.games(player):
        if game.points is None:
            continue
        own, factor = game.points_of(player), 2 if streak >= _STREAK else 1
        is_win = game.winner == player
        total += factor * (_WIN if is_win else _DRAW if own else 0)
        streak = streak + 1 if is_win else 0
    return total


def arena_standings(players: Sequence[int], pairings: Sequence[Pairing]) -> list[Standing]:
    """Return the table of an arena; players with equal points are ranked by their wins."""
    history = History(pairings)
    scores = {}
    for one in players:
        wins = sum(game.winner == one for game in history.games(one))
        scores[one] = (float(arena_points(history, one)), float(wins))
    return ranked(scores, scores)


@dataclass(frozen=True, kw_only=True)
class Arena(Format):
    """Live games for a fixed time."""

    name = "arena"
    title = "Arena"
    summary = "Live games for a fixed time: free players are paired again within seconds"
    scoring = "2 for a win, 1 for a draw; double after two wins in a row."
    usual_tie_breaks = (TieBreak.WINS,)
    is_continuous = True
    is_live: ClassVar[bool | None] = True
    patience: ClassVar[int] = 10

    minutes: int = whole(60, 5, 360, "length of the arena")

    @property
    def duration(self) -> int:
        """Seconds after which the arena is over."""
        return self.minutes * 60

    def pair(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return pairings of players without a game; see `pair_arena`."""
        return pair_arena(event.free, event.pairings, round_number, event.patient)

    def columns(self, tie_breaks: Sequence[TieBreak]) -> list[Column]:  # noqa: ARG002
        """Return the wins, whatever the tie-breaks are."""
        return [TieBreak.WINS.column]

    def table(self, event: EventState) -> list[Standing]:
        """Return the standings; see `arena_standings`."""
        return arena_standings(event.players, event.pairings)
