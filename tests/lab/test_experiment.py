"""Laws of experiments as files: which tasks there are, and when a setting has enough games."""

import pytest

from antipodes.errors import InputError
from antipodes.lab.experiment import STEP, Experiment, Plan
from antipodes.lab.results import Results
from antipodes.lab.scheduling import run_tasks
from tests.raising import raising


def read(tmp_path, text):
    path = tmp_path / "e.toml"
    path.write_text(text)
    return Experiment.read(path)


GRID = """
title = "Does the size matter?"
game = "hex"
players = ["random", ["random", "pairing"]]
seed = 7
[options]
size = [3, 4]
swap = "off"
[stop]
games = 4
"""
NARROW = """
game = "hex"
players = ["random"]
options = {size = 3, swap = "off"}
stop = {games = 1000, width = 0.2}
"""


def test_every_combination_of_options_and_players_is_a_setting(tmp_path):
    experiment = read(tmp_path, GRID)
    settings = [(one.game.options.as_dict()["size"], one.players) for one in experiment.series]
    assert settings == [
        (size, players) for players in [("random",), ("random", "pairing")] for size in (3, 4)
    ]
    plan = Plan(experiment, Results(tmp_path / "out"))
    tasks = plan.take(100)
    assert len({task.id for task in tasks}) == len(tasks) == plan.wanted == 16
    assert plan.take(1) == []


def test_openings_are_taken_in_turn_and_none_by_default(tmp_path):
    text = GRID.replace("seed = 7", 'openings = ["a1 b2", "c3"]')
    tasks = Plan(read(tmp_path, text), Results(tmp_path / "out")).take(4)
    assert [task.opening for task in tasks] == ["a1 b2", "c3", "a1 b2", "c3"]
    tasks = Plan(read(tmp_path, GRID), Results(tmp_path / "out")).take(4)
    assert {task.opening for task in tasks} == {""}


def test_a_setting_ends_when_its_interval_is_narrow(tmp_path):
    experiment, results = read(tmp_path, NARROW), Results(tmp_path / "out")
    plan = Plan(experiment, results)
    run_tasks(plan.take, results)
    (one,) = Plan(experiment, results).progress
    low, high = one.interval
    assert one.has_ended
    assert high - low <= 0.2
    assert one.done % STEP == 0
    assert STEP < one.done < 1000
    assert Plan(experiment, results).take(1) == []


def test_rows_do_not_depend_on_interruptions(tmp_path):
    experiment = read(tmp_path, NARROW)
    whole, parts = Results(tmp_path / "whole"), Results(tmp_path / "parts")
    run_tasks(Plan(experiment, whole).take, whole)

    with pytest.raises(KeyboardInterrupt):
        run_tasks(Plan(experiment, parts).take, parts, watch=raising(KeyboardInterrupt))
    assert 0 < len(parts.done()) < len(whole.done())
    run_tasks(Plan(experiment, parts).take, parts)
    assert parts.done() == whole.done()


def test_the_balance_of_each_setting_is_counted(tmp_path):
    experiment, results = read(tmp_path, GRID), Results(tmp_path / "out")
    plan = Plan(experiment, results)
    run_tasks(plan.take, results)
    plan.look()
    for one, balance in zip(plan.progress, plan.balances(), strict=True):
        assert balance.games == one.counted
        assert balance.failed == one.done - one.counted
        assert balance.share().value == pytest.approx(one.share)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("size = [3, 4]", "size = [3, 4.5]"), r"\$\.options\.size\[1\]: 4\.5 must be of type"),
        (("size = [3, 4]", "size = [3, 99]"), "size"),
        (("seed = 7", "sead = 7"), "not known here: 'sead'"),
        (("games = 4", ""), "missing here: games"),
        (('["random", "pairing"]', '["random", "random", "random"]'), "2 players or one, not 3"),
        (('"pairing"', '"clever"'), "clever"),
        (("seed = 7", 'openings = ["a1 a1"]'), "'a1 a1' cannot be played"),
        (("[stop]", "stop"), "cannot be read"),
    ],
)
def test_faults_are_named_before_the_first_game(tmp_path, change, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, GRID.replace(*change))


def test_a_folder_has_experiments_with_one_game(tmp_path):
    Results(tmp_path / "out")
    read(tmp_path, GRID).keep(tmp_path / "out")
    read(tmp_path, NARROW).keep(tmp_path / "out")
    other = NARROW.replace('"hex"', '"cylindrical-hex"').replace(
        'size = 3, swap = "off"', "rows = 3"
    )
    with pytest.raises(InputError, match="has an experiment with Hex, not Cylindrical Hex"):
        read(tmp_path, other).keep(tmp_path / "out")
