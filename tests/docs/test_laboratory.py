"""Tests of the page about the laboratory: its tables and its example are those of the program."""

import re
from pathlib import Path

from antipodes.lab.experiment import Experiment
from antipodes.lab.schema import EXPERIMENT, ROW, schema

PAGE = (Path(__file__).resolve().parents[2] / "docs/laboratory.md").read_text(encoding="utf-8")


def test_the_columns_are_those_of_the_schema():
    table = PAGE.partition("| column |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(schema(ROW)["properties"])


def test_the_keys_of_experiments_are_those_of_the_schema():
    top = schema(EXPERIMENT)["properties"]
    keys = {*top, *(f"stop.{name}" for name in top["stop"]["properties"])} - {"stop"}
    assert keys <= set(re.findall(r"^\| `([\w.]+)` \|", PAGE, re.MULTILINE))


def test_the_example_is_an_experiment(tmp_path):
    file = tmp_path / "sides.toml"
    file.write_text(PAGE.partition("```toml\n")[2].partition("```")[0])
    assert len(Experiment.read(file).series) == 6
