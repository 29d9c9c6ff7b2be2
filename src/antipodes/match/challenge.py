"""Challenges: what somebody wants to play, until enough people have joined."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from antipodes.clocks import UNLIMITED, TimeControl
from antipodes.errors import Fault, MatchError
from antipodes.games.base import BoardGame
from antipodes.match.match import Terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """An offer to play; an immutable value.

    Attributes:
        game: the rules with their options.
        by: who wants to play.
        control: how much time there is.
        rated: whether it will count.
        seat: the seat that the challenger wants, or ``None`` to draw lots.
        invited: who may join; anybody may if it is empty.
        joined: who has joined, besides the challenger.
    """

    game: BoardGame[Any, Any]
    by: str
    control: TimeControl = UNLIMITED
    rated: bool = False
    seat: int | None = None
    invited: frozenset[str] = frozenset()
    joined: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the seat.

        Raises:
            MatchError: there is no such seat.
        """
        if self.seat is not None and not 0 <= self.seat < self.game.seats:
            raise _refused("match/seats", f"{self.game.title} has no seat {self.seat}")

    @property
    def is_full(self) -> bool:
        """Whether all seats are taken, so that the match can begin."""
        return 1 + len(self.joined) == self.game.seats

    def join(self, player: str) -> Challenge:
        """Return the challenge with one more player.

        Raises:
            MatchError: the player sits there already or is not invited, or all seats are taken.
        """
        if self.is_full:
            raise _refused("match/full", "all seats are taken")
        if player == self.by or player in self.joined:
            raise _refused("match/joined", f"{player} has joined already")
        if self.invited and player not in self.invited:
            raise _refused("match/not-invited", f"{player} is not invited")
        return replace(self, joined=(*self.joined, player))

    def leave(self, player: str) -> Challenge:
        """Return the challenge without a player who had joined.

        Raises:
            MatchError: the player had not joined.
        """
        if player not in self.joined:
            raise _refused("match/not-joined", f"{player} has not joined")
        return replace(self, joined=tuple(one for one in self.joined if one != player))

    def terms(self, lot: int) -> Terms:
        """Return the terms of the match, now that all seats are taken.

        Args:
            lot: a random number from 0; who sits where if the challenger has not chosen.

        Raises:
            MatchError: seats are free.
        """
        if not self.is_full:
            free = self.game.seats - 1 - len(self.joined)
            raise _refused("match/not-full", f"{free} more must join")
        seats = self.game.seats
        own = lot % seats if self.seat is None else self.seat
        # The others sit in the order in which they came, clockwise from the challenger.
        players = [""] * seats
        for step, player in enumerate((self.by, *self.joined)):
            players[(own + step) % seats] = player
        return Terms(game=self.game, players=tuple(players), control=self.control, rated=self.rated)


def _refused(code: str, message: str) -> MatchError:
    return MatchError([Fault(code, message)])
