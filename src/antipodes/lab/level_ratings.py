"""Ratings of the computer's levels, out of games of each level against the next lower one.

Pairs of levels are measured one at a time, over days; the results of a game are kept in
`antipodes.search.levels.RATINGS` as it comes. A pair counts as long as both levels think as they
did when they played. As soon as all pairs of a game are known, its levels have ratings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.lab.ratings import Tally, rate
from antipodes.search.levels import levels

FIRST_RATING = 1000  # of level 1 in every game: ratings of different games cannot be compared


class SeedUsedError(ValueError):
    """Games with this seed are among those of the pair already; they would count twice."""


@dataclass(frozen=True, slots=True)
class Board:
    """Where the levels of a game meet.

    Attributes:
        game_id: of the game.
        options: of the game.
        plies: random moves that open each pair of games.
    """

    game_id: str
    options: Mapping[str, int | str]
    plies: int

    @property
    def game(self) -> Game:
        """The game with its options."""
        return make_game(self.game_id, dict(self.options))

    @property
    def skills(self) -> list[str]:
        """How each level thinks on it, as text."""
        game = self.game
        return [repr(level.skill(game)) for level in levels()]

    def is_of(self, kept: Mapping[str, Any]) -> bool:
        """Return whether what is kept of the game was played on this board."""
        there = make_game(self.game_id, dict(kept["options"]))
        return (there, kept["opening_plies"]) == (self.game, self.plies)


@dataclass(frozen=True, slots=True)
class LevelPair:
    """Games of a level against the next lower one.

    Attributes:
        points: of the higher level.
        games: of the two.
        seeds: of the contests in which they were played.
    """

    points: float = 0.0
    games: int = 0
    seeds: tuple[int, ...] = ()

    def with_more(self, tally: Tally, seed: int) -> LevelPair:
        """Return the pair with the games of one more contest.

        Raises:
            SeedUsedError: a contest with this seed is in it.
        """
        if seed in self.seeds:
            raise SeedUsedError(f"seed {seed} was used; used are {list(self.seeds)}")
        return LevelPair(self.points + tally.points, self.games + tally.games, (*self.seeds, seed))


def pairs_that_hold(stored: Mapping[str, Any], skills: Sequence[str]) -> dict[int, LevelPair]:
    """Return the pairs of levels that both think as they did when they played.

    Args:
        stored: the results of a game, as `antipodes.search.levels.measured` has it.
        skills: how its levels think now.

    Returns:
        Number of the higher level -> pair.
    """
    pairs = {}
    for key, pair in stored.get("pairs", {}).items():
        number = int(key)
        both = slice(number - 2, number)
        if list(stored["skills"][both]) == list(skills[both]):
            pairs[number] = LevelPair(pair["points"], pair["games"], tuple(pair["seeds"]))
    return pairs


def missing_levels(pairs: Mapping[int, LevelPair]) -> list[int]:
    """Return the levels that have not played against the next lower one."""
    return [level.number for level in levels()[1:] if level.number not in pairs]


def entry_of(board: Board, pairs: Mapping[int, LevelPair], command: str) -> dict[str, Any]:
    """Return what is to be kept of a game: its pairs, and ratings if no pair is missing."""
    entry: dict[str, Any] = {
        "options": dict(board.options),
        "opening_plies": board.plies,
        "games": sum(pair.games for pair in pairs.values()),
        "command": command,
        "pairs": {
            str(number): {"points": pair.points, "games": pair.games, "seeds": list(pair.seeds)}
            for number, pair in sorted(pairs.items())
        },
        "skills": board.skills,
    }
    if not missing_levels(pairs):
        ratings = rate(
            {
                (str(number), str(number - 1)): (pair.points, pair.games)
                for number, pair in pairs.items()
            }
        )
        numbers = [str(level.number) for level in levels()]
        lowest = ratings[numbers[0]].elo
        entry["ratings"] = [
            round(FIRST_RATING + ratings[number].elo - lowest) for number in numbers
        ]
        entry["errors"] = [round(ratings[number].error) for number in numbers]
    return entry


def read_all(path: Path) -> dict[str, Any]:
    """Return what is kept of all games; nothing if there is no such file."""
    if not path.exists():
        return {}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def known_pairs(path: Path, board: Board) -> dict[int, LevelPair]:
    """Return the pairs that are kept of a board and hold."""
    kept = read_all(path).get(board.game_id)
    return pairs_that_hold(kept, board.skills) if kept and board.is_of(kept) else {}


def keep(path: Path, board: Board, number: int, pair: LevelPair, command: str) -> list[int]:
    """Keep a pair beside the others of its board that hold.

    Args:
        path: the file.
        board: where the two levels met.
        number: of the higher level.
        pair: their games.
        command: by which they were played.

    Returns:
        The levels that have not played yet: without them the game has no ratings.
    """
    pairs = {**known_pairs(path, board), number: pair}
    # Read again just before it is written: pairs of other games may have come meanwhile.
    everything = {**read_all(path), board.game_id: entry_of(board, pairs, command)}
    path.write_text(json.dumps(everything, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    return missing_levels(pairs)
