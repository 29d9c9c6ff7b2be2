"""Functions that run commands in this process or in a new one."""

import os
import subprocess
import sys

from click.testing import CliRunner

from antipodes.cli import cli


def run(*arguments, text=None, **options):
    """Run a command in this process, with ``text`` as its standard input."""
    return CliRunner().invoke(cli, list(map(str, arguments)), input=text, **options)


def environment(**changes):
    """Return this process's environment with changes; ``None`` removes a variable."""
    merged = {**os.environ, **changes}
    return {name: value for name, value in merged.items() if value is not None}


def run_process(*arguments, text="", timeout=120, only=None, **changes):
    """Run ``python -m antipodes`` with pipes.

    Its environment is that of this process with changes, or ``only``.
    """
    return subprocess.run(
        [sys.executable, "-m", "antipodes", *map(str, arguments)],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        env=environment(**changes) if only is None else only,
        check=False,
    )
