"""Making puzzles: the same for a seed, also after an interruption."""

import json

import pytest

from antipodes.errors import InputError
from antipodes.puzzles import source_games, store
from antipodes.puzzles.mining import Order, mine_game
from antipodes.puzzles.verification import verify_puzzle
from antipodes.puzzles.workshop import Workshop, select
from tests.raising import raising
from tests.thorough import repetitions


@pytest.fixture(scope="module", autouse=True)
def small_boards():
    boards = {
        "hex": ({"size": 5, "swap": "off"},),
        "antipalos": ({"ruleset": "mail", "size": 4, "swap": "off"},),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source_games, "BOARDS", boards)
        yield


@pytest.fixture(scope="module")
def workshop(small_boards, tmp_path_factory):
    """A workshop that has made one puzzle."""
    made = Workshop(tmp_path_factory.mktemp("workshop"), Order("hex", 3))
    assert len(made.make(1)) == 1
    return made


def rows(folder, game_id):
    return store.files_of(folder, game_id)[0][0].read_text(encoding="utf-8")


@pytest.mark.parametrize("game_id", ["hex", "antipalos"][: repetitions(1, 2)])
def test_a_seed_gives_the_same_puzzles_after_an_interruption(tmp_path, game_id):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    count = repetitions(1, 2)
    found = Workshop(whole, Order(game_id, 7)).make(count)
    assert len(found) == count

    with pytest.raises(KeyboardInterrupt):
        Workshop(parts, Order(game_id, 7)).make(count, raising(KeyboardInterrupt))
    # A line that was not written to its end.
    mined = parts / f"{game_id}.mined.jsonl"
    mined.write_text(mined.read_text(encoding="utf-8") + '{"number":', encoding="utf-8")
    Workshop(parts, Order(game_id, 7)).make(count)
    assert rows(whole, game_id) == rows(parts, game_id)
    for puzzle in store.puzzles(game_id, whole):
        verify_puzzle(puzzle, store.proof_of(puzzle, whole))


@pytest.mark.extreme
def test_games_that_were_mined_out_of_turn_are_chosen_in_turn(tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    Workshop(whole, Order("hex", 3)).make(2)
    ahead = Workshop(parts, Order("hex", 3))
    ahead.keep(mine_game(Order("hex", 3), 1))
    assert ahead.harvests == []
    Workshop(parts, Order("hex", 3)).make(2)
    assert rows(whole, "hex") == rows(parts, "hex")


def test_another_seed_needs_another_folder(tmp_path):
    Workshop(tmp_path, Order("hex", 1))
    with pytest.raises(InputError) as raised:
        Workshop(tmp_path, Order("hex", 2))
    assert raised.value.code == "puzzle/folder"


def test_the_summary_counts_what_was_found(workshop):
    told = json.loads((workshop.folder / "hex.summary.json").read_text(encoding="utf-8"))
    assert told["puzzles"] == 1
    assert told["candidates"] == sum(told["findings"].values())
    assert told["games"] == len(workshop.harvests)
    assert 0 <= told["decided"] <= 1
    assert sum(told["difficulties"].values()) == sum(told["themes"].values()) == 1


def test_symmetric_puzzles_are_chosen_once(workshop):
    assert len(select(workshop.harvests * 2, 100)) == len(select(workshop.harvests, 100))
