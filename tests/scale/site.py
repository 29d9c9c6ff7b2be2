"""A site of several processes: web processes, each at a port of its own, and workers."""

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import Any

from tests.live.ports import free_port

_TIMEOUT = 120  # seconds until a process answers or ends, on a busy machine


class ScaledSite:
    """Processes that share a database and Redis, each of which can be killed."""

    def __init__(self, folder, database, redis):
        self.folder = folder
        folder.mkdir(parents=True)
        self.environment = {
            **os.environ,
            "ANTIPODES_DATA": str(folder / "data"),
            "DATABASE_URL": database,
            "REDIS_URL": redis,
            "SECRET_KEY": "a secret of all machines",
            "METRICS_TOKEN": "a token for metrics",
            "PYTHONUNBUFFERED": "1",
            "EMAIL_URL": "dummymail://",
        }
        self.environment.pop("DJANGO_SETTINGS_MODULE", None)
        self.log = folder / "log"
        self.ports = [free_port()]
        self.web: list[Any] = []
        self._turns = itertools.count()
        self.engines: list[Any] = []

    def url(self, path="/"):
        """Return an address at a web process, at each in turn."""
        port = self.ports[next(self._turns) % len(self.ports)]
        return f"http://127.0.0.1:{port}{path}"

    def call(self, *arguments, **more):
        """Run an ``antipodes`` command to its end."""
        return subprocess.run(
            [sys.executable, "-m", "antipodes", *arguments],
            env={**self.environment, **more},
            capture_output=True,
            text=True,
            timeout=_TIMEOUT,
            check=False,
        )

    def run(self, program, *arguments):
        """Run a Python program with the site's environment; return its output."""
        command = [sys.executable, str(program), *map(str, arguments)]
        done = subprocess.run(
            command,
            check=False,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run_code(self, code):
        """Run Python code with Django set up; return its output."""
        program = self.folder / "code.py"
        program.write_text(f"from antipodes.web.server.serve import load\nload()\n{code}\n")
        return self.run(program).strip()

    def lease_holder(self, name):
        """Return the process that holds a lease."""
        return self.run_code(
            "from antipodes.web.platform.models import LockRow\n"
            f"found = LockRow.objects.filter(name={name!r})\n"
            "print(''.join(found.values_list('holder', flat=True)))"
        )

    def _start(self, *arguments):
        with self.log.open("ab") as out:
            return subprocess.Popen(
                [sys.executable, "-m", "antipodes", *arguments],
                env=self.environment,
                stdout=out,
                stderr=subprocess.STDOUT,
            )

    def start(self, web=2, engines=1):
        """Start all processes and wait until they are ready."""
        self.ports = [free_port() for _ in range(web)]
        self.web = [self._start("serve", "--port", str(port), "--no-worker") for port in self.ports]
        self.engines = [self._start("work") for _ in range(engines)]
        self.wait_until(lambda: all(self.readiness().get("web", 0) >= web for _ in range(web)))
        self.wait_until(lambda: self.readiness().get("engines", 0) >= engines)

    def add_engine(self):
        self.engines.append(self._start("work"))

    def readiness(self):
        """Return the JSON of /readyz; empty while no process answers."""
        try:
            with urllib.request.urlopen(self.url("/readyz"), timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                return json.load(error)
        except OSError:
            return {}

    def wait_until(self, condition, seconds=_TIMEOUT):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.1)
        raise AssertionError(f"waited {seconds} s in vain; log:\n{self.log_text()}")

    def web_processes(self):
        """Return the ids of web processes."""
        return [process.pid for process in self.web]

    def kill_engine(self):
        engine = self.engines.pop(0)
        engine.kill()
        engine.wait()

    def stop(self):
        """Stop all processes as a service manager does; return the exit codes."""
        running = [*self.web, *self.engines]
        for one in running:
            one.send_signal(signal.SIGTERM)
        codes = []
        for one in running:
            try:
                codes.append(one.wait(30))
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()
                codes.append(None)
        self.web, self.engines = [], []
        return codes

    def log_text(self):
        """Return the output of all processes."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def metric(self, name):
        """Return the sum of a metric over its labels and over all web processes."""
        total = 0.0
        for _ in self.ports:
            request = urllib.request.Request(
                self.url("/metrics"), headers={"Authorization": "Bearer a token for metrics"}
            )
            with urllib.request.urlopen(request, timeout=20) as response:
                text = response.read().decode()
            total += sum(map(float, re.findall(rf"^{name}(?:{{.*}})? (\S+)$", text, re.MULTILINE)))
        return total
