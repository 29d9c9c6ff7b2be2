"""Tests of ``antipodes show``, ``replay`` and ``convert``."""

import io
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from antipodes.cli.sources import move_numbers
from antipodes.games.registry import game_ids, make_game
from antipodes.records import Record, load, save
from tests.cli.test_play import SMALL, random_game
from tests.cli.tools import run, run_process

DATA = Path(__file__).parents[1] / "data"
FINISHED = DATA / "antipod_picture_finished.txt"
START = DATA / "antipod_picture_start.txt"


@pytest.fixture(params=game_ids())
def record(request):
    texts, last = random_game(request.param, SMALL[request.param], seed=2)
    made = Record.from_moves(last.game, texts)
    made.root.children[0].comment = "A first move."
    return made


@pytest.fixture
def file(record, tmp_path):
    path = tmp_path / "game.json"
    save(path, record)
    return path


def test_show_prints_the_last_picture_and_who_won(record, file):
    output = run("show", file).output
    last = record.final_position()
    assert output == f"{last.picture()}\n\n{last.caption()}\n"


@pytest.mark.parametrize(("ply", "index"), [(0, 0), (2, 2), (-1, -1), (-3, -3)])
def test_show_counts_plies_from_either_end(record, file, ply, index):
    position = list(record.positions())[index]
    assert run("show", file, "--ply", ply).output.startswith(position.picture())


@pytest.mark.parametrize("ply", [10_000, -10_000])
def test_a_ply_outside_the_record_is_refused(file, ply):
    done = run("show", file, "--ply", ply)
    assert (done.exit_code, f"ply is {ply}, but the record has" in done.stderr) == (2, True)


def test_show_svg_is_a_picture(file, tmp_path):
    root = ET.fromstring(run("show", file, "--svg", "--numbers").output)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    out = tmp_path / "picture.svg"
    assert run("show", file, "-o", out).output == ""
    assert ET.parse(out).getroot().tag == root.tag


@pytest.mark.parametrize("view", ["hemispheres", "sphere"])
def test_show_draws_antipod_as_a_body_with_its_graph_and_letters(tmp_path, view):
    path = tmp_path / "game.json"
    save(path, Record.from_moves(make_game("antipod", {"side": 5}), ["e6", "f7"]))
    marks = ("--mark", "a=e4", "--mark", "b=d5")
    svg = run("show", path, "--view", view, "--lines", "graph", *marks).stdout
    tree = ET.fromstring(svg)
    texts = [one.text for one in tree.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a", "b"} <= set(texts)
    assert "they can be joined" in svg


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--view", "cylinder"), "--view is cylinder, but Antipod has flat, hemispheres, sphere"),
        (("--mark", "e5"), "--mark is e5, but must be like a=e5"),
        (("--mark", "a=z9"), "'z9' is not a point of this board"),
        (("--json", "--lines", "neighbours"), "draw on an SVG; this is json"),
    ],
)
def test_invalid_drawing_options_are_refused(tmp_path, options, message):
    path = tmp_path / "game.json"
    save(path, Record.from_moves(make_game("antipod"), ["e6"]))
    done = run("show", path, *options)
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def test_show_json_describes_the_position(record, file):
    data = json.loads(run("show", file, "--json").output)
    last = record.final_position()
    assert data["game"] == last.game.id
    assert make_game(data["game"], data["options"]) == last.game
    assert data["ply"] == last.ply
    assert data["to_move"] is None
    assert data["outcome"]["termination"] == last.outcome.termination.value
    assert len(data["winning_chain"]) == len(last.winning_chain())


def test_show_words_describes(file):
    assert run("show", file, "--words").output.count(". ") >= 2


def test_every_piece_has_the_number_of_its_move(record):
    positions = list(record.positions())
    numbers = move_numbers(positions)
    assert len(set(numbers.values())) == len(numbers)
    assert max(numbers.values()) == len(positions) - 1


def test_show_numbers_lists_moves_below_a_text_picture(file):
    assert " 2." in run("show", file, "--numbers", "--ply", "3").output.splitlines()[-1]


def test_replay_to_a_pipe_prints_every_position(record, file):
    output = run("replay", file).output
    for position in record.positions():
        assert position.picture() in output
    assert output.count("\n1. ") == 1
    assert "A first move." in output


def test_replay_in_words(file):
    assert "Last move: " in run("replay", file, "--words").output


def test_convert_to_json_changes_nothing(record, file):
    output = run("convert", file, "--to", "json").output
    assert output == file.read_text(encoding="utf-8")


def test_convert_chooses_the_format_by_the_ending(record, file, tmp_path):
    out = tmp_path / "copy.json"
    done = run("convert", file, "-o", out)
    assert (done.exit_code, done.output) == (0, "")
    assert load(out) == record


def test_convert_reads_one_game_of_several_or_all(tmp_path):
    games = tmp_path / "games.sgf"
    games.write_text("(;GM[11]SZ[3];B[a1])(;)(;GM[11]SZ[4];B[b2])", encoding="utf-8")
    assert '"b2"' in run("convert", games, "--game", "2").output
    refused = run("convert", games, "--game", "3")
    assert refused.exit_code
    assert "no game 3; the file has 2" in refused.output
    assert run("convert", games, "--game", "1", "--all").exit_code == 2
    done = run("convert", games, "--all", "-o", tmp_path / "game.json")
    assert (done.exit_code, done.output) == (0, "")
    sizes = [load(tmp_path / f"game-{number}.json").game.options.size for number in (1, 2)]
    assert sizes == [3, 4]
    assert run("convert", games, "--all", "--to", "sgf").output.count("(;") == 2


def test_standard_input_is_a_file_too(record, file):
    text = file.read_text(encoding="utf-8")
    for command in (["show", "-"], ["replay", "-"], ["convert", "-"]):
        done = run(*command, text=text)
        assert done.exit_code == 0, done.output
        assert done.output


@pytest.mark.parametrize("command", ["show", "replay", "convert"])
@pytest.mark.parametrize(
    "data",
    [b"", b"\x00\xff\xfe", b"{", b"[]", b"{}", b'{"format": 1}', b"(;", b"hello\n" * 50],
)
def test_invalid_records_are_refused_without_a_traceback(command, data, tmp_path):
    path = tmp_path / "bad"
    path.write_bytes(data)
    done = run(command, path)
    assert done.exit_code == 2
    assert done.stderr.startswith("antipodes: error: ")


@pytest.mark.parametrize("command", ["show", "replay", "convert"])
@pytest.mark.parametrize("path", ["/nowhere/at.all", "/"])
def test_files_that_cannot_be_read_are_named(command, path):
    done = run(command, path)
    assert (done.exit_code, "cannot be read" in done.stderr) == (2, True)


def test_an_output_that_cannot_be_written_is_named(file):
    for arguments in (["show", file], ["convert", file]):
        done = run(*arguments, "-o", "/nowhere/out.json")
        assert (done.exit_code, "cannot be written" in done.stderr) == (2, True)


@pytest.mark.parametrize("command", ["show", "replay", "convert"])
def test_lenient_reading_is_optional(command, tmp_path):
    path = tmp_path / "game.json"
    hex3 = Record.from_moves(make_game("hex", {"size": 3}), ["a1", "b2"])
    save(path, hex3)
    path.write_text(path.read_text().replace('"b2"', '"a1"'))
    assert run(command, path).exit_code == 2
    done = run(command, path, "--lenient")
    assert done.exit_code == 0
    assert "antipodes: warning: " in done.stderr
    assert done.stdout


def test_hex_goes_to_sgf_and_hexworld_and_back(tmp_path):
    record = Record.from_moves(make_game("hex", {"size": 4}), ["a1", "swap", "c3"])
    first = tmp_path / "game.json"
    save(first, record)
    link = run("convert", first, "--to", "hexworld").output
    assert link.startswith("https://hexworld.org/board/#4")
    assert run("convert", "-", text=link).output
    assert run("convert", first, "-o", tmp_path / "game.sgf").exit_code == 0
    assert "GM[11]" in (tmp_path / "game.sgf").read_text()
    again = json.loads(run("convert", tmp_path / "game.sgf").output)
    assert again["moves"] == ["a1", "swap", "c3"]


def test_omissions_of_a_link_are_reported(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("(;FF[4]GM[11]SZ[4]PB[Ann];B[a1]C[hello](;W[b2])(;W[c3]))")
    done = run("convert", path, "--to", "hexworld")
    assert done.exit_code == 0
    assert done.stderr.strip() == "A HexWorld link leaves out: names, comments, variations."
    assert done.stdout.count("\n") == 1
    assert run("convert", path, "--to", "sgf").stderr == ""


def test_other_games_have_no_hexworld_links(tmp_path):
    path = tmp_path / "game.json"
    save(path, Record.from_moves(make_game("antipode"), []))
    done = run("convert", path, "--to", "hexworld")
    assert (done.exit_code, "for Hex only" in done.stderr) == (2, True)


# Pictures of Antipod.


def test_a_picture_is_shown_as_its_position():
    assert "Antipod: Black wins by connection." in run("show", FINISHED).output
    data = json.loads(run("show", START, "--json").output)
    assert (data["ply"], data["options"]["side"]) == (0, 6)


@pytest.mark.parametrize("side", [2, 3, 4, 7, 10])
def test_a_picture_of_any_side_is_read(side, tmp_path):
    position = make_game("antipod", {"side": side}).initial()
    path = tmp_path / "picture.txt"
    path.write_text(position.picture())
    assert run("show", path).output == f"{position.picture()}\n\n{position.caption()}\n"


def test_a_pictures_options_can_be_given(tmp_path):
    position = make_game("antipod", {"side": 4, "handicap": "none"}).initial()
    path = tmp_path / "picture.txt"
    path.write_text(position.picture())
    assert run("show", path).exit_code == 2
    assert run("show", path, "--set", "handicap=none").exit_code == 0


def test_all_faults_of_a_picture_are_reported(tmp_path):
    lines = START.read_text(encoding="utf-8").split("\n")
    broken = [line.replace("x", "q", 1) for line in lines[:-3]]
    path = tmp_path / "picture.txt"
    path.write_text("\n".join(broken), encoding="utf-8")
    done = run("show", path, "--set", "side=6")
    assert done.exit_code == 2
    assert "'q'" in done.stderr
    assert "is missing" in done.stderr


def test_an_incomplete_picture_is_recognised(tmp_path):
    path = tmp_path / "picture.txt"
    lines = make_game("antipod").initial().picture().splitlines()
    path.write_text("\n".join(lines[:-1]))
    done = run("show", path)
    assert (done.exit_code, "row k: the row is missing" in done.stderr) == (2, True)


def test_a_picture_has_no_moves_to_count():
    assert run("show", START, "--ply", "0").exit_code == 0
    assert run("show", START, "--ply", "3").exit_code == 2


def test_options_of_a_record_are_refused(file):
    assert run("show", file, "--set", "size=4").exit_code == 2


def test_an_ascii_pipe_gets_a_valid_svg():
    done = run_process("show", START, "--svg", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    ET.fromstring(done.stdout)


def test_show_reads_standard_input_once(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(START.read_bytes())))
    assert run("show", "-", text=START.read_text(encoding="utf-8")).exit_code == 0
