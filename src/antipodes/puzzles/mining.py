"""Mining of puzzles: candidates from games, their proofs, lines, themes and difficulty.

Everything is limited by numbers of positions, never by seconds, so a seed gives the same puzzles
from the same games.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from antipodes.games.placement import is_connection_game
from antipodes.games.position import Position
from antipodes.puzzles.archive_games import Archive
from antipodes.puzzles.candidates import Find, Miner
from antipodes.puzzles.connection_mining import ConnectionMiner
from antipodes.puzzles.forced_win_mining import ForcedWinMiner
from antipodes.puzzles.model import Source
from antipodes.puzzles.source_games import source_game


@dataclass(frozen=True, slots=True)
class Harvest:
    """The result of mining one game.

    Attributes:
        number: of the game.
        finds: the puzzles.
        findings: number of candidates by what was found out about them.
        seconds: CPU time.
    """

    number: int
    finds: tuple[Find, ...]
    findings: dict[str, int]
    seconds: float


@dataclass(frozen=True, slots=True)
class Order:
    """Order for a run: the puzzles to make.

    Attributes:
        game_id: the game.
        seed: of the run.
        options: of the game; by default those of several boards.
        archive: the games; by default those of the computer.
    """

    game_id: str
    seed: int
    options: Mapping[str, int | str] = field(default_factory=dict, hash=False)
    archive: Archive | None = None

    def numbers(self) -> Iterable[int]:
        """Return the numbers of the games: those of the archive, or any number."""
        return itertools.count() if self.archive is None else range(len(self.archive))

    def positions(self, number: int) -> list[Position]:
        """Return the positions of a game of the run."""
        if self.archive is None:
            return source_game(self.game_id, self.seed, number, options=self.options or None)
        return self.archive.positions(number)

    @property
    def name(self) -> str:
        """The game, with the options if they are not the usual ones."""
        options = (f"{name}-{value}" for name, value in self.options.items())
        return ".".join([self.game_id, *options])

    def source(self, number: int) -> Source:
        """Return the source of puzzles from a game of the run."""
        file = "" if self.archive is None else self.archive.file(number)
        return Source(self.seed, number, 0, file)


def mine_game(order: Order, number: int) -> Harvest:
    """Play a game of the computer, or read one, and return the puzzles in it.

    Args:
        order: the puzzles to make.
        number: of the game in the run.
    """
    began = time.process_time()
    positions = order.positions(number)
    game = positions[0].game
    chance = random.Random(f"{order.game_id} {order.seed} {number} variations")
    kind: type[Miner] = ConnectionMiner if is_connection_game(game) else ForcedWinMiner
    miner = kind(game, chance, order.source(number))
    if len(game.colors) == 2:
        miner.mine(positions)
    seconds = round(time.process_time() - began, 2)
    return Harvest(number, tuple(miner.finds), dict(miner.findings), seconds)
