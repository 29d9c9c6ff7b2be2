"""Tests of ``antipodes perft``."""

import json

import pytest

from antipodes.games.registry import make_game
from tests.cli.tools import run


@pytest.mark.parametrize("depth", range(5))
def test_perft_prints_the_number_of_positions(depth):
    expected = make_game("hex", {"size": 3}).perft(depth)
    assert run("perft", "hex", depth, "--set", "size=3").stdout == f"{expected}\n"


def test_the_speed_goes_to_standard_error():
    done = run("perft", "hex", 2, "--set", "size=3")
    assert done.stderr.endswith(" nodes/s\n")


def test_divide_adds_up():
    *lines, total = run("perft", "antipode", 2, "--divide").stdout.splitlines()
    counts = [int(line.split()[1]) for line in lines]
    assert sum(counts) == int(total)
    assert len(lines) == make_game("antipode").perft(1)


def test_json_has_all_counts():
    data = json.loads(run("perft", "hex", 2, "--set", "size=3", "--divide", "--json").stdout)
    assert (data["game"], data["depth"], data["nodes"]) == ("hex", 2, 9 * 9)
    assert data["options"] == {"size": 3, "swap": "pieces"}
    assert sum(data["divide"].values()) == data["nodes"]
    assert data["nodes_per_second"] > 0


@pytest.mark.parametrize("depth", ["-1", "two", "1.5"])
def test_a_depth_is_a_whole_number(depth):
    done = run("perft", "hex", "--", depth)
    assert done.exit_code == 2
    assert depth in done.stderr
