"""Tests of ``antipodes lab balance`` and ``antipodes lab fair``."""

import json

import pytest

from tests.cli.tools import run

SMALL = ("--set", "side=3", "--player", "random")


def test_a_grid_is_measured_and_continued(tmp_path):
    options = ("--set", "side=2,3", "--set", "handicap=two", "--player", "random", "--json")
    grid = ("lab", "balance", "antipod", *options, "--out", tmp_path / "results")
    first = json.loads(run(*grid, "--games", 3).stdout)
    assert [(one["options"]["side"], one["games"]) for one in first] == [(2, 3), (3, 3)]
    assert all(one["black"] + one["white"] == 3 for one in first)
    more = run(*grid, "--games", 5)
    assert "4 of 10 games" not in more.stderr
    assert [one["games"] for one in json.loads(more.stdout)] == [5, 5]
    again = run(*grid, "--games", 5)
    assert json.loads(again.stdout) == json.loads(more.stdout)
    assert again.stderr == ""


def test_the_table_names_options_colours_and_interval():
    result = run("lab", "balance", "antipod", *SMALL, "--games", 4)
    head, row = result.stdout.splitlines()
    titles = "side player games white black draws black's share plies"
    assert head.split() == titles.split()
    assert row.split()[:3] == ["3", "random", "4"]
    assert "(" in row


def test_games_of_four_colours_have_a_share_for_each():
    options = ("--set", "seats=cutthroat4", "--set", "size=12", "--set", "rods=1")
    result = run("lab", "balance", "antipalos", *options, "--player", "random", "--games", 1)
    assert result.exit_code == 0, result.stderr
    assert "white  black  red  blue" in result.stdout


def test_a_table_has_a_column_for_each_colour_of_any_setting():
    options = ("--set", "seats=two,cutthroat3", "--set", "size=12", "--set", "rods=1")
    result = run("lab", "balance", "antipalos", *options, "--player", "random", "--games", 1)
    assert "white  black  red" in result.stdout


def test_no_table_is_printed_for_a_folder_that_cannot_be_used(tmp_path):
    (tmp_path / "file").write_text("")
    result = run("lab", "balance", "antipod", *SMALL, "--out", tmp_path / "file" / "x")
    assert result.exit_code == 2
    assert result.stdout == ""


def test_a_fair_setting_is_searched():
    result = run("lab", "fair", "antipod", *SMALL, "--games", 12, "--json")
    (found,) = json.loads(result.stdout)
    assert found["options"]["extra_stones"] == found["value"]
    assert found["players"][0]["games"] == 12
    assert found["verdict"] in ("fair", "none", "open")


@pytest.mark.parametrize(
    ("command", "arguments", "message"),
    [
        ("balance", ("--set", "side=9..3"), "rising range"),
        ("balance", ("--set", "side=1,4"), "side is 1"),
        ("balance", ("--player", "ghost"), "'ghost' is not a player"),
        ("fair", ("--tune", "handicap"), "'handicap' cannot be tuned"),
        ("fair", ("--tune", "side", "--set", "side=4"), "can: extra_stones"),
    ],
)
def test_wrong_questions_are_refused(command, arguments, message):
    result = run("lab", command, "antipod", *arguments, "--games", 1)
    assert result.exit_code == 2
    assert message in result.stderr
