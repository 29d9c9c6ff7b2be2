"""The command ``antipodes`` with its subcommands."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

import antipodes
from antipodes.cli import exits
from antipodes.cli.analysis_engine_command import analysis_engine_command
from antipodes.cli.analyze_command import analyze_command
from antipodes.cli.bot_command import bot_command
from antipodes.cli.completion_command import completion_command
from antipodes.cli.convert_command import convert_command
from antipodes.cli.doctor_command import doctor_command
from antipodes.cli.engine_command import engine_command
from antipodes.cli.games_command import games_command
from antipodes.cli.gtp_command import gtp_command
from antipodes.cli.lab_command import lab_command
from antipodes.cli.learn_command import learn_command
from antipodes.cli.mail_command import mail_command
from antipodes.cli.match_command import match_command
from antipodes.cli.perft_command import perft_command
from antipodes.cli.play_command import play_command
from antipodes.cli.puzzles_command import puzzles_command
from antipodes.cli.replay_command import replay_command
from antipodes.cli.serve_command import serve_command
from antipodes.cli.show_command import show_command
from antipodes.cli.simulate_command import simulate_command
from antipodes.cli.site_commands import (
    backup_command,
    createsuperuser_command,
    manage_command,
    migrate_command,
    migrate_database_command,
    restore_command,
    work_command,
)
from antipodes.cli.solve_command import solve_command
from antipodes.cli.tournament_command import tournament_command
from antipodes.cli.train_command import train_command

_EPILOG = """\
Exit codes: 0 all went well; 1 the answer is no; 2 wrong usage or input; 70 an error of this
program; 130 interrupted; 141 the reader of the output is gone."""


class CommandLine(click.Group):
    """A group of commands whose errors all end in a message and an exit code."""

    def main(  # type: ignore[override]  # Click overloads on the value of standalone_mode
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command; in standalone mode exit with its code."""
        run = super().main
        code = exits.exit_code_of(
            lambda: run(args=args, prog_name=prog_name, standalone_mode=False, **extra)
        )
        if standalone_mode:
            sys.exit(code)
        return code

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; hide from Click the end of a pipe, for which it has a code of its own."""
        try:
            result = super().invoke(ctx)
            exits.flush_output()
        except BrokenPipeError:
            raise click.exceptions.Exit(exits.reader_gone()) from None
        return result


@click.group(
    cls=CommandLine,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(antipodes.__version__, prog_name="antipodes", message="%(prog)s %(version)s")
def cli() -> None:
    """Antipodal connection games: play them, look at records of them, drive them by program.

    Begin with "antipodes play".
    """


for _command in (
    games_command,
    play_command,
    perft_command,
    show_command,
    replay_command,
    convert_command,
    analyze_command,
    analysis_engine_command,
    solve_command,
    puzzles_command,
    learn_command,
    gtp_command,
    match_command,
    lab_command,
    train_command,
    serve_command,
    work_command,
    migrate_command,
    migrate_database_command,
    createsuperuser_command,
    manage_command,
    doctor_command,
    simulate_command,
    backup_command,
    restore_command,
    mail_command,
    bot_command,
    engine_command,
    tournament_command,
    completion_command,
):
    cli.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Args:
        arguments: what follows the program's name; what the process was given if ``None``.
    """
    _make_streams_safe()
    code: int = cli.main(args=arguments, prog_name="antipodes", standalone_mode=False)
    return code


def _make_streams_safe() -> None:
    """Let no character that a terminal cannot show, or a pipe got wrong, end the program."""
    for stream in (sys.stdout, sys.stderr, sys.stdin):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
