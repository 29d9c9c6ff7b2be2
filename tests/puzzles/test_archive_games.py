"""Games of an archive as sources of puzzles."""

import gzip
import itertools

import pytest

from antipodes.errors import InvalidRecordError
from antipodes.games.registry import make_game
from antipodes.puzzles.archive_games import Archive
from antipodes.puzzles.mining import Order
from antipodes.puzzles.source_games import source_game
from antipodes.puzzles.verification import verify_puzzle
from antipodes.puzzles.workshop import Workshop
from antipodes.records import Record, save, write_record

OPTIONS: dict[str, int | str] = {"size": 5, "swap": "off"}


def played(number):
    """Return the record of a game of the computer."""
    positions = source_game("hex", 7, number, options=OPTIONS)
    moves = [
        next(move for move in one.legal_moves if one.play(move) == other)
        for one, other in itertools.pairwise(positions)
    ]
    return Record.from_moves(make_game("hex", OPTIONS), moves)


@pytest.fixture(scope="module")
def records():
    return [played(number) for number in range(4)]


@pytest.fixture
def dump(tmp_path, records):
    """A file like that of a site's open data, with games of two kinds."""
    other = Record.from_moves(make_game("antipode"), ["e4-e4"])
    lines = [" ".join(write_record(one).split("\n")) for one in [other, *records]]
    path = tmp_path / "games.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


def test_an_archive_has_the_games_of_one_kind(dump, tmp_path, records):
    single = tmp_path / "one.sgf"
    save(single, records[0])
    archive = Archive([dump, single], "hex")
    assert len(archive) == len(records) + 1
    assert archive.file(0) == dump.name
    assert archive.file(len(records)) == single.name
    assert archive.positions(2) == list(records[2].positions())
    assert len(Archive([dump], "antipode")) == 1


def test_puzzles_are_mined_from_an_archive_until_it_ends(dump, tmp_path):
    order = Order("hex", 1, archive=Archive([dump], "hex"))
    made = Workshop(tmp_path / "out", order).make(1_000)
    assert made
    for one in made:
        verify_puzzle(one.puzzle, one.proof)
        assert one.puzzle.source.file == dump.name
    again = Workshop(tmp_path / "out", Order("hex", 1, archive=Archive([dump], "hex")))
    assert [one.puzzle for one in again.make(1_000)] == [one.puzzle for one in made]


def test_a_line_that_is_no_record_is_named(dump, tmp_path):
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text('\n{"game": {"id": "hex"}}\n', encoding="utf-8")
    with pytest.raises(InvalidRecordError, match=r"wrong\.jsonl, line 2"):
        Archive([wrong], "hex").positions(0)
    with pytest.raises(InvalidRecordError, match="cannot be read"):
        Archive([tmp_path / "missing.sgf"], "hex")
