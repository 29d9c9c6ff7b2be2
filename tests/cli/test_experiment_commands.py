"""Tests of ``antipodes lab run`` and the other commands on experiments."""

import json
import re
from pathlib import Path
from typing import Any

import duckdb

from tests.cli.tools import run

DOCS = Path(__file__).parents[2] / "docs"
EXPERIMENT = """
title = "Who wins small boards?"
game = "hex"
players = ["random"]
options = {size = [2, 3], swap = "off"}
stop = {games = 5}
"""


def test_an_experiment_is_run_once_and_reported(tmp_path):
    file, out = tmp_path / "e.toml", tmp_path / "out"
    file.write_text(EXPERIMENT)
    for command in (["run", file, "--out", out], ["resume", out]):
        done = run("lab", *command, "--workers", 1)
        assert done.exit_code == 0, done.stderr
        assert "10 of 10 games" in done.stdout
        assert ("a second" in done.stderr or "10 of 10" in done.stderr) == (command[0] == "run")
    found = json.loads(run("lab", "status", out, "--json").stdout)
    assert (found["games"], found["wanted"], found["playing"]) == (10, 10, 0)
    assert [one["options"]["size"] for one in found["settings"]] == [2, 3]
    report = run("lab", "report", out)
    assert "Who wins small boards?" in report.stdout
    assert "black's share" in report.stdout
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<h1>Who wins small boards?</h1>" in page
    assert 'game = "hex"' in page.replace("&quot;", '"')
    (out / "report.html").unlink()
    figures = tmp_path / "figures"
    for row in json.loads(run("lab", "report", out, "--json", "--figures", figures).stdout):
        assert row["games"] == row["black"] + row["white"] == 5
    assert sorted(path.name for path in figures.iterdir()) == ["results.pdf", "results.svg"]
    assert not (out / "report.html").exists()


def test_folders_are_merged_and_each_game_counts_once(tmp_path):
    file = tmp_path / "e.toml"
    file.write_text(EXPERIMENT)
    for name in ("a", "b"):
        run("lab", "run", file, "--out", tmp_path / name, "--workers", 1)
    for added in (10, 0):
        done = run("lab", "merge", tmp_path / "a", tmp_path / "b", "--out", tmp_path / "c")
        assert done.exit_code == 0, done.stderr
        assert f"{added} games added; 10 games" in done.stdout
    assert "10 of 10 games" in run("lab", "status", tmp_path / "c").stdout


def test_games_are_written_as_records(tmp_path):
    file, out = tmp_path / "e.toml", tmp_path / "out"
    file.write_text(EXPERIMENT)
    run("lab", "run", file, "--out", out, "--workers", 1)
    done = run("lab", "records", out, "--out", tmp_path / "records", "--to", "sgf", "--count", 3)
    assert "3 records" in done.stdout
    for path in (tmp_path / "records").iterdir():
        shown = run("show", path)
        assert shown.exit_code == 0, shown.stderr


def test_wrong_files_and_folders_are_named(tmp_path):
    file = tmp_path / "e.toml"
    file.write_text("game = 3")
    for arguments, message in (
        (("run", file, "--out", tmp_path / "out"), "is no experiment"),
        (("run", tmp_path / "no.toml", "--out", tmp_path / "out"), "No such file"),
        (("status", tmp_path), "has no experiment in it"),
        (("report", tmp_path), "has no results yet"),
        (("report", "--html", tmp_path / "no" / "page.html"), "cannot be written"),
        (("report", "--json", "--figures", file / "figures"), "cannot be written"),
    ):
        done = run("lab", *arguments)
        assert done.exit_code == 2
        assert message in done.stderr
        assert "Traceback" not in done.stderr


def test_results_are_read_as_the_docs_say(tmp_path, monkeypatch):
    file = tmp_path / "sides.toml"
    file.write_text(EXPERIMENT)
    run("lab", "run", file, "--out", tmp_path / "sides", "--workers", 1)
    text = (DOCS / "laboratory.md").read_text(encoding="utf-8").split("## Results")[1]
    monkeypatch.chdir(tmp_path)
    with_polars, with_pandas = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[:2]
    wins = {}
    for code in (with_polars, with_pandas):
        *lines, last = code.strip().splitlines()
        names: dict[str, Any] = {}
        exec("\n".join(lines), names)
        wins[code] = len(names["games"]), eval(last, names)
    assert {count for count, _ in wins.values()} == {10}
    polars = dict(wins[with_polars][1].iter_rows())
    pandas = wins[with_pandas][1].to_dict()
    assert polars == {
        size: pandas.get((size, "black"), 0.0) for size in dict.fromkeys(one for one, _ in pandas)
    }
    (query,) = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    found = duckdb.sql(query.replace("side", "size").replace("sizes/", "sides/"))
    rows = found.fetchall() if found is not None else []
    assert sorted(count for _, _, count in rows) == [5, 5]
    assert sorted(share for _, share, _ in rows) == sorted(polars.values())
