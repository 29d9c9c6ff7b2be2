"""Balance: how often each colour wins a game between equal players, by options and strength.

Games begin at the start position, without random openings, because its balance is measured. Nothing
is corrected: shares are those of the games as they were played. Games in which a player failed say
nothing about the rules; they are counted apart.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from antipodes.core import Color
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.games.symmetry import images_of
from antipodes.lab.intervals import Estimate, estimated_share
from antipodes.lab.tasks import MOST_GAMES, GameRow, GameTask, options_text


@dataclass(frozen=True, slots=True)
class Setting:
    """A game with its options, and the player that has all seats.

    Attributes:
        game: the game.
        player: as :func:`~antipodes.lab.contestants.make_contestant` reads it.
    """

    game: Game
    player: str

    def task(self, seed: int, number: int) -> GameTask:
        """Return a game of the setting.

        Args:
            seed: of all games.
            number: of the game, from 1 to ``MOST_GAMES``; each has other choices of the players.
        """
        return GameTask.numbered(self.game, [self.player], seed, number)

    @property
    def key(self) -> tuple[str, str, str]:
        """Game, options and player, as rows of results have them."""
        return self.game.id, options_text(self.game), self.player


def grid(
    game_id: str, options: Mapping[str, Sequence[str]], players: Sequence[str]
) -> list[Setting]:
    """Return a setting for each combination of values and each player.

    Args:
        game_id: of the game.
        options: the values of each option that is not left at its default.
        players: who plays.

    Raises:
        UnknownGameError: no game has this id.
        InvalidOptionsError: a combination is not allowed.
    """
    games = [
        make_game(game_id, dict(zip(options, values, strict=True)))
        for values in itertools.product(*options.values())
    ]
    return [Setting(game, player) for player in players for game in games]


def tasks_of(settings: Sequence[Setting], games: int, seed: int) -> Iterator[GameTask]:
    """Yield the tasks of settings, all of them equally far at any time."""
    for number in range(1, games + 1):
        for setting in settings:
            yield setting.task(seed, number)


@dataclass(slots=True)
class Balance:
    """Results of a setting.

    Attributes:
        setting: the game, its options and the player.
        games: games that ended by the rules.
        failed: games in which a player failed; they count nowhere else.
        wins: of each colour.
        first: games won by the player who moved first, whatever the colour after a swap.
        swaps: games in which the swap was played.
        courses: a hash of the moves of each different game.
        plies: for each length of games their number.
        scores: for each number of points of a win, by the rules, the games won with it.
        openings: for each first move, joined with its images under the symmetries of the board:
            games, and points of the colour that ``of`` names.
        cpu: seconds of CPU time.
        numbers: of the games, as :meth:`Setting.task` takes them.
    """

    setting: Setting
    games: int = 0
    failed: int = 0
    wins: Counter[Color] = field(default_factory=Counter)
    first: int = 0
    swaps: int = 0
    courses: set[int] = field(default_factory=set)
    plies: Counter[int] = field(default_factory=Counter)
    scores: Counter[int] = field(default_factory=Counter)
    openings: dict[str, tuple[int, float]] = field(default_factory=dict)
    cpu: float = 0.0
    numbers: set[int] = field(default_factory=set)

    @property
    def of(self) -> Color:
        """The colour whose share is asked for: Black, or the first colour of other games."""
        colors = self.setting.game.colors
        return Color.BLACK if Color.BLACK in colors else colors[0]

    @property
    def total(self) -> int:
        """All games, also those in which a player failed."""
        return self.games + self.failed

    @property
    def draws(self) -> int:
        """Games without a winner."""
        return self.games - self.wins.total()

    def add(self, row: GameRow) -> None:
        """Count a game of the setting."""
        self.cpu += sum(row.cpu)
        self.numbers.add(row.seed % MOST_GAMES + 1)
        if row.failed:
            self.failed += 1
            return
        self.games += 1
        self.courses.add(hash(row.moves))
        self.plies[row.plies] += 1
        self.swaps += row.swapped
        if row.winner is not None:
            self.wins[Color(row.winner)] += 1
            self.scores[row.points] += 1
            self.first += row.winner == row.colors[0]
        points = self._points(row.winner)
        move = first_move(self.setting.game, row.moves)
        games, before = self.openings.get(move, (0, 0.0))
        self.openings[move] = games + 1, before + points

    def restore(self, results: Mapping[str, Any]) -> None:
        """Take over the games and wins of results that :meth:`as_dict` returned."""
        self.games, self.failed = results["games"], results["failed"]
        self.wins = Counter({color: results[color.value] for color in self.setting.game.colors})

    def _points(self, winner: str | None) -> float:
        return float(winner == self.of.value) if winner else 1.0 / len(self.setting.game.colors)

    def share(self, color: Color | None = None) -> Estimate:
        """Return the share of a colour, by default that of ``of``; a draw is shared by all."""
        drawn = self.draws / len(self.setting.game.colors)
        return estimated_share(self.wins[color or self.of] + drawn, self.games)

    @property
    def length(self) -> float:
        """The mean number of plies."""
        return sum(count * plies for plies, count in self.plies.items()) / max(self.games, 1)

    def as_dict(self) -> dict[str, Any]:
        """Return the results for programs; lower and upper ends are of 95 % intervals."""
        colors = self.setting.game.colors
        return {
            "game": self.setting.game.id,
            "options": self.setting.game.options.as_dict(),
            "player": self.setting.player,
            "games": self.games,
            "failed": self.failed,
            "distinct": len(self.courses),
            "first": self.first,
            **{color.value: self.wins[color] for color in colors},
            "draws": self.draws,
            "of": self.of.value,
            **self.share().as_dict(),
            "shares": {color.value: self.share(color).as_dict() for color in colors},
            "swaps": {"games": self.swaps, **estimated_share(self.swaps, self.games).as_dict()},
            "scores": {str(points): self.scores[points] for points in sorted(self.scores)},
            "plies": {
                "mean": round(self.length, 2),
                "shortest": min(self.plies, default=0),
                "longest": max(self.plies, default=0),
            },
            "first_moves": [
                {"move": move, "games": games, **estimated_share(points, games).as_dict()}
                for move, (games, points) in sorted(
                    self.openings.items(), key=lambda item: (-item[1][0], item[0])
                )
            ],
            "cpu": round(self.cpu, 2),
        }


def first_move(game: Game, moves: str) -> str:
    """Return the first of some moves as text: the smallest of its images under the symmetries."""
    start = game.initial()
    word = moves.partition(" ")[0]
    if not word:
        return ""
    move = start.parse_move(word)
    return start.format_move(min(images_of(game, move)))


class Tallies:
    """Results of settings, counted from rows as they come.

    Attributes:
        balances: the results of each setting, by its key; in the order of the settings.
    """

    def __init__(self, settings: Iterable[Setting], seed: int | None = None) -> None:
        """Count nothing yet.

        Args:
            settings: whose games are counted.
            seed: of the games that are counted; ``None`` counts those of all seeds.
        """
        self.balances: dict[tuple[str, str, str], Balance] = {}
        self._seed = seed
        self._seen: set[str] = set()
        for setting in settings:
            self.watch(setting)

    @property
    def games(self) -> int:
        """All games, also those in which a player failed."""
        return sum(one.total for one in self.balances.values())

    def watch(self, setting: Setting) -> Balance:
        """Count the games of a setting too, from now on; return its results."""
        return self.balances.setdefault(setting.key, Balance(setting))

    def add(self, rows: Iterable[GameRow]) -> None:
        """Count games; those of other settings or seeds and those counted before are left out."""
        for row in rows:
            balance = self.balances.get((row.game, row.options, row.players[0]))
            if (
                balance is None
                or row.id in self._seen
                or row.opening
                or len(set(row.players)) > 1
                or (self._seed is not None and row.seed // MOST_GAMES != self._seed)
            ):
                continue
            self._seen.add(row.id)
            balance.add(row)


def tallied(rows: Iterable[GameRow]) -> Tallies:
    """Return the results of all settings in rows, by game, options and player.

    Only games from the start, with one player at all seats, belong to a setting.
    """
    stored_rows = list(rows)
    keys = sorted({(row.game, row.options, row.players[0]) for row in stored_rows})
    settings = [Setting(make_game(game, json.loads(text)), name) for game, text, name in keys]
    tallies = Tallies(settings)
    tallies.add(stored_rows)
    tallies.balances = {key: one for key, one in tallies.balances.items() if one.total}
    return tallies
