"""The matchup of a contest: game, sides and time, the same for all its games."""

from __future__ import annotations

from dataclasses import dataclass

from antipodes.engine.gtp_client import PATIENCE
from antipodes.games.position import Game
from antipodes.lab.contestants import Contestant, Side, make_contestant, present, side_name
from antipodes.lab.duel import Fixture, Played, play_duel
from antipodes.search.players import Timekeeping


@dataclass(frozen=True, slots=True)
class Matchup:
    """The game, the two sides and their time, for all games of a contest; it can be pickled.

    Attributes:
        game: the game with its options.
        sides: who plays: texts, or functions that make players of seeds.
        seconds: for each move, or ``None``.
        timekeeping: what seconds are counted.
        patience: seconds beyond its time until a program counts as hung.
    """

    game: Game
    sides: tuple[Side, Side]
    seconds: float | None = None
    timekeeping: Timekeeping = Timekeeping.WALL
    patience: float = PATIENCE

    @property
    def names(self) -> tuple[str, str]:
        """Names of the two sides."""
        return side_name(self.sides[0]), side_name(self.sides[1])

    def contestants(self) -> list[Contestant]:
        """Return the two sides.

        Raises:
            InvalidOptionsError: there is no such player.
        """
        return [
            make_contestant(side, self.seconds, self.timekeeping, self.patience)
            for side in self.sides
        ]

    def play(self, fixture: Fixture) -> Played:
        """Play a game, with programs that may have been started for an earlier one.

        Raises:
            InvalidOptionsError: there is no such player.
        """
        key = (self.sides, self.seconds, self.timekeeping, self.patience)
        return play_duel(self.game, fixture, present(key, self.contestants))
