"""Other programs as players: processes that speak GTP, and their failures."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from enum import StrEnum
from typing import IO

from antipodes.core import Color, Move
from antipodes.engine import dialect
from antipodes.engine.wire import GtpError
from antipodes.errors import AntipodesError, MoveError
from antipodes.games.position import Game, Position
from antipodes.notation.text import shorten

PATIENCE = 120.0  # seconds of a program beyond its allotted time; some start slowly
_TO_QUIT = 1.0  # seconds after ``quit`` until a program is killed
_TO_DIE = 30.0  # seconds, on a busy machine, until a killed program has ended
_MAX_LINE = 1 << 16  # characters
_MAX_ANSWER = 1 << 12  # lines
_WAITING = 1 << 13  # unread lines that are kept of a program


class ProgramFailure(StrEnum):
    """Kinds of failures of a program in a game."""

    CRASHED = "crashed"
    HUNG = "hung"
    GARBLED = "garbled"
    REFUSED = "refused"
    ILLEGAL = "illegal"
    RESIGNED = "resigned"


class ProgramError(AntipodesError):
    """A program cannot continue a game; the message has the reason.

    Attributes:
        failing: the kind of failure; resignation counts as one.
    """

    def __init__(self, failing: ProgramFailure, message: str) -> None:
        super().__init__(message)
        self.failing = failing


class GtpProgram:
    """A process that is controlled by GTP.

    After its first failure the process is killed.
    """

    def __init__(self, command: str, patience: float = PATIENCE) -> None:
        """Start a program.

        Args:
            command: program and arguments, split as a shell would; no shell is used.
            patience: seconds until a program that does not answer counts as hung.

        Raises:
            ProgramError: it cannot be started.
        """
        self.command = command
        self._patience = patience
        try:
            words = shlex.split(command)
            if not words:
                raise ValueError("nothing to run")
            self._process = subprocess.Popen(  # noqa: S603 - the user names the program
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                # A group of its own, so that `kill` reaches its children.
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = f"{shorten(command)} cannot be started: {reason}"
            raise ProgramError(ProgramFailure.CRASHED, message) from None
        self._lines: queue.Queue[str | None] = queue.Queue(_WAITING)
        self._last_words: deque[str] = deque(maxlen=3)
        self._closed = threading.Event()
        self._cpu = 0.0
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._readers = (
            threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._drain, args=(self._process.stderr,), daemon=True),
        )
        for reader in self._readers:
            reader.start()

    # Commands.

    def ask(self, line: str, seconds: float = 0.0) -> str:
        """Send a command and return the text of its answer.

        Args:
            line: the command with its arguments.
            seconds: allotted in addition to the time of every command.

        Raises:
            ProgramError: the program refused, ended, hung, or its answer is not GTP.
        """
        self._send(line)
        try:
            good, text = self._answer(time.monotonic() + seconds + self._patience)
        except ProgramError:
            self.kill()
            raise
        if not good:
            message = f"refused {shorten(line)}: {shorten(text)}"
            raise ProgramError(ProgramFailure.REFUSED, message)
        return text

    def knows(self, name: str) -> bool:
        """Return whether the program knows a command."""
        try:
            return self.ask(f"known_command {name}").strip().lower() == "true"
        except ProgramError as error:
            if error.failing is ProgramFailure.REFUSED:
                return False
            raise

    def _send(self, line: str) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(line + "\n")
            stdin.flush()
        except (OSError, ValueError):
            raise self._crash() from None

    def _answer(self, deadline: float) -> tuple[bool, str]:
        """Return whether the command succeeded, and the text of the answer."""
        first = self._line(deadline)
        while not first.strip():
            first = self._line(deadline)
        if first[0] not in "=?":
            message = f"answered {shorten(first)}, which is not GTP"
            raise ProgramError(ProgramFailure.GARBLED, message)
        lines = [first[1:].lstrip("0123456789").strip()]
        while line := self._line(deadline).strip():
            lines.append(line)
            if len(lines) > _MAX_ANSWER:
                raise ProgramError(ProgramFailure.GARBLED, "gave an answer without end")
        return first[0] == "=", "\n".join(lines).strip()

    def _line(self, deadline: float) -> str:
        try:
            line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.0))
        except queue.Empty:
            message = f"did not answer for {self._patience:.0f} s beyond its time"
            raise ProgramError(ProgramFailure.HUNG, message) from None
        if line is None:
            raise self._crash()
        return line

    def _read(self, stream: IO[str]) -> None:
        """Queue lines until the end; run in a thread."""
        with contextlib.suppress(OSError, ValueError):
            while (line := stream.readline(_MAX_LINE)) and not self._closed.is_set():
                self._put(line)
        self._put(None)

    def _put(self, line: str | None) -> None:
        # A program that writes without end waits for a reader, and fills no memory.
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.5)
                return

    def _drain(self, stream: IO[str]) -> None:
        """Keep the last lines of standard error; run in a thread."""
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(_MAX_LINE):
                if line.strip():
                    self._last_words.append(line.strip())

    # Ending.

    def _crash(self) -> ProgramError:
        self.kill()
        code = self._process.returncode
        how = f"with exit code {code}" if code is None or code >= 0 else f"by signal {-code}"
        words = f"; its last words: {shorten(self._last_words[-1])}" if self._last_words else ""
        return ProgramError(ProgramFailure.CRASHED, f"ended {how}{words}")

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    @property
    def cpu_seconds(self) -> float | None:
        """CPU seconds of the process so far; ``None`` if they are not available."""
        # The clock of another process has this number on Linux; see clock_getcpuclockid(3).
        number = (~self._process.pid << 3) | 2
        try:
            self._cpu = time.clock_gettime(number)
        except (OSError, AttributeError, OverflowError):
            return self._cpu or None
        return self._cpu

    def close(self) -> None:
        """Send ``quit``, and kill the program if it does not end."""
        if self.alive:
            with contextlib.suppress(ProgramError):
                self._send("quit")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_TO_QUIT)
        self.kill()

    def kill(self) -> None:
        """Kill the program and its children."""
        if self.alive:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (AttributeError, OSError):
                self._process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_TO_DIE)
        self._closed.set()
        for reader in self._readers:
            reader.join(_TO_QUIT)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError, ValueError):
                if stream is not None:
                    stream.close()


class GtpOpponent:
    """A GTP program as a player: it gets the moves of others and generates its own."""

    def __init__(self, program: GtpProgram) -> None:
        """Take a program that has just been started."""
        self._program = program
        self._seconds = 0.0

    @property
    def program(self) -> GtpProgram:
        """The process."""
        return self._program

    def title(self) -> str:
        """Return the program's name and version as far as it reports them."""
        told = []
        for question in ("name", "version"):
            try:
                told.append(self._program.ask(question))
            except ProgramError as error:
                if error.failing is not ProgramFailure.REFUSED:
                    raise
        return " ".join(" ".join(told).split())

    def begin(self, game: Game, seconds: float | None = None) -> None:
        """Set up the start position of a game.

        Programs that know ``set_option`` get all options, others only the size.

        Args:
            game: the game with its options.
            seconds: time for each move, sent to programs that know ``time_settings``.

        Raises:
            ProgramError: the program refused or failed.
        """
        ask = self._program.ask
        ask("clear_board")
        if self._program.knows("set_option"):
            options = game.options.as_dict()
            ask("set_option " + " ".join(f"{name} {value}" for name, value in options.items()))
        else:
            ask("boardsize " + " ".join(dialect.board_size_numbers(game)))
        ask("clear_board")
        self._seconds = seconds or 0.0
        if seconds is not None and self._program.knows("time_settings"):
            period, moves = _whole_period(seconds)
            ask(f"time_settings 0 {period} {moves}")

    def tell(self, position: Position, move: Move) -> None:
        """Send a move of another player in a position.

        Raises:
            ProgramError: the program refused or failed.
        """
        self._program.ask(f"play {position.to_move} {dialect.write_move(position, move)}")

    def choose(self, position: Position) -> Move:
        """Return a move of the program, which it has played on its board.

        Raises:
            ProgramError: the program failed, resigned, or its answer is not a legal move.
        """
        color: Color = position.to_move
        text = self._program.ask(f"genmove {color}", self._seconds)
        if text.lower() == "resign":
            raise ProgramError(ProgramFailure.RESIGNED, "resigned")
        try:
            return dialect.read_move(position, text)
        except (MoveError, GtpError) as error:
            message = f"played {shorten(text)}: {str(error)[:200]}"
            raise ProgramError(ProgramFailure.ILLEGAL, message) from None


def _whole_period(seconds: float) -> tuple[int, int]:
    """Return whole seconds and moves of a period with this time for each move."""
    for moves in (1, 2, 4, 5, 10, 20, 50, 100, 1000):
        period = round(seconds * moves)
        if period and abs(period / moves - seconds) < seconds / 1000:
            return period, moves
    return max(1, round(seconds * 1000)), 1000
