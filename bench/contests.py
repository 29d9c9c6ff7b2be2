"""Contests of the benchmarks: their options, their progress and their report."""

from __future__ import annotations

import argparse
from pathlib import Path

from antipodes.lab.archive import Archive
from antipodes.lab.contest import Contest, ContestScore, Schedule
from antipodes.lab.duel import Played
from antipodes.lab.matchup import Matchup
from antipodes.lab.openings import Opening
from antipodes.lab.ratings import SequentialTest


def add_options(parser: argparse.ArgumentParser, player: str, games: int, plies: int) -> None:
    """Add the options of all contests, with these defaults."""
    parser.add_argument("--player", default=player, help="ours, as for antipodes match")
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU time for each move")
    parser.add_argument("--games", type=int, default=games, help="at most; they come in pairs")
    parser.add_argument("--plies", type=int, default=plies, help="random moves of an opening")
    parser.add_argument("--sprt", nargs=2, type=float, metavar=("E0", "E1"))
    parser.add_argument("--seed", type=int, default=1, help="of openings and players")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keeps the games, to continue")


def contest_of(
    matchup: Matchup, given: argparse.Namespace, lines: tuple[Opening, ...] = ()
) -> Contest:
    """Return a contest as the options have it."""
    test = SequentialTest(*given.sprt) if given.sprt else None
    schedule = Schedule(given.games, given.plies, lines, given.seed, test)
    archive = Archive(given.out, matchup, schedule) if given.out else None
    return Contest(matchup, schedule, folder=archive)


def play(contest: Contest) -> None:
    """Play what is left; print a line for each game, and the report at the end."""

    def watch(one: Played, score: ContestScore) -> None:
        tally = score.tally
        print(
            f"{tally.games} of {contest.schedule.in_pairs}: {one.result}, {len(one.moves)} moves;"
            f" {tally.points:g} points, {score.difference}",
            flush=True,
        )

    try:
        contest.run(watch)
    finally:
        print(report(contest))


def report(contest: Contest) -> str:
    """Return the score, the difference of ratings, and the CPU time of both sides."""
    score, tally = contest.score, contest.score.tally
    lines = [
        f"won {tally.wins}, drew {tally.draws} of {tally.games} games",
        f"score {tally.score:.1%}, {score.difference}",
    ]
    lines += [
        f"as {color.title}: won {first.wins} of {first.games}"
        for color, (first, _) in score.by_color.items()
    ]
    sides = zip(("ours", "theirs"), score.efforts, score.failures, strict=True)
    for name, effort, failures in sides:
        each = 1000 * effort.cpu / max(effort.moves, 1)
        lines.append(f"{name}: {each:.0f} ms of CPU time a move")
        if failures:
            lines.append(f"{name} lost games otherwise: {dict(failures)}")
    if score.verdict != "open":
        lines.append(f"sequential test: ours is {score.verdict}, LLR {score.ratio:.2f}")
    return "\n".join(lines)
