"""``antipodes simulate``: a whole site with people who use it, in virtual time."""

from __future__ import annotations

import click

from antipodes.cli.exits import NO
from antipodes.cli.site_commands import need_packages
from antipodes.errors import NotInstalledError


@click.command("simulate")
@click.option("--seed", default=1, show_default=True, help="Decides everything that is random.")
@click.option(
    "--people", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Inhabitants."
)
@click.option(
    "--days",
    type=click.FloatRange(0, 3_650, min_open=True),
    default=7.0,
    show_default=True,
    help="Of virtual time.",
)
@click.option("--events", type=click.IntRange(1), help="Events at most.")
@click.option("--shrink", is_flag=True, help="Look for a few acts that break the same law.")
@click.option("--coverage", is_flag=True, help="Tell which parts of the site people have used.")
@click.option("--quiet", is_flag=True, help="Show no events, only breaches of laws.")
@click.pass_context
def simulate_command(
    context: click.Context,
    seed: int,
    people: int,
    days: float,
    events: int | None,
    *,
    shrink: bool,
    coverage: bool,
    quiet: bool,
) -> None:
    """Let people use a site of their own in virtual time, and check the laws of the site.

    The site has its data in memory and sends nothing. The same seed gives the same run. The exit
    code is 1 if a law was broken.
    """
    need_packages()
    try:
        from antipodes.web.town import clients, simulation, virtual_time  # noqa: F401
    except ImportError as error:
        raise NotInstalledError.of("simulations", error.name, "simulate") from None

    settings = simulation.Settings(seed, people, days, events, coverage=coverage)

    def say(line: str) -> None:
        if not quiet or line.startswith(simulation.BROKEN):
            click.echo(line)

    run = simulation.simulate(settings, say)
    if quiet:
        click.echo(run.summary)
    if run.broken and shrink:
        acts = simulation.shrink(settings, run, lambda line: click.echo(line, err=True))
        click.echo(f"{run.broken[0]} is broken by these acts (person:number) of seed {seed}:")
        click.echo(" ".join(f"{who}:{act}" for who, act in acts))
    context.exit(NO if run.broken else 0)
