"""``antipodes match``: many games between two programs, to find out which one is stronger."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from antipodes.cli.exits import NO
from antipodes.cli.parameters import (
    chosen_game,
    complete_game,
    jobs_option,
    json_option,
    read_openings_file,
    set_option,
)
from antipodes.cli.terminal import Terminal
from antipodes.errors import Fault, InputError, InvalidOptionsError

if TYPE_CHECKING:
    from antipodes.games.position import Game
    from antipodes.lab.contest import ContestScore, Schedule
    from antipodes.lab.duel import Played
    from antipodes.lab.matchup import Matchup
    from antipodes.lab.ratings import SequentialTest, Tally


@click.command("match")
@click.argument("engines", metavar="ENGINE ENGINE", nargs=2)
@click.option(
    "--game",
    "game_id",
    metavar="GAME",
    default="hex",
    show_default=True,
    shell_complete=complete_game,
    help="Which game they play.",
)
@set_option
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="How many games at most; they come in pairs.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.001, max=86_400),
    metavar="S",
    help="Time for each move; without it the engines have their own limits.",
)
@click.option(
    "--cpu",
    is_flag=True,
    help="Count seconds of the processor for our own players, not those on the wall.",
)
@jobs_option
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    metavar="E0 E1",
    help="Stop as soon as it is clear whether the first engine is stronger by E0 or by E1 Elo.",
)
@click.option(
    "--openings",
    metavar="K|fair|FILE",
    default="2",
    show_default=True,
    help="Random moves that open each pair of games, chosen so that chances are even; 0 begins at"
    " the start, as the rules have it. fair: the fair first moves of the atlas. Or a file with an"
    " opening on each line.",
)
@click.option(
    "--patience",
    type=click.FloatRange(min=0.1),
    metavar="S",
    help="Seconds beyond its time until a program has lost.  [default: 120]",
)
@click.option(
    "--out",
    metavar="DIR",
    help="Save records in a folder and continue from there; several processes may share it.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    metavar="NUMBER",
    show_default=True,
    help="Decides openings and the choices of players.",
)
@json_option
def match_command(
    engines: tuple[str, str],
    *,
    game_id: str,
    settings: tuple[str, ...],
    games: int,
    seconds: float | None,
    cpu: bool,
    jobs: int,
    sprt: tuple[float, float] | None,
    openings: str,
    patience: float | None,
    out: str | None,
    seed: int,
    as_json: bool,
) -> int:
    """Let two programs play many games, and say which one is stronger.

    An ENGINE is a player, such as computer:5, search:seconds=1 or plain:visits=1000; gtp: with the
    command line of a program that speaks GTP, such as "gtp:antipodes gtp hex --level 5"; or
    MODULE:FACTORY, a function in Python that makes a player of a seed.

    Each opening is played twice with seats exchanged. Ctrl-C ends the match; with --out the same
    command goes on with it later.
    """
    from antipodes.engine.gtp_client import PATIENCE
    from antipodes.lab.contest import Contest, Schedule
    from antipodes.lab.matchup import Matchup
    from antipodes.search.players import Timekeeping

    for name, number in (("--seconds", seconds), ("--patience", patience)):
        if number is not None and math.isnan(number):
            raise click.UsageError(f"{name} is nan, but must be a number.")
    game = chosen_game(game_id, settings)
    timekeeping = Timekeeping.CPU if cpu else Timekeeping.WALL
    matchup = Matchup(game, engines, seconds, timekeeping, patience or PATIENCE)
    plies, lines = _openings(game, openings)
    schedule = Schedule(games, plies, lines, seed, _test(sprt))
    terminal = Terminal()
    terminal.status("Starting the engines")
    _check_engines(matchup)
    archive = None
    if out is not None:
        from antipodes.lab.archive import Archive

        archive = Archive(Path(out), matchup, schedule)
    contest = Contest(matchup, schedule, folder=archive)

    def watch(one: Played, score: ContestScore) -> None:
        news = _news(one, score, schedule)
        terminal.remark(news)
        terminal.status(news)

    def idle(left: int) -> None:
        terminal.status(f"Waiting for {left} games that other processes play in {out}")

    try:
        contest.run(watch, jobs, idle)
    finally:
        terminal.end_status()
        if contest.played:
            score = contest.score
            report = json.dumps(_data(matchup, score, schedule), indent=2)
            terminal.say(report if as_json else _report(matchup, score, schedule))
    return NO if contest.score.verdict == "not-stronger" else 0


def _test(sprt: tuple[float, float] | None) -> SequentialTest | None:
    """Return the test that ``--sprt`` asks for.

    Raises:
        InvalidOptionsError: its differences are no two numbers in rising order.
    """
    from antipodes.lab.ratings import SequentialTest

    if sprt is None:
        return None
    if not (all(map(math.isfinite, sprt)) and sprt[0] < sprt[1]):
        message = f"the differences are {sprt[0]:g} and {sprt[1]:g}, but must be two rising numbers"
        raise InvalidOptionsError([Fault("contest/test", message, "--sprt")])
    return SequentialTest(*sprt)


def _openings(game: Game, text: str) -> tuple[int, tuple[Any, ...]]:
    """Return how many random moves to begin with, and the openings of a file or of the atlas.

    Raises:
        InputError: it is neither a number nor a file that can be read, or the atlas has none.
    """
    from antipodes.lab.openings import MAX_PLIES, read_openings

    if text == "fair":
        return 0, _fair_openings(game)
    if text.isascii() and text.isdecimal():
        if len(text) < 4 and int(text) <= MAX_PLIES:
            return int(text), ()
        message = f"{text} random moves are too many; {MAX_PLIES} at most"
        raise InvalidOptionsError([Fault("openings/too-long", message, "--openings")])
    return 0, tuple(read_openings(game, read_openings_file(text)))


def _fair_openings(game: Game) -> tuple[Any, ...]:
    """Return the fair first moves of the atlas that comes with the program.

    Raises:
        InvalidOptionsError: there are none for this board.
    """
    from antipodes.lab.atlas import shipped_atlas

    atlas = shipped_atlas(game)
    openings = () if atlas is None else tuple(atlas.fair_openings())
    if not openings:
        options = " ".join(f"{name}={value}" for name, value in game.options.changed().items())
        board = f"{game.title} {options}".strip()
        message = f"no fair first moves of {board} are known; see antipodes lab openings {game.id}"
        raise InvalidOptionsError([Fault("openings/not-fair", message, "--openings")])
    return openings


def _check_engines(matchup: Matchup) -> None:
    """Start each engine once, so that errors are reported before the first game.

    Raises:
        InputError: an engine cannot be started, or cannot play the game.
    """
    from antipodes.engine.gtp_client import ProgramError
    from antipodes.lab.contestants import ProgramContestant

    faults = []
    for spec, contestant in zip(matchup.names, matchup.contestants(), strict=True):
        if not isinstance(contestant, ProgramContestant):
            continue
        try:
            contestant.begin(matchup.game, 0)
        except ProgramError as error:
            message = f"{spec} cannot play {matchup.game.title}: it {error}"
            faults.append(Fault("engine/unusable", message))
        finally:
            contestant.close()
    if faults:
        raise InputError(faults)


def _news(game: Played, score: ContestScore, schedule: Schedule) -> str:
    """Return a line on the last game and the score."""
    tally = score.tally
    difference = score.difference
    text = (
        f"{tally.games} of {schedule.in_pairs}: game {game.fixture.number}, "
        f"{game.result}, {len(game.moves)} moves; {tally.points:g}-{tally.games - tally.points:g}, "
        f"{difference}"
    )
    if schedule.test is not None:
        low, high = schedule.test.bounds
        text += f", LLR {score.ratio:.2f} in {low:.2f}..{high:.2f}"
    return text


_VERDICTS = {
    "stronger": "the first engine is stronger by {1:g} Elo rather than {0:g}",
    "not-stronger": "the first engine is stronger by {0:g} Elo rather than {1:g}",
    "open": "not decided between {0:g} and {1:g} Elo",
}


def _report(matchup: Matchup, score: ContestScore, schedule: Schedule) -> str:
    tally, difference = score.tally, score.difference
    changed = " ".join(f"{k}={v}" for k, v in matchup.game.options.changed().items())
    lines = [
        f"{matchup.game.title} {changed}".rstrip() + f", {tally.games} games",
        f"1  {matchup.names[0]}",
        f"2  {matchup.names[1]}",
        f"1 won {tally.wins}, drew {tally.draws}, lost {tally.losses}: {tally.score:.1%}",
        f"{difference}; 1 is the stronger one with {difference.superiority:.1%}",
        "pairs with 0, 1/2, 1, 3/2, 2 points: " + ", ".join(map(str, tally.pairs)),
        f"where 1 sat first: {score.as_first.points:g} of {score.as_first.games}",
    ]
    lines += [
        f"{color.title}: {_wins(1, first)}, {_wins(2, second)}"
        for color, (first, second) in score.by_color.items()
    ]
    openings = _openings_data(matchup, schedule)
    lines.append(_OPENINGS[openings["kind"]].format(**openings))
    for side, effort in enumerate(score.efforts, start=1):
        moves = max(effort.moves, 1)
        lines.append(
            f"a move of {side}: {effort.seconds / moves:.3f} s, {effort.cpu / moves:.3f} s of CPU"
        )
    for side, kinds in enumerate(score.failures, start=1):
        if kinds:
            told = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
            lines.append(f"{side} lost without an end by the rules: {told}")
    if schedule.test is not None:
        verdict = _VERDICTS[score.verdict].format(schedule.test.elo0, schedule.test.elo1)
        lines.append(f"LLR {score.ratio:.2f}: {verdict}")
    return "\n".join(lines)


def _wins(engine: int, tally: Tally) -> str:
    drawn = f" and drew {tally.draws}" if tally.draws else ""
    return f"{engine} won {tally.wins}{drawn} of {tally.games}"


def _openings_data(matchup: Matchup, schedule: Schedule) -> dict[str, Any]:
    """Return where the games began; even chances there say nothing about those of the rules."""
    if schedule.lines:
        return {"kind": "list", "lines": len(schedule.lines)}
    if schedule.plies == 0:
        return {"kind": "start"}
    return {"kind": "even" if len(matchup.game.colors) == 2 else "random", "moves": schedule.plies}


_OPENINGS = {
    "list": "openings: {lines} of a list",
    "start": "openings: none, games begin at the start",
    "random": "openings: {moves} random moves; --openings 0 begins at the start",
    "even": "openings: {moves} random moves, chosen so that chances are even; "
    "--openings 0 begins at the start",
}


def _data(matchup: Matchup, score: ContestScore, schedule: Schedule) -> dict[str, Any]:
    """Return the report as data for programs; infinite numbers are ``null``."""
    tally, difference = score.tally, score.difference
    data: dict[str, Any] = {
        "game": matchup.game.id,
        "options": matchup.game.options.as_dict(),
        "engines": list(matchup.names),
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pairs": list(tally.pairs),
        "score": tally.score,
        "colors": {
            color.value: [
                {
                    "wins": tally_of_side.wins,
                    "draws": tally_of_side.draws,
                    "losses": tally_of_side.losses,
                }
                for tally_of_side in tallies
            ]
            for color, tallies in score.by_color.items()
        },
        "openings": _openings_data(matchup, schedule),
        "elo": _finite(difference.elo),
        "low": _finite(difference.low),
        "high": _finite(difference.high),
        "superiority": difference.superiority,
        "seconds_a_move": [one.seconds / max(one.moves, 1) for one in score.efforts],
        "cpu_a_move": [one.cpu / max(one.moves, 1) for one in score.efforts],
        "failures": [dict(kinds) for kinds in score.failures],
    }
    if schedule.test is not None:
        data["llr"] = score.ratio
        data["verdict"] = score.verdict.value
    return data


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
