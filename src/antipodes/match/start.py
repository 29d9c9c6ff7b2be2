"""Starts of matches that begin from a position of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from antipodes.core import Setup
from antipodes.games.position import Game, Position
from antipodes.records.json_format import read_setup, setup_data


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Where a match begins: a setup, and moves that were made before the players' first turns.

    Attributes:
        setup: the position before the moves; ``None`` for the start of the game.
        moves: the moves, which cannot be taken back.
    """

    setup: Setup | None = field(default=None, hash=False)
    moves: tuple[int, ...] = ()

    def origin(self, game: Game) -> Position:
        """Return the position before the moves.

        Raises:
            InvalidPositionError: the setup is not a position of the game.
        """
        return game.initial() if self.setup is None else game.position(self.setup)

    def position(self, game: Game) -> Position:
        """Return the position after the moves, from which the players continue.

        Raises:
            InvalidPositionError: the setup is not a position of the game.
            IllegalMoveError: a move is not legal.
        """
        position = self.origin(game)
        for move in self.moves:
            position = position.play(move)
        return position

    def as_json(self) -> dict[str, Any]:
        """Return the start as data that `read` reads."""
        setup = {} if self.setup is None else {"setup": setup_data(self.setup)}
        return {**setup, "moves": list(self.moves)}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """Return the start that trusted data of `as_json` describe."""
        setup = read_setup(data["setup"]) if "setup" in data else None
        return cls(setup=setup, moves=tuple(data["moves"]))
