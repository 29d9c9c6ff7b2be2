"""``antipodes gtp``: the game as an engine for other programs."""

from __future__ import annotations

import logging
import sys
import traceback
from typing import Any

import click

from antipodes.cli.exits import wants_traceback
from antipodes.cli.parameters import chosen_game, game_argument, seed_option, set_option
from antipodes.cli.seats import COMPUTER


@click.command("gtp")
@game_argument()
@set_option
@click.option("--level", metavar="LEVEL", help="How strong genmove plays: a number or a name.")
@click.option("--skip-i", is_flag=True, help="Name columns without the letter i, as in Go.")
@seed_option
def gtp_command(
    game_id: str,
    *,
    settings: tuple[str, ...],
    level: str | None,
    skip_i: bool,
    seed: int | None,
) -> None:
    """Speak GTP, version 2 of the Go Text Protocol, on standard input and output."""
    from antipodes.engine import GtpEngine, serve
    from antipodes.search.players import make_player

    game = chosen_game(game_id, settings)
    spec = f"{COMPUTER}:{level}" if level else COMPUTER
    make_player(spec, seed)  # says at once if there is no such level
    log_to_standard_error()
    engine = GtpEngine(game, lambda: make_player(spec, seed), skips_i=skip_i)
    serve(engine, sys.stdin, sys.stdout)


class _OneLine(logging.Formatter):
    """Leaves out tracebacks, unless they are wanted."""

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        """Give the last line of a traceback, or all of it."""
        if wants_traceback():
            return super().formatException(ei)
        return "".join(traceback.format_exception_only(ei[1])).strip()


def log_to_standard_error() -> None:
    """Let what the engine logs reach the log of its client."""
    if logging.getLogger("antipodes").handlers:
        return  # a program that uses the library has set up its own logging
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine("antipodes: %(message)s"))
    logging.getLogger("antipodes").addHandler(handler)
