"""Commands in processes of their own, forked from one that has imported most of what they need.

Starting Python and importing the site's packages takes each process seconds, and most tests of
commands are not about that.
"""

import itertools
import json
import os
import subprocess
import sys

CAN_FORK = hasattr(os, "fork")

# Reads which commands to run, a line each, and answers with their exit codes. What it imports
# reads no settings: these come with each command, unless it loads the site of its own environment.
_PARENT = """
import json, os, sys
from antipodes.cli import main
from antipodes.cli import mail_command, site_commands
from antipodes.search import factory, players
from antipodes.web.server import serve
import allauth, channels.layers, cryptography.hazmat.primitives.serialization
import django.contrib.admin.checks, django.core.management, django.db.backends.sqlite3.base
import django.test.signals, django.views.generic
import numpy, pydantic.json_schema, requests, uvicorn

if {loads}:
    serve.load()
for line in sys.stdin:
    arguments, environment, files = json.loads(line)
    child = os.fork()
    if child == 0:
        for number, name in enumerate(files):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), number)
        sys.stdin = open(0, closefd=False)
        if environment is not None:
            os.environ.clear()
            os.environ.update(environment)
        code = main(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Forks:
    """A process that runs commands in copies of itself.

    Args:
        folder: where input and output of the commands are written.
        environment: the variables of the process.
        loads: whether the process loads the site, once for all commands.
    """

    def __init__(self, folder, environment, *, loads):
        self._folder = folder
        self._numbers = itertools.count(1)
        folder.mkdir(parents=True, exist_ok=True)
        pipe = subprocess.PIPE
        self._parent = subprocess.Popen(
            [sys.executable, "-c", _PARENT.format(loads=loads)],
            env=environment,
            stdin=pipe,
            stdout=pipe,
            text=True,
        )

    def call(self, *arguments, data=b"", environment=None):
        """Run a command; return its exit code, its output and its errors.

        Variables other than the process's own have an effect only where no site is loaded yet.
        """
        files = [self._folder / f"{next(self._numbers)} {name}" for name in ("in", "out", "err")]
        files[0].write_bytes(data)
        asking, answers = self._parent.stdin, self._parent.stdout
        assert asking is not None
        assert answers is not None
        words = [list(map(str, arguments)), environment, list(map(str, files))]
        asking.write(json.dumps(words) + "\n")
        asking.flush()
        code = int(answers.readline())
        return code, files[1].read_text(encoding="utf-8"), files[2].read_text(encoding="utf-8")

    def end(self):
        """End the process that all were forked from."""
        self._parent.communicate(timeout=60)
