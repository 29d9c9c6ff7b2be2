"""Rematches, and series of Antipalos' match play."""

from __future__ import annotations

from dataclasses import dataclass, replace

from antipodes.clocks import UNLIMITED, TimeControl
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.games.match_play import MatchPlay
from antipodes.match.match import Match, Terms
from antipodes.records import Reason


def rematch(match: Match) -> Terms:
    """Return the terms of another game after one that is over.

    All players move on, except where the game began from a position: there each tries again.

    Raises:
        ValueError: the match is not over.
    """
    if match.result is None:
        raise ValueError("the match is not over")
    terms, shift = match.terms, match.position.seats_moved_on(match.result.winner)
    if terms.start is not None:
        return terms
    return replace(terms, players=(*terms.players[shift:], *terms.players[:shift]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Games of Antipalos until a side has the target points: an immutable value.

    Attributes:
        standing: the points, and the side that begins the next game.
        sides: the players of each side, in the order of the first game's turns.
        control: time control of each game.
        rated: whether the games are rated.
        analysis: whether players may try variations during the games.
    """

    standing: MatchPlay
    sides: tuple[tuple[str, ...], ...]
    control: TimeControl = UNLIMITED
    rated: bool = False
    analysis: bool = True

    def __post_init__(self) -> None:
        """Check that the sides fit the game's colours and seats.

        Raises:
            InvalidOptionsError: the players do not fit the game.
        """
        game = self.standing.game
        colors = len(game.colors)
        if [len(side) * colors for side in self.sides] != [game.seats] * colors:
            message = f"{game.seats} seats and {colors} colours do not fit the sides {self.sides}"
            raise InvalidOptionsError([Fault("match/seats", message, "sides")])

    @classmethod
    def begun(cls, terms: Terms, points: int) -> Series:
        """Return a series whose first game has these terms.

        Raises:
            InvalidOptionsError: the game has no match play, or not to that many points.
        """
        sides = len(terms.game.colors)
        return cls(
            standing=MatchPlay.of(terms.game, points),
            sides=tuple(terms.players[side::sides] for side in range(sides)),
            control=terms.control,
            rated=terms.rated,
            analysis=terms.analysis,
        )

    @property
    def winner(self) -> tuple[str, ...] | None:
        """The players who have won the series; ``None`` while it is in progress."""
        side = self.standing.winner
        return None if side is None else self.sides[side]

    def terms(self) -> Terms:
        """Return the terms of the next game."""
        game = self.standing.game
        players = tuple(
            self.sides[self.standing.side_of(game.color_of(seat))][seat // len(game.colors)]
            for seat in range(game.seats)
        )
        return Terms(
            game=game,
            players=players,
            control=self.control,
            rated=self.rated,
            analysis=self.analysis,
        )

    def after(self, match: Match) -> Series:
        """Return the series after one more game.

        An aborted game, or one without a winner, scores nothing; the same side begins again. A loss
        on time scores as a resignation.

        Raises:
            ValueError: the game is not over, or the series is.
        """
        result = match.result
        if result is None:
            raise ValueError("the game is not over")
        if match.position.outcome is not None:
            return replace(self, standing=self.standing.after(match.position.outcome))
        if result.winner is not None:
            phase = match.position.phase
            return replace(self, standing=self.standing.after_resignation(result.winner, phase))
        played = self.standing.games + (result.reason is not Reason.VOID)
        return replace(self, standing=replace(self.standing, games=played))
