"""Measure the strength at Hex against MoHex, with equal CPU time for each move.

    python bench/mohex.py --mohex ~/benzene/build/src/mohex/mohex --seconds 0.3 --out build/mohex

MoHex is the strongest classic program for Hex, part of `benzene`; docs/contests.md says how to
build it. Any other program that speaks GTP can take its place.

Games begin in pairs from openings with even chances, sides exchanged, and stop early with
``--sprt``. With ``--out`` the same command continues, and several processes share the games. The
CPU time of a program is that of its process with all threads. MoHex counts seconds of the wall
clock, which are more than those of the processor on a busy machine: so after each move that it had
to search, the next move gets as much more or less time as makes the CPU time equal.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from contests import add_options, contest_of, play

from antipodes.core import Move
from antipodes.engine.gtp_client import PATIENCE, ProgramError, ProgramFailure
from antipodes.errors import AntipodesError, Fault, InvalidOptionsError
from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game
from antipodes.lab.contestants import Contestant, ProgramContestant, make_contestant
from antipodes.lab.matchup import Matchup
from antipodes.search.players import Timekeeping

# One thread, no work in the opponent's time, no swap, no limit but the time. A small table of
# fill-in, since MoHex clears it in each move.
SETUP = (
    "param_game allow_swap 0",
    "param_mohex num_threads 1",
    "param_mohex ponder 0",
    "param_mohex use_parallel_solver 0",
    "param_mohex use_time_management 0",
    "param_mohex fillin_map_bits 12",
)
KNOWN = "param_mohex"
TIME = "param_mohex max_time {seconds:.4f}"

_SEARCHED = 0.5  # of the time of a move: with less its result was known without search
_FLOOR = 1.0  # seconds for which MoHex searches at least, as its source has it
_TRIAL = 0.05  # seconds of a move that tells whether it does
_TRIALS = 3
_RANGE = (0.2, 2.0)  # allowed seconds of the program's clock for one of CPU time


class MohexContestant(ProgramContestant):
    """A GTP program that gets a time for each move by a command.

    Programs that do not know the command get their time by ``time_settings``.
    """

    def __init__(self, command: str, seconds: float, setup: Sequence[str]) -> None:
        """Note how to start it, and the commands at the start of each game."""
        super().__init__(command, seconds, PATIENCE)
        self._allowed = seconds
        self._setup = setup
        self._factor = 1.0
        self._is_timed = True

    def begin(self, game: Game, seed: int) -> None:
        """Set up a game."""
        super().begin(game, seed)
        program = self._ready().program
        self._is_timed = program.knows(KNOWN)
        if self._is_timed:
            for line in self._setup:
                program.ask(line)

    def accepted(self, setup: Sequence[str]) -> tuple[str, ...]:
        """Send commands; return those that the program accepts, and report others."""
        program = self._ready().program
        found = []
        for line in setup if self._is_timed else ():
            try:
                program.ask(line)
                found.append(line)
            except ProgramError as error:
                if error.failing is not ProgramFailure.REFUSED:
                    raise
                print(f"it {error}", flush=True)
        return tuple(found)

    def has_floor(self, position: Position) -> bool:
        """Return whether the program takes a second for a move that gets much less."""
        program = self._ready().program
        if not self._is_timed:
            return False
        program.ask(TIME.format(seconds=_TRIAL))
        times = []
        for _ in range(_TRIALS):
            began = time.perf_counter()
            program.ask(f"genmove {position.to_move.value}")
            times.append(time.perf_counter() - began)
            program.ask("undo")
        return min(times) >= _FLOOR

    def choose(self, position: Position) -> Move:
        """Return the program's move, and learn how much CPU time its seconds are."""
        if not self._is_timed:
            return super().choose(position)
        before = self.cpu_seconds() or 0.0
        self._ready().program.ask(TIME.format(seconds=self._allowed * self._factor))
        move = super().choose(position)
        spent = (self.cpu_seconds() or 0.0) - before
        if spent > _SEARCHED * self._allowed:
            wanted = self._factor * (self._allowed / spent) ** 0.3
            self._factor = min(max(wanted, _RANGE[0]), _RANGE[1])
        return move


class Measured:
    """A contestant with the CPU time of each of its moves."""

    def __init__(self, contestant: Contestant, seconds: list[float]) -> None:
        """Add the times of the contestant's moves to ``seconds``."""
        self._contestant = contestant
        self._seconds = seconds
        self.begin = contestant.begin
        self.tell = contestant.tell
        self.cpu_seconds = contestant.cpu_seconds
        self.close = contestant.close

    def choose(self, position: Position) -> Move:
        """Return the contestant's move."""
        before = self.cpu_seconds()
        move = self._contestant.choose(position)
        after = self.cpu_seconds()
        if before is not None and after is not None:
            self._seconds.append(after - before)
        return move


@dataclass(frozen=True)
class MohexMatchup(Matchup):
    """The matchup of a player of ours and the program.

    Attributes:
        setup: the program's commands at the start of each game.
        spent: for each side the CPU seconds of its moves in this process.
    """

    setup: tuple[str, ...] = SETUP
    spent: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))

    def contestants(self) -> list[Contestant]:
        """Return our player and the program."""
        assert self.seconds is not None
        assert isinstance(self.sides[1], str)
        ours = make_contestant(self.sides[0], self.seconds, self.timekeeping, self.patience)
        command = self.sides[1].partition(":")[2].strip()
        program = MohexContestant(command, self.seconds, self.setup)
        pair = zip((ours, program), self.spent, strict=True)
        return [Measured(contestant, seconds) for contestant, seconds in pair]


def accepted(command: str, game: Game, seconds: float) -> tuple[str, ...]:
    """Start the program once; return the commands of the setup that it accepts, and report others.

    Raises:
        ProgramError: it cannot be started, or cannot play the game.
        InvalidOptionsError: it takes a second for each move, which is more than it would get.
    """
    contestant = MohexContestant(command, seconds, ())
    try:
        contestant.begin(game, 0)
        print(f"against {contestant.title()}", flush=True)
        setup = contestant.accepted(SETUP)
        if seconds < _FLOOR and contestant.has_floor(game.initial()):
            message = (
                f"the program takes {_FLOOR:g} s for each move, more than {seconds:g} s: allow as"
                " much, or build it without this floor (docs/contests.md)"
            )
            raise InvalidOptionsError([Fault("contest/floor", message)])
        return setup
    finally:
        contestant.close()


def searched(spent: Sequence[list[float]], seconds: float) -> Iterator[str]:
    """Yield for each side the CPU time of the moves that it had to search."""
    for name, times in zip(("ours", "theirs"), spent, strict=True):
        long = [one for one in times if one > _SEARCHED * seconds]
        middle = 1000 * statistics.median(long) if long else 0.0
        yield f"{name}: {middle:.0f} ms where it searched ({len(long)} moves here)"


def main() -> None:
    """Play the match and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--mohex", required=True, metavar="PATH", help="program, with arguments")
    parser.add_argument("--size", type=int, default=11, help="of the board")
    add_options(parser, "search", games=40, plies=2)
    given = parser.parse_args()
    game = make_game("hex", {"size": given.size, "swap": "off"})
    try:
        matchup = MohexMatchup(
            game,
            (given.player, f"gtp:{given.mohex}"),
            given.seconds,
            Timekeeping.CPU,
            setup=accepted(given.mohex, game, given.seconds),
        )
        contest = contest_of(matchup, given)
    except AntipodesError as error:
        sys.exit(f"bench/mohex.py: {error}")
    try:
        play(contest)
    finally:
        print(*searched(matchup.spent, given.seconds), sep="\n")


if __name__ == "__main__":
    main()
