"""A site for tests: the real command, on a free port, with a data folder of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from tests.live import database
from tests.live.ports import free_port
from tests.live.post import Post

_TIMEOUT = 180  # seconds until a server answers or ends, on a busy machine

_PREPARE = """
import json
from antipodes.web.server.serve import load
load()
def report(found):
    print(json.dumps(found))
"""


class Site:
    """A process ``antipodes serve`` that can be stopped, killed and started again."""

    def __init__(self, folder: Path, log: Path) -> None:
        """Choose a port; ``start`` starts the server."""
        self.folder = folder
        self.post = Post()
        self.log = log
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        self._environment = {
            **os.environ,
            "ANTIPODES_DATA": str(self.folder),
            "EMAIL_URL": self.post.url,
            "PYTHONUNBUFFERED": "1",
        }
        # SQLite and no Redis, also if the tests themselves use others.
        for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL"):
            self._environment.pop(name, None)

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables of its processes."""
        return dict(self._environment)

    @property
    def pid(self) -> int:
        """The id of the server process."""
        assert self._process is not None
        return self._process.pid

    def set_environment(self, **variables: str) -> None:
        """Set environment variables before the server starts."""
        self._environment.update(variables)

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def start(self) -> None:
        """Start the server and wait until it answers."""
        database.copy_to(self.folder)
        command = [sys.executable, "-m", "antipodes", "serve", "--port", str(self.port)]
        with self.log.open("ab") as out:
            self._process = subprocess.Popen(
                command, env=self._environment, stdout=out, stderr=subprocess.STDOUT
            )
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        assert self._process is not None
        end = time.monotonic() + _TIMEOUT
        while time.monotonic() < end:
            if self._process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(self.url("/healthz"), timeout=_TIMEOUT):
                    return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"the server did not start; log:\n{self.log_text()}")

    def stop(self) -> None:
        """Stop the server as Ctrl-C does."""
        self._end(signal.SIGINT)

    def terminate(self, seconds: float = _TIMEOUT) -> int | None:
        """Stop the server as a service manager does; return its exit code, ``None`` if killed."""
        process = self._process
        if process is None:
            return None
        self._process = None
        process.send_signal(signal.SIGTERM)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return None

    def kill(self) -> None:
        """Kill the server."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Stop the server as Ctrl-C does, and start it again."""
        self.stop()
        self.start()

    def _end(self, number: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(number)
        try:
            self._process.wait(_TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise AssertionError(f"the server did not stop by {number.name}") from None
        finally:
            self._process = None

    def shell(self, code: str) -> None:
        """Run Python code on the site's database."""
        command = [sys.executable, "-c", f"import django; django.setup()\n{code}"]
        environment = {
            **self._environment,
            "DJANGO_SETTINGS_MODULE": "antipodes.web.project.settings",
        }
        subprocess.run(command, env=environment, check=True, timeout=_TIMEOUT)

    def ask(self, code: str, **values: object) -> Any:
        """Run Python code on the site's database; return the value that it passes to ``report``."""
        given = "".join(f"{name} = {value!r}\n" for name, value in values.items())
        done = subprocess.run(
            [sys.executable, "-c", f"{_PREPARE}{given}{code}"],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def seed(self, **wanted: object) -> Any:
        """Fill the database before the server runs (see ``seed.py``); return the objects."""
        database.copy_to(self.folder)
        program = [sys.executable, str(Path(__file__).with_name("seed.py")), json.dumps(wanted)]
        done = subprocess.run(
            program,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def log_text(self) -> str:
        """Return the output of the server so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def last_mail(self) -> EmailMessage:
        """Return the last mail that the site has sent."""
        return self.post.mails[-1]
