"""Commands for those who run a site: engines, changes of the database, copies of everything."""

from __future__ import annotations

from pathlib import Path

import click

from antipodes.cli.exits import NO
from antipodes.errors import Fault, InvalidOptionsError, NotInstalledError


def need_site() -> None:
    """See to it that the site is installed and has a folder for its data.

    Raises:
        NotInstalledError: the extra ``site`` is missing.
        InvalidOptionsError: the folder cannot be written.
    """
    try:
        from antipodes.web import data_files, serve  # noqa: F401
        from antipodes.web.config import data_folder, secret_key
    except ImportError as error:
        message = f"the site needs {error.name}; install it with: pip install 'antipodes[site]'"
        raise NotInstalledError(message) from None
    try:
        data_files.keep_private()
        data_folder()
        secret_key()  # made by the first command in a new folder
    except OSError as error:
        message = (
            f"{error.filename} cannot be written: {error.strerror};"
            " make room or repair it, or name another folder in ANTIPODES_DATA"
        )
        raise InvalidOptionsError([Fault("serve/data-folder", message)]) from None


@click.command("work")
def work_command() -> None:
    """Run an engine for a site that is served elsewhere: computer's moves, analyses, clocks.

    Any number of them may run, on any machines; DATABASE_URL and REDIS_URL name what they share.
    """
    need_site()
    from antipodes.web.worker import work_on_its_own

    work_on_its_own(click.echo)


@click.command("migrate")
@click.option(
    "--check", is_flag=True, help="Tell what would be done, and whether the site can run meanwhile."
)
@click.pass_context
def migrate_command(context: click.Context, *, check: bool) -> None:
    """Bring the database of the site up to date.

    On one machine `antipodes serve` does that by itself. Where several share a database, this is
    called once before they are restarted.
    """
    need_site()
    from antipodes.web import upgrades

    if check:
        waiting = upgrades.waiting()
        for line in upgrades.told(waiting):
            click.echo(line)
        context.exit(NO if waiting else 0)
    for name in upgrades.migrate():
        click.echo(f"applied {name}")
    click.echo("The database is up to date.")


@click.command("backup")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup_command(file: Path) -> None:
    """Write a copy of everything that the site keeps to FILE, while it runs.

    This is for a site with SQLite. With DATABASE_URL use the database's own pg_dump.
    """
    need_site()
    from antipodes.web import backups

    click.echo(backups.back_up(file))


@click.command("restore")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Put it in place of what is there.")
def restore_command(file: Path, *, replace: bool) -> None:
    """Put what `antipodes backup` wrote to FILE into the folder for data.

    The site must not run. What is there already is replaced only if you say so, and kept beside.
    """
    need_site()
    from antipodes.web import backups

    click.echo(backups.restore(file, replace=replace))
