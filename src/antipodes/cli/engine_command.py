"""``antipodes engine``: searches moves and analyses for a site, as a volunteer's engine."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from antipodes.cli.exits import interrupt_at_sigterm
from antipodes.cli.parameters import site_options

if TYPE_CHECKING:
    from antipodes.cli.site_client import Site
    from antipodes.games.position import Position

_PAUSE = 1.0  # seconds until it asks again where no job waited
_LONG_PAUSE = 10.0  # seconds after a failure of the site, such as when it is started again


@click.command("engine")
@site_options
@click.option(
    "--stop-after", type=click.IntRange(min=1), metavar="N", help="End after so many jobs."
)
def engine_command(*, url: str, token: str | None, stop_after: int | None) -> None:
    """Search the computer's moves and analyses for a site.

    It uses one core; start it several times for more. Its token needs the scope `engine`, and the
    host of the site names its account in ENGINE_ACCOUNTS. Ctrl-C ends it: another engine gets the
    job that it has.
    """
    from antipodes.cli.site_client import Site, SiteError, read_token

    site = Site(url, read_token(token))
    interrupt_at_sigterm()
    done = 0
    try:
        click.echo(f"This engine works for {site.url}; Ctrl-C ends it")
        while stop_after is None or done < stop_after:
            try:
                is_done = do_job(site)
            except SiteError as error:
                if not error.may_pass:
                    raise
                click.echo(f"{error}; the engine tries again")
                time.sleep(_LONG_PAUSE)
                continue
            done += is_done
            if not is_done:
                time.sleep(_PAUSE)
    except KeyboardInterrupt:
        click.echo(f"stopped after {done} jobs")


def do_job(site: Site) -> bool:
    """Do the next job; return whether one waited."""
    from antipodes.cli.site_client import SiteError

    job = site.send("POST", "/engine/jobs")["job"]
    if job is None:
        return False
    begun = time.monotonic()
    answer = answer_of(job)
    try:
        site.send("POST", "/engine/answers", {"loan": job["loan"], **answer})
    except SiteError as error:
        click.echo(f"{job['game']}: not taken: {error}")
        return True
    what = f"move of {job['player']}" if job["player"] else "analysis"
    click.echo(f"{job['game']}: {what}, {answer['move']}, {time.monotonic() - begun:.1f} s")
    return True


def answer_of(job: dict[str, Any]) -> dict[str, Any]:
    """Return the best move, and for an analysis its result."""
    from antipodes.search.players import make_player

    position = _position_of(job)
    if not job["player"]:
        return _analysis(position, job["seconds"])
    move = make_player(job["player"], bound=job["seconds"]).choose(position)
    return {"move": position.format_move(move)}


def _position_of(job: dict[str, Any]) -> Position:
    from antipodes.games.registry import make_game
    from antipodes.match import Start
    from antipodes.records.json_format import read_setup

    setup = None if job["setup"] is None else read_setup(job["setup"])
    game = make_game(job["game"], job["options"])
    return Start(setup=setup, moves=tuple(job["moves"])).position(game)


def _analysis(position: Position, seconds: float) -> dict[str, Any]:
    from antipodes.search.analysis import analyze
    from antipodes.search.analysis_result import data_with_overlay
    from antipodes.search.interface import Limits

    data = data_with_overlay(analyze(position, limits=Limits(seconds=seconds), threats=True), 1.0)
    moves = [info["move"] for info in data["moveInfos"]]
    return {"move": moves[0] if moves else "", "analysis": data}
