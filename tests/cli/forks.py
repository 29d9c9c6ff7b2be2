"""Commands in processes of their own, forked from one that has loaded the site already.

Loading it takes each process seconds, and most tests of commands are not about that.
"""

import itertools
import json
import os
import subprocess
import sys

# Reads what to call, a line each, and answers with the exit codes.
_PARENT = """
import json, os, sys
from antipodes.cli import main
from antipodes.web.server import serve

serve.load()
for line in sys.stdin:
    arguments, files = json.loads(line)
    child = os.fork()
    if child == 0:
        for number, name in enumerate(files):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT), number)
        sys.stdin = open(0, closefd=False)
        code = main(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Forks:
    """A process that has loaded the site, and calls commands in copies of itself.

    Args:
        folder: where input and output of the commands are written.
        environment: the variables of all these commands.
    """

    def __init__(self, folder, environment):
        self._folder = folder
        self._numbers = itertools.count(1)
        folder.mkdir(parents=True, exist_ok=True)
        pipe = subprocess.PIPE
        self._parent = subprocess.Popen(
            [sys.executable, "-c", _PARENT], env=environment, stdin=pipe, stdout=pipe, text=True
        )

    def call(self, *arguments, data=b""):
        """Run a command; return its exit code, its output and its errors."""
        files = [self._folder / f"{next(self._numbers)} {name}" for name in ("in", "out", "err")]
        files[0].write_bytes(data)
        asking, answers = self._parent.stdin, self._parent.stdout
        assert asking is not None
        assert answers is not None
        asking.write(json.dumps([arguments, [str(one) for one in files]]) + "\n")
        asking.flush()
        code = int(answers.readline())
        return code, files[1].read_text(encoding="utf-8"), files[2].read_text(encoding="utf-8")

    def end(self):
        """End the process that all were forked from."""
        self._parent.communicate(timeout=60)


CAN_FORK = hasattr(os, "fork")
