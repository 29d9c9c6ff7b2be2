"""``antipodes lab run`` and the other commands on experiments in folders."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from antipodes.cli.balance_commands import table
from antipodes.cli.game_progress import GameProgress
from antipodes.cli.parameters import json_option
from antipodes.cli.proof_folder import show_proof_status
from antipodes.cli.terminal import Terminal
from antipodes.errors import Fault, InputError

if TYPE_CHECKING:
    from antipodes.lab.experiment import Experiment, Plan, SeriesProgress
    from antipodes.lab.results import Results
    from antipodes.lab.tasks import GameRow

Command = TypeVar("Command", bound=Callable[..., Any])


def _workers_options(command: Command) -> Command:
    """Add the options that say who plays."""
    for option in (
        click.option(
            "--scheduler",
            metavar="URL",
            help="Play on a cluster of Dask, such as tcp://HOST:8786.",
        ),
        click.option(
            "--workers",
            "count",
            type=click.IntRange(1, 1024),
            metavar="N",
            help="Processes on this machine; by default one for each core.",
        ),
    ):
        command = option(command)
    return command


_folder_argument = click.argument(
    "folder", metavar="DIR", type=click.Path(path_type=Path, file_okay=False, exists=True)
)
_out_option = click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the results; games that are in it are not played again.",
)


@click.command("run")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@_out_option
@_workers_options
def run_command(file: Path, *, out: Path, count: int | None, scheduler: str | None) -> None:
    """Play the games of an experiment.

    FILE says in TOML which game, options and players, and how many games. Ctrl-C ends the work and
    keeps all games; the same command, or "antipodes lab resume DIR", goes on. Several processes,
    also on other machines, may work on one folder.
    """
    from antipodes.lab.experiment import Experiment
    from antipodes.lab.results import Results

    experiment = Experiment.read(file)
    results = Results(out)
    experiment.keep(out)
    _play(experiment, results, count, scheduler)


@click.command("resume")
@_folder_argument
@_workers_options
def resume_command(folder: Path, *, count: int | None, scheduler: str | None) -> None:
    """Go on with the experiment in a folder."""
    experiment, results = _opened(folder)
    _play(experiment, results, count, scheduler)


def _opened(folder: Path) -> tuple[Experiment, Results]:
    """Return the experiment and the results in a folder.

    Raises:
        InputError: there is none.
    """
    from antipodes.lab.experiment import FILE, Experiment
    from antipodes.lab.results import Results

    if not (folder / FILE).exists():
        message = f"{str(folder)!r} has no experiment in it; start one with: antipodes lab run"
        raise InputError([Fault("lab/no-experiment", message)])
    return Experiment.read(folder / FILE), Results(folder)


def _play(
    experiment: Experiment, results: Results, count: int | None, scheduler: str | None
) -> None:
    from antipodes.lab.experiment import Plan
    from antipodes.lab.scheduling import run_tasks
    from antipodes.parallel.workers import Workers

    plan = Plan(experiment, results)
    terminal = Terminal()
    progress = GameProgress(lambda: plan.done, lambda: plan.wanted, terminal)

    def tell(sentence: str) -> None:
        terminal.end_status()
        click.echo(sentence, err=True)

    def watch(_rows: list[GameRow]) -> None:
        plan.look()
        progress.tell()

    cores = len(os.sched_getaffinity(0))
    workers = Workers(count or cores, scheduler, dashboard=True, tell=tell)
    try:
        run_tasks(plan.take, results, workers, watch, progress.wait)
    finally:
        terminal.end_status()
        plan.look()
        terminal.say(_status_table(plan))


@click.command("status")
@_folder_argument
@json_option
def status_command(folder: Path, *, as_json: bool) -> None:
    """Say how far the experiment or the proof in a folder is."""
    from antipodes.lab.experiment import Plan
    from antipodes.lab.proofs import POSITION

    if (folder / POSITION).exists():
        show_proof_status(folder, as_json=as_json)
        return
    experiment, results = _opened(folder)
    plan = Plan(experiment, results)
    playing = len(results.claims.of_others())
    if as_json:
        data = {
            "title": experiment.title,
            "game": experiment.series[0].game.id,
            "games": plan.done,
            "wanted": plan.wanted,
            "playing": playing,
            "settings": list(map(_progress_data, plan.progress)),
        }
        click.echo(json.dumps(data, indent=1))
        return
    if experiment.title:
        click.echo(experiment.title)
    click.echo(_status_table(plan))
    if playing:
        click.echo(f"{playing} games are being played")


def _progress_data(progress: SeriesProgress) -> dict[str, Any]:
    low, high = progress.interval
    return {
        "options": progress.series.game.options.as_dict(),
        "players": list(progress.series.players),
        "games": progress.done,
        "wanted": len(progress.ids) if progress.has_ended else progress.series.games,
        "failed": progress.done - progress.counted,
        "ended": progress.has_ended,
        "of": progress.of,
        "share": round(progress.share, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def _status_table(plan: Plan) -> str:
    rows = []
    for progress in plan.progress:
        game = progress.series.game
        options = " ".join(f"{name}={value}" for name, value in game.options.changed().items())
        low, high = progress.interval
        wanted = len(progress.ids) if progress.has_ended else progress.series.games
        share = f"{progress.share:.2f} ({low:.2f}-{high:.2f})"
        rows.append(
            [
                options or "-",
                " / ".join(progress.series.players),
                f"{progress.done} of {wanted}",
                share,
            ]
        )
    head = ["options", "players", "games", f"{plan.progress[0].of}'s share"]
    return table(head, rows) + f"\n{plan.done} of {plan.wanted} games"


@click.command("merge")
@click.argument(
    "folders",
    metavar="DIR...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, file_okay=False, exists=True),
)
@_out_option
def merge_command(folders: tuple[Path, ...], *, out: Path) -> None:
    """Add the games of folders to another one; a game that is in several counts once."""
    from antipodes.lab.experiment import FILE
    from antipodes.lab.results import Results

    others = list(map(_opened, folders))
    results = Results(out)
    experiment = _opened(out)[0] if (out / FILE).exists() else others[0][0]
    for other, _ in others:
        other.check_same_game(experiment)
    experiment.keep(out)
    added = results.merge(other for _, other in others)
    click.echo(f"{added} games added; {len(results.done())} games in {out}")


@click.command("records")
@_folder_argument
@_out_option
@click.option(
    "--to",
    "kind",
    type=click.Choice(["json", "sgf", "hexworld"]),
    default="json",
    show_default=True,
    help="Format of the records.",
)
@click.option("--count", type=click.IntRange(1), metavar="N", help="How many at most.")
def records_command(folder: Path, *, out: Path, kind: str, count: int | None) -> None:
    """Write the games of an experiment as records, one file each, named by the id of the row."""
    from itertools import islice

    from antipodes.lab.results import Results
    from antipodes.records import save

    results = Results(folder)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"{str(out)!r} cannot be used for records: {error.strerror or error}"
        raise InputError([Fault("lab/folder", message)]) from None
    written = 0
    for row in islice(results.rows(), count):
        save(out / f"{row.id}.{kind}", row.record(), kind=kind)
        written += 1
    click.echo(f"{written} records in {out}")
