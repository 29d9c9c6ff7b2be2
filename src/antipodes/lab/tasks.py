"""Games as tasks: values that any process can play, named by their content."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import antipodes
from antipodes.core import Color, Move
from antipodes.errors import Fault, InputError, InvalidOptionsError
from antipodes.games.kernels import native
from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game
from antipodes.lab.contestants import make_contestant, present
from antipodes.lab.duel import Effort, Fixture, Played, play_duel
from antipodes.records import Reason, Record, Result

_FAILURES = {Reason.FORFEIT, Reason.TIME}

MOST_GAMES = 1_000_000  # of a series

# Packages whose code decides which moves are played.
_PLAYING = ("boards", "core", "engine", "games", "lab", "search")


def is_failure(reason: str) -> bool:
    """Return whether a game ended because a player failed, as rows tell it."""
    return Reason(reason) in _FAILURES


@cache
def build() -> str:
    """Return version and source code of this program, such as ``0.1.0+3f0a91bc``."""
    home = Path(antipodes.__file__).parent
    digest = hashlib.sha256()
    for package in _PLAYING:
        for path in sorted((home / package).rglob("*.py")):
            digest.update(path.relative_to(home).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{antipodes.__version__}+{digest.hexdigest()[:8]}"


@cache
def environment() -> str:
    """Return what else decides how fast players are: versions, system, processor and kernels."""
    edition = "native" if native.enabled() else "plain"
    return (
        f"Python {platform.python_version()}, NumPy {np.__version__},"
        f" {platform.system()} {platform.release()}, {_processor()}, {edition} kernels"
    )


def _processor() -> str:
    """Return the name of the processor, which Linux tells in a file only."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return f"{value.strip()} ({platform.machine()})"
    return platform.processor() or platform.machine()


def options_text(game: Game) -> str:
    """Return all options of a game as text; equal options have equal texts."""
    return json.dumps(game.options.as_dict(), sort_keys=True, separators=(",", ":"))


def read_moves(game: Game, text: str) -> list[Move]:
    """Read the moves of a game from its start, with spaces between them.

    Raises:
        MoveError: a move cannot be played.
    """
    moves: list[Move] = []
    position: Position = game.initial()
    for word in text.split():
        moves.append(position.parse_move(word))
        position = position.play(moves[-1])
    return moves


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game that was played; a row of the results.

    Attributes:
        id: of the task.
        game: id of the game.
        options: all options, as :func:`options_text` writes them.
        players: the player at each seat.
        seed: of the task.
        opening: moves of the task, with spaces between them.
        colors: for each seat the colour that it had in the end.
        winner: the colour that won; ``None`` for a draw and without a winner.
        reason: how the game ended, a :class:`~antipodes.records.Reason`.
        plies: moves, those of the opening included.
        points: of the win by the rules; 0 without a winner.
        swapped: whether a swap was played.
        moves: all moves, with spaces between them.
        turns: moves that the player at each seat chose; of a player with several seats they count
            at the first one, as do seconds.
        seconds: of the player at each seat, on the wall.
        cpu: seconds of CPU time of the player at each seat.
        failing: how a player failed, a :class:`~antipodes.engine.gtp_client.ProgramFailure`.
        text: more about the result, such as what an illegal move was.
        version: of the program that played, as :func:`build` names it.
        environment: of the program that played, as :func:`environment` tells it; empty in rows of
            older versions.
    """

    id: str
    game: str
    options: str
    players: tuple[str, ...]
    seed: int
    opening: str
    colors: tuple[str, ...]
    winner: str | None
    reason: str
    plies: int
    points: int
    swapped: bool
    moves: str
    turns: tuple[int, ...]
    seconds: tuple[float, ...]
    cpu: tuple[float, ...]
    failing: str | None
    text: str
    version: str
    environment: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> GameRow:
        """Return the row with these values; lists become tuples."""
        given = {"environment": "", **data}
        values = {field.name: given[field.name] for field in fields(cls)}
        lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
        return cls(**(values | lists))

    @property
    def as_dict(self) -> dict[str, Any]:
        """All values by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def failed(self) -> bool:
        """Whether a player failed: the result says nothing about the game."""
        return is_failure(self.reason)

    def record(self) -> Record:
        """Return the game as a record."""
        game = make_game(self.game, json.loads(self.options))
        record = Record.from_moves(game, read_moves(game, self.moves))
        record.players = self.players
        winner = None if self.winner is None else Color(self.winner)
        record.result = Result(winner, Reason(self.reason), self.text)
        record.extra = {"lab": {"id": self.id, "seed": self.seed, "version": self.version}}
        return record


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game that is to be played.

    Attributes:
        game: id of the game.
        options: all options, as :func:`options_text` writes them.
        players: the player at each seat, in the order of the first turns: a text as
            :func:`~antipodes.lab.contestants.make_contestant` reads it, such as ``computer:5``.
        seed: decides the choices of all players, together with their seats.
        opening: moves that are made for the players, with spaces between them.
        version: of the program; a newer one plays the same task again.
    """

    game: str
    options: str
    players: tuple[str, ...]
    seed: int
    opening: str = ""
    version: str = antipodes.__version__

    @classmethod
    def of(
        cls, game: Game, players: Sequence[str], seed: int, opening: Sequence[str] = ()
    ) -> GameTask:
        """Return the task of a game.

        Args:
            game: the game with its options.
            players: one for each seat, or one for all.
            seed: see the class.
            opening: texts of moves.

        Raises:
            InvalidOptionsError: the number of players is wrong.
        """
        at_seats = tuple(players) * (game.seats if len(players) == 1 else 1)
        if len(at_seats) != game.seats:
            message = f"{game.title} needs {game.seats} players or one, not {len(at_seats)}"
            raise InvalidOptionsError([Fault("lab/players", message)])
        return cls(game.id, options_text(game), at_seats, seed, " ".join(opening))

    @classmethod
    def numbered(
        cls,
        game: Game,
        players: Sequence[str],
        seed: int,
        number: int,
        opening: Sequence[str] = (),
    ) -> GameTask:
        """Return a game of a series: those of one seed have other choices of the players.

        Args:
            game: as in :meth:`of`, like the other arguments.
            players: see there.
            seed: of the series.
            number: of the game, from 1 to ``MOST_GAMES``.
            opening: see there.
        """
        return cls.of(game, players, seed * MOST_GAMES + number - 1, opening)

    @property
    def id(self) -> str:
        """A hash of the content, in 24 hexadecimal digits."""
        content = [getattr(self, field.name) for field in fields(self)]
        text = json.dumps(content, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    def seat_seed(self, seat: int) -> int:
        """Return the seed of the player at a seat, below 2**31, as most programs take it."""
        digest = hashlib.sha256(f"{self.seed}/{seat}".encode()).digest()
        return int.from_bytes(digest[:4], "big") & 0x7FFFFFFF

    def play(self) -> GameRow:
        """Play the game in this process.

        Raises:
            InputError: there is no such game or player, the opening cannot be played, or the task
                is one of another version.
        """
        if self.version != antipodes.__version__:
            message = f"this is version {antipodes.__version__}, but the task is of {self.version}"
            raise InputError([Fault("lab/version", message)])
        game = _game(self.game, self.options)
        opening = tuple(read_moves(game, self.opening))
        seats = range(game.seats)
        seeds = tuple(map(self.seat_seed, seats))
        fixture = Fixture(1, 0, tuple(seats), opening, seeds)
        contestants = present(self.players, lambda: list(map(make_contestant, self.players)))
        return row_of(self, game, play_duel(game, fixture, contestants))


def row_of(task: GameTask, game: Game, played: Played) -> GameRow:
    """Return the row of a task that was played."""
    position: Position = game.initial()
    texts = []
    for move in played.moves:
        texts.append(position.format_move(move))
        position = position.play(move)
    winner = played.result.winner
    outcome = position.outcome
    seats = {seat: color for color in game.colors for seat in position.seat_of(color)}
    sides = played.fixture.sides
    efforts = [
        played.efforts[side] if sides.index(side) == seat else Effort()
        for seat, side in enumerate(sides)
    ]
    return GameRow(
        id=task.id,
        game=task.game,
        options=task.options,
        players=task.players,
        seed=task.seed,
        opening=task.opening,
        colors=tuple(seats[seat].value for seat in range(game.seats)),
        winner=None if winner is None else winner.value,
        reason=played.result.reason.value,
        plies=len(played.moves),
        points=0 if outcome is None else outcome.points,
        swapped=position.swapped,
        moves=" ".join(texts),
        turns=tuple(effort.moves for effort in efforts),
        seconds=tuple(round(effort.seconds, 6) for effort in efforts),
        cpu=tuple(round(effort.cpu, 6) for effort in efforts),
        failing=None if played.failing is None else played.failing.value,
        text=played.result.text,
        version=build(),
        environment=environment(),
    )


@lru_cache(maxsize=64)
def _game(game_id: str, options: str) -> Game:
    return make_game(game_id, json.loads(options))
