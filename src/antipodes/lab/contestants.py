"""Contestants: players of this program or in Python, and programs that speak GTP."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Hashable
from functools import partial
from typing import Protocol, cast

from antipodes.core import Move
from antipodes.engine.gtp_client import (
    PATIENCE,
    GtpOpponent,
    GtpProgram,
    ProgramError,
    ProgramFailure,
)
from antipodes.errors import Fault, InputError, InvalidOptionsError, MoveError
from antipodes.games.position import Game, Position
from antipodes.search.custom_players import (
    PlayerFactory,
    factory_name,
    import_factory,
    make_custom_player,
)
from antipodes.search.players import KINDS, Timekeeping, make_player

_TO_WARM_UP = 0.001  # seconds of search

GTP = "gtp:"
SEED = "{seed}"

Side = str | PlayerFactory


def side_name(side: Side) -> str:
    """Return what to call a side: its text, or the place of its factory."""
    return side if isinstance(side, str) else factory_name(side)


class Contestant(Protocol):
    """One side of a contest; it plays one game after another."""

    def begin(self, game: Game, seed: int) -> None:
        """Get ready for a game from its start; what fails raises ``ProgramError``."""
        ...

    def tell(self, position: Position, move: Move) -> None:
        """Learn of a move of another player, and of its position."""
        ...

    def choose(self, position: Position) -> Move:
        """Return a move; it may be illegal, and any error counts as a failure."""
        ...

    def cpu_seconds(self) -> float | None:
        """Return how much of processors was used so far; ``None`` where that cannot be told."""
        ...

    def close(self) -> None:
        """Free what is held."""
        ...


def make_contestant(
    side: Side,
    seconds: float | None = None,
    timekeeping: Timekeeping = Timekeeping.WALL,
    patience: float = PATIENCE,
) -> Contestant:
    """Return the contestant that a text names, or whose player a factory makes.

    Args:
        side: a function that makes a player of a seed, or a text: a player as
            :func:`~antipodes.search.players.make_player` reads it, ``gtp:`` and the command line of
            a program, or ``MODULE:FACTORY`` for such a function in a module.
        seconds: for each move; ``None`` leaves it to the players.
        timekeeping: what seconds of players in Python are counted; programs keep their own time.
        patience: seconds beyond its time until a program counts as hung.

    Raises:
        InvalidOptionsError: no player is called so, or the function makes none.
    """
    if isinstance(side, str) and side.lower().startswith(GTP):
        return ProgramContestant(side[len(GTP) :].strip(), seconds, patience)
    return PlayerContestant(_factory_of(side), seconds, timekeeping)


def _factory_of(side: Side) -> PlayerFactory:
    if not isinstance(side, str):
        return partial(make_custom_player, side)
    kind, colon, _ = side.strip().partition(":")
    if colon and kind.lower() not in KINDS:
        return partial(make_custom_player, import_factory(side))
    return partial(make_player, side)


# Those of the last games, so that programs are started once for many games.
_present: dict[Hashable, list[Contestant]] = {}


def present(key: Hashable, make: Callable[[], list[Contestant]]) -> list[Contestant]:
    """Return the contestants of this process: those of the last games if the key is the same.

    Args:
        key: what they are made of.
        make: makes them, after those of another key have been closed.
    """
    if key not in _present:
        dismiss()
        _present[key] = make()
    return _present[key]


def dismiss() -> None:
    """Close the contestants of this process; programs that speak GTP end."""
    while _present:
        for contestant in _present.popitem()[1]:
            contestant.close()


class PlayerContestant:
    """A player in Python, of this program or of a user; each game has a fresh one.

    A user's player needs no more than ``choose``.
    """

    def __init__(
        self, factory: PlayerFactory, seconds: float | None, timekeeping: Timekeeping
    ) -> None:
        """Make a player once, so that what cannot work is told at once."""
        self._factory = factory
        self._seconds = seconds
        self._timekeeping = timekeeping
        self._player = factory(0)
        self._warm = False

    def begin(self, game: Game, seed: int) -> None:
        """Make a new player."""
        if not self._warm:
            # Loading kernels and a network takes a second or more, which is not to be taken from
            # the first move. The start may be known without a search, so play on from it, too.
            self._allot(_TO_WARM_UP)
            start = game.initial()
            with contextlib.suppress(InputError):
                self._player.choose(start)
                self._player.choose(start.play(start.legal_moves[0]))
            self._warm = True
        self._player = self._factory(seed)
        if self._seconds is not None:
            self._allot(self._seconds, self._timekeeping)

    def _allot(self, seconds: float, timekeeping: Timekeeping = Timekeeping.WALL) -> None:
        allot = getattr(self._player, "allot", None)
        if allot is not None:
            allot(seconds, timekeeping)

    def tell(self, position: Position, move: Move) -> None:
        """Do nothing: each choice is told the whole position."""

    def choose(self, position: Position) -> Move:
        """Return the player's move; a user's player may also answer with its text."""
        move = self._player.choose(position)
        if not isinstance(move, str):
            return cast("Move", move)  # whether it is one is found out where it is played
        try:
            return position.read_move(move)
        except MoveError as error:
            raise ProgramError(ProgramFailure.ILLEGAL, f"played what is no move: {error}") from None

    def cpu_seconds(self) -> float | None:
        """Return what this process has used; between two calls only this player has worked."""
        return time.process_time()

    def close(self) -> None:
        """Do nothing: there is nothing to free."""


class ProgramContestant:
    """A program that speaks GTP; it is started when it is needed and stays until it fails."""

    def __init__(self, command: str, seconds: float | None, patience: float) -> None:
        """Note how to start it."""
        if not command:
            message = "gtp: is followed by a command line, such as gtp:antipodes gtp hex"
            raise InvalidOptionsError([Fault("player/no-command", message)])
        self._command = command
        self._seconds = seconds
        self._patience = patience
        self._opponent: GtpOpponent | None = None

    def begin(self, game: Game, seed: int) -> None:
        """Start the program if it does not run, and set up the game.

        A command line with ``{seed}`` in it is started again for each game with that seed.
        """
        if self._opponent is not None and SEED in self._command:
            self.close()
        if self._opponent is None or not self._opponent.program.alive:
            self.close()
            command = self._command.replace(SEED, str(seed))
            self._opponent = GtpOpponent(GtpProgram(command, self._patience))
        self._opponent.begin(game, self._seconds)

    def _ready(self) -> GtpOpponent:
        if self._opponent is None:
            raise ProgramError(ProgramFailure.CRASHED, "is not running")
        return self._opponent

    def title(self) -> str:
        """Return the running program's name and version."""
        return self._ready().title()

    def tell(self, position: Position, move: Move) -> None:
        """Tell the program a move of another player."""
        self._ready().tell(position, move)

    def choose(self, position: Position) -> Move:
        """Ask the program for a move."""
        return self._ready().choose(position)

    def cpu_seconds(self) -> float | None:
        """Return what the program has used since it was started."""
        return None if self._opponent is None else self._opponent.program.cpu_seconds

    def close(self) -> None:
        """End the program."""
        if self._opponent is not None:
            self._opponent.program.close()
            self._opponent = None
