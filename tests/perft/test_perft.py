"""The kernels count as many positions as the data files say; oracles have verified those."""

import json
from pathlib import Path

import pytest

from antipodes.games.kernels import native
from antipodes.games.registry import game_ids, make_game
from tests.oracles import make_oracle
from tests.thorough import repetitions, sample

from .regenerate import LINES, count_by_oracle

FOLDER = Path(__file__).parent
FILES = {game_id: json.loads((FOLDER / f"{game_id}.json").read_text()) for game_id in game_ids()}
CASES = [(game_id, line) for game_id in game_ids() for line in FILES[game_id]["lines"]]


def case_id(case):
    game_id, line = case
    return "-".join([game_id, *(f"{name}={value}" for name, value in line["options"].items())])


@pytest.mark.parametrize("game_id", game_ids())
def test_the_data_files_hold_what_the_script_writes(game_id):
    assert FILES[game_id]["game"] == game_id
    written = [(line["options"], len(line["counts"]) - 1) for line in FILES[game_id]["lines"]]
    assert written == LINES[game_id]


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_every_line_is_verified_by_the_oracle_at_least_to_depth_two(case):
    assert case[1]["verified"] >= 2


@pytest.mark.parametrize("case", sample(CASES, 16), ids=case_id)
def test_the_native_kernels_count_what_the_files_say(case):
    game_id, line = case
    game = make_game(game_id, line["options"])
    for depth, count in enumerate(line["counts"]):
        if count <= repetitions(100_000, 25_000_000):
            assert game.perft(depth) == count, f"depth {depth}"


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_the_plain_kernels_count_what_the_files_say(case):
    game_id, line = case
    game = make_game(game_id, line["options"])
    for depth, count in enumerate(line["counts"]):
        if max(line["counts"][: depth + 1]) <= 2_000:
            with native.plainly():
                assert game.perft(depth) == count, f"depth {depth}"


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_the_oracles_count_what_the_files_say(case):
    game_id, line = case
    for depth, count in enumerate(line["counts"]):
        if max(line["counts"][: depth + 1]) <= 1_000:
            assert count_by_oracle(make_oracle(game_id, **line["options"]), depth) == count


@pytest.mark.parametrize("case", CASES[::3], ids=case_id)
def test_a_count_is_the_sum_of_the_counts_after_each_move(case):
    game_id, line = case
    game = make_game(game_id, line["options"])
    start = game.initial()
    divided = [game.perft(1, start.play(move)) for move in start.legal_moves]
    assert sum(divided) == line["counts"][2]


def test_a_negative_depth_is_refused():
    with pytest.raises(ValueError, match="depth is -1"):
        make_game("hex").perft(-1)
