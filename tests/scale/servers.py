"""PostgreSQL and Redis servers on free ports and in scratch folders."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from tests.live.ports import free_port

HOW_TO_INSTALL = (
    "make test-scale needs PostgreSQL and Redis: sudo apt install postgresql redis-server"
)
_TIMEOUT = 30  # seconds until a server answers


def postgresql_programs():
    """Return the folder with the programs of the newest PostgreSQL, or None."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if found:
        return max(found, key=lambda path: int(path.parent.name))
    program = shutil.which("initdb")
    return Path(program).parent if program else None


def missing_programs():
    """Return how to install missing programs; empty if there are none."""
    return "" if postgresql_programs() and shutil.which("redis-server") else HOW_TO_INSTALL


def _not_as_root():
    """Return the prefix of commands that PostgreSQL refuses to run as root."""
    return ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []


class PostgreSQL:
    """A database server that can be stopped, killed and started again."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.programs = postgresql_programs()
        folder.mkdir(parents=True)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
            for above in folder.parents[:3]:
                above.chmod(above.stat().st_mode | 0o011)
        self.data = folder / "data"
        self.call("initdb", "-A", "trust", "-U", "antipodes", "-D", self.data)

    def call(self, program, *arguments):
        command = [*_not_as_root(), self.programs / program, *arguments]
        with (self.folder.parent / "postgresql.log").open("a") as log:
            subprocess.run(
                [str(one) for one in command],
                check=True,
                cwd="/",
                stdout=log,
                stderr=log,
                timeout=120,
            )

    def start(self):
        # Tests kill processes, not the machine, so that fsync is not needed.
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        self.call(
            "pg_ctl", "-w", "-D", self.data, "-o", options, "-l", self.folder / "log", "start"
        )

    def stop(self, mode="fast"):
        """Stop it if it runs: ``fast`` gracefully, ``immediate`` as in a crash."""
        if not self.is_running():
            return
        self.call("pg_ctl", "-w", "-D", self.data, "-m", mode, "stop")

    def is_running(self):
        return (self.data / "postmaster.pid").exists()

    def create(self, name, like="template0"):
        """Create a database as a copy of another one; return its URL."""
        self.call("createdb", *self.where(), "--template", like, name)
        return self.url(name)

    def where(self):
        return ["-h", "127.0.0.1", "-p", str(self.port), "-U", "antipodes"]

    def url(self, name):
        return f"postgres://antipodes@127.0.0.1:{self.port}/{name}"


class Redis:
    """A Redis server without persistence, as recommended to hosts."""

    def __init__(self, folder):
        self.folder = folder
        self.port = free_port()
        self.process = None
        folder.mkdir(parents=True)

    def start(self):
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1"]
        command += ["--save", "", "--appendonly", "no", "--dir", str(self.folder)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        end = time.monotonic() + _TIMEOUT
        while time.monotonic() < end:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("Redis does not start")

    def stop(self):
        """Kill it; it loses its data."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def url(self, number=0):
        return f"redis://127.0.0.1:{self.port}/{number}"
