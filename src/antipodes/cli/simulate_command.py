"""``antipodes simulate``: a whole site with people who use it, in virtual time."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from antipodes.cli.exits import NO
from antipodes.cli.parameters import jobs_option
from antipodes.cli.site_commands import need_packages
from antipodes.errors import Fault, InputError, NotInstalledError

if TYPE_CHECKING:
    from antipodes.web.town import simulation

_SILENCE = 10.0  # seconds after which a quiet run tells how far it is
_EVENT = re.compile(r" *(\d+) (day \d+ \d\d:\d\d) ")


@click.command("simulate")
@click.option("--seed", default=1, show_default=True, help="Decides everything that is random.")
@click.option(
    "--people", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Inhabitants."
)
@click.option(
    "--days",
    type=click.FloatRange(0, 3_650, min_open=True),
    help="Of virtual time.  [default: 7]",
)
@click.option("--events", type=click.IntRange(1), help="Events at most.")
@click.option("--shrink", is_flag=True, help="Look for a few acts that break the same law.")
@click.option("--coverage", is_flag=True, help="Tell which parts of the site people have used.")
@click.option("--quiet", is_flag=True, help="Show no events, only breaches of laws.")
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw people, games, mails and answers of each hour as SVG.",
)
@click.option(
    "--seeds",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How many seeds are run, from --seed on.",
)
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep each seed that has been run, so that the same command goes on after Ctrl-C.",
)
@jobs_option
@click.option("--against", metavar="URL", help="Use the site at an address, in real time.")
@click.option("--own-site", is_flag=True, help="State that this site is yours, and has no players.")
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    default=10.0,
    show_default=True,
    help="Of real time, with --against.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0, 1_000, min_open=True),
    default=1.0,
    show_default=True,
    help="Acts a second of all people at most, with --against.",
)
@click.option("--mail", metavar="URL", help="Where that site receives mail: lmtp:// or smtp://.")
@click.option("--mail-host", metavar="DOMAIN", help="Of its addresses.  [default: the URL's]")
@click.option(
    "--mail-port",
    type=click.IntRange(1, 65_535),
    default=2525,
    show_default=True,
    help="Of this machine, to which that site sends its mail.",
)
@click.pass_context
def simulate_command(context: click.Context, /, **given: Any) -> None:
    """Let people use a site of their own in virtual time, and check the laws of the site.

    The site has its data in memory and sends nothing. The same seed gives the same run. The exit
    code is 1 if a law was broken.

    With --against people use a site that runs, in real time.
    """
    need_packages()
    try:
        from antipodes.web.town import clients, simulation, virtual_time  # noqa: F401
    except ImportError as error:
        raise NotInstalledError.of("simulations", error.name, "simulate") from None

    said_at = time.monotonic()

    def say(line: str) -> None:
        nonlocal said_at
        if not given["quiet"] or line.startswith(simulation.BROKEN):
            click.echo(line)
        elif time.monotonic() - said_at > _SILENCE and (event := _EVENT.match(line)):
            said_at = time.monotonic()
            click.echo(f"event {event[1]}, {event[2]}", err=True)

    if given["against"] is not None:
        context.exit(_visit(context, given, say))
    _refuse_others(context, ("own_site", "minutes", "rate", "mail", "mail_host", "mail_port"))
    days = 7.0 if given["days"] is None else given["days"]
    settings = simulation.Settings(
        given["seed"],
        given["people"],
        days,
        given["events"],
        coverage=given["coverage"],
        picture=given["picture"],
    )
    if given["seeds"] > 1:
        _refuse_others(context, ("shrink", "coverage", "picture", "quiet"), "with one seed")
        context.exit(_run_seeds(settings, given))
    _refuse_others(context, ("results", "jobs"), "with --seeds")
    run = simulation.simulate(settings, say)
    if given["quiet"]:
        click.echo(run.summary)
    if run.broken and given["shrink"]:
        acts = simulation.shrink(settings, run, lambda line: click.echo(line, err=True))
        click.echo(
            f"{run.broken[0]} is broken by these acts (person:number) of seed {settings.seed}:"
        )
        click.echo(" ".join(f"{who}:{act}" for who, act in acts))
    context.exit(NO if run.broken else 0)


def _run_seeds(settings: simulation.Settings, given: dict[str, Any]) -> int:
    """Run several seeds, and say how each ended; return the exit code."""
    from antipodes.parallel.workers import Workers
    from antipodes.web.town import simulation

    workers = Workers(given["jobs"], tell=lambda line: click.echo(line, err=True))
    broken = 0
    runs = simulation.simulate_seeds(settings, given["seeds"], workers, given["results"])
    for number, (seed, run) in enumerate(runs, 1):
        laws = f"; broken: {', '.join(run.broken)}" if run.broken else ""
        click.echo(f"{number} of {given['seeds']}: seed {seed}: {run.summary}{laws}")
        broken += bool(run.broken)
    return NO if broken else 0


def _visit(context: click.Context, given: dict[str, Any], say: Callable[[str], None]) -> int:
    """Let people use a site elsewhere; return the exit code."""
    from antipodes.web.town import outside, real_site

    own = ("days", "shrink", "coverage", "picture", "seeds", "jobs", "results")
    _refuse_others(context, own, "without --against")
    url, mail = given["against"], given["mail"]
    if not re.fullmatch(r"https?://[^/?#]+/?", url):
        raise _fault(
            f"{url!r} is not the address of a site, such as http://127.0.0.1:8000", "--against"
        )
    if not given["own_site"]:
        message = (
            f"people who are programs would play, write and complain at {url}; state by"
            " --own-site that it is yours, and that it has no players now"
        )
        raise InputError([Fault("simulate/not-own", message, "--own-site")])
    route = None
    if mail is not None:
        if not re.fullmatch(r"(lmtp|smtp)://[^/?#]+/?", mail):
            raise _fault(f"{mail!r} is not such as lmtp://127.0.0.1:8024", "--mail")
        host = given["mail_host"] or str(urlsplit(url).hostname)
        route = real_site.MailRoute(mail, host, given["mail_port"])
    terms = outside.Terms(
        url, given["seed"], given["people"], given["minutes"], given["rate"], given["events"], route
    )
    visitors = asyncio.run(outside.visit(terms, say))
    for line in visitors.report():
        click.echo(line)
    return NO if visitors.breaches else 0


def _refuse_others(
    context: click.Context, names: tuple[str, ...], when: str = "with --against"
) -> None:
    """Refuse options that have no effect."""
    for name in names:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name.replace('_', '-')} is possible only {when}")


def _fault(message: str, option: str) -> InputError:
    return InputError([Fault("simulate/address", message, option)])
