"""Measure the strength of the players by contests; each line has the score and Elo difference.

``make strength`` measures everything, which takes a night; ``ARGS="levels --game hex --jobs 2"``
chooses a part:

- ``levels``: each level against the next lower one, in every game; ``--write`` stores the ratings,
  and ``--level 9 --games 80 --seed 2 --write --more`` adds games to the stored ones,
- ``plain``: the strongest search against the plain tree search, with the same CPU time,
- ``knowledge``: the strongest search with and without its connection knowledge,
- ``openspiel``: the strongest search against OpenSpiel's MCTSBot at Hex, if pyspiel is installed,
- ``baselines``: random moves, tree searches and levels on the small boards of ``docs/learning.md``.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shlex
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from antipodes.lab.contest import Contest, ContestScore, Schedule
from antipodes.lab.level_ratings import Board, LevelPair, SeedUsedError, keep, known_pairs
from antipodes.lab.matchup import Matchup
from antipodes.lab.ratings import Tally
from antipodes.search.levels import RATINGS, levels
from antipodes.search.players import Timekeeping

ADAPTER = Path(__file__).with_name("openspiel_gtp.py")


# Boards to measure on, small enough for many games.
LEVELS = (
    Board("antipod", {"side": 5}, 10),
    Board("antipalos", {"size": 12}, 4),
    Board("antipode", {}, 4),
    Board("hex", {"size": 11}, 2),
    Board("cylindrical-hex", {"rows": 8, "columns": 9}, 12),
)
PLAIN = (
    Board("antipod", {"side": 6}, 2),
    Board("antipalos", {"size": 12}, 4),
    Board("antipode", {}, 4),
)
# The highest levels take most of the time: a night has fewer of their games.
_FEWER = {8: 32, 9: 20}
KNOWLEDGE = (Board("antipod", {"side": 6}, 2), Board("hex", {"size": 11}, 2))
OPENSPIEL = (Board("hex", {"size": 11}, 2),)
# Boards and players for comparison with what a program has learned.
SMALL = (
    Board("hex", {"size": 7}, 2),
    Board("cylindrical-hex", {"rows": 6, "columns": 6}, 2),
    Board("antipod", {"side": 4}, 2),
    Board("antipode", {}, 4),
    Board("antipalos", {"size": 12}, 4),
)
BASELINES = (
    ("plain:visits=100", "random"),
    ("plain:visits=1000", "plain:visits=100"),
    ("computer:3", "plain:visits=1000"),
    ("computer:6", "plain:visits=1000"),
    ("search:visits=1000", "plain:visits=1000"),
)


@dataclass(frozen=True)
class Match:
    """Two sides on a board; the first is expected to be stronger."""

    board: Board
    sides: tuple[str, str]
    games: int
    seconds: float | None = None


def play(match: Match, jobs: int, seed: int) -> tuple[ContestScore, bool]:
    """Play a match and report progress on standard error.

    Returns:
        The score at the end or at the interruption, and whether it was interrupted.
    """
    matchup = Matchup(match.board.game, match.sides, match.seconds, Timekeeping.CPU)
    contest = Contest(matchup, Schedule(match.games, match.board.plies, seed=seed))

    def watch(_: object, score: ContestScore) -> None:
        tally = score.tally
        text = f"{match.board.game_id} {' > '.join(match.sides)}: {tally.points} of {tally.games}"
        if sys.stderr.isatty():
            print(f"\r{text[:78]:78}\r", end="", file=sys.stderr, flush=True)
        elif tally.games % 10 == 0:  # a file needs fewer lines
            print(text, file=sys.stderr, flush=True)

    try:
        return contest.run(watch, jobs), False
    except KeyboardInterrupt:
        return contest.score, True


HEAD = (
    f"{'board':22}{'stronger':>22} {'weaker':<22}{'won':>5}{'drew':>5}{'lost':>5}{'score':>8}"
    f"{'Elo':>6}{'95 %':>15}{'ms a move':>15}{'s':>6}"
)


def line(match: Match, score: ContestScore, seconds: float) -> str:
    """Return a match as a line of the table."""
    tally, found = score.tally, score.difference
    options = " ".join(f"{key}={value}" for key, value in match.board.options.items())
    stronger, weaker = (
        "OpenSpiel MCTSBot" if str(ADAPTER) in side else side for side in match.sides
    )
    spent = "/".join(f"{1000 * one.cpu / max(one.moves, 1):.0f}" for one in score.efforts)
    interval = f"{found.low:+.0f}..{found.high:+.0f}"
    failed = "".join(
        f"  side {side} failed: {dict(kinds)}"
        for side, kinds in enumerate(score.failures, start=1)
        if kinds
    )
    return (
        f"{match.board.game_id + ' ' + options:22}{stronger:>22} {weaker:<22}{tally.wins:>5}"
        f"{tally.draws:>5}{tally.losses:>5}{tally.score:>8.1%}{found.elo:>+6.0f}{interval:>15}"
        f"{spent:>15}{seconds:>6.0f}{failed}"
    )


def matches(what: str, arguments: argparse.Namespace) -> Iterator[Match]:
    """Yield the matches of a part."""
    chosen = arguments.game
    seconds = arguments.seconds
    if what == "levels":
        for board in LEVELS:
            if not chosen or board.game_id in chosen:
                for level in levels()[1:]:
                    number = level.number
                    if not arguments.level or number in arguments.level:
                        sides = (f"computer:{number}", f"computer:{number - 1}")
                        games = arguments.games or _FEWER.get(number, 100)
                        yield Match(board, sides, games)
        return
    if what == "baselines":
        for board in SMALL:
            if not chosen or board.game_id in chosen:
                for sides in BASELINES:
                    yield Match(board, sides, arguments.games or 40)
        return
    boards, sides, games = {
        "plain": (PLAIN, ("search", "plain"), 200),
        "knowledge": (KNOWLEDGE, ("search", "search:knowledge=off"), 200),
        "openspiel": (OPENSPIEL, ("search", openspiel(arguments.openspiel)), 100),
    }[what]
    for board in boards:
        if sides[1] and (not chosen or board.game_id in chosen):
            yield Match(board, sides, arguments.games or games, seconds)


def openspiel(python: str | None) -> str:
    """Return the command line of OpenSpiel's bot, or nothing if it is not installed."""
    if python is None and importlib.util.find_spec("pyspiel") is None:
        return ""
    return f"gtp:{shlex.quote(python or sys.executable)} {shlex.quote(str(ADAPTER))} {{seed}}"


def keep_pair(match: Match, score: ContestScore, arguments: argparse.Namespace) -> None:
    """Store the score of a level against the next lower one."""
    number = _number(match)
    before = known_pairs(RATINGS, match.board) if arguments.more else {}
    pair = before.get(number, LevelPair()).with_more(score.tally, arguments.seed)
    command = f"bench/strength.py {' '.join(sys.argv[1:])}"
    if missing := keep(RATINGS, match.board, number, pair, command):
        print(f"{match.board.game_id}: ratings need games of these levels too: --level {missing}")


def _number(match: Match) -> int:
    return int(match.sides[0].partition(":")[2])


def refuse_used_seeds(todo: Iterable[Match], seed: int) -> None:
    """Raise `SeedUsedError` before the first game if the seed was used before."""
    for match in todo:
        pair = known_pairs(RATINGS, match.board).get(_number(match), LevelPair())
        pair.with_more(Tally(), seed)


KINDS = ("levels", "plain", "knowledge", "openspiel", "baselines")


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "what", nargs="*", metavar="WHAT", help=", ".join(KINDS) + "; all by default"
    )
    parser.add_argument("--game", action="append", help="only this game; can be repeated")
    parser.add_argument(
        "--games", type=int, help="games of each match; by default enough to be significant"
    )
    parser.add_argument(
        "--seconds", type=float, default=0.1, help="CPU time per move, except of levels"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="games at once")
    parser.add_argument(
        "--level", type=int, action="append", help="only this level against the next lower one"
    )
    parser.add_argument("--seed", type=int, default=1, help="of openings and players")
    parser.add_argument("--write", action="store_true", help="store the ratings of the levels")
    parser.add_argument(
        "--more", action="store_true", help="add to the stored games of other seeds"
    )
    parser.add_argument("--openspiel", metavar="PYTHON", help="a Python that has pyspiel")
    arguments = parser.parse_args()
    if unknown := set(arguments.what) - set(KINDS):
        parser.error(f"unknown part {min(unknown)!r}; choose from {', '.join(KINDS)}")
    if arguments.more:
        try:
            refuse_used_seeds(matches("levels", arguments), arguments.seed)
        except SeedUsedError as error:
            parser.error(str(error))
    return arguments


def main() -> None:
    """Play the matches and print a line of the table after each."""
    arguments = parse_arguments()
    print(HEAD, flush=True)
    for what in arguments.what or KINDS:
        for match in matches(what, arguments):
            began = time.perf_counter()
            score, is_interrupted = play(match, arguments.jobs, arguments.seed)
            print(line(match, score, time.perf_counter() - began), flush=True)
            # An interrupted match adds to the stored games, but does not replace them.
            is_enough = not is_interrupted or (arguments.more and score.tally.games > 0)
            if what == "levels" and arguments.write and is_enough:
                keep_pair(match, score, arguments)
            if is_interrupted:
                sys.exit(130)
        if what == "openspiel" and not openspiel(arguments.openspiel):
            print("OpenSpiel is not installed; use --openspiel PYTHON with a Python that has it.")


if __name__ == "__main__":
    main()
