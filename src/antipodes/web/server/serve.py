"""Starting the site: database, pages and sockets, and beside them the process that thinks."""

from __future__ import annotations

import logging
import os
import shutil
import socket
import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import django
from django.core.checks import CheckMessage, run_checks
from django.core.checks import messages as levels
from django.core.management import call_command
from django.db import OperationalError

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.platform import data_files
from antipodes.web.platform.config import METRICS_FOLDER, SERVED_AT, data_folder
from antipodes.web.platform.file_locks import FileLock, HeldError
from antipodes.web.server import server_lock

logger = logging.getLogger(__name__)

_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder in memory, where Linux has one
_METRICS = "antipodes-metrics-"

_LOADING = 20.0  # seconds; whatever takes longer is compiled, not loaded

Say = Callable[[str], object]


def load() -> None:
    """Load Django.

    Raises:
        InvalidOptionsError: a package or a setting is missing or not understood, or the data folder
            cannot be used.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.project.settings")
    try:
        django.setup()
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in {"psycopg", "psycopg2", "redis"}:
            raise
        message = f"PostgreSQL and Redis need {error.name}: pip install 'antipodes[site,scale]'"
        raise InvalidOptionsError([Fault("serve/not-installed", message)]) from None
    except sqlite3.OperationalError as error:  # the queues are files, opened when they are loaded
        message = f"the files in {data_folder()} cannot be opened: {error}"
        raise InvalidOptionsError([Fault("serve/data-folder", message)]) from None


def prepare(*, begins: bool = False) -> None:
    """Load Django and see to it that the database is up to date.

    On one machine it is brought up to date. Where several may run, one of them would do it under
    the others' feet: there it is only looked at.

    Args:
        begins: whether a database may be made where there is none.

    Raises:
        InvalidOptionsError: a setting is not understood, the database does not answer, or
            ``antipodes migrate`` has to be called first.
    """
    load()
    from antipodes.web.platform import heartbeats, schema_version

    faults = [_fault(one) for one in run_checks(tags=["antipodes"]) if one.level >= levels.ERROR]
    if faults:
        raise InvalidOptionsError(faults)
    if begins:
        data_folder()
    else:
        data_files.require_database()
    try:
        if not heartbeats.is_shared():
            call_command("migrate", verbosity=0, interactive=False)
            return
        missing = schema_version.missing()
    except OperationalError as error:
        raise InvalidOptionsError([no_answer(error)]) from None
    if missing:
        raise InvalidOptionsError([needs_migration(missing)])


def needs_migration(missing: Sequence[str]) -> Fault:
    """Return what to say when the database is not up to date."""
    message = (
        f"the database lacks {len(missing)} changes ({', '.join(missing[:3])}...);"
        " call once, on one machine: antipodes migrate"
    )
    return Fault("serve/needs-migration", message)


def _fault(one: CheckMessage) -> Fault:
    hint = f" ({one.hint})" if one.hint else ""
    return Fault("serve/settings", f"{one.msg}{hint}")


def no_answer(error: OperationalError) -> Fault:
    """Return what to say when the database does not answer."""
    from antipodes.web.platform.config import env, without_password

    address = without_password(env.str("DATABASE_URL", default="the file in the folder for data"))
    reason = str(error).strip().splitlines()[0] if str(error).strip() else "no reason given"
    return Fault("serve/no-database", f"the database {address} does not answer: {reason}")


def tell_of_compiling(say: Say) -> None:
    """Tell when the computer's engine takes long to get ready, and when it is."""
    from antipodes.web.platform import kernel_warmup

    if kernel_warmup.wait_for_all(_LOADING):
        return
    say(
        "The computer gets ready. The first time its engine is compiled, which takes some minutes;"
        " all pages work meanwhile, and its first moves may take longer."
    )
    kernel_warmup.wait_for_all()
    say("The computer is ready.")


def tell_of_mail(say: Say) -> None:
    """Tell by which doors mail comes in, or where it is read if it stays here."""
    from django.conf import settings

    from antipodes.web.email_play.inbound.runner import configured

    if settings.MAIL_FOLDER is not None:
        say("Mail stays on this machine; read it with: antipodes mail read")
        return
    for door in configured():
        say(f"Mail is taken by {door}.")


def tell_address(address: str) -> None:
    """Note where the site is served, for this process and all that it starts.

    Letters link there, unless the environment names another address.
    """
    os.environ[SERVED_AT] = address


def check(*, workers: int, thinks: bool) -> None:
    """Refuse what the settings do not allow, before anything is begun.

    Raises:
        InvalidOptionsError: something has to be set first; the message says what.
    """
    if workers == 1 and thinks:
        return  # one process needs nothing
    load()
    from antipodes.web.platform import checks

    checks.check_serving(workers, thinks_here=thinks)


def serve(listening: socket.socket, say: Say, *, workers: int = 1, thinks: bool = True) -> None:
    """Serve on a bound socket until interrupted; ``say`` tells whoever started it what goes on.

    Args:
        listening: the socket.
        say: writes a line for whoever started the site.
        workers: processes that answer requests.
        thinks: whether to start the computer's process too.

    Raises:
        InvalidOptionsError: the data folder or the database is not ready, or another server uses
            them; nothing was started.
    """
    data_files.check_writable()
    load()
    with server_lock.only_server(), _folder_of_metrics():
        data_files.restrict_permissions(say)
        prepare(begins=True)
        if workers > 1:
            _serve_by_many(listening, say, workers, thinks=thinks)
        else:
            _serve_alone(listening, say, thinks=thinks)


@contextmanager
def _folder_of_metrics() -> Iterator[None]:
    """Make the folder in which the processes of this server share what they count.

    It is in memory where that can be, so that a full disk does not keep them from it.
    """
    base = _MEMORY if os.access(_MEMORY, os.W_OK | os.X_OK) else data_folder()
    _remove_left_metrics(base)
    try:
        folder = Path(tempfile.mkdtemp(prefix=_METRICS, dir=base))
        lock = FileLock(folder / "lock")
    except OSError as error:
        logger.warning("processes cannot share their metrics: error=%s", error)
        yield
        return
    os.environ[METRICS_FOLDER] = str(folder)
    try:
        with lock:
            yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_left_metrics(base: Path) -> None:
    """Remove folders of servers that were killed: nobody holds their locks."""
    for folder in base.glob(f"{_METRICS}*"):
        try:
            FileLock(folder / "lock").release()
        except (HeldError, OSError):
            continue  # its server runs, or belongs to another user
        shutil.rmtree(folder, ignore_errors=True)


def _serve_alone(listening: socket.socket, say: Say, *, thinks: bool) -> None:
    from antipodes.web.platform import heartbeats, kernel_warmup
    from antipodes.web.server import scheduler
    from antipodes.web.server.web_process import serve
    from antipodes.web.server.worker_supervisor import WorkerProcess

    heartbeats.start_clock()
    scheduler.give_back_downtimes()
    kernel_warmup.listen()
    worker = WorkerProcess() if thinks else None
    if worker is None:
        _in_background(kernel_warmup.warm_up_rules, kernel_warmup.report_here)
    else:
        tell_of_mail(say)
        _in_background(tell_of_compiling, say)
        worker.start()
    try:
        serve(listening)
    finally:
        if worker is not None:
            worker.stop()


def _serve_by_many(listening: socket.socket, say: Say, workers: int, *, thinks: bool) -> None:
    from antipodes.web.platform import heartbeats, kernel_warmup
    from antipodes.web.server import scheduler
    from antipodes.web.server.supervisor import Supervisor
    from antipodes.web.server.worker_supervisor import WorkerProcess

    heartbeats.start_clock()
    scheduler.give_back_downtimes()
    fleet = Supervisor(listening, workers)
    kernel_warmup.listen(fleet.tell_all)
    worker = WorkerProcess() if thinks else None
    if worker is None:
        _in_background(kernel_warmup.warm_up_rules, kernel_warmup.report_here)
    else:
        tell_of_mail(say)
        _in_background(tell_of_compiling, say)
        worker.start()
    try:
        fleet.run(lambda: say(f"{workers} web processes are ready."))
    finally:
        if worker is not None:
            worker.stop()


def _in_background(task: Callable[..., object], *arguments: object) -> None:
    threading.Thread(target=task, args=arguments, daemon=True).start()
