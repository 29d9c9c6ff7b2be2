"""Commands for hosts of a site: engines, migrations, accounts, backups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import click

from antipodes.cli.exits import NO
from antipodes.errors import Fault, InvalidOptionsError, NotInstalledError

_Command = TypeVar("_Command", bound=Callable[..., object])


def need_packages() -> None:
    """Check that the site is installed.

    Raises:
        NotInstalledError: the extra ``site`` is missing.
    """
    try:
        from antipodes.web.platform import data_files, env_file  # noqa: F401
        from antipodes.web.server import serve  # noqa: F401
    except ImportError as error:
        raise NotInstalledError.of("the site", error.name, "site") from None


def read_settings(named: str | None) -> None:
    """Read the settings of the site from its file.

    Raises:
        NotInstalledError: the extra ``site`` is missing.
        InvalidOptionsError: the file cannot be read.
    """
    need_packages()
    from antipodes.web.platform import env_file

    env_file.load(named)


_FILE_HELP = "Settings of the site; /etc/antipodes.env by default, if it is there."

# For a command that reads the file itself; others have :func:`env_file_option`.
named_env_file = click.option("--env-file", metavar="FILE", help=_FILE_HELP)


def env_file_option(command: _Command) -> _Command:
    """Give a command the option ``--env-file``; the file is read before its other options are."""

    def read(context: click.Context, _: click.Parameter, named: str | None) -> None:
        if not context.resilient_parsing:
            read_settings(named)

    return click.option(
        "--env-file",
        metavar="FILE",
        is_eager=True,
        expose_value=False,
        callback=read,
        help=_FILE_HELP,
    )(command)


def need_site(*, begins: bool = False, anywhere: bool = False) -> None:
    """Check that there is a site, and keep its files private.

    Args:
        begins: whether the command may begin a new one; else nothing is made.
        anywhere: whether it may, although settings of a site on this machine cannot be read.

    Raises:
        NotInstalledError: the extra ``site`` is missing.
        InvalidOptionsError: there is none, or its folder cannot be written.
    """
    need_packages()
    from antipodes.web.platform import data_files, env_file
    from antipodes.web.platform.config import data_folder, secret_key

    if not anywhere:
        env_file.require_readable()
    try:
        data_files.set_private_umask()
        data_files.check_owner()
        if not begins:
            data_files.require_database()
        data_folder()
        secret_key()  # made by the first command in a new folder
    except OSError as error:
        message = (
            f"{error.filename} cannot be written: {error.strerror};"
            " make room or repair it, or name another folder in ANTIPODES_DATA"
        )
        raise InvalidOptionsError([Fault("serve/data-folder", message)]) from None


@click.command("work")
@env_file_option
def work_command() -> None:
    """Run an engine for a site that is served elsewhere: computer's moves, analyses, clocks.

    Any number of them may run, on any machines; DATABASE_URL and REDIS_URL name what they share.
    """
    need_site(begins=True)  # it refuses by itself a database that cannot be shared
    from antipodes.web.server.worker import run_standalone

    run_standalone(click.echo)


@click.command("migrate")
@env_file_option
@click.option(
    "--check", is_flag=True, help="List the migrations, and whether the site can run meanwhile."
)
@click.pass_context
def migrate_command(context: click.Context, *, check: bool) -> None:
    """Bring the database of the site up to date.

    On one machine `antipodes serve` does that by itself. Where several share a database, this is
    called once before they are restarted.
    """
    need_site(begins=not check)
    from antipodes.web.server import upgrades

    if check:
        waiting = upgrades.pending_migrations()
        for line in upgrades.describe(waiting):
            click.echo(line)
        context.exit(NO if waiting else 0)
    for name in upgrades.migrate():
        click.echo(f"applied {name}")
    click.echo("The database is up to date.")


@click.command("migrate-database")
@env_file_option
@click.option(
    "--to", "url", required=True, metavar="URL", help="The new database, such as postgres://..."
)
def migrate_database_command(url: str) -> None:
    """Move the site from SQLite to an empty PostgreSQL database, and compare all rows.

    The site must not run. The same command goes on with an interrupted move.
    """
    need_site()
    from antipodes.web.server import database_move

    database_move.move(url, click.echo)


@click.command("backup")
@env_file_option
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--keep",
    type=click.IntRange(min=1),
    metavar="N",
    help="If FILE is a folder, keep the N latest backups there and delete older ones.",
)
def backup_command(file: Path, keep: int | None) -> None:
    """Back up all data of the site to FILE, while it runs.

    In a folder the file gets a name with the time, such as antipodes-20261121-031500.zip.

    This is for a site with SQLite. With DATABASE_URL use the database's own pg_dump.
    """
    if keep is not None and not file.is_dir():
        raise click.UsageError(f"--keep needs a folder, and {file} is none.")
    need_site()
    from antipodes.web.server import backups

    click.echo(backups.back_up(file, keep=keep))


@click.command("restore")
@env_file_option
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Replace the data that exist.")
def restore_command(file: Path, *, replace: bool) -> None:
    """Restore a backup that `antipodes backup` wrote to FILE.

    The site must not run. Data that exist are replaced only with --replace, and moved aside.
    """
    need_site(begins=True)
    from antipodes.web.server import backups

    click.echo(backups.restore(file, replace=replace))


@click.command("createsuperuser")
@env_file_option
@click.option("--username", help="Name of the account; asked for by default.")
@click.option("--email", help="Mail address; asked for by default.")
@click.option(
    "--noinput", is_flag=True, help="Ask nothing; DJANGO_SUPERUSER_PASSWORD has the password."
)
def createsuperuser_command(username: str | None, email: str | None, *, noinput: bool) -> None:
    """Make an account for a moderator with all rights in the site's admin."""
    given = {"--username": username, "--email": email}
    arguments = [word for name, value in given.items() if value for word in (name, value)]
    _run_django(["createsuperuser", *arguments, *(["--noinput"] if noinput else [])])


@click.command("manage", context_settings={"ignore_unknown_options": True, "help_option_names": []})
@env_file_option
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def manage_command(arguments: tuple[str, ...]) -> None:
    """Run a command of Django, or one of the site's own, with the site's settings.

    `antipodes manage help` lists them.
    """
    if arguments[:1] in ((), ("--help",)):
        click.echo(click.get_current_context().get_help())
        return
    _run_django(arguments)


def _run_django(arguments: Sequence[str]) -> None:
    """Run a command of Django on the site's database, which must be up to date."""
    need_site()
    from antipodes.web.server import upgrades

    upgrades.run_django(arguments)
