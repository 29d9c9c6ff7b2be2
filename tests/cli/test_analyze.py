"""Tests of ``antipodes analyze`` and ``antipodes analysis-engine``."""

import json
import re
import signal
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

from antipodes import __version__, read_position
from antipodes.engine.schema import validator
from antipodes.errors import InvalidOptionsError
from antipodes.games.registry import make_game
from antipodes.lab.opinions import ask_opinion
from antipodes.records import Record, save
from tests.cli.tools import environment, run, run_process

FEW = ("--visits", "100", "--memory", "4")


@pytest.fixture
def lost_bridge(tmp_path):
    """A game of Hex 3x3 in which Black blunders one move before the end."""
    game = make_game("hex", {"size": 3, "swap": "off"})
    record = Record.from_moves(game, ["b2", "c1", "b1", "a3", "c3", "b3"])
    path = tmp_path / "game.json"
    save(path, record)
    return path


def test_a_start_position_is_analysed():
    done = run("analyze", "hex", "--set", "size=9", *FEW)
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0] == "Hex, move 1: Black to move."
    assert re.fullmatch(r"Black wins \d+ %, White wins \d+ % \(\d+ visits, \S+ s\)\.", lines[1])
    assert lines[3].split() == ["move", "visits", "win", "line"]
    assert lines[4].startswith("1  ")
    assert "How much the game hangs on each point, from 0 to 9:" in lines


def test_the_same_seed_prints_the_same():
    one, two = (run("analyze", "hex", "--set", "size=9", *FEW).output for _ in range(2))
    assert re.sub(r"[\d.]+ s\)", "", one) == re.sub(r"[\d.]+ s\)", "", two)


PROGRAM = f"gtp:{sys.executable} -m antipodes gtp hex --level 2"


def test_other_players_are_asked_for_their_moves(lost_bridge):
    arguments = ("analyze", lost_bridge, "--ply", 3, *FEW, "--beside", "computer:9")
    done = run(*arguments, "--beside", PROGRAM)
    told = [line for line in done.output.splitlines() if " plays " in line]
    assert [line.split(" plays ")[0] for line in told] == ["computer:9", f"Antipodes {__version__}"]
    assert all(re.search(r" plays \w+: number \d+ here, ", line) for line in told)
    opinions = json.loads(run(*arguments, "--json").output)["opinions"]
    assert [opinion["player"] for opinion in opinions] == ["computer:9"]
    assert opinions[0]["move"] in told[0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("hex", "--beside", "nonsense"), "'nonsense' is not a player"),
        (("hex", "--beside", "gtp:false"), "gtp:false: ended with exit code 1"),
        (("hex", "--game", "--beside", "random"), "--beside asks about one position"),
    ],
)
def test_what_cannot_be_asked_is_refused(given, message):
    done = run("analyze", *given, *FEW)
    assert done.exit_code == 2
    assert message in done.output


def test_a_position_that_was_set_up_cannot_be_told_to_others():
    position = read_position("hex size=5 swap=off; black c3; to-move white; composed")
    with pytest.raises(InvalidOptionsError, match="this position was set up"):
        ask_opinion(position, "random", seconds=None, seed=1)


def test_a_finished_game_is_not_searched(tmp_path):
    game = make_game("hex", {"size": 3, "swap": "off"})
    save(tmp_path / "a.json", Record.from_moves(game, ["b2", "b1", "c1", "a3", "b3"]))
    done = run("analyze", tmp_path / "a.json")
    assert done.output.splitlines()[:2] == [
        "Hex: Black wins by connection.",
        "The game is over; there is nothing to think about.",
    ]


def test_a_win_at_once_is_marked_as_proven_and_as_a_threat(tmp_path):
    game = make_game("hex", {"size": 3, "swap": "off"})
    save(tmp_path / "b.json", Record.from_moves(game, ["b2", "a1", "b1"]))
    done = run("analyze", tmp_path / "b.json", *FEW)
    assert "Threats, if the turn were passed: a3, b3 (win at once)." in done.output


def test_only_as_many_moves_are_shown_as_wanted():
    done = run("analyze", "hex", "--set", "size=9", "--moves", "2", *FEW)
    assert "\n2  " in done.output
    assert "\n3  " not in done.output
    assert "more" in done.output


def test_json_follows_the_schema():
    done = run("analyze", "hex", "--set", "size=9", "--json", *FEW)
    data = json.loads(done.output)
    validator("analysis").validate(data)
    assert data["rootInfo"]["currentPlayer"] == "black"


@pytest.mark.parametrize(
    "chosen",
    [
        ["antipod", "--set", "side=3"],
        ["antipalos", "--set", "size=12"],
        ["antipalos", "--set", "size=12", "--set", "seats=cutthroat4"],
        ["antipode"],
        ["cylindrical-hex"],
    ],
    ids=" ".join,
)
def test_every_game_is_analysed_and_drawn(chosen, tmp_path):
    picture = tmp_path / "a.svg"
    done = run("analyze", *chosen, "--visits", "30", "--memory", "4", "--svg", picture)
    assert done.exit_code == 0, done.output
    drawn = ET.tostring(ET.parse(picture).getroot(), encoding="unicode")
    assert "Numbers are proposed moves" in drawn


def test_a_whole_game_shows_its_course_and_turning_points(lost_bridge, tmp_path):
    picture = tmp_path / "course.svg"
    done = run("analyze", lost_bridge, "--game", *FEW, "--svg", picture)
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert lines[0] == "Hex: chances of Black, from 0 to 100 %."
    assert [line.split()[:2] for line in lines[1:8]] == [
        ["0", "start"], ["1", "b2"], ["2", "c1"], ["3", "b1"], ["4", "a3"], ["5", "c3"], ["6", "b3"]
    ]  # fmt: skip
    assert "! move 5, c3" in done.output or "No move turned the game." in done.output
    assert "chances of Black" in picture.read_text(encoding="utf-8")


def test_a_whole_game_as_json(lost_bridge):
    data = json.loads(run("analyze", lost_bridge, "--game", "--json", *FEW).output)
    assert data["moves"] == ["b2", "c1", "b1", "a3", "c3", "b3"]
    assert len(data["positions"]) == 7
    for position in data["positions"]:
        validator("analysis").validate(position)
    for point in data["turningPoints"]:
        assert point["before"] > point["after"]


def test_a_ply_of_a_record_is_chosen(lost_bridge):
    done = run("analyze", lost_bridge, "--ply", "1", *FEW)
    assert done.output.startswith("Hex, move 2: White to move.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "there is no game 'chess'"),
        (["nowhere.json"], "'nowhere.json' cannot be read"),
        (["hex", "--ply", "1"], "a game that was only named has no moves"),
        (["hex", "--game"], "'hex' is not a record"),
        (["{game}", "--game", "--ply", "1"], "--ply one of them"),
        (["{game}", "--set", "size=9"], "--set is for pictures"),
        (["hex", "--set", "size=99"], "size is 99"),
        (["hex", "--visits", "0"], "--visits"),
        (["hex", "--seconds", "-1"], "--seconds"),
    ],
)
def test_wrong_input_is_an_error(arguments, message, lost_bridge):
    done = run("analyze", *(lost_bridge if word == "{game}" else word for word in arguments))
    assert done.exit_code == 2
    assert message in done.output


def test_the_engine_answers_and_ends_with_its_input():
    queries = [
        {"id": "a", "game": "hex", "options": {"size": 4}, "maxVisits": 50},
        {"id": "v", "action": "query_version"},
    ]
    text = "\n".join(map(json.dumps, queries)) + "\n?\n"
    done = run_process("analysis-engine", "--memory", "4", text=text, ANTIPODES_PLAIN="1")
    assert done.returncode == 0
    assert done.stderr == ""
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(str(answer.get("id")) for answer in answers) == ["None", "a", "v"]


def engine_process():
    command = [sys.executable, "-m", "antipodes", "analysis-engine", "--memory", "4"]
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )


def answer_to(process, query):
    """Send a query and return the next line of the engine."""
    process.stdin.write(json.dumps(query).encode() + b"\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_ctrl_c_ends_the_engine_with_a_last_answer():
    endless = {"id": "a", "game": "hex", "maxSeconds": 600, "reportDuringSearchEvery": 0.01}
    with engine_process() as process:
        assert answer_to(process, endless)["isDuringSearch"]
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode in (0, 130)
    last = json.loads(out.splitlines()[-1])
    assert last["isDuringSearch"] is False
    assert last["terminated"]
    assert err == b""


def test_a_closed_pipe_ends_the_engine_silently():
    with engine_process() as process:
        answer_to(process, {"id": "v", "action": "query_version"})
        process.stdout.close()
        process.stdin.write(b'{"id":"v","action":"query_version"}\n' * 3)
        process.stdin.close()
        process.wait(timeout=60)
        assert process.stderr.read() == b""
