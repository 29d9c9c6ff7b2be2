"""Rolling Swiss: each player goes on to the next game without waiting for a round.

A player whose game is over is paired with a free player with about as many points whom they have
not met. The rounds are these moments of pairing, numbered from 1. The event is over when all
players have played their games, or when those who are free have met each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from antipodes.games.options import whole
from antipodes.tournaments.formats import EventState, Format
from antipodes.tournaments.history import History, Pairing, check_players, seated
from antipodes.tournaments.standings import TieBreak
from antipodes.tournaments.swiss import blocks, matched

_NEAR = 1  # points apart at most, unless one of the two is patient
_MOST_LEAD = 2  # by how much one had one seat more often than the other


def pair_rolling(
    waiting: Sequence[int],
    pairings: Iterable[Pairing],
    round_number: int,
    games: int,
    patient: Collection[int] = (),
) -> list[Pairing]:
    """Return pairings of players who are free; players who find no opponent go on waiting.

    No two players meet twice, and no player has one seat more often than the other by three.

    Args:
        waiting: the pairing numbers of the players who are free.
        pairings: all earlier ones.
        round_number: of the new pairings.
        games: how many each player plays.
        patient: those who have waited long enough to meet players more than a point apart.

    Raises:
        InputError: a number is not from 1, or there twice.
    """
    check_players(waiting, least=0)
    history = History(pairings)
    score = {one: history.points(one) for one in waiting if len(history.games(one)) < games}
    order = sorted(score, key=lambda one: (-score[one], one))

    def may_meet(one: int, other: int) -> bool:
        is_near = abs(score[one] - score[other]) <= _NEAR or one in patient or other in patient
        low, high = sorted((history.lead(one), history.lead(other)))
        is_balanced = low + 1 <= _MOST_LEAD and high - 1 >= -_MOST_LEAD
        return is_near and is_balanced and history.may_sit_together(one, other)

    pairings_made: list[Pairing] = []
    left: list[int] = []
    for block in blocks(order, score):
        pairs, left = matched([*left, *block], score, history, may_meet)
        pairings_made += [seated(pair, history, round_number) for pair in pairs]
    return pairings_made


@dataclass(frozen=True, kw_only=True)
class RollingSwiss(Format):
    """A Swiss event by correspondence in which players do not wait for rounds."""

    name = "rolling-swiss"
    title = "Rolling Swiss"
    summary = "Whose game is over meets the next player with about as many points, never twice"
    usual_tie_breaks = (TieBreak.BUCHHOLZ, TieBreak.DIRECT_ENCOUNTER, TieBreak.WINS)
    is_continuous = True
    is_live: ClassVar[bool | None] = False
    patience: ClassVar[int] = 24 * 3_600

    games_each: int = whole(5, 1, 30, "how many games each player plays")

    def pair(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return pairings of players without a game; see `pair_rolling`."""
        patient = event.patient if self.waits(event) else event.active
        return pair_rolling(event.free, event.pairings, round_number, self.games_each, patient)

    def waits(self, event: EventState) -> bool:
        """Return whether the event goes on without new pairings: while a game goes on."""
        return any(one.points is None for one in event.pairings)
