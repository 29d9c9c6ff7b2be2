"""Tests of the command itself: help, version, exit codes, errors, imports."""

import importlib.metadata
import os
import subprocess
import sys

import click
import pytest

from antipodes.cli import cli, exits, main
from antipodes.errors import Fault, InputError
from tests.cli.tools import environment, run, run_process
from tests.raising import raising

COMMANDS = sorted(cli.commands)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command):
    done = run(command, "--help")
    assert done.exit_code == 0
    assert done.output.startswith("Usage: ")
    assert cli.commands[command].help


def test_version_names_the_program_and_its_version():
    done = run("--version")
    assert done.output == f"antipodes {importlib.metadata.version('antipodes')}\n"


def test_the_module_is_the_command():
    done = run_process("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("antipodes ")


@pytest.mark.parametrize("arguments", [["--help"], ["play", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments):
    code = (
        "import sys; from antipodes.cli import main; main(sys.argv[1:]);"
        "print({'numpy', 'textual', 'rich', 'jsonschema'} & set(sys.modules),"
        " file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "set()"


def failing(error):
    """Return a function that raises an error."""

    return raising(error)


FAULT = InputError([Fault("test/fault", "the stone 'q' is not a stone")])


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (FAULT, 2, "antipodes: error: the stone 'q' is not a stone"),
        (click.UsageError("no such thing"), 2, "antipodes: error: no such thing"),
        (KeyboardInterrupt(), 130, ""),
        (click.Abort(), 130, ""),
        (click.exceptions.Exit(1), 1, ""),
        (BrokenPipeError(32, "gone"), 141, ""),
        (ZeroDivisionError("by\nzero"), 70, "internal error, please report it: ZeroDivisionError"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_error_has_an_exit_code_and_at_most_a_message(error, code, words, capsys):
    assert exits.exit_code_of(failing(error)) == code
    errors = capsys.readouterr().err
    assert words in errors
    assert "Traceback" not in errors
    assert bool(errors) == bool(words)


def test_internal_errors_are_one_line_with_advice(capsys):
    exits.exit_code_of(failing(ZeroDivisionError("by\nzero")))
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1
    assert "ANTIPODES_TRACEBACK=1" in errors


def test_a_traceback_is_shown_on_request(capsys, monkeypatch):
    monkeypatch.setenv("ANTIPODES_TRACEBACK", "1")
    exits.exit_code_of(failing(ZeroDivisionError("by zero")))
    assert "Traceback" in capsys.readouterr().err


def test_main_returns_although_other_threads_run():
    code = (
        "import threading, time; from antipodes.cli import main;"
        "threading.Thread(target=time.sleep, args=(20,), daemon=True).start();"
        "main(['--version']); print('still here')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("still here\n")


def test_main_returns_the_exit_code(capsys):
    assert main(["games", "hex"]) == 0
    assert main(["games", "chess"]) == 2
    assert "chess" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["nothing"], ["play", "hex", "--nothing"], ["perft", "hex"]])
def test_wrong_usage_exits_with_2_and_names_the_help(arguments):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("antipodes: error: ")
    assert "--help'" in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="pipes of a shell")
def test_a_closed_pipe_causes_no_message():
    command = f"{sys.executable} -m antipodes games | head -n 1"
    done = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="pipes of a shell")
def test_a_pipe_closed_at_the_start_gives_141():
    command = f"{sys.executable} -m antipodes games | true"
    done = subprocess.run(
        ["/bin/bash", "-c", f"{command}; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout in ("141\n", "0\n")  # 0 where all was written before ``true`` ended


def test_an_ascii_terminal_causes_no_error():
    done = run_process("play", "hex", "--line", text="dé\nhelp\n", PYTHONIOENCODING="ascii")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


def test_invalid_utf_8_is_not_a_move():
    done = subprocess.run(
        [sys.executable, "-m", "antipodes", "play", "hex", "--line"],
        input=b"\xff\xfe\nboard\n",
        capture_output=True,
        check=False,
        env=environment(PYTHONIOENCODING="utf-8"),
    )
    assert done.returncode == 0
    assert b"is not a move of Hex" in done.stdout
