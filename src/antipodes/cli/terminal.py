"""Input and output in lines: for a person, a screen reader or a pipe."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import time
from contextlib import suppress

import click

_BETWEEN = 0.1  # seconds between two status lines; more often they cannot be read


def is_interactive() -> bool:
    """Return whether a person at a terminal both reads and writes."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def is_plain() -> bool:
    """Return whether lines must not be overwritten: no terminal, or one that cannot."""
    return not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"


class Terminal:
    """Prints to standard output, asks on it, and shows passing remarks on standard error.

    No colours and no control codes are used; a passing remark returns to the start of its line and
    is overwritten, but only on a terminal that can.
    """

    def __init__(self) -> None:
        self._status_length = 0
        self._status_time = 0.0
        if is_interactive():
            with suppress(ImportError):
                importlib.import_module("readline")  # lets people edit and recall their lines

    def say(self, text: str = "") -> None:
        """Print a line or several."""
        self.end_status()
        click.echo(text)

    def ask(self, prompt: str) -> str | None:
        """Ask for a line; return ``None`` when the input has ended.

        Input from a pipe is printed behind the prompt, so that the output is a whole record
        of the conversation.
        """
        self.end_status()
        if is_interactive():
            try:
                return input(prompt)
            except EOFError:
                click.echo()
                return None
        click.echo(prompt, nl=False)
        sys.stdout.flush()
        line = sys.stdin.readline()
        answer = line.rstrip("\r\n")
        if not line:
            click.echo()
        elif not sys.stdin.isatty():
            click.echo(answer)
        return answer if line else None

    def remark(self, text: str) -> None:
        """Print a line on standard error where passing remarks cannot be overwritten."""
        if is_plain():
            click.echo(text, err=True)

    def status(self, text: str) -> None:
        """Show a passing remark in place of the one before."""
        now = time.monotonic()
        if is_plain() or (self._status_length and now - self._status_time < _BETWEEN):
            return
        self._status_time = now
        width = shutil.get_terminal_size().columns - 1
        self._overwrite(text[:width])

    def end_status(self) -> None:
        """Wipe out the passing remark."""
        if self._status_length:
            self._overwrite("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _overwrite(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._status_length))
        sys.stderr.flush()
        self._status_length = len(text)
