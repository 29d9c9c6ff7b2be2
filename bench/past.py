"""Measure the strength against an older checkout of Antipodes, with equal CPU time for each move.

    git worktree add ../past v1.0
    python bench/past.py --past ../past --game antipode --seconds 0.3 --games 200 --sprt 0 50

The older version plays in a process of its own, with the packages of this environment, so both
checkouts must run with them. Both sides are the same player, which counts the CPU time of its own
process. Games come in pairs from random openings, sides exchanged.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from contests import add_options, contest_of, play

from antipodes.cli.parameters import chosen_game
from antipodes.core import Move
from antipodes.engine.gtp_client import ProgramError, ProgramFailure
from antipodes.games.position import Game, Position
from antipodes.lab.contestants import Contestant, make_contestant
from antipodes.lab.matchup import Matchup
from antipodes.lab.openings import read_openings
from antipodes.search.players import Timekeeping

# A line is a seed, which begins a game, or the moves so far, which ask for the next one.
PROGRAM = """
import json, sys, time
from antipodes.games.registry import make_game
from antipodes.search.players import Timekeeping, make_player

name, options, spec, seconds = json.loads(sys.argv[1])
game = make_game(name, options)
make_player(spec, seed=0).choose(game.initial())
print(json.dumps([None, time.process_time()]), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if isinstance(asked, int):
        player = make_player(spec, seed=asked)
        player.allot(seconds, Timekeeping.CPU)
        continue
    position = game.initial()
    for move in asked:
        position = position.play(position.parse_move(move))
    move = position.format_move(player.choose(position))
    print(json.dumps([move, time.process_time()]), flush=True)
"""


class PastContestant:
    """A player of another checkout in a process of its own."""

    def __init__(self, checkout: Path, game: Game, spec: str, seconds: float) -> None:
        """Start the process."""
        given = json.dumps([game.id, game.options.changed(), spec, seconds])
        self._process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", PROGRAM, given],
            env=os.environ | {"PYTHONPATH": str(checkout / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._moves: list[str] = []
        # What starting and loading kernels took is not counted for the first move.
        _, self._used = self._reply()

    def begin(self, game: Game, seed: int) -> None:  # noqa: ARG002
        """Begin a game with a new player."""
        self._moves = []
        self._send(seed)

    def tell(self, position: Position, move: Move) -> None:
        """Note a move of the other side or the opening."""
        self._moves.append(position.format_move(move))

    def choose(self, position: Position) -> Move:
        """Return the player's move."""
        self._send(self._moves)
        text, self._used = self._reply()
        self._moves.append(text)
        return position.parse_move(text)

    def _reply(self) -> tuple[str, float]:
        """Return the next move of the process and its CPU time so far."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ProgramError(ProgramFailure.CRASHED, "ended")
        text, used = json.loads(line)
        return text, used

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def cpu_seconds(self) -> float:
        """Return the CPU time of the process when it last moved."""
        return self._used

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


@dataclass(frozen=True)
class PastMatchup(Matchup):
    """The matchup of a player of this checkout and the same player of another one.

    Attributes:
        past: the other checkout.
    """

    past: Path = Path()

    def contestants(self) -> list[Contestant]:
        """Return the players of both checkouts."""
        assert self.seconds is not None
        spec = self.names[0]
        present = make_contestant(spec, self.seconds, self.timekeeping)
        return [present, PastContestant(self.past, self.game, spec, self.seconds)]


def main() -> None:
    """Play the match and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--past", type=Path, required=True, metavar="DIR", help="older checkout")
    parser.add_argument("--game", default="antipode")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="an option of the game"
    )
    parser.add_argument("--openings", type=Path, metavar="FILE", help="in place of random ones")
    add_options(parser, "search:memory=64", games=100, plies=4)
    given = parser.parse_args()
    game = chosen_game(given.game, given.set)
    lines = []
    if given.openings:
        lines = read_openings(game, given.openings.read_text(encoding="utf-8"))
    past = given.past.resolve()
    matchup = PastMatchup(game, (given.player, "past"), given.seconds, Timekeeping.CPU, past=past)
    play(contest_of(matchup, given, tuple(lines)))


if __name__ == "__main__":
    main()
