"""``antipodes train``: train the neural network by self-play."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from antipodes.cli import exits
from antipodes.cli.parameters import jobs_option
from antipodes.errors import NotInstalledError

if TYPE_CHECKING:
    from antipodes.training.run import TrainingProgress


@click.command("train")
@click.argument("plan", metavar="PLAN", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--out",
    "folder",
    metavar="DIR",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep games, network and progress in a folder, and continue from there.",
)
@click.option(
    "--games",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Learn from the games of another training, and play none.",
)
@jobs_option
@click.option(
    "--scheduler", metavar="URL", help="Play on a cluster of Dask, such as tcp://HOST:8786."
)
def train_command(
    plan: Path, *, folder: Path, games: Path | None, jobs: int, scheduler: str | None
) -> int:
    """Train a neural network for Hex, Cylindrical Hex or Antipod by self-play.

    PLAN is a TOML file: the game, the size of the network, the boards, and how many positions to
    play and to learn. Ctrl-C ends the work; the same command continues it. The network is
    DIR/network.npz.
    """
    if find_spec("torch") is None:
        raise NotInstalledError.of("training", "PyTorch", "train")
    from antipodes.parallel.workers import Workers
    from antipodes.training.plan import Plan
    from antipodes.training.run import Training

    workers = Workers(jobs, scheduler, tell=lambda line: click.echo(line, err=True))
    training = Training(Plan.read(plan), folder, games)
    training.run(workers, lambda progress: click.echo(_line(progress)))
    click.echo(f"The network is {str(folder / 'network.npz')!r}.")
    return exits.OK


def _line(progress: TrainingProgress) -> str:
    losses = progress.losses
    return (
        f"{progress.positions:,} of {progress.wanted:,} positions, {progress.steps:,} steps: policy"
        f" {losses['policy']:.3f}, value {losses['value']:.3f}, results {losses['right']:.1%} right"
    )
