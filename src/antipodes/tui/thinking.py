"""Computer players at work in threads: tickets and messages."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from textual.message import Message

from antipodes.core import Move
from antipodes.errors import AntipodesError
from antipodes.games.position import Game, Position

if TYPE_CHECKING:
    from antipodes.search.players import Progress
    from antipodes.search.preparing import Preparation

_REPORT = 0.1  # seconds between two reports of progress; more would keep the screen busy


class Player(Protocol):
    """Anything that chooses moves, such as the players of :mod:`antipodes.search.players`."""

    def choose(
        self, position: Position, progress: Callable[[Progress], object] | None = None
    ) -> Move:
        """Return a legal move; what ``progress`` raises ends the thinking."""
        ...


class CancelledError(Exception):
    """Thinking was stopped; raised through the progress call."""


@dataclass
class Ticket:
    """One task of thinking.

    Attributes:
        spec: which player thinks.
        seat: for which seat; a player of a seat is kept for the whole game.
        position: about what.
        is_hint: whether the answer is only shown.
        pause: seconds before the answer is given, so that people can follow.
        cancelled: set when nobody waits for the answer any more.
        reported: when progress was posted last, on the clock of ``time.monotonic``.
    """

    spec: str
    seat: int
    position: Position
    is_hint: bool = False
    pause: float = 0.0
    cancelled: threading.Event = field(default_factory=threading.Event)
    reported: float = 0.0


class Progressed(Message):
    """A search has come further."""

    def __init__(self, ticket: Ticket, progress: Progress) -> None:
        """Keep what is known."""
        super().__init__()
        self.ticket = ticket
        self.progress = progress


class Thought(Message):
    """A player has chosen a move."""

    def __init__(self, ticket: Ticket, move: Move) -> None:
        """Keep ticket and move."""
        super().__init__()
        self.ticket = ticket
        self.move = move


class Failed(Message):
    """A player cannot play here."""

    def __init__(self, ticket: Ticket, reason: str) -> None:
        """Keep ticket and reason."""
        super().__init__()
        self.ticket = ticket
        self.reason = reason


class EngineState(Message):
    """Another process compiles the engine, or the engine is ready."""

    def __init__(self, *, is_compiling: bool) -> None:
        """Keep which of the two."""
        super().__init__()
        self.is_compiling = is_compiling


class Desk:
    """Where tickets are worked off; its methods are called from threads.

    Args:
        post: takes messages from any thread.
        make_player: makes a player of a text and a seed.
        seed: makes players reproducible.
    """

    def __init__(
        self,
        post: Callable[[Message], object],
        make_player: Callable[[str, int | None], Player] | None,
        seed: int | None,
    ) -> None:
        """Prepare an empty desk."""
        self._post = post
        self._make_player = make_player
        self._seed = seed
        self._players: dict[tuple[int, str], Player] = {}
        self._preparation: Preparation | None = None

    def forget_players(self) -> None:
        """Make new players from the next ticket on."""
        self._players = {}

    def prepare(self, game: Game) -> None:
        """Get the engine ready in the background; computers without a seed play meanwhile."""
        from antipodes.search.preparing import Preparation

        def tell(is_compiling: bool) -> None:
            self._post(EngineState(is_compiling=is_compiling))

        self._preparation = Preparation(game, tell)
        self._preparation.start()

    def work_off(self, ticket: Ticket) -> None:
        """Let a player think and post what comes of it."""
        try:
            player = self._player(ticket)
            if self._preparation is not None and getattr(player, "patient", False):
                self._preparation.wait(lambda: self._stop_if_cancelled(ticket))
            move = player.choose(ticket.position, lambda progress: self._report(ticket, progress))
            if ticket.cancelled.wait(ticket.pause):
                return
        except CancelledError:
            return
        except AntipodesError as error:
            self._post(Failed(ticket, str(error)))
            return
        self._post(Thought(ticket, move))

    def _player(self, ticket: Ticket) -> Player:
        key = ticket.seat, ticket.spec
        if key not in self._players:
            seed = None if self._seed is None else self._seed + ticket.seat
            self._players[key] = (self._make_player or _make_player)(ticket.spec, seed)
        return self._players[key]

    def _report(self, ticket: Ticket, progress: Progress) -> None:
        self._stop_if_cancelled(ticket)
        now = time.monotonic()
        if now - ticket.reported >= _REPORT:
            ticket.reported = now
            self._post(Progressed(ticket, progress))

    @staticmethod
    def _stop_if_cancelled(ticket: Ticket) -> None:
        if ticket.cancelled.is_set():
            raise CancelledError


def _make_player(spec: str, seed: int | None) -> Player:
    """Make one of the program's own players; importing them takes a moment."""
    from antipodes.search.players import make_player

    # A seed asks for the same moves each time, so then the compiler is waited for.
    return make_player(spec, seed, patient=seed is not None)
