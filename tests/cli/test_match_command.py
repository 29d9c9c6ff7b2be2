"""Tests of ``antipodes match``."""

import json
import re
import signal
import subprocess
import sys

import pytest

from antipodes.lab.tasks import MOST_GAMES
from tests.cli.tools import environment, run
from tests.engine.programs import command

QUICK = ("--set", "size=4", "--games", 4)


def test_the_report_has_score_difference_and_times():
    result = run("match", "plain:visits=50", "random", *QUICK)
    assert result.exit_code == 0
    assert "Hex size=4, 4 games" in result.stdout
    assert "Elo" in result.stdout
    assert "a move of 2: 0.00" in result.stdout


def test_json_has_score_and_verdict():
    result = run("match", "plain:visits=50", "random", *QUICK, "--json", "--sprt", -100, 300)
    found = json.loads(result.stdout)
    assert found["games"] == found["wins"] + found["draws"] + found["losses"]
    assert sum(found["pairs"]) * 2 == found["games"]
    assert found["verdict"] in ("open", "stronger")
    assert found["engines"] == ["plain:visits=50", "random"]


def test_the_report_has_results_by_colour_and_openings():
    result = run("match", "plain:visits=50", "random", *QUICK)
    black, white = (
        re.search(rf"^{color}: 1 won (\d) of 2, 2 won (\d) of 2$", result.stdout, re.MULTILINE)
        for color in ("Black", "White")
    )
    assert black is not None
    assert white is not None
    assert sum(map(int, black.groups() + white.groups())) == 4
    assert "2 random moves, chosen so that chances are even; --openings 0" in result.stdout
    start = run("match", "random", "random", *QUICK, "--openings", 0)
    assert "games begin at the start" in start.stdout
    assert "chances are even" in " ".join(run("match", "--help").stdout.split())


def test_json_has_results_by_colour_and_openings():
    found = json.loads(run("match", "random", "random", *QUICK, "--json").stdout)
    wins = [one["wins"] for color in ("black", "white") for one in found["colors"][color]]
    assert sum(wins) == 4
    assert found["openings"] == {"kind": "even", "moves": 2}


def test_custom_players_are_named_by_module_and_factory(tmp_path, monkeypatch):
    code = "class First:\n    def choose(self, position):\n        return position.legal_moves[0]\n"
    (tmp_path / "bots_of_mine.py").write_text(f"{code}\ndef first(seed):\n    return First()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    result = run("match", "bots_of_mine:first", "random", *QUICK)
    assert result.exit_code == 0, result.output
    assert "1  bots_of_mine:first" in result.stdout


def test_processes_share_a_folder_and_replay_games_of_killed_ones(tmp_path):
    words = ["match", "tests.lab.bots:Slow", "tests.lab.bots:Slow", "--games", "24"]
    words += ["--set", "size=3", "--openings", "0", "--out", str(tmp_path / "m"), "--json"]

    def begin():
        return subprocess.Popen(
            [sys.executable, "-m", "antipodes", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )

    processes = [begin() for _ in range(3)]
    for process in processes:
        assert process.stderr is not None
        assert " of 24: game " in process.stderr.readline()
    processes[0].kill()
    outputs = [process.communicate(timeout=120)[0] for process in processes]
    assert [process.returncode for process in processes] == [-signal.SIGKILL, 0, 0]
    assert [json.loads(text)["games"] for text in outputs[1:]] == [24, 24]
    lines = (tmp_path / "m" / "games.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["seed"] % MOST_GAMES for line in lines) == list(range(24))
    assert list((tmp_path / "m" / "locks").iterdir()) == [tmp_path / "m" / "locks" / "folder.lock"]


def test_progress_is_written_to_standard_error():
    result = run("match", "random", "random", *QUICK)
    assert result.stderr.count(" of 4: game ") == 4


def test_a_failed_sprt_has_exit_code_1():
    arguments = ("match", "random", "plain:visits=200", "--set", "size=4", "--games", 200)
    result = run(*arguments, "--sprt", 0, 300)
    assert result.exit_code == 1
    assert "stronger by 0 Elo rather than 300" in result.stdout


def test_a_match_continues_from_its_records(tmp_path):
    arguments = ("match", "random", "random", "--set", "size=4", "--out", tmp_path / "m")
    assert run(*arguments, "--games", 2).exit_code == 0
    result = run(*arguments, "--games", 4)
    assert result.stderr.count(" of 4: game ") == 2
    assert "4 games" in result.stdout
    shown = run("replay", tmp_path / "m" / "0001.json")
    assert shown.exit_code == 0
    assert "Black: random" in shown.stdout


def test_openings_come_from_a_file(tmp_path):
    path = tmp_path / "openings"
    path.write_text("b2 swap\n")
    result = run("match", "random", "random", *QUICK, "--openings", path, "--out", tmp_path / "m")
    assert result.exit_code == 0
    assert '"opening": "b2 swap"' in (tmp_path / "m" / "games.jsonl").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("robot", "random"), "is not a player"),
        (("search:speed=3", "random"), "speed"),
        (("gtp:", "random"), "command line"),
        (("no_such_bots:player", "random"), "neither a player of this program nor"),
        (("gtp:no-such-program", "random"), "cannot be started"),
        ((f"gtp:{command('small')}", "random", "--set", "size=11"), "unacceptable size"),
        (("random", "random", "--sprt", "5", "0"), "rising"),
        (("random", "random", "--sprt", "nan", "5"), "rising"),
        (("random", "random", "--openings", "999"), "too many"),
        (("random", "random", "--openings", "/no/such/file"), "neither a number nor a file"),
        (("random", "random", "--game", "chess"), "chess"),
        (("random", "random", "--set", "size=99"), "99"),
        (("random", "random", "--seconds", "nan"), "nan"),
        (("random", "random", "--out", "/dev/null/x"), "cannot be used"),
        (("random",), "takes 2 values"),
    ],
)
def test_invalid_arguments_are_refused_before_the_first_game(arguments, message):
    result = run("match", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.extreme
def test_ctrl_c_ends_a_match_with_the_result_so_far(tmp_path):
    words = ["match", "plain:seconds=0.2", "random", "--jobs", "2", "--games", "1000"]
    words += ["--set", "size=3", "--out", str(tmp_path / "m")]
    process = subprocess.Popen(
        [sys.executable, "-m", "antipodes", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stderr is not None
    first = process.stderr.readline()
    assert "game 1" in first or "game 2" in first, first + process.stderr.read()
    process.send_signal(2)
    out, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "a move of 1" in out
    assert "Traceback" not in errors
    assert (tmp_path / "m" / "0001.json").exists() or (tmp_path / "m" / "0002.json").exists()
