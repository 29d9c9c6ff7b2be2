"""Playing games of a contest one after another, or several at once in processes of their own."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from antipodes.engine.gtp_client import PATIENCE
from antipodes.errors import AntipodesError, Fault, InvalidOptionsError
from antipodes.games.position import Game
from antipodes.lab.contestants import Contestant, Side, make_contestant, side_name
from antipodes.lab.duel import Fixture, Played, play_duel
from antipodes.search.players import Timekeeping

_TO_END = 5.0  # seconds until a worker that was told to end is ended


class WorkerError(AntipodesError):
    """A process that plays games has ended by itself."""


@dataclass(frozen=True, slots=True)
class Matchup:
    """The game, the two sides and their time, for all games of a contest; it can be pickled.

    Attributes:
        game: the game with its options.
        sides: who plays: texts, or functions that make players of seeds. With several games at once
            such a function must be one that other processes can import: no lambda, no closure.
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

    def contestants(self) -> tuple[Contestant, Contestant]:
        """Return the two sides.

        Raises:
            InvalidOptionsError: there is no such player.
        """
        first, second = (
            make_contestant(side, self.seconds, self.timekeeping, self.patience)
            for side in self.sides
        )
        return first, second


def play_all(matchup: Matchup, fixtures: Iterator[Fixture], jobs: int = 1) -> Iterator[Played]:
    """Yield games as they end, in the order of their ends.

    Closing the iterator, or an error, ends all players; games that are being played are lost.

    Args:
        matchup: what they have in common.
        fixtures: the games; the next one is taken when players become free.
        jobs: how many games are played at once.

    Raises:
        InvalidOptionsError: there is no such player, or it cannot travel to another process.
        WorkerError: a process ended by itself.
    """
    return _in_turn(matchup, fixtures) if jobs == 1 else _at_once(matchup, fixtures, jobs)


def _in_turn(matchup: Matchup, fixtures: Iterator[Fixture]) -> Iterator[Played]:
    contestants = matchup.contestants()
    try:
        for fixture in fixtures:
            yield play_duel(matchup.game, fixture, contestants)
    finally:
        for contestant in contestants:
            contestant.close()


def _at_once(matchup: Matchup, fixtures: Iterator[Fixture], jobs: int) -> Iterator[Played]:
    _check_travels(matchup)
    # Spawned, since a copy of a process whose threads run kernels need not work.
    context = multiprocessing.get_context("spawn")
    crew: dict[Connection, Any] = {}
    try:
        for fixture in _some(fixtures, jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, matchup), daemon=True)
            process.start()
            theirs.close()
            crew[ours] = process
            ours.send(fixture)
        while crew:
            for connection in wait(list(crew)):
                assert isinstance(connection, Connection)
                try:
                    played = connection.recv()
                except (EOFError, OSError):
                    raise _lost(crew[connection]) from None
                fixture_or_none = next(fixtures, None)
                if fixture_or_none is None:
                    _dismiss(connection, crew.pop(connection))
                else:
                    connection.send(fixture_or_none)
                yield played
    finally:
        for process in crew.values():
            process.terminate()
        for connection, process in crew.items():
            connection.close()
            process.join(_TO_END)
            if process.is_alive():
                process.kill()


def _check_travels(matchup: Matchup) -> None:
    try:
        pickle.dumps(matchup)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        message = (
            f"several games at once need players that other processes can import: {error}; "
            "take a function at the top of a module, or one game at a time"
        )
        raise InvalidOptionsError([Fault("player/factory", message)]) from None


def _some(fixtures: Iterator[Fixture], count: int) -> Iterator[Fixture]:
    for _ in range(count):
        fixture = next(fixtures, None)
        if fixture is None:
            return
        yield fixture


def _dismiss(connection: Connection, process: Any) -> None:
    connection.close()
    process.join(_TO_END)
    if process.is_alive():
        process.terminate()


def _lost(process: Any) -> WorkerError:
    process.join(1.0)
    return WorkerError(f"a process that played games ended with exit code {process.exitcode}")


def _work(connection: Connection, matchup: Matchup) -> None:
    """Play what is sent until the other end closes; runs in a process of its own."""
    # Ctrl-C reaches all processes of a terminal; the first one decides what becomes of the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    contestants = matchup.contestants()
    try:
        with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
            while True:
                connection.send(play_duel(matchup.game, connection.recv(), contestants))
    finally:
        for contestant in contestants:
            contestant.close()


def _leave(_signal: int, _frame: object) -> None:
    """End the process by an exception, so that the programs it has started are ended too."""
    raise SystemExit(os.EX_OK)
