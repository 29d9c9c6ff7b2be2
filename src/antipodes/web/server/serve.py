"""Starts the site: brings the database up to date, then runs a web process and the worker."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import django
from django.core.checks import CheckMessage, run_checks
from django.core.checks import messages as levels
from django.core.management import call_command
from django.db import OperationalError, ProgrammingError

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.platform import data_files
from antipodes.web.platform.config import SERVED_AT, data_folder
from antipodes.web.server import server_lock

if TYPE_CHECKING:
    from antipodes.web.server.worker_supervisor import WorkerProcess

Say = Callable[[str], object]  # shows the host a line


def load() -> None:
    """Load Django.

    Raises:
        InvalidOptionsError: a package or a setting is missing or invalid, or the data folder cannot
            be used.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.project.settings")
    try:
        django.setup()
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"psycopg", "psycopg2", "redis"}:
            raise
        message = f"PostgreSQL and Redis need {error.name}: pip install 'antipodes[site,scale]'"
        raise InvalidOptionsError([Fault("serve/not-installed", message)]) from None
    except sqlite3.OperationalError as error:  # importing an app opens the queues
        message = f"the files in {data_folder()} cannot be opened: {error}"
        raise InvalidOptionsError([Fault("serve/data-folder", message)]) from None


def prepare(*, creates: bool = False) -> None:
    """Load Django, check the settings, and make sure that the database is up to date.

    SQLite is migrated. A database that several machines share is only checked, since a migration
    may need other machines to stop first.

    Args:
        creates: whether to create the data folder if there is none.

    Raises:
        InvalidOptionsError: a setting is invalid, the database does not answer or has the tables of
            another version, or ``antipodes migrate`` has to be run first.
    """
    load()
    from antipodes.web.platform import heartbeats, schema_version

    faults = [_fault(one) for one in run_checks(tags=["antipodes"]) if one.level >= levels.ERROR]
    if faults:
        raise InvalidOptionsError(faults)
    if creates:
        data_folder()
    else:
        data_files.require_database()
    with database_faults():
        check_tables()
        if not heartbeats.is_shared():
            apply_migrations()
        elif missing := schema_version.missing():
            raise InvalidOptionsError([needs_migration(missing)])


@contextmanager
def database_faults() -> Iterator[None]:
    """Refuse to continue if the database does not answer in the block.

    Raises:
        InvalidOptionsError: it does not.
    """
    from antipodes.web.platform.outages import outage_of

    try:
        yield
    except OperationalError as error:
        if outage_of(error) is None:
            raise
        raise InvalidOptionsError([database_unavailable(error)]) from None


def apply_migrations() -> None:
    """Apply all migrations.

    Raises:
        InvalidOptionsError: a table or a column that they need is missing or exists already.
    """
    from antipodes.web.platform import schema_version

    try:
        call_command("migrate", verbosity=0, interactive=False)
    except (OperationalError, ProgrammingError) as error:
        if not schema_version.is_of_tables(error):
            raise
        raise InvalidOptionsError([other_tables(str(error).splitlines()[0])]) from None


def check_tables() -> None:
    """Check that the tables are those of the applied migrations.

    Raises:
        InvalidOptionsError: they are those of another version, or lack rows.
    """
    from antipodes.web.platform import schema_version

    if schema_version.is_unfinished():
        message = (
            "a site was not moved to this database completely;"
            " run antipodes migrate-database again, with its old settings"
        )
        raise InvalidOptionsError([Fault("database-move/unfinished", message)])
    if difference := schema_version.difference():
        raise InvalidOptionsError([other_tables(difference)])


def other_tables(difference: str) -> Fault:
    """Return the fault of a database with the tables of another version."""
    message = (
        f"another version of Antipodes made the tables of the database: {difference}; install that"
        " version again, restore a backup that this version made, or begin with a new database"
    )
    return Fault("serve/other-tables", message)


def needs_migration(missing: Sequence[str]) -> Fault:
    """Return the fault of a database that is not up to date."""
    message = (
        f"the database lacks {len(missing)} migrations ({', '.join(missing[:3])}...);"
        " run once, on one machine: antipodes migrate"
    )
    return Fault("serve/needs-migration", message)


def _fault(one: CheckMessage) -> Fault:
    hint = f" ({one.hint})" if one.hint else ""
    return Fault("serve/settings", f"{one.msg}{hint}")


def database_unavailable(error: OperationalError) -> Fault:
    """Return the fault of a database that does not answer."""
    from antipodes.web.platform.config import env, without_password

    address = without_password(env.str("DATABASE_URL", default="in the data folder"))
    reason = str(error).strip().splitlines()[0] if str(error).strip() else "no reason given"
    return Fault("serve/no-database", f"the database {address} does not answer: {reason}")


def report_inbound_mail(say: Say) -> None:
    """Show how mail is received, or where to read it if it is kept on this machine."""
    from django.conf import settings

    from antipodes.web.email_play.inbound.runner import configured_transports

    if settings.MAIL_FOLDER is not None:
        say("Mail is kept on this machine; read it with: antipodes mail read")
        return
    for transport in configured_transports():
        say(f"Mail is received by {transport}.")


def set_address(address: str) -> None:
    """Set the address at which the site is served, for this process and its children.

    Links in mail begin with it, unless the environment sets another address.
    """
    os.environ[SERVED_AT] = address


def check(*, has_worker: bool) -> None:
    """Check that the settings allow what is to be started; start nothing.

    Raises:
        InvalidOptionsError: something has to be set first; the message says what.
    """
    if has_worker:
        return  # works without settings
    load()
    from antipodes.web.platform import checks

    checks.check_sharing("serve --no-worker")


def serve(listening: socket.socket, say: Say, greeting: str, *, has_worker: bool = True) -> None:
    """Serve on a bound socket until SIGTERM or SIGINT.

    Args:
        listening: the socket.
        say: shows the host a line.
        greeting: the line that says where the site is, when nothing is in its way any more.
        has_worker: whether to start the worker process too.

    Raises:
        InvalidOptionsError: the data folder or the database is not ready, or another server uses
            them; nothing was started.
    """
    data_files.check_writable()
    load()
    from antipodes.web.matches import periodic_tasks
    from antipodes.web.platform import heartbeats
    from antipodes.web.server import web_process

    with server_lock.only_server():
        data_files.restrict_permissions(say)
        prepare(creates=True)
        say(greeting)
        heartbeats.start_clock()
        periodic_tasks.give_back_downtimes()
        worker = _start_worker(say, has_worker=has_worker)
        try:
            web_process.serve(listening)
        finally:
            if worker is not None:
                worker.stop()


def _start_worker(say: Say, *, has_worker: bool) -> WorkerProcess | None:
    """Start the worker process, unless another machine has one."""
    from antipodes.web.server.worker_supervisor import WorkerProcess

    if not has_worker:
        return None
    report_inbound_mail(say)
    worker = WorkerProcess()
    worker.start()
    return worker
