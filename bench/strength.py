"""Strength of the players, measured by contests; each line has the score and the Elo difference.

``make strength`` measures all of it, which takes a night; ``ARGS="levels --game hex --jobs 2"``
says what. There are

- ``levels``: each level against the next lower one, in every game; ``--write`` keeps the ratings,
- ``plain``: the strongest search against the plain tree search, in equal time of the processor,
- ``knowledge``: the strongest search with and without what it knows of connections and games,
- ``openspiel``: the strongest search against OpenSpiel's MCTSBot at Hex, if pyspiel is there.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shlex
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from antipodes.games.registry import make_game
from antipodes.lab.contest import Contest, Plan, Standing
from antipodes.lab.ratings import rate
from antipodes.lab.workers import Table
from antipodes.search.levels import RATINGS, levels
from antipodes.search.players import Timekeeping

ADAPTER = Path(__file__).with_name("openspiel_gtp.py")


@dataclass(frozen=True)
class Board:
    """A game to measure on, small enough for many games.

    Attributes:
        options: of the game.
        plies: random moves that open a pair of games.
    """

    options: Mapping[str, int | str]
    plies: int


LEVELS = {
    "antipod": Board({"side": 5}, 10),
    "antipalos": Board({"size": 12}, 4),
    "antipode": Board({}, 4),
    "hex": Board({"size": 11}, 2),
    "cylindrical-hex": Board({"rows": 8, "columns": 9}, 12),
}
PLAIN = {
    "antipod": Board({"side": 6}, 2),
    "antipalos": LEVELS["antipalos"],
    "antipode": Board({}, 4),
}
_DEEP = 8  # from this level on fewer games are played
KNOWLEDGE = {"antipod": Board({"side": 6}, 2), "hex": Board({"size": 11}, 2)}
OPENSPIEL = {"hex": Board({"size": 11}, 2)}


@dataclass(frozen=True)
class Match:
    """Two sides on a board; the first is hoped to be stronger."""

    game_id: str
    board: Board
    sides: tuple[str, str]
    games: int
    seconds: float | None = None


def played(match: Match, jobs: int, seed: int) -> Standing:
    """Play a match, telling on standard error how far it has come."""
    game = make_game(match.game_id, dict(match.board.options))
    table = Table(game, match.sides, match.seconds, Timekeeping.CPU)
    contest = Contest(table, Plan(match.games, match.board.plies, seed=seed))

    def watch(_: object, standing: Standing) -> None:
        if sys.stderr.isatty():
            text = f"{match.game_id} {' > '.join(match.sides)}: {standing.tally.games} games"
            print(f"\r{text[:78]:78}\r", end="", file=sys.stderr, flush=True)

    return contest.run(watch, jobs)


HEAD = (
    f"{'board':22}{'stronger':>22} {'weaker':<22}{'won':>5}{'drew':>5}{'lost':>5}{'score':>8}"
    f"{'Elo':>6}{'95 %':>15}{'ms a move':>15}{'s':>6}"
)


def line(match: Match, standing: Standing, seconds: float) -> str:
    """Return a match as a line of the table."""
    tally, found = standing.tally, standing.difference
    options = " ".join(f"{key}={value}" for key, value in match.board.options.items())
    stronger, weaker = (
        "OpenSpiel MCTSBot" if str(ADAPTER) in side else side for side in match.sides
    )
    spent = "/".join(f"{1000 * one.cpu / max(one.moves, 1):.0f}" for one in standing.efforts)
    interval = f"{found.low:+.0f}..{found.high:+.0f}"
    failed = "".join(
        f"  side {side} failed: {dict(kinds)}"
        for side, kinds in enumerate(standing.failures, start=1)
        if kinds
    )
    return (
        f"{match.game_id + ' ' + options:22}{stronger:>22} {weaker:<22}{tally.wins:>5}"
        f"{tally.draws:>5}{tally.losses:>5}{tally.score:>8.1%}{found.elo:>+6.0f}{interval:>15}"
        f"{spent:>15}{seconds:>6.0f}{failed}"
    )


def matches(what: str, arguments: argparse.Namespace) -> Iterator[Match]:
    """Yield the matches that measure something."""
    chosen = arguments.game
    seconds = arguments.seconds
    if what == "levels":
        for game_id, board in LEVELS.items():
            if not chosen or game_id in chosen:
                for level in levels()[1:]:
                    if not arguments.level or level.number in arguments.level:
                        sides = (f"computer:{level.number}", f"computer:{level.number - 1}")
                        games = arguments.games or 100
                        # The highest levels take most of the time, and tell more with each game.
                        part = 1 if level.number < _DEEP else 3 if level.number == _DEEP else 5
                        yield Match(game_id, board, sides, max(2, 2 * (games // part // 2)))
        return
    boards, sides, games = {
        "plain": (PLAIN, ("search", "plain"), 200),
        "knowledge": (KNOWLEDGE, ("search", "search:knowledge=off"), 200),
        "openspiel": (OPENSPIEL, ("search", openspiel(arguments.openspiel)), 100),
    }[what]
    for game_id, board in boards.items():
        if sides[1] and (not chosen or game_id in chosen):
            yield Match(game_id, board, sides, arguments.games or games, seconds)


def openspiel(python: str | None) -> str:
    """Return the command line of OpenSpiel's bot, or nothing where it is not installed."""
    if python is None and importlib.util.find_spec("pyspiel") is None:
        return ""
    return f"gtp:{shlex.quote(python or sys.executable)} {shlex.quote(str(ADAPTER))} {{seed}}"


def pairs_that_hold(before: Mapping[str, Any], skills: list[str]) -> dict[str, list[float]]:
    """Return the pairs of levels that both think as they did when they were measured.

    Args:
        before: what is kept of a game, as `antipodes.search.levels.measured` has it.
        skills: how its levels think now.
    """

    def holds(number: int) -> bool:
        both = slice(number - 2, number)
        return list(before["skills"][both]) == skills[both]

    return {key: pair for key, pair in before.get("pairs", {}).items() if holds(int(key))}


def write_ratings(game_id: str, results: Mapping[int, Standing], command: str) -> None:
    """Keep the ratings of a game's levels beside the code of the levels.

    The first level has 1000 in each game; ratings of different games cannot be compared. Pairs that
    were not played now are taken from what is kept, if both levels still think as they did then.
    """
    known: dict[str, Any] = json.loads(RATINGS.read_text(encoding="utf-8"))
    game = make_game(game_id, dict(LEVELS[game_id].options))
    skills = [repr(level.skill(game)) for level in levels()]
    pairs = pairs_that_hold(known.get(game_id, {}), skills)
    for number, one in results.items():
        pairs[str(number)] = [one.tally.points, one.tally.games]
    if missing := [level.number for level in levels()[1:] if str(level.number) not in pairs]:
        print(f"{game_id}: nothing kept; not yet played: --level {missing}")
        return
    found = rate({(number, str(int(number) - 1)): tuple(pair) for number, pair in pairs.items()})
    known[game_id] = {
        "options": dict(LEVELS[game_id].options),
        "opening_plies": LEVELS[game_id].plies,
        "games": sum(games for _, games in pairs.values()),
        "command": command,
        "pairs": pairs,
        "skills": skills,
        "ratings": [
            round(1000 + found[str(level.number)].elo - found["1"].elo) for level in levels()
        ],
        "errors": [round(found[str(level.number)].error) for level in levels()],
    }
    RATINGS.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    """Play and print a table, a line as soon as it is known."""
    kinds = ["levels", "plain", "knowledge", "openspiel"]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="*", metavar="WHAT", help=", ".join(kinds) + "; all if none")
    parser.add_argument("--game", action="append", help="this game alone; may be given again")
    parser.add_argument("--games", type=int, help="games of each match; 100 or 200 without")
    parser.add_argument("--seconds", type=float, default=0.1, help="CPU a move, except of levels")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="games at once")
    parser.add_argument(
        "--level", type=int, action="append", help="this level against the one below it alone"
    )
    parser.add_argument("--seed", type=int, default=1, help="of openings and players")
    parser.add_argument("--write", action="store_true", help="keep the ratings of the levels")
    parser.add_argument("--openspiel", metavar="PYTHON", help="a Python that has pyspiel")
    arguments = parser.parse_args()
    if unknown := set(arguments.what) - set(kinds):
        parser.error(f"there is no {min(unknown)!r}; there are {', '.join(kinds)}")
    results: dict[str, dict[int, Standing]] = {}
    print(HEAD, flush=True)
    for what in arguments.what or kinds:
        for match in matches(what, arguments):
            began = time.perf_counter()
            standing = played(match, arguments.jobs, arguments.seed)
            print(line(match, standing, time.perf_counter() - began), flush=True)
            if what == "levels":
                number = int(match.sides[0].partition(":")[2])
                results.setdefault(match.game_id, {})[number] = standing
        if what == "openspiel" and not openspiel(arguments.openspiel):
            print("OpenSpiel is not installed here; --openspiel PYTHON names a Python that has it.")
    if arguments.write:
        for game_id, found in results.items():
            write_ratings(game_id, found, f"bench/strength.py {' '.join(sys.argv[1:])}")


if __name__ == "__main__":
    main()
