"""Tests of ``antipodes games``."""

import json

import pytest

from antipodes.games.registry import game_class, game_ids
from tests.cli.tools import run


def test_all_games_are_listed_with_their_options():
    output = run("games").output
    for name in game_ids():
        assert f"{name}: {game_class(name).title}" in output
        for info in game_class(name).option_table():
            assert info.allowed in output
            assert info.help in output


def test_one_game_can_be_listed():
    output = run("games", "Antipode").output
    assert "full_board=draw  (draw | loss)" in output
    assert "antipod:" not in output


def test_json_lists_every_game():
    listed = json.loads(run("games", "--json").output)
    assert [game["id"] for game in listed] == list(game_ids())


@pytest.mark.parametrize("name", game_ids())
def test_json_has_the_defaults_of_the_game(name):
    data = json.loads(run("games", name, "--json").output)
    defaults = {option["name"]: option["default"] for option in data["options"]}
    chosen = {key: value for key, value in defaults.items() if value is not None}
    assert game_class(name)(**chosen) == game_class(name)()


def test_json_has_values_or_bounds():
    size, swap = json.loads(run("games", "hex", "--json").output)["options"]
    assert (size["minimum"], size["maximum"]) == (2, 26)
    assert swap["values"] == ["pieces", "sides", "off"]


def test_an_unknown_game_is_refused_with_the_known_ones():
    done = run("games", "chess")
    assert done.exit_code == 2
    assert "there is no game 'chess'" in done.stderr
    assert "cylindrical-hex" in done.stderr
