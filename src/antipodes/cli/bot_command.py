"""``antipodes bot``: plays on a site as any program may."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from antipodes.cli.exits import interrupt_at_sigterm
from antipodes.cli.parameters import chosen_game, complete_game, site_options
from antipodes.errors import Fault, InvalidOptionsError

_MOST = 64  # matches at once


@click.command("bot")
@site_options
@click.option("--level", default="3", show_default=True, help="Level at which it plays.")
@click.option(
    "--games",
    type=click.IntRange(1, _MOST),
    default=4,
    show_default=True,
    help="How many matches it plays at once.",
)
@click.option(
    "--play",
    "plays",
    multiple=True,
    metavar="GAME",
    shell_complete=complete_game,
    help="A game that it plays when it is asked; all if none is named.",
)
@click.option(
    "--accept",
    type=click.Choice(["invited", "open", "none"]),
    default="invited",
    show_default=True,
    help="Which challenges it joins.",
)
@click.option(
    "--seek",
    metavar="GAME",
    shell_complete=complete_game,
    help="A game of which it keeps an open challenge while it has room.",
)
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Option of that game.")
@click.option("--control", default="unlimited", show_default=True, help="Clock of that game.")
@click.option("--rated", is_flag=True, help="That game is rated.")
@click.option(
    "--stop-after", type=click.IntRange(min=1), metavar="N", help="End after so many matches."
)
@click.option("--declare", is_flag=True, help="Mark the account as a bot.")
def bot_command(
    *,
    url: str,
    token: str | None,
    level: str,
    games: int,
    plays: Sequence[str],
    accept: str,
    seek: str | None,
    settings: Sequence[str],
    control: str,
    rated: bool,
    stop_after: int | None,
    declare: bool,
) -> None:
    """Run a bot on a site, at one of the computer's levels.

    It joins challenges, plays several matches at once, and resumes them when it is started again.
    Ctrl-C ends it; its matches stay.
    """
    from antipodes.cli.bot.host import Bot, BotSettings
    from antipodes.cli.site_client import Site, read_token
    from antipodes.games.registry import game_class
    from antipodes.search.levels import find_level

    bot_settings = BotSettings(
        level=str(find_level(level).number),
        games=games,
        plays=frozenset(game_class(one).id for one in plays),
        accepts=accept,
        seek=_seek(seek, settings, control, rated=rated),
        stop_after=stop_after,
    )
    bot = Bot(Site(url, read_token(token)), bot_settings, click.echo)
    interrupt_at_sigterm()
    try:
        bot.greet(declares=declare)
        click.echo("Ctrl-C ends it")
        bot.play()
    except KeyboardInterrupt:
        click.echo("stopped; matches in progress wait for the next start")
    finally:
        bot.leave()


def _seek(
    game_id: str | None, settings: Sequence[str], control: str, *, rated: bool
) -> dict[str, Any] | None:
    """Return the open challenge that the options describe.

    Raises:
        InputError: there is no such game, option or clock.
    """
    from antipodes.clocks import read_control

    if game_id is None:
        if settings or rated or control != "unlimited":
            message = "--set, --control and --rated describe the game of --seek"
            raise InvalidOptionsError([Fault("bot/no-seek", message, "--seek")])
        return None
    game = chosen_game(game_id, settings)
    return {
        "game": game.id,
        "options": dict(game.options.changed()),
        "opponent": "anybody",
        "control": str(read_control(control)),
        "rated": rated,
    }
