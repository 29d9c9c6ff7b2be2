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

from antipodes.errors import InputError
from antipodes.games.placement import PlacementGame
from antipodes.games.position import Game, Position
from antipodes.puzzles.archive_games import Archive
from antipodes.puzzles.candidates import Find, Miner
from antipodes.puzzles.connection_mining import ConnectionMiner
from antipodes.puzzles.forced_win_mining import ForcedWinMiner
from antipodes.puzzles.model import Source
from antipodes.puzzles.rescue_mining import DrawMiner, SaveMiner
from antipodes.puzzles.source_games import source_game

# Goal -> games in which it can be proven. In the placement games there are no draws, so that saving
# is winning.
PROVABLE = {"draw": ("antipode", "antipalos"), "save": ("antipode", "antipalos")}


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
        goal: of the puzzles.
        options: of the game; by default those of several boards.
        archive: the games; by default those of the computer.
    """

    game_id: str
    seed: int
    goal: str = "win"
    options: Mapping[str, int | str] = field(default_factory=dict, hash=False)
    archive: Archive | None = None

    def __post_init__(self) -> None:
        """Check that the goal can be proven.

        Raises:
            InputError: it cannot.
        """
        if self.goal != "win" and self.game_id not in PROVABLE[self.goal]:
            games = " and ".join(PROVABLE[self.goal])
            message = f"the goal {self.goal} cannot be proven in {self.game_id}, only in {games}"
            raise InputError.single("puzzle/goal", message)

    def numbers(self) -> Iterable[int]:
        """Return the numbers of the games: those of the archive, or any number."""
        return itertools.count() if self.archive is None else range(len(self.archive))

    def positions(self, number: int) -> list[Position]:
        """Return the positions of a game of the run."""
        if self.archive is None:
            is_even = self.goal == "draw"
            chosen = self.options or None
            return source_game(self.game_id, self.seed, number, options=chosen, is_even=is_even)
        return self.archive.positions(number)

    @property
    def name(self) -> str:
        """The game, with the goal and the options if they are not the usual ones."""
        parts = [self.game_id, *([] if self.goal == "win" else [self.goal])]
        return ".".join([*parts, *(f"{name}-{value}" for name, value in self.options.items())])

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
    miner = _miner(order.goal, game)(game, chance, order.source(number))
    if len(game.colors) == 2:
        miner.mine(positions)
    seconds = round(time.process_time() - began, 2)
    return Harvest(number, tuple(miner.finds), dict(miner.findings), seconds)


def _miner(goal: str, game: Game) -> type[Miner]:
    if goal == "win":
        return ConnectionMiner if isinstance(game, PlacementGame) else ForcedWinMiner
    return DrawMiner if goal == "draw" else SaveMiner
