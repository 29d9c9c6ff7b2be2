"""Laws of the ratings of levels: what counts, what is kept, and when there are ratings."""

import json

import pytest

from antipodes.lab.level_ratings import (
    Board,
    LevelPair,
    SeedUsedError,
    entry_of,
    keep,
    known_pairs,
    missing_levels,
    pairs_that_hold,
    read_all,
)
from antipodes.lab.ratings import Tally
from antipodes.search.levels import levels

BOARD = Board("hex", {"size": 5}, 2)
NUMBERS = [level.number for level in levels()[1:]]


@pytest.fixture
def kept(tmp_path):
    return tmp_path / "ratings.json"


def all_pairs(points=70.0):
    return {number: LevelPair(points, 100, (1,)) for number in NUMBERS}


def test_a_pair_holds_until_one_of_its_levels_thinks_otherwise():
    entry = entry_of(BOARD, all_pairs(), "by hand")
    assert pairs_that_hold(entry, BOARD.skills) == all_pairs()
    changed = [*BOARD.skills[:4], "a new level 5", *BOARD.skills[5:]]
    assert sorted(pairs_that_hold(entry, changed)) == [n for n in NUMBERS if n not in (5, 6)]


def test_pairs_are_kept_as_they_come_and_ratings_with_the_last(kept):
    for number in reversed(NUMBERS):
        assert "ratings" not in read_all(kept).get("hex", {})
        missing = keep(kept, BOARD, number, LevelPair(70.0, 100, (1,)), "by hand")
        assert missing == [n for n in NUMBERS if n < number]
    entry = read_all(kept)["hex"]
    assert entry["ratings"][0] == 1000
    assert entry["ratings"] == sorted(set(entry["ratings"]))
    assert entry["games"] == 100 * len(NUMBERS)
    assert known_pairs(kept, BOARD) == all_pairs()


def test_pairs_of_another_board_are_not_taken_over(kept):
    keep(kept, BOARD, 2, LevelPair(70.0, 100, (1,)), "by hand")
    assert known_pairs(kept, BOARD) == {2: LevelPair(70.0, 100, (1,))}
    assert known_pairs(kept, Board("hex", {"size": 6}, 2)) == {}
    assert known_pairs(kept, Board("hex", {"size": 5}, 4)) == {}
    assert known_pairs(kept, Board("antipode", {}, 2)) == {}


def test_pairs_of_other_games_stay(kept):
    other = Board("antipode", {}, 4)
    keep(kept, BOARD, 2, LevelPair(70.0, 100, (1,)), "by hand")
    keep(kept, other, 3, LevelPair(60.0, 100, (1,)), "by hand")
    assert sorted(json.loads(kept.read_text())) == ["antipode", "hex"]
    assert known_pairs(kept, BOARD) == {2: LevelPair(70.0, 100, (1,))}


def test_games_of_another_seed_add_up_and_those_of_the_same_are_refused():
    pair = LevelPair(14.0, 20, (1,)).with_more(Tally(wins=60, draws=1, losses=19), seed=2)
    assert pair == LevelPair(74.5, 100, (1, 2))
    with pytest.raises(SeedUsedError, match=r"seed 2 was used; used are \[1, 2\]"):
        pair.with_more(Tally(wins=1), seed=2)


def test_a_stronger_level_has_the_rating_that_its_games_say():
    pairs = all_pairs(points=64.0)  # 100 Elo
    entry = entry_of(BOARD, pairs, "by hand")
    steps = [b - a for a, b in zip(entry["ratings"], entry["ratings"][1:], strict=False)]
    assert all(85 <= step <= 100 for step in steps)  # the credited draw pulls together a little
    assert missing_levels(pairs) == []
