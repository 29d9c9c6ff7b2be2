"""Tests of shell completion."""

import shutil
import subprocess

import pytest
from click.shell_completion import ShellComplete

from antipodes.cli import cli
from antipodes.games.registry import game_ids
from antipodes.search.levels import levels
from tests.cli.tools import environment, run

SHELLS = ("bash", "zsh", "fish")


def completions(*words):
    """Return the completions of the last word."""
    *before, incomplete = words
    found = ShellComplete(cli, {}, "antipodes", "_ANTIPODES_COMPLETE")
    return [item.value for item in found.get_completions(list(before), incomplete)]


def test_commands_are_completed():
    assert completions("p") == ["perft", "play", "puzzles"]
    assert completions("") == sorted(cli.commands)


@pytest.mark.parametrize("command", ["play", "games", "perft", "gtp"])
def test_games_are_completed(command):
    assert completions(command, "") == list(game_ids())
    assert completions(command, "cy") == ["cylindrical-hex"]


def test_options_of_the_game_are_completed():
    assert completions("play", "hex", "--set", "") == ["size=", "swap="]
    assert completions("play", "hex", "--set", "size=5", "--set", "sw") == ["swap="]
    assert completions("play", "--set", "s") == []


def test_values_of_an_option_are_completed():
    assert completions("gtp", "hex", "--set", "swap=") == ["swap=pieces", "swap=sides", "swap=off"]
    assert completions("gtp", "antipod", "--set", "side=1") == ["side=10"]
    assert completions("gtp", "hex", "--set", "nothing=") == []
    assert completions("gtp", "chess", "--set", "s") == []


def test_players_are_completed():
    assert completions("play", "hex", "--black", "h") == ["human"]
    assert completions("play", "hex", "--seat", "2=comp") == [
        f"2=computer:{level.number}" for level in levels()
    ]
    assert completions("play", "hex", "--seat", "") == []


def test_formats_are_completed():
    assert "sgf" in completions("convert", "x", "--to", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_names_the_program_and_its_variable(shell):
    done = run("completion", shell)
    assert done.exit_code == 0
    assert "_ANTIPODES_COMPLETE" in done.output


def test_other_shells_are_refused():
    assert run("completion", "cmd").exit_code == 2


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_valid_in_the_shell(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")
    script = tmp_path / "script"
    script.write_text(run("completion", shell).output)
    subprocess.run([shell, "-n", str(script)], check=True)


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("play hex --set s", "size= swap="),
        # Bash splits words at the equals sign.
        ("play hex --set swap =", "pieces sides off"),
        ("play hex --set swap = p", "pieces"),
        ("play hex --set size = 5 --set sw", "swap="),
        ("play hex --seat 1 = h", "human"),
        ("play cyl", "cylindrical-hex"),
    ],
)
def test_bash_completes_words_with_equals_signs(words, expected, tmp_path):
    script = tmp_path / "script"
    script.write_text(run("completion", "bash").output)
    command = f"""
        . {script}
        COMP_WORDS=(antipodes {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        _antipodes_completion antipodes
        echo "${{COMPREPLY[*]}}"
    """
    import sys
    from pathlib import Path

    path = f"{Path(sys.executable).parent}:{environment()['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        check=True,
        env=environment(PATH=path),
    )
    assert done.stdout.strip() == expected
