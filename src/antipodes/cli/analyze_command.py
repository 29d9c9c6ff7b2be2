"""``antipodes analyze``: analyses of a position, or of a whole game."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from antipodes.cli.analysis_texts import analysis_lines, game_lines, game_plot
from antipodes.cli.parameters import (
    json_option,
    lenient_option,
    memory_option,
    set_option,
    source_argument,
    threads_option,
)
from antipodes.cli.sources import chosen_position, path_of, read_source, write_output
from antipodes.cli.terminal import Terminal
from antipodes.errors import Fault, InvalidOptionsError

if TYPE_CHECKING:
    from antipodes.games.position import Position
    from antipodes.lab.opinions import Opinion
    from antipodes.search.analysis_result import Analysis
    from antipodes.search.interface import Limits, SearchProgress

_SECONDS = 3.0
_SECONDS_IN_A_GAME = 0.5  # for each position


@click.command("analyze")
@source_argument()
@set_option
@click.option("--ply", type=int, metavar="N", help="After N moves; negative: from the end.")
@click.option("--game", "whole", is_flag=True, help="Every position of the record's main line.")
@click.option(
    "--seconds", type=click.FloatRange(min=0), metavar="S", help="How long to think; 3 by default."
)
@click.option(
    "--visits", type=click.IntRange(min=1), metavar="V", help="How many visits to make instead."
)
@click.option(
    "--moves",
    type=click.IntRange(min=1),
    default=9,
    show_default=True,
    metavar="K",
    help="How many moves to show.",
)
@click.option(
    "--beside",
    "others",
    multiple=True,
    metavar="PLAYER",
    help="Ask another player or program for its move as well.",
)
@json_option
@click.option("--svg", metavar="OUT", type=click.Path(), help="Draw it to a file as well.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=1,
    metavar="NUMBER",
    help="Of the search's chance.",
)
@threads_option
@memory_option
@lenient_option
def analyze_command(
    source: str,
    *,
    settings: tuple[str, ...],
    ply: int | None,
    whole: bool,
    seconds: float | None,
    visits: int | None,
    moves: int,
    others: tuple[str, ...],
    as_json: bool,
    svg: str | None,
    seed: int,
    threads: int,
    memory: int,
    lenient: bool,
) -> None:
    """Tell who is likely to win, which moves are good, and where the game is decided.

    FILE is a record, or a picture of a board as text; - is standard input. The last position is
    analysed if you do not say which. With GAME it is the start of a game.

    A PLAYER is one of "antipodes match", such as computer:5, or gtp: and the command line of a
    program that speaks GTP.
    """
    from antipodes.search.interface import Limits

    if visits is None and seconds is None:
        seconds = _SECONDS_IN_A_GAME if whole else _SECONDS
    analyst = _Analyst(Limits(visits=visits, seconds=seconds), seed, threads, memory)
    if whole:
        if others:
            message = "--beside asks about one position, --game takes all"
            raise InvalidOptionsError([Fault("option/conflict", message, "--beside")])
        _tell_game(analyst, _line_of(source, settings, ply, lenient=lenient), as_json, svg, moves)
        return
    position = chosen_position(source, settings, ply, lenient=lenient)
    # First, since a program that fails ends the command.
    asked = others if position.outcome is None else ()
    opinions = [analyst.opinion(position, other) for other in asked]
    analysis = analyst.analyze(position)
    if as_json:
        told = [opinion.as_dict(analysis.position) for opinion in opinions]
        data = analysis.as_dict(moves) | ({"opinions": told} if others else {})
        click.echo(json.dumps(data, indent=2))
    else:
        click.echo("\n".join(analysis_lines(analysis, moves, opinions)))
    if svg is not None:
        from antipodes.notation.svg import render_svg

        write_output(svg, render_svg(analysis.scene(moves)))
    if analyst.is_interrupted:
        raise KeyboardInterrupt


def _tell_game(
    analyst: _Analyst,
    line: list[Position],
    as_json: bool,
    svg: str | None,
    moves: int,
) -> None:
    from antipodes.search.game_analysis import turning_points

    analyses = []
    for number, position in enumerate(line):
        analyses.append(analyst.analyze(position, f"position {number + 1} of {len(line)}"))
        if analyst.is_interrupted:
            raise KeyboardInterrupt
    played = [_move_between(one, two) for one, two in pairwise(line)]
    points = turning_points(analyses, played)
    if as_json:
        data = {
            "positions": [analysis.as_dict(moves) for analysis in analyses],
            "moves": [p.format_move(m) for p, m in zip(line, played, strict=False)],
            "turningPoints": [
                {"move": point.turn, **point.as_dict(line[point.turn - 1])} for point in points
            ],
        }
        click.echo(json.dumps(data, indent=2))
    else:
        click.echo("\n".join(game_lines(analyses, played, points)))
    if svg is not None:
        write_output(svg, game_plot(analyses, played, points))


class _Analyst:
    """Analyses positions within the same limits, and shows the progress."""

    def __init__(self, limits: Limits, seed: int, threads: int, memory: int) -> None:
        self._limits = limits
        self._seed, self._threads, self._memory = seed, threads, memory
        self._terminal = Terminal()
        self.is_interrupted = False

    def analyze(self, position: Position, label: str = "") -> Analysis:
        """Analyse a position; Ctrl-C ends the thinking, and what is known is told.

        Raises:
            KeyboardInterrupt: nothing is known yet.
        """
        from antipodes.search.analysis import Analyzer
        from antipodes.search.interface import SearchSettings

        before = f"{label}: " if label else ""
        settings = SearchSettings(threads=self._threads, memory=self._memory)
        analyzer = Analyzer(position, settings, seed=self._seed)

        def on_progress(progress: SearchProgress) -> None:
            best = position.format_move(progress.best)
            self._terminal.status(
                f"{before}{progress.share:.0%}, {progress.visits:,} visits, best {best}"
                f" {progress.value:.1%}"
            )

        self._terminal.status(f"{before}preparing the engine")
        try:
            analyzer.run(self._limits, on_progress)
            self._terminal.status(f"{before}looking for threats")
            analyzer.find_threats(self._limits)
        except KeyboardInterrupt:
            if not analyzer.is_ready:
                raise
            self.is_interrupted = True
        finally:
            self._terminal.end_status()
        return analyzer.result()

    def opinion(self, position: Position, player: str) -> Opinion:
        """Ask another player for its move in a position."""
        from antipodes.lab.opinions import ask_opinion

        self._terminal.status(f"asking {player}")
        try:
            seconds = self._limits.seconds
            return ask_opinion(position, player, seconds=seconds, seed=self._seed)
        finally:
            self._terminal.end_status()


def _line_of(
    source: str, settings: tuple[str, ...], ply: int | None, *, lenient: bool
) -> list[Position]:
    from antipodes.games.registry import game_ids

    if ply is not None:
        message = "--game takes all positions, --ply one of them"
        raise InvalidOptionsError([Fault("option/conflict", message, "--ply")])
    record = None
    if source not in game_ids():
        record = read_source(path_of(source), settings, lenient=lenient).record
    if record is None:
        message = f"{source!r} is not a record; --game goes through the moves of one"
        raise InvalidOptionsError([Fault("option/conflict", message, "--game")])
    return list(record.positions())


def _move_between(one: Position, two: Position) -> Any:
    from antipodes.search.players import move_between

    move = move_between(one, two)
    assert move is not None
    return move
