"""``antipodes analysis-engine``: analyses for other programs, as lines of JSON."""

from __future__ import annotations

import sys

import click

from antipodes.cli.gtp_command import log_to_standard_error
from antipodes.cli.parameters import memory_option, threads_option


@click.command("analysis-engine")
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=2,
    show_default=True,
    metavar="NUMBER",
    help="How many positions to work on at once.",
)
@threads_option
@memory_option
@click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    metavar="S",
    help="How long to think where a query does not say it; 1 if nothing else is chosen.",
)
@click.option(
    "--visits",
    type=click.IntRange(min=1),
    metavar="V",
    help="How many visits to make where a query does not say it.",
)
@click.option(
    "--queue",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    metavar="NUMBER",
    help="How many positions may wait.",
)
def analysis_engine_command(
    *,
    workers: int,
    threads: int,
    memory: int,
    seconds: float | None,
    visits: int | None,
    queue: int,
) -> None:
    """Answer questions about positions, as lines of JSON on standard input and output."""
    from antipodes.engine import AnalysisEngine, serve_analysis
    from antipodes.search.interface import Limits

    limits = Limits(visits=visits, seconds=seconds) if visits or seconds is not None else None
    log_to_standard_error()
    serve_analysis(
        lambda send: AnalysisEngine(
            send, workers=workers, threads=threads, memory=memory, limits=limits, queue=queue
        ),
        sys.stdin,
        sys.stdout,
    )
