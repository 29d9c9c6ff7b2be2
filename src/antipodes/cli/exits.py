"""Exit codes; every exception of a command becomes one of them and a message."""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from collections.abc import Callable
from types import FrameType

import click

from antipodes.errors import AntipodesError

OK = 0
NO = 1  # the command worked, and the answer is no
WRONG_INPUT = 2
BAD_MAIL = 65  # this and the next three are for mail servers that deliver to programs
NO_SUCH_ADDRESS = 67
REFUSED = 69
INTERNAL_ERROR = 70
TRY_LATER = 75
INTERRUPTED = 130
READER_GONE = 141

TRACEBACK_VARIABLE = "ANTIPODES_TRACEBACK"


def exit_code_of(run: Callable[[], object]) -> int:
    """Run a command and return its exit code; say on standard error what went wrong.

    With ``ANTIPODES_TRACEBACK=1`` in the environment the traceback of an error is shown as well.
    """
    try:
        result = run()
        flush_output()
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        return _wrong_usage(error)
    except AntipodesError as error:
        return _failed(str(error), WRONG_INPUT)
    except (KeyboardInterrupt, click.Abort):
        return _failed("", INTERRUPTED)
    except OSError as error:
        if error.errno == errno.EPIPE:
            return reader_gone()
        return _unexpected(error)
    except Exception as error:  # noqa: BLE001 - the last resort, so that no user sees a traceback
        return _unexpected(error)
    return result if isinstance(result, int) else OK


def interrupt_at_sigterm() -> None:
    """Let SIGTERM raise `KeyboardInterrupt`, as Ctrl-C does."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)


def flush_output() -> None:
    """Send what is left to standard output, unless a command has closed it with its reader gone.

    Raises:
        BrokenPipeError: its reader is gone.
    """
    if not sys.stdout.closed:
        sys.stdout.flush()


def _wrong_usage(error: click.ClickException) -> int:
    """Report wrong arguments, and where help is."""
    message = error.format_message()
    context = getattr(error, "ctx", None)
    if context is not None:
        message += f"\nTry '{context.command_path} --help'."
    return _failed(message, WRONG_INPUT)


def _unexpected(error: Exception) -> int:
    """Report an error of the program itself."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    advice = "" if wants_traceback() else f"; {TRACEBACK_VARIABLE}=1 shows where"
    text = " ".join(what.split())
    return _failed(f"internal error, please report it: {text}{advice}", INTERNAL_ERROR)


def _failed(message: str, code: int) -> int:
    """Write a message to standard error; return ``code``. To be called in an ``except`` clause."""
    if wants_traceback():
        traceback.print_exc()
    try:
        if message:
            click.echo(f"antipodes: error: {message}", err=True)
    except OSError:
        pass  # the messages have no reader, but the exit code stays
    return code


def wants_traceback() -> bool:
    return os.environ.get(TRACEBACK_VARIABLE, "0") not in ("", "0")


def reader_gone() -> int:
    """Point standard output to nowhere, so that Python does not complain when it closes it."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        pass  # standard output is not a file here
    return READER_GONE
