"""Who can play: the computer at its levels, random moves, the pairing strategy."""

from __future__ import annotations

import random
from typing import Any, Protocol

import numpy as np

from antipodes.core import Move
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.games import pairing
from antipodes.games.kernels import compiled_rules, header
from antipodes.games.position import BoardPosition
from antipodes.notation.text import shorten
from antipodes.search.levels import DEFAULT_LEVEL, Level, find_level, levels
from antipodes.search.thinking import Candidate, Limits, Progress, Watcher
from antipodes.search.tree import TreeSearch

__all__ = [
    "Candidate",
    "ComputerPlayer",
    "Level",
    "PairingPlayer",
    "Player",
    "Progress",
    "RandomPlayer",
    "levels",
    "make_player",
]


class Player(Protocol):
    """Anything that chooses moves."""

    @property
    def name(self) -> str:
        """What to call the player."""
        ...

    def choose(self, position: BoardPosition[Any], progress: Watcher | None = None) -> Move:
        """Return a legal move; what ``progress`` raises ends the thinking."""
        ...


def make_player(spec: str, seed: int | None = None) -> Player:
    """Return the player that a text names.

    Args:
        spec: ``computer`` or ``computer:LEVEL`` (number or name), ``random``, ``pairing``.
        seed: makes the player's choices reproducible; chance decides without.

    Raises:
        InvalidOptionsError: no player is called so.
    """
    kind, _, detail = spec.strip().lower().partition(":")
    chosen = seed if seed is not None else random.SystemRandom().getrandbits(48)
    if kind == "computer":
        return ComputerPlayer(find_level(detail or str(DEFAULT_LEVEL)), chosen)
    if kind == "random" and not detail:
        return RandomPlayer(chosen)
    if kind == "pairing" and not detail:
        return PairingPlayer()
    message = f"{shorten(spec)} is not a player; there are computer:LEVEL, random, pairing"
    raise InvalidOptionsError([Fault("player/unknown", message)])


class RandomPlayer:
    """Plays any legal move with the same chance."""

    name = "random"

    def __init__(self, seed: int) -> None:
        """Seed the choices."""
        self._random = random.Random(seed)

    def choose(self, position: BoardPosition[Any], progress: Watcher | None = None) -> Move:  # noqa: ARG002
        """Return a random legal move."""
        return Move(self._random.choice(position.legal_moves.array().tolist()))


class PairingPlayer:
    """Answers at the point turned by half a circle; see :mod:`antipodes.games.pairing`."""

    name = "pairing"

    def choose(self, position: BoardPosition[Any], progress: Watcher | None = None) -> Move:  # noqa: ARG002
        """Return the answer of the pairing strategy.

        Raises:
            InvalidPositionError: the strategy does not apply to this game or position.
        """
        return pairing.pairing_reply(position)


class ComputerPlayer:
    """Looks for a win in one move, then searches a tree as long as its level allows."""

    def __init__(self, level: Level, seed: int) -> None:
        """Choose level and seed."""
        self.level = level
        self._random = random.Random(seed)

    @property
    def name(self) -> str:
        """The level's name and number."""
        return f"computer {self.level.number} ({self.level.name})"

    def choose(self, position: BoardPosition[Any], progress: Watcher | None = None) -> Move:
        """Return the most visited move, or a move that wins at once."""
        winning = winning_move(position)
        if winning is not None:
            return winning
        return self.search(position, progress)[0].move

    def search(
        self, position: BoardPosition[Any], progress: Watcher | None = None
    ) -> list[Candidate]:
        """Return the moves that a fresh search has tried, the best first."""
        tree = TreeSearch(position, seed=self._random.getrandbits(48))
        # Phase Two of Antipalos has thousands of moves; each is worth a look.
        looks = 2 * len(position.legal_moves) if self.level.number >= DEFAULT_LEVEL else 0
        visits = max(self.level.visits, looks) if tree.games_a_visit == 1 else self.level.batches
        tree.run(Limits(visits=visits), progress)
        return tree.candidates()


def winning_move(position: BoardPosition[Any]) -> Move | None:
    """Return a move that wins at once for the colour to move, or ``None``."""
    game = position.game
    rules = compiled_rules(game.family)
    own = 1 + int(position.state[header.COLOR])
    state = position.searchable_state(1)
    root = state.copy()
    work = game.work()
    for move in position.legal_moves.array().tolist():
        np.copyto(state, root)
        rules.play(game.tables, state, work, move)
        if state[header.WINNER] == own:
            return Move(move)
    return None
