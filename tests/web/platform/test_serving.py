"""Starting a site: checks before the start, lines for the host, and the processes that run."""

import signal
import socket
import sqlite3
import threading
import urllib.request
from contextlib import nullcontext, suppress
from types import SimpleNamespace
from typing import Any

import django
import pytest
import uvicorn
from django.core.checks import CheckMessage, Error
from django.core.checks import Warning as CheckWarning
from django.db import DatabaseError, OperationalError

from antipodes.errors import InvalidOptionsError
from antipodes.web.email_play.inbound import runner
from antipodes.web.matches import periodic_tasks
from antipodes.web.notifications import delivery
from antipodes.web.platform import checks as platform_checks
from antipodes.web.platform import (
    data_files,
    heartbeats,
    locks,
    metrics,
    pubsub,
    schema_version,
)
from antipodes.web.platform.mail_settings import ListenAddress
from antipodes.web.server import (
    scheduler,
    serve,
    server_lock,
    upgrades,
    web_process,
    worker,
    worker_supervisor,
)
from tests.raising import raising

LISTENING: Any = SimpleNamespace()
GREETING = "Antipodes is here"


def refusal_of(call, *arguments, **more):
    """Return the fault with which a call is refused."""
    with pytest.raises(InvalidOptionsError) as refused:
        call(*arguments, **more)
    return refused.value.faults[0]


# Loading and checking.


@pytest.mark.parametrize("name", ["psycopg", "psycopg.pq", "psycopg2", "redis"])
def test_packages_of_databases_that_are_missing_are_named(monkeypatch, name):
    monkeypatch.setattr(django, "setup", raising(ImportError("missing", name=name)))
    fault = refusal_of(serve.load)
    assert (fault.code, f"need {name}:" in fault.message) == ("serve/not-installed", True)


@pytest.mark.parametrize("name", ["allauth", None])
def test_other_packages_that_are_missing_are_an_error(monkeypatch, name):
    monkeypatch.setattr(django, "setup", raising(ImportError("missing", name=name)))
    with pytest.raises(ImportError):
        serve.load()


def test_queues_that_cannot_be_opened_are_named(monkeypatch):
    monkeypatch.setattr(django, "setup", raising(sqlite3.OperationalError("no such folder")))
    fault = refusal_of(serve.load)
    assert fault.code == "serve/data-folder"
    assert "no such folder" in fault.message


@pytest.fixture
def prepared(monkeypatch):
    """The steps of ``prepare``, by name."""
    done: list[str] = []
    monkeypatch.setattr(serve, "load", lambda: done.append("load"))
    monkeypatch.setattr(serve, "run_checks", lambda tags: [])
    monkeypatch.setattr(serve, "data_folder", lambda: done.append("create"))
    monkeypatch.setattr(data_files, "require_database", lambda: done.append("require"))
    monkeypatch.setattr(heartbeats, "is_shared", lambda: False)
    monkeypatch.setattr(schema_version, "missing", list)
    monkeypatch.setattr(schema_version, "is_unfinished", lambda: False)
    monkeypatch.setattr(schema_version, "difference", str)

    def migrate(command, *, verbosity, interactive):
        assert (verbosity, interactive) == (0, False)
        done.append(command)

    monkeypatch.setattr(serve, "call_command", migrate)
    return done


def test_a_site_on_one_machine_is_migrated(prepared):
    serve.prepare()
    serve.prepare(creates=True)
    assert prepared == ["load", "require", "migrate", "load", "create", "migrate"]


def test_a_database_of_several_machines_is_only_checked(prepared, monkeypatch):
    monkeypatch.setattr(heartbeats, "is_shared", lambda: True)
    serve.prepare()
    assert prepared == ["load", "require"]
    names = [f"matches.000{number}" for number in range(1, 6)]
    monkeypatch.setattr(schema_version, "missing", lambda: names)
    fault = refusal_of(serve.prepare)
    assert fault.code == "serve/needs-migration"
    assert "lacks 5 migrations (matches.0001, matches.0002, matches.0003...)" in fault.message


def test_errors_of_settings_are_refused_and_warnings_are_not(prepared, monkeypatch):
    wrong = Error("METRICS_TOKEN is short", hint="make it longer", id="antipodes.E011")
    found: list[CheckMessage] = [CheckWarning("REDIS_URL is set", id="antipodes.W010")]
    monkeypatch.setattr(serve, "run_checks", lambda tags: found)
    serve.prepare()
    assert "migrate" in prepared
    found += [wrong, Error("DEBUG is set", id="antipodes.E001")]
    with pytest.raises(InvalidOptionsError) as refused:
        serve.prepare()
    messages = [fault.message for fault in refused.value.faults]
    assert messages == ["METRICS_TOKEN is short (make it longer)", "DEBUG is set"]


@pytest.mark.parametrize(
    ("error", "reason"),
    [("no route\nto host", "no route"), (" ", "no reason given")],
)
def test_a_database_that_does_not_answer_is_named_without_its_password(
    prepared, monkeypatch, error, reason
):
    monkeypatch.setenv("DATABASE_URL", "postgres://ann:tulip@m.org/site")
    monkeypatch.setattr(serve, "call_command", raising(OperationalError(error)))
    monkeypatch.setattr(schema_version, "difference", raising(OperationalError(error)))
    for call in (serve.prepare, upgrades.pending_migrations):
        fault = refusal_of(call)
        assert fault.code == "serve/no-database"
        assert fault.message.endswith(f"m.org/site does not answer: {reason}")
        assert "tulip" not in fault.message


# What the host reads.


def test_the_host_is_told_where_mail_is(settings, monkeypatch):
    told: list[str] = []
    monkeypatch.setattr(runner, "configured_transports", lambda: ["LMTP at 24", "IMAP"])
    settings.MAIL_FOLDER = "mail"
    serve.report_inbound_mail(told.append)
    settings.MAIL_FOLDER = None
    serve.report_inbound_mail(told.append)
    assert [line.partition(" by ")[2] for line in told[1:]] == ["LMTP at 24.", "IMAP."]
    assert "antipodes mail read" in told[0]


# The processes of a server.


@pytest.fixture
def server(monkeypatch):
    """The parts that start and stop with a server, by name."""
    done: list[str] = []

    def note(name):
        return lambda *_, **__: done.append(name)

    class Worker:
        start, stop = note("worker starts"), note("worker stops")

    monkeypatch.setattr(data_files, "check_writable", note("check"))
    monkeypatch.setattr(serve, "load", note("load"))
    monkeypatch.setattr(serve, "prepare", lambda *, creates: done.append(f"prepare {creates}"))
    monkeypatch.setattr(server_lock, "only_server", nullcontext)
    monkeypatch.setattr(data_files, "restrict_permissions", note("restrict"))
    monkeypatch.setattr(heartbeats, "start_clock", note("clock"))
    monkeypatch.setattr(periodic_tasks, "give_back_downtimes", note("give back"))
    monkeypatch.setattr(worker_supervisor, "WorkerProcess", Worker)
    monkeypatch.setattr(serve, "report_inbound_mail", note("mail"))
    monkeypatch.setattr("antipodes.web.server.web_process.serve", note("serve"))
    return done


BEFORE = ["check", "load", "restrict", "prepare True", GREETING, "clock", "give back"]


def test_a_server_runs_one_web_process_and_a_worker(server):
    serve.serve(LISTENING, server.append, GREETING)
    started = ["mail", "worker starts"]
    assert server == [*BEFORE, *started, "serve", "worker stops"]


def test_a_server_without_a_worker_starts_none(server):
    serve.serve(LISTENING, server.append, GREETING, has_worker=False)
    assert server == [*BEFORE, "serve"]


def test_only_one_server_uses_a_database(monkeypatch):
    held: list[str] = []

    class Lock:
        def __enter__(self):
            held.append("postgresql")

        def __exit__(self, *_):
            held.append("released")

    monkeypatch.setattr(server_lock, "_AdvisoryLock", Lock)
    monkeypatch.setattr(server_lock, "database", lambda: {"ENGINE": "postgresql"})
    for url, expected in (("redis://here", []), ("", ["postgresql", "released"])):
        monkeypatch.setattr(server_lock, "redis_url", lambda url=url: url)
        with server_lock.only_server():
            assert held == expected[:1]
        assert held == expected


class Database:
    """A connection to PostgreSQL that finds a lock taken, and by whom."""

    def __init__(self, *answers, holder=("antipodes serve m.org:7",)):
        self.answers = list(answers)
        self.holder = holder
        self.connection: Any = self
        self.usable = [True]
        self.closed = 0
        self.is_holder_asked = False

    def copy(self):
        return self

    def inc_thread_sharing(self):
        pass

    def is_usable(self):
        return self.usable.pop(0) if len(self.usable) > 1 else self.usable[0]

    def close(self):
        self.closed += 1

    def cursor(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def execute(self, statement, _values):
        self.is_holder_asked = "pg_locks" in statement

    def fetchone(self):
        if self.is_holder_asked:
            return self.holder
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return (answer,)


@pytest.fixture
def advisory(monkeypatch):
    """A function that makes a lock in PostgreSQL, whose clock passes while it waits."""
    clock = SimpleNamespace(at=0.0)
    monkeypatch.setattr(server_lock, "time", clock)
    clock.monotonic = lambda: clock.at

    def sleep(seconds):
        clock.at += seconds

    clock.sleep = sleep

    def make(*answers, **more):
        database = Database(*answers, **more)
        monkeypatch.setattr(server_lock, "connections", {"default": database})
        lock = server_lock._AdvisoryLock()
        monkeypatch.setattr(lock, "_keep", lambda: None)
        return lock, database, clock

    return make


def test_a_lock_is_free_some_seconds_after_its_holder_was_killed(advisory):
    lock, database, clock = advisory(False, False, True)
    with lock:
        assert clock.at == pytest.approx(2 * server_lock._PAUSE)
        assert not lock._is_ending.is_set()
    assert lock._is_ending.is_set()
    assert database.closed == 1


@pytest.mark.parametrize(
    ("holder", "name"),
    [(("antipodes serve m.org:7",), "'antipodes serve m.org:7'"), (None, "another server")],
)
def test_a_second_server_on_postgresql_is_refused_with_the_name_of_the_first(
    advisory, holder, name
):
    lock, database, clock = advisory(False, holder=holder)
    fault = refusal_of(lock.__enter__)
    assert fault.code == "serve/already-runs"
    assert f"in use by {name}, " in fault.message
    assert server_lock._WAIT <= clock.at <= server_lock._WAIT + 2 * server_lock._PAUSE
    assert database.closed == 1


def keep(monkeypatch, lock, rounds):
    """Check a held lock some times; return the signals that end the server."""
    signals = []
    pauses = iter([False] * rounds + [True])
    monkeypatch.setattr(
        lock,
        "_is_ending",
        SimpleNamespace(wait=lambda _seconds: next(pauses), is_set=lambda: False),
    )
    monkeypatch.setattr("os.kill", lambda _pid, number: signals.append(number))
    server_lock._AdvisoryLock._keep(lock)
    return signals


def test_a_lock_is_acquired_again_after_an_outage(advisory, monkeypatch, caplog):
    lock, database, _ = advisory(DatabaseError("away"), True)
    database.usable = [True, False, False, True]
    assert keep(monkeypatch, lock, 4) == []
    assert database.closed == 2
    assert caplog.text.count("server lock not acquired again yet error=away") == 1


def test_a_server_ends_when_another_has_taken_its_lock(advisory, monkeypatch, caplog):
    lock, database, _ = advisory(False)
    database.connection = None
    assert keep(monkeypatch, lock, 9) == [signal.SIGTERM]
    assert "server stops: database in use by='antipodes serve m.org:7'" in caplog.text


# The worker and its scheduler.


def test_the_worker_forwards_messages_although_one_fails_and_ends_with_its_server(
    monkeypatch, caplog
):
    forwarded = []

    def forward(line):
        if line == "wrong":
            raise ValueError(line)
        forwarded.append(line)

    ended = threading.Event()
    monkeypatch.setattr("sys.stdin", iter(["one", "wrong", "two"]))
    monkeypatch.setattr(pubsub, "forward_line", forward)
    worker._forward_messages(ended)
    assert forwarded == ["one", "two"]
    assert "message to the worker not delivered" in caplog.text
    assert ended.is_set()


@pytest.fixture
def leased(monkeypatch):
    """A scheduler of several machines; ``leases`` says when it has the lease, and then ends it."""
    one = scheduler.Scheduler(())
    found = SimpleNamespace(scheduler=one, leases=[], done=[], released=[])

    def acquire(_name, _seconds):
        answer = found.leases.pop(0)
        if not found.leases:
            one._is_ending.set()
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(scheduler, "_CHECK_EVERY", 0)
    monkeypatch.setattr(heartbeats, "is_shared", lambda: True)
    monkeypatch.setattr(locks, "acquire_lease", acquire)
    monkeypatch.setattr(locks, "release_lease", found.released.append)
    monkeypatch.setattr(scheduler, "close_old_connections", lambda: None)
    monkeypatch.setattr(delivery.alarm, "ring", lambda: found.done.append("ring"))
    monkeypatch.setattr(one, "run_due_tasks", lambda: found.done.append("tasks"))
    return found


def test_tasks_run_in_the_process_with_the_lease(leased, caplog):
    leased.leases += [False, True, True, OperationalError("away"), True]
    leased.scheduler.run()
    assert leased.done == ["ring", "tasks", "tasks", "ring", "tasks"]
    assert leased.scheduler.is_active
    assert "scheduler lease not acquired error=away" in caplog.text


def test_a_scheduler_that_stops_releases_the_lease(leased, monkeypatch):
    leased.scheduler.stop()
    assert leased.scheduler._is_ending.is_set()
    assert leased.released == [scheduler._LEASE]
    leased.scheduler.run()
    assert leased.done == []
    monkeypatch.setattr(heartbeats, "is_shared", lambda: False)
    leased.scheduler.stop()
    assert leased.released == [scheduler._LEASE]
    assert leased.scheduler._has_lease()


# Upgrades.


def test_each_migration_says_whether_the_site_may_run_meanwhile(monkeypatch):
    reasons = {"matches.0002": [], "matches.0003": ["a field is removed", "a table is removed"]}
    monkeypatch.setattr(schema_version, "breaking_changes", reasons.__getitem__)
    assert list(upgrades.describe(list(reasons))) == [
        "matches.0002: can be applied while the site runs",
        "matches.0003: stop the site first, because a field is removed",
        "matches.0003: stop the site first, because a table is removed",
    ]
    assert list(upgrades.describe([])) == ["The database is up to date."]


def test_migrations_are_applied_and_named(prepared, monkeypatch):
    monkeypatch.setattr(schema_version, "missing", lambda: ["matches.0002"])
    monkeypatch.setattr(upgrades, "_migration_lock", nullcontext)
    assert upgrades.migrate() == ["matches.0002"]
    assert prepared[-1] == "migrate"


def test_a_management_command_needs_a_database_that_is_up_to_date(prepared, monkeypatch):
    run: list[list[str]] = []
    command = SimpleNamespace(execute=lambda: None)

    def make(words):
        run.append(words)
        return command

    monkeypatch.setattr(upgrades, "ManagementUtility", make)
    upgrades.run_django(["shell"])
    assert run == [["antipodes manage", "shell"]]
    monkeypatch.setattr(command, "execute", raising(OperationalError("away")))
    assert refusal_of(upgrades.run_django, ["shell"]).code == "serve/no-database"
    monkeypatch.setattr(schema_version, "missing", lambda: ["matches.0002"])
    assert refusal_of(upgrades.run_django, ["shell"]).code == "serve/needs-migration"
    assert len(run) == 2


# A web process and the service manager.


@pytest.fixture
def told(monkeypatch):
    """A function that returns what a service manager has been told since it was last asked."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("")  # a name in the abstract namespace
        manager.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{manager.getsockname()[1:].decode()}")

        def read():
            messages = []
            with suppress(BlockingIOError):
                while True:
                    messages.append(manager.recv(1_000).decode())
            return messages

        yield read


async def test_a_web_process_tells_its_manager_that_it_is_ready_alive_and_stopping(
    monkeypatch, told
):
    async def startup(server, sockets=None):
        server.started = sockets == "free"

    async def on_tick(_server, _counter):
        return False

    async def shutdown(_server, _sockets=None):
        pass

    monkeypatch.setattr("uvicorn.Server.startup", startup)
    monkeypatch.setattr("uvicorn.Server.on_tick", on_tick)
    monkeypatch.setattr("uvicorn.Server.shutdown", shutdown)
    process: Any = web_process._Server(uvicorn.Config("app", log_config=None))
    await process.startup("in use")
    assert told() == []
    await process.startup("free")
    assert told() == ["READY=1"]
    for counter in range(2 * web_process._TICKS):
        assert await process.on_tick(counter) is False
    assert told() == 2 * ["WATCHDOG=1"]
    await process.shutdown()
    assert told() == ["STOPPING=1"]
    monkeypatch.delenv("NOTIFY_SOCKET")
    await process.startup("free")
    assert told() == []


@pytest.mark.parametrize(
    ("has_worker", "checked"), [(True, []), (False, ["load", "serve --no-worker"])]
)
def test_settings_are_checked_for_a_site_of_several_processes(
    prepared, monkeypatch, has_worker, checked
):
    monkeypatch.setattr(platform_checks, "check_sharing", prepared.append)
    serve.check(has_worker=has_worker)
    assert prepared == checked


def test_a_worker_serves_its_metrics_where_the_host_says(caplog):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        metrics.listen(ListenAddress("127.0.0.1", port))
    assert f"metrics not served address=127.0.0.1:{port}" in caplog.text
    metrics.note_limit("tested")
    metrics.listen(ListenAddress("127.0.0.1", port))
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        text = answer.read().decode()
    assert 'antipodes_limits_reached_total{limit="tested"} 1.0' in text
    assert "antipodes_process_silence_seconds" not in text, "the database is not asked"
