"""Tests of the server lock: a second server on the same site is refused."""

import errno
import os
import signal
import subprocess
import sys

import pytest

from antipodes.errors import InvalidOptionsError
from antipodes.web.platform.file_locks import FileLock, HeldError
from antipodes.web.server import backups, server_lock

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
    def fail(*_):
        raise OSError(number, "no locks")

    monkeypatch.setattr("fcntl.flock", fail)
    FileLock(tmp_path / "lock").release()
    assert "file system without locks" in caplog.text


def test_other_errors_of_a_file_lock_are_raised(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(errno.EIO, "broken disk")

    monkeypatch.setattr("fcntl.flock", fail)
    with pytest.raises(OSError, match="broken disk"):
        FileLock(tmp_path / "lock")


def test_a_file_lock_is_held_on_a_full_disk(tmp_path, monkeypatch, caplog):
    def full(*_):
        raise OSError(errno.ENOSPC, "no space")

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", full)
        held = FileLock(tmp_path / "lock")
    assert "process id not written" in caplog.text
    with held, pytest.raises(HeldError) as caught:
        FileLock(tmp_path / "lock")
    assert caught.value.pid == ""
