"""Running the command line, within this process or as one of its own."""

import os
import subprocess
import sys

from click.testing import CliRunner

from antipodes.cli import cli


def run(*arguments, text=None, **options):
    """Run a command within this process; ``text`` is what its standard input holds."""
    return CliRunner().invoke(cli, list(map(str, arguments)), input=text, **options)


def environment(**changes):
    """Return this process's environment with changes; ``None`` takes a variable away."""
    merged = {**os.environ, **changes}
    return {name: value for name, value in merged.items() if value is not None}


def run_process(*arguments, text="", timeout=120, only=None, **changes):
    """Run ``python -m antipodes`` with a pipe on each side.

    Its environment is this process's with changes, or nothing but ``only``.
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
