"""Tests of the server lock: a second server on the same site is refused."""

import errno
import os
import signal
import subprocess
import sys
import threading
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn

from antipodes.errors import InvalidOptionsError
from antipodes.web.platform import heartbeats, locks
from antipodes.web.platform.models import ProcessKind
from antipodes.web.server import backups, server_lock, upgrades, web_process
from antipodes.web.server.scheduler import Scheduler
from antipodes.web.server.server_lock import FileLock, HeldError
from antipodes.web.server.worker_supervisor import WorkerProcess
from tests.raising import raising

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs flock")

TIMEOUT = 60  # seconds

HOLD = """
import sys, time
from antipodes.web.server.server_lock import only_server
with only_server():
    print("held", flush=True)
    time.sleep(600)
"""


def environment(folder, **more):
    found = {**os.environ, "ANTIPODES_DATA": str(folder), **more}
    for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL"):
        if name not in more:
            found.pop(name, None)
    return found


@pytest.fixture
def holder(tmp_path):
    """Another process that serves the site in a folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD], env=environment(tmp_path), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process.stdout as output:
        assert output.readline() == "held\n"
        yield process
        process.kill()
        process.wait()


def test_a_second_server_is_refused_with_the_id_of_the_first(holder, tmp_path):
    command = [sys.executable, "-m", "antipodes", "serve", "--port", "0"]
    done = subprocess.run(
        command,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 2
    assert f"the site in {tmp_path} is in use by process {holder.pid}; stop that" in done.stderr


def test_the_lock_of_a_killed_server_is_free_at_once(holder, tmp_path, monkeypatch):
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path))
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with server_lock.sqlite_site(tmp_path / "site.sqlite3"):
        pass


def test_a_database_outside_the_data_folder_is_locked_too(tmp_path, monkeypatch):
    file = tmp_path / "shared.sqlite3"
    folders = [tmp_path / "one", tmp_path / "two"]
    monkeypatch.setenv("ANTIPODES_DATA", str(folders[0]))
    with server_lock.sqlite_site(file):
        monkeypatch.setenv("ANTIPODES_DATA", str(folders[1]))
        with (
            pytest.raises(InvalidOptionsError, match=rf"{file} is in use by process {os.getpid()}"),
            server_lock.sqlite_site(file),
        ):
            pytest.fail("both servers hold the lock")


def test_a_backup_needs_no_lock_but_a_restore_does(holder, tmp_path, monkeypatch):
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", "")
    with pytest.raises(InvalidOptionsError, match="no database"):
        backups.back_up(tmp_path / "copy.zip")
    with pytest.raises(InvalidOptionsError, match=rf"in use by process {holder.pid}"):
        backups.restore(tmp_path / "copy.zip", replace=True)


def test_a_child_process_does_not_inherit_the_lock(tmp_path):
    lock = FileLock(tmp_path / "lock")
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        lock.release()
        FileLock(tmp_path / "lock").release()
        child.communicate(b"\n")


def test_a_file_lock_is_held_until_it_is_released(tmp_path):
    with FileLock(tmp_path / "lock"), pytest.raises(HeldError) as caught:
        FileLock(tmp_path / "lock")
    assert caught.value.pid == str(os.getpid())
    FileLock(tmp_path / "lock").release()


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_used_without_them(tmp_path, monkeypatch, caplog, number):
    monkeypatch.setattr("fcntl.flock", raising(OSError(number, "no locks")))
    FileLock(tmp_path / "lock").release()
    assert "file system without locks" in caplog.text


def test_other_errors_of_a_file_lock_are_raised(tmp_path, monkeypatch):
    monkeypatch.setattr("fcntl.flock", raising(OSError(errno.EIO, "broken disk")))
    with pytest.raises(OSError, match="broken disk"):
        FileLock(tmp_path / "lock")


def test_a_file_lock_is_held_on_a_full_disk(tmp_path, monkeypatch, caplog):
    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", raising(OSError(errno.ENOSPC, "no space")))
        held = FileLock(tmp_path / "lock")
    assert "process id not written" in caplog.text
    with held, pytest.raises(HeldError) as caught:
        FileLock(tmp_path / "lock")
    assert caught.value.pid == ""


def test_a_lock_that_another_process_holds_leaves_no_open_file(tmp_path):
    with FileLock(tmp_path / "lock"):
        for _ in range(2):
            probe = os.open(tmp_path / "lock", os.O_RDONLY)
            os.close(probe)
            with pytest.raises(HeldError):
                FileLock(tmp_path / "lock")
            again = os.open(tmp_path / "lock", os.O_RDONLY)
            os.close(again)
            assert again == probe


def test_the_file_of_a_lock_is_private_and_names_its_process(tmp_path):
    file = tmp_path / "lock"
    file.write_text("a long text of an earlier process")
    file.chmod(0o600)
    with FileLock(file):
        assert file.read_text() == f"{os.getpid()}\n"
    before = os.umask(0)
    try:
        FileLock(tmp_path / "new").release()
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o600


class Statements:
    """A connection to PostgreSQL that notes the statements."""

    vendor = "postgresql"

    def __init__(self):
        self.found: list[str] = []

    def cursor(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def execute(self, statement, values=()):
        self.found.append(statement % tuple(values))


def test_other_machines_wait_for_a_migration_of_postgresql(monkeypatch):
    database = Statements()
    monkeypatch.setattr(upgrades, "connection", database)
    begun = [
        "SET statement_timeout = 0",
        "SET lock_timeout = 0",
        f"SELECT pg_advisory_lock({upgrades._LOCK})",
        "SET lock_timeout = '10s'",
    ]

    def migrate():
        with upgrades._migration_lock():
            assert database.found == begun
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        migrate()
    assert database.found == [*begun, f"SELECT pg_advisory_unlock({upgrades._LOCK})"]
    database.found.clear()
    database.vendor = "sqlite"
    with upgrades._migration_lock():
        pass
    assert database.found == []


@pytest.mark.django_db
def test_threads_do_not_keep_their_process_alive(monkeypatch):
    started = []
    monkeypatch.setattr(threading.Thread, "start", lambda *thread: started.extend(thread))
    threads = [
        Scheduler(()),
        WorkerProcess(),
        heartbeats.EngineHeartbeat(),
        heartbeats.ProcessHeartbeat(ProcessKind.WEB),
    ]
    monkeypatch.setattr(locks, "_renewer", None)
    locks._start_renewing()
    locks._start_renewing()
    assert [thread.name for thread in started] == ["job locks"]
    assert all(thread.daemon for thread in [*threads, *started])
    assert [thread.name for thread in threads] == [
        "scheduler",
        "worker process",
        "heartbeat",
        "process heartbeat",
    ]


@pytest.fixture
def web_server(monkeypatch):
    """The servers of a web process, which end at once, and the steps around them."""
    found = SimpleNamespace(servers=[], steps=[])

    def run(server, sockets):
        found.servers.append((server, sockets))
        raise KeyboardInterrupt

    class Heartbeat:
        def __init__(self, kind, list_online):
            self.kind = kind
            self.list_online = list_online

        def start(self):
            found.steps.append(f"{self.kind} begins")

        def stop(self):
            found.steps.append(f"{self.kind} ends")

    monkeypatch.setattr("uvicorn.Server.run", run)
    monkeypatch.setattr(uvicorn.Config, "load", lambda _: found.steps.append("load"))
    monkeypatch.setattr(heartbeats, "ProcessHeartbeat", Heartbeat)
    monkeypatch.setattr("antipodes.web.platform.clock.start", lambda: found.steps.append("clock"))
    monkeypatch.setattr(
        "antipodes.web.connections.registry.raise_file_limit", lambda: found.steps.append("files")
    )
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr("sys.setswitchinterval", lambda _: None)
    monkeypatch.setattr(web_process, "gc", SimpleNamespace(freeze=list, set_threshold=max))
    return found


def test_a_web_process_logs_no_visits_and_limits_messages(web_server, monkeypatch):
    monkeypatch.setenv("LIMIT_DRAIN_SECONDS", "7")
    listening: Any = "a socket"
    with pytest.raises(KeyboardInterrupt):
        web_process.serve(listening)
    [(server, sockets)] = web_server.servers
    assert sockets == [listening]
    config = server.config
    assert (config.access_log, config.log_config) == (False, None)
    assert (config.ws_max_size, config.ws_per_message_deflate) == (256 * 1024, False)
    assert config.timeout_graceful_shutdown == 7
    assert web_server.steps == ["files", "clock", "web begins", "load", "web ends"]


async def test_streams_end_before_a_web_process_waits_for_its_requests(monkeypatch):
    steps = []

    async def shutdown(_server, sockets):
        steps.append(sockets)

    monkeypatch.setattr("uvicorn.Server.shutdown", shutdown)
    monkeypatch.setattr(
        "antipodes.web.connections.registry.end_streams", lambda: steps.append("streams end")
    )
    server: Any = web_process._Server(uvicorn.Config("app", log_config=None))
    await server.shutdown("sockets")
    assert steps == ["streams end", "sockets"]
