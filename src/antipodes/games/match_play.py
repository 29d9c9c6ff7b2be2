"""Match play of Antipalos: games until a side has 6, 9 or 15 points of Chart A."""

from __future__ import annotations

from dataclasses import dataclass, replace

from antipodes.core import Color, Outcome
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.games.antipalos import Antipalos
from antipodes.games.position import Game

TARGETS = (6, 9, 15)


def points_of_resignation(phase: int) -> int:
    """Return what a win by resignation scores in phase 1 or 2: two opposite borders."""
    return 3 if phase == 1 else 1


def next_beginner(winner: int, sides: int) -> int:
    """Return the side that begins after a win: the next one clockwise, of two the loser."""
    return (winner + 1) % sides


def most_decided_games(target: int, sides: int = 2) -> int:
    """Return how many games a match to so many points has at most, draws not counted."""
    return sides * (target - 1) + 1


@dataclass(frozen=True)
class MatchPlay:
    """The score of a match: an immutable value, like a position.

    Sides are the players, or the two teams, counted from 0 in the order of the first game's turns.
    In each game the side that begins plays the first colour, the next side clockwise the second.

    Attributes:
        game: the game, with the boxed ruleset.
        target: points that win the match.
        scores: points of each side.
        beginner: the side that begins the next game.
        games: number of games played, including draws.
    """

    game: Antipalos
    target: int = 6
    scores: tuple[int, ...] = ()
    beginner: int = 0
    games: int = 0

    def __post_init__(self) -> None:
        """Check the ruleset and the target.

        Raises:
            InvalidOptionsError: the target is not 6, 9 or 15, or Chart A does not apply.
        """
        faults = []
        if self.target not in TARGETS:
            fault = Fault.of(
                "match-play/target",
                "a match is played to {target} points, but must be to 6, 9 or 15",
                target=self.target,
            )
            faults.append(fault)
        if self.game.is_mail:
            fault = Fault(
                "match-play/ruleset", "ruleset is mail, but Chart A scores the boxed game only"
            )
            faults.append(fault)
        if faults:
            raise InvalidOptionsError(faults)
        if not self.scores:
            object.__setattr__(self, "scores", (0,) * len(self.game.colors))

    @classmethod
    def of(cls, game: Game, target: int) -> MatchPlay:
        """Return the start of a match of a game.

        Raises:
            InvalidOptionsError: the game has no match play, or not to that many points.
        """
        if not isinstance(game, Antipalos):
            message = f"{game.title} has no match play"
            raise InvalidOptionsError([Fault("match-play/no-such-game", message)])
        return cls(game, target)

    @property
    def winner(self) -> int | None:
        """The side that has won the match, or ``None`` while it is in progress."""
        best = max(self.scores)
        return self.scores.index(best) if best >= self.target else None

    def side_of(self, color: Color) -> int:
        """Return the side that plays a colour in the next game."""
        colors = self.game.colors
        return (self.beginner + colors.index(color)) % len(colors)

    def color_of(self, side: int) -> Color:
        """Return the colour that a side plays in the next game."""
        colors = self.game.colors
        return colors[(side - self.beginner) % len(colors)]

    def after(self, outcome: Outcome) -> MatchPlay:
        """Return the score after one more game.

        The winner scores the points, and the loser begins the next game; of several losers, the
        next one clockwise from the winner. A draw scores nothing, and the same side begins again.

        Raises:
            ValueError: the match is already won.
        """
        if outcome.winner is not None:
            return self._won(outcome.winner, outcome.points)
        self._check_open()
        return replace(self, games=self.games + 1)

    def after_resignation(self, winner: Color, phase: int) -> MatchPlay:
        """Return the score after a game that was resigned in phase 1 or 2.

        The winner scores the points for joining two opposite borders.

        Raises:
            ValueError: the match is already won.
        """
        return self._won(winner, points_of_resignation(phase))

    def _won(self, color: Color, points: int) -> MatchPlay:
        self._check_open()
        side = self.side_of(color)
        scores = list(self.scores)
        scores[side] += points
        return replace(
            self,
            scores=tuple(scores),
            beginner=next_beginner(side, len(scores)),
            games=self.games + 1,
        )

    def _check_open(self) -> None:
        if self.winner is not None:
            raise ValueError(f"the match is over: side {self.winner} has {max(self.scores)} points")
