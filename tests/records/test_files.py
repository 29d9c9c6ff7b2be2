"""Records in files: formats by name, clear errors, and never half a file."""

import errno
import os
import pickle
import random
import stat

import pytest

from antipodes import Antipalos, Antipod, Hex
from antipodes.errors import InvalidRecordError, RecordFileError
from antipodes.records import (
    Record,
    files,
    from_json,
    load,
    read_record,
    recognise,
    save,
    to_json,
    to_sgf,
)
from antipodes.records.formats import MAX_BYTES


@pytest.fixture
def record():
    made = Record.from_moves(Hex(size=5), ["a1", "swap", "c3"])
    made.comment = "naïve ]\\"
    return made


@pytest.mark.parametrize("name", ["game.json", "game.sgf", "game.SGF", "game", "game.txt.json"])
def test_what_is_saved_is_loaded_again(tmp_path, record, name):
    save(tmp_path / name, record)
    assert load(tmp_path / name) == record
    assert load(str(tmp_path / name)) == record


def test_the_ending_chooses_the_format(tmp_path, record):
    for name, begin in (("a.json", b"{"), ("a.sgf", b"(;"), ("a.url", b"https://")):
        save(tmp_path / name, record)
        assert (tmp_path / name).read_bytes().startswith(begin)
    save(tmp_path / "b.txt", record, kind="sgf")
    assert load(tmp_path / "b.txt") == record


def test_an_older_file_stays_where_the_new_one_cannot_be_written(tmp_path, record):
    path = tmp_path / "game.url"
    path.write_text("old")
    with pytest.raises(InvalidRecordError):
        save(path, Record(Antipod()))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_nothing_is_left_over_when_writing_fails(tmp_path, record, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(InvalidRecordError, match="no space left"):
        save(tmp_path / "game.json", record)
    assert list(tmp_path.iterdir()) == []


def test_access_rights_of_the_older_file_are_kept(tmp_path, record):
    path = tmp_path / "game.json"
    path.write_text("old")
    path.chmod(0o640)
    save(path, record)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_to_a_file_stays_a_link(tmp_path, record):
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    save(tmp_path / "link.json", record)
    assert (tmp_path / "link.json").is_symlink()
    assert load(tmp_path / "real.json") == record


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing.json", "cannot be read: no such file"),
        (".", "cannot be read: is a directory"),
        ("a\0b", "cannot be read"),
        ("x" * 5000, "cannot be read"),
    ],
)
def test_files_that_cannot_be_read(tmp_path, name, message):
    with pytest.raises(RecordFileError, match=message) as raised:
        load(f"{tmp_path}/{name}")
    error = raised.value
    assert isinstance(error, InvalidRecordError)
    assert isinstance(error, OSError)
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.errno) == (RecordFileError, str(error), error.errno)


def test_a_missing_file_has_the_number_of_the_system():
    with pytest.raises(OSError, match="no such file") as raised:
        load("missing.json")
    assert raised.value.errno == errno.ENOENT


@pytest.mark.parametrize("name", ["missing/game.json", ".", "a\0b.json", "x" * 5000])
def test_files_that_cannot_be_written(tmp_path, record, name):
    with pytest.raises(InvalidRecordError, match="cannot be written"):
        save(f"{tmp_path}/{name}", record)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.json", "json"),
        ("a.SGF", "sgf"),
        ("a.txt", "hexworld"),
        ("a.url", "hexworld"),
        ("a.sgf.bak", "json"),
        ("sgf", "json"),
    ],
)
def test_the_format_of_a_file_is_that_of_its_ending(name, kind):
    assert files.kind_of(name) == kind


def test_a_file_ends_with_one_line_end(tmp_path, record):
    for name in ("a.json", "a.sgf", "a.url"):
        save(tmp_path / name, record)
        data = (tmp_path / name).read_bytes()
        assert data.rstrip() + b"\n" == data


def test_a_file_may_have_as_many_bytes_as_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 1024 * 1024)
    path = tmp_path / "large"
    path.write_bytes(b"x" * 1024 * 1024)
    assert len(files.read_bytes(path)) == 1024 * 1024
    path.write_bytes(b"x" * (1024 * 1024 + 1))
    with pytest.raises(InvalidRecordError) as caught:
        files.read_bytes(path)
    [fault] = caught.value.faults
    assert fault.message == f"{path} is larger than 1 MB, too large for a record"


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ('\ufeff \n{"a"', "json"),
        ("[1]", "json"),
        ("11,a1", "hexworld"),
        ("words (;GM[11])", "sgf"),
        (b"\xff\xfe" + "(;GM[11])".encode("utf-16-le"), "sgf"),
        (b"\xfe\xff" + "( ;GM[11])".encode("utf-16-be"), "sgf"),
        (b"(;C[\xff])", "sgf"),
    ],
)
def test_the_format_of_a_text_is_recognised(source, kind):
    assert recognise(source) == kind


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (" \n", "this is no record: it is empty"),
        ("x" * 50, f"this is no record that is known here: it begins with '{'x' * 40}'"),
    ],
)
def test_a_text_of_no_known_format_is_refused(source, message):
    with pytest.raises(InvalidRecordError) as caught:
        recognise(source)
    assert [fault.message for fault in caught.value.faults] == [message]


@pytest.mark.parametrize(
    ("source", "kind", "title"),
    [
        ("11,a1a1", None, "HexWorld"),
        ("(;GM[11];B[z9])", None, "SGF"),
        ("(;GM[11];B[z9])", "sgf", "SGF"),
        ("{}", "json", "JSON"),
    ],
)
def test_a_refusal_names_the_format(source, kind, title):
    with pytest.raises(InvalidRecordError, match=f"This {title} record cannot be read:"):
        read_record(source, kind=kind)


def test_a_huge_file_is_not_read(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(InvalidRecordError, match="too large"):
        load(path)


@pytest.mark.parametrize("data", [b"", b"\x00\x01", b"\xff\xfe", b"GIF89a", "Grüße".encode()])
def test_what_is_no_record_is_said_to_be_none(tmp_path, data):
    path = tmp_path / "game"
    path.write_bytes(data)
    with pytest.raises(InvalidRecordError) as caught:
        load(path)
    assert caught.value.code == "record/unknown-format"


def test_json_in_another_encoding_is_refused_with_its_line(tmp_path, record):
    data = to_json(record).encode("latin-1")
    with pytest.raises(InvalidRecordError, match="not UTF-8") as caught:
        read_record(data)
    assert caught.value.faults[0].where.startswith("line ")
    with pytest.raises(InvalidRecordError) as caught:
        read_record(b'\n{"a":\n\n"\xff"}')
    [fault] = caught.value.faults
    assert (fault.where, fault.message) == (
        "line 4",
        "this is not UTF-8 text: byte 0xff cannot stand here",
    )


def test_a_format_that_is_not_there_is_named(record):
    with pytest.raises(InvalidRecordError, match=r"'pgn'.*json, sgf, hexworld"):
        read_record("{}", kind="pgn")


def test_json_may_begin_with_a_byte_order_mark(record):
    assert read_record(b"\xef\xbb\xbf" + to_json(record).encode()) == record
    assert recognise("\ufeff" + to_json(record)) == "json"


def test_a_thousand_moves_are_not_played_from_the_start_again_and_again(played):
    game = Antipalos(size=20, phase_two_limit=10_000)
    chance = random.Random(1)
    position = game.initial()
    moves: list[int] = []
    while len(moves) < 1000:
        # Listing all of the thousands of legal moves each time would take the longest.
        move = chance.randrange(game.placements)
        if position.phase == 2:
            own = [s for s, rod in position.rods().items() if rod.color is position.to_move]
            move += game.placements * (1 + chance.choice(own))
        if move in position.legal_moves:
            moves.append(move)
            position = position.play(move)
    record = Record.from_moves(game, moves)
    for text in (to_json(record), to_sgf(record)):
        played.clear()
        assert len(read_record(text).moves()) == 1000
        assert len(played) <= 2 * len(moves)
    assert from_json(to_json(record)) == record
