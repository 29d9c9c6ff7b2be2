"""``antipodes perft``."""

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


def test_json_has_all_that_was_counted():
    told = json.loads(run("perft", "hex", 2, "--set", "size=3", "--divide", "--json").stdout)
    assert (told["game"], told["depth"], told["nodes"]) == ("hex", 2, 9 * 9)
    assert told["options"] == {"size": 3, "swap": "pieces"}
    assert sum(told["divide"].values()) == told["nodes"]
    assert told["nodes_per_second"] > 0


@pytest.mark.parametrize("depth", ["-1", "two", "1.5"])
def test_a_depth_is_a_whole_number(depth):
    done = run("perft", "hex", "--", depth)
    assert done.exit_code == 2
    assert depth in done.stderr
