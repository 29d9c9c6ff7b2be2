"""Tests of the arguments of ``antipodes gtp``; the protocol has tests of its own."""

import pytest

from tests.cli.tools import environment, run, run_process


def test_the_options_reach_the_engine(call):
    arguments = ("gtp", "hex", "--set", "size=3")
    code, output, _ = call(*arguments, data=b"showboard\nquit\n", environment=environment())
    assert code == 0
    assert "a b c\n" in output
    assert "a b c d" not in output


@pytest.mark.extreme
def test_level_and_seed_reach_the_player():
    arguments = ["gtp", "antipode", "--level", "1", "--seed", "11"]
    first, second = (run_process(*arguments, text="genmove blue\n") for _ in range(2))
    assert first.stdout.startswith("= ")
    assert first.stdout == second.stdout


def test_the_end_of_input_ends_the_engine():
    done = run_process("gtp", "hex", text="name\n")
    assert (done.returncode, done.stderr) == (0, "")


def test_wrong_arguments_are_refused():
    for arguments in (["chess"], ["hex", "--level", "best"], ["hex", "--set", "size"]):
        done = run("gtp", *arguments)
        assert done.exit_code == 2
        assert done.stderr.startswith("antipodes: error: ")
