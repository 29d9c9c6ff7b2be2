"""Ladder: a standing in which players challenge those who are a few places higher.

A player who wins a challenge takes the place of the opponent, who moves down by one like all
between them. A player without a game for a while drops. The event goes on until the host ends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from antipodes.games.options import whole
from antipodes.tournaments.formats import EventState, Format
from antipodes.tournaments.history import History, Pairing
from antipodes.tournaments.standings import Column, Standing, TieBreak, ranked


def order_after_win(order: Sequence[int], winner: int, loser: int) -> list[int]:
    """Return the order after a game: a winner from below takes the place of the loser."""
    changed = list(order)
    at, to = changed.index(winner), changed.index(loser)
    if at > to:
        changed.insert(to, changed.pop(at))
    return changed


def order_after_drop(order: Sequence[int], player: int, places: int) -> list[int]:
    """Return the order after a player has dropped by some places, or to the last one."""
    changed = list(order)
    at = changed.index(player)
    changed.insert(at + places, changed.pop(at))
    return changed


def opponents(
    order: Sequence[int], pairings: Sequence[Pairing], challenger: int, reach: int
) -> list[int]:
    """Return whom a player may challenge, the nearest first.

    These are the players up to some places higher who have no game, but for the last opponent. A
    player with a game may challenge none.

    Args:
        order: all players, the first one on top.
        pairings: all so far.
        challenger: the player.
        reach: the number of places.
    """
    busy = {one for game in pairings if game.points is None for one in (game.first, game.second)}
    if challenger not in order or challenger in busy:
        return []
    games = [one for one in History(pairings).games(challenger) if one.is_played]
    last = games[-1].opponent_of(challenger) if games else None
    at = order.index(challenger)
    above = order[max(0, at - reach) : at]
    return [one for one in reversed(above) if one not in busy and one != last]


def challenge_pairing(pairings: Sequence[Pairing], challenger: int, opponent: int) -> Pairing:
    """Return the pairing of a challenge: the first seat for who had it less often."""
    history = History(pairings)
    number = max((one.round for one in pairings), default=0) + 1
    is_first = history.lead(challenger) < history.lead(opponent)
    seats = (challenger, opponent) if is_first else (opponent, challenger)
    return Pairing(number, *seats)


@dataclass(frozen=True, kw_only=True)
class Ladder(Format):
    """A standing without end, by challenges."""

    name = "ladder"
    title = "Ladder"
    summary = "Players challenge those a few places higher, and take their places if they win"
    is_continuous = True
    is_live: ClassVar[bool | None] = False
    has_places = True

    reach: int = whole(3, 1, 20, "how many places higher a player may challenge")
    idle_days: int = whole(30, 7, 180, "days without a game after which a player drops")
    drop: int = whole(3, 1, 20, "places by which an inactive player drops")

    def pair(self, event: EventState, round_number: int) -> list[Pairing]:  # noqa: ARG002
        """Return nothing: players challenge each other."""
        return []

    def challenges(self, event: EventState, challenger: int) -> dict[int, Pairing]:
        """Return the challenges that a player may make now, by opponents, the nearest first."""
        possible = opponents(event.order, event.pairings, challenger, self.reach)
        return {one: challenge_pairing(event.pairings, challenger, one) for one in possible}

    def order_after_win(self, order: Sequence[int], winner: int, loser: int) -> list[int]:
        """Return the order after a game; see the function."""
        return order_after_win(order, winner, loser)

    @property
    def longest_idle(self) -> int:
        """Seconds without a game after which a player drops."""
        return self.idle_days * 24 * 3_600

    def order_after_idle(self, order: Sequence[int], player: int) -> list[int]:
        """Return the order after a player had no game for long, and drops."""
        return order_after_drop(order, player, self.drop)

    def columns(self, tie_breaks: Sequence[TieBreak]) -> list[Column]:  # noqa: ARG002
        """Return none: places decide."""
        return []

    def table(self, event: EventState) -> list[Standing]:
        """Rank the players by their places; those who have left come last."""
        history, below = History(event.pairings), len(event.players) + 1
        order = {one: (-float(event.places.get(one, below)),) for one in event.players}
        return ranked(order, {one: (history.points(one),) for one in event.players})
