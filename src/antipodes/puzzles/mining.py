"""Mining of puzzles: candidates from games of the computer, proofs, lines, themes, difficulty.

Everything is limited by numbers of positions, never by seconds, so a seed gives the same puzzles.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass

from antipodes.games.placement import PlacementGame
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


def mine_game(game_id: str, seed: int, number: int) -> Harvest:
    """Play a game of the computer and return the puzzles in it.

    Args:
        game_id: the game.
        seed: of the run.
        number: of the game in the run.
    """
    began = time.process_time()
    positions = source_game(game_id, seed, number)
    game = positions[0].game
    chance = random.Random(f"{game_id} {seed} {number} variations")
    kind: type[Miner] = ConnectionMiner if isinstance(game, PlacementGame) else ForcedWinMiner
    miner = kind(game, chance, Source(seed, number, 0))
    miner.mine(positions)
    seconds = round(time.process_time() - began, 2)
    return Harvest(number, tuple(miner.finds), dict(miner.findings), seconds)
