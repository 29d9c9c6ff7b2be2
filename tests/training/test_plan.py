"""Plans of trainings."""

import re
from dataclasses import fields
from importlib import resources
from pathlib import Path

import pytest

from antipodes.errors import InputError
from antipodes.training.plan import Plan, Stage

TEXT = """\
title = "Small"
channels = 8
blocks = 1
visits = 8
games = 8
together = 4
batch = 32
reuse = 1.5
window = 1000
seed = 7

[[stages]]
positions = 100
sizes = { 3 = 1, 4 = 2 }
rate = 0.01

[[stages]]
positions = 200
sizes = { 5 = 1 }
rate = 0.001
"""


def read(tmp_path, text):
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return Plan.read(path)


def test_the_stages_follow_each_other(tmp_path):
    plan = read(tmp_path, TEXT)
    assert plan.positions == 300
    boards = [dict(plan.stage_after(count).sizes) for count in (0, 99, 100, 299, 300, 999)]
    assert boards == [{3: 1, 4: 2}] * 2 + [{5: 1}] * 4


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("channels = 8", "channels = 0", "channels is 0"),
        ("channels = 8", "channels = 1.5", "channels is 1.5"),
        ("channels = 8", "channels = true", "channels is True"),
        ("channels = 8", "", "channels is None"),
        ("seed = 7", "seed = 7\ncolour = 1", "unknown entry 'colour'"),
        ("sizes = { 5 = 1 }", "sizes = { 50 = 1 }", "the size '50'"),
        ("sizes = { 5 = 1 }", "sizes = { x = 1 }", "the size 'x'"),
        ("sizes = { 5 = 1 }", "sizes = { 5 = -1 }", "5 is -1"),
        ("sizes = { 5 = 1 }", "sizes = {}", "sizes of a stage are {}"),
        ("positions = 200", "positions = 0", "positions is 0"),
        ("rate = 0.001", "rate = 2.0", "rate is 2.0"),
        ("rate = 0.001", "rate = 0.001\nspeed = 1", "unknown entry 'speed'"),
        ("rate = 0.001", "rate = 0.001\nplays_on = 2", "plays_on is 2"),
        ("rate = 0.001", "rate = 0.001\nplayer = 'go'", "player is 'go'"),
        ("seed = 7", "seed = 7\ngame = 'antipode'", "game is 'antipode'"),
        ("seed = 7", "seed = 7\nweights = 'go'", "weights is 'go'"),
        ("title", "title title", "cannot be read"),
    ],
)
def test_errors_of_a_plan_show_the_value(tmp_path, old, new, words):
    assert old in TEXT
    with pytest.raises(InputError, match=words.replace("{", r"\{").replace("}", r"\}")):
        read(tmp_path, TEXT.replace(old, new))


def test_a_plan_needs_stages(tmp_path):
    with pytest.raises(InputError, match=r"no \[\[stages\]\]"):
        read(tmp_path, TEXT.partition("[[stages]]")[0])


def test_boards_have_the_sizes_of_their_game(tmp_path):
    text = TEXT.replace("{ 5 = 1 }", "{ 12 = 1 }")
    assert read(tmp_path, text).stages[1].sizes == {12: 1}
    with pytest.raises(InputError, match="the size '12', but must have 2 to 10"):
        read(tmp_path, text.replace("seed = 7", "seed = 7\ngame = 'antipod'"))


@pytest.mark.parametrize("name", ["hex", "hex-games", "hex-former", "antipod"])
def test_the_plans_that_come_with_the_program_can_be_read(name):
    folder = resources.files("antipodes.training") / "plans"
    with resources.as_file(folder / f"{name}.toml") as path:
        plan = Plan.read(path)
    assert plan.game == name.partition("-")[0]
    assert plan.positions >= 420_000


def test_the_docs_list_each_key_of_a_plan_and_of_its_stages():
    page = (Path(__file__).parents[2] / "docs" / "network.md").read_text(encoding="utf-8")
    tables = page.partition("The keys of a plan:")[2].split("[[stages]]", maxsplit=1)
    for table, kind in zip(tables, (Plan, Stage), strict=True):
        first_cells = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        keys = {key for cell in first_cells for key in re.findall(r"`(\w+)`", cell)}
        assert keys == {field.name for field in fields(kind)} - {"text", "stages"}
