"""Commands in processes that are forked from one with most imports done.

Starting Python and importing the site's packages would take seconds for each command.
"""

import itertools
import json
import os
import subprocess
import sys

CAN_FORK = hasattr(os, "fork")

# Reads commands line by line, and writes their exit codes. Its imports read no settings, which come
# with each command, unless it loads the site of its own environment.
_PARENT = """
import json, os, sys
{imports}
from antipodes.cli import main

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
_SITE = """
from antipodes.cli import mail_command, site_commands
from antipodes.search import factory, players
from antipodes.web.server import serve
import allauth, channels.layers, cryptography.hazmat.primitives.serialization
import django.contrib.admin.checks, django.core.management, django.db.backends.sqlite3.base
import django.test.signals, django.views.generic
import limits, networkx, numpy, prometheus_client, pydantic.json_schema, py_vapid, redis.asyncio
import requests, uvicorn
"""


class Forks:
    """A process that runs commands in forks of itself.

    Args:
        folder: for input and output of the commands.
        environment: the variables of the process.
        loads: whether the process loads the site, once for all commands.
        imports: lines of the process in place of the imports for the site.
    """

    def __init__(self, folder, environment, *, loads=False, imports=_SITE):
        self._folder = folder
        self._numbers = itertools.count(1)
        folder.mkdir(parents=True, exist_ok=True)
        pipe = subprocess.PIPE
        imports += "serve.load()\n" if loads else ""
        self._parent = subprocess.Popen(
            [sys.executable, "-c", _PARENT.format(imports=imports)],
            env=environment,
            stdin=pipe,
            stdout=pipe,
            text=True,
        )

    def call(self, *arguments, data=b"", environment=None):
        """Run a command; return its exit code, its output and its errors.

        An environment has an effect only if the process has not loaded the site.
        """
        files = [self._folder / f"{next(self._numbers)} {name}" for name in ("in", "out", "err")]
        files[0].write_bytes(data)
        requests, answers = self._parent.stdin, self._parent.stdout
        assert requests is not None
        assert answers is not None
        words = [list(map(str, arguments)), environment, list(map(str, files))]
        requests.write(json.dumps(words) + "\n")
        requests.flush()
        code = int(answers.readline())
        return code, files[1].read_text(encoding="utf-8"), files[2].read_text(encoding="utf-8")

    def end(self):
        """End the parent process."""
        self._parent.communicate(timeout=60)
