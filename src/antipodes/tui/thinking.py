"""Computer players that think in threads: tasks, and the messages that come of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual.message import Message

from antipodes.core import Move
from antipodes.errors import AntipodesError
from antipodes.games.position import Position
from antipodes.local_game import SeatPlayers

if TYPE_CHECKING:
    from antipodes.search.players import SearchProgress

_REPORT = 0.1  # seconds between two reports of progress; more would keep the screen busy


class CancelledError(Exception):
    """Thinking was stopped; raised through the progress call."""


@dataclass
class Task:
    """One choice of a move.

    Attributes:
        player: the text of the player who thinks.
        seat: the seat of the player, who is kept for the whole game.
        position: where the move is chosen.
        is_hint: whether the move is only shown.
        pause: seconds before the move is played, so that people can follow.
        cancelled: set when the move is not wanted any more.
        reported: when progress was posted last, on the clock of ``time.monotonic``.
    """

    player: str
    seat: int
    position: Position
    is_hint: bool = False
    pause: float = 0.0
    cancelled: threading.Event = field(default_factory=threading.Event)
    reported: float = 0.0


class Progressed(Message):
    """A search has come further."""

    def __init__(self, task: Task, progress: SearchProgress) -> None:
        super().__init__()
        self.task = task
        self.progress = progress


class Thought(Message):
    """A player has chosen a move."""

    def __init__(self, task: Task, move: Move) -> None:
        super().__init__()
        self.task = task
        self.move = move


class Failed(Message):
    """A player cannot play here."""

    def __init__(self, task: Task, reason: str) -> None:
        super().__init__()
        self.task = task
        self.reason = reason


class Thinker:
    """Works off tasks; its methods are called from threads.

    Args:
        post: takes messages from any thread.
        players: the programs at the seats.
    """

    def __init__(self, post: Callable[[Message], object], players: SeatPlayers) -> None:
        self.players = players
        self._post = post

    def run(self, task: Task) -> None:
        """Let a player think, and post the move or the error."""
        try:
            player = self.players.at(task.seat, task.player)
            move = player.choose(task.position, lambda progress: self._report(task, progress))
            if task.cancelled.wait(task.pause):
                return
        except CancelledError:
            return
        except AntipodesError as error:
            self._post(Failed(task, str(error)))
            return
        self._post(Thought(task, move))

    def _report(self, task: Task, progress: SearchProgress) -> None:
        self._stop_if_cancelled(task)
        now = time.monotonic()
        if now - task.reported >= _REPORT:
            task.reported = now
            self._post(Progressed(task, progress))

    @staticmethod
    def _stop_if_cancelled(task: Task) -> None:
        if task.cancelled.is_set():
            raise CancelledError
