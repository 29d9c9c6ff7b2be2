"""Records are read back as they were written, whatever the game and the format."""

from hypothesis import given, settings

from antipodes.games.registry import make_game
from antipodes.records import (
    Record,
    from_hexworld,
    from_json,
    from_sgf,
    hexworld_losses,
    read_record,
    recognise,
    to_hexworld,
    to_json,
    to_sgf,
)
from tests.records.strategies import records
from tests.thorough import repetitions

HEX = [("hex", {"size": size, "swap": swap}) for size in (2, 5) for swap in ("pieces", "sides")]


@given(records())
def test_json_loses_nothing(record):
    text = to_json(record)
    assert from_json(text) == record
    assert to_json(from_json(text)) == text


@given(records())
def test_sgf_loses_nothing(record):
    text = to_sgf(record)
    assert from_sgf(text) == record
    assert to_sgf(from_sgf(text)) == text


@settings(max_examples=repetitions(12, 100))
@given(records())
def test_sgf_loses_nothing_as_bytes(record):
    assert from_sgf(to_sgf(record).encode("utf-8")) == record


@settings(max_examples=repetitions(12, 100))
@given(records())
def test_a_way_through_both_formats_loses_nothing(record):
    assert to_json(from_sgf(to_sgf(from_json(to_json(record))))) == to_json(record)


def test_data_of_other_programs_has_the_same_order_whatever_format_it_came_through():
    record = Record(make_game("hex"))
    record.extra = record.root.extra = {"sgf": {"LB": [""]}, "note": None, "a": {"z": 1, "b": 2}}
    assert to_json(from_sgf(to_sgf(record))) == to_json(record)


@settings(max_examples=repetitions(12, 100))
@given(records())
def test_formats_are_recognised(record):
    assert recognise(to_json(record)) == "json"
    assert recognise(to_sgf(record)) == "sgf"
    assert read_record(to_sgf(record).encode()) == read_record(to_json(record).encode())


@given(records(HEX, setups=False))
def test_links_keep_what_they_have_room_for(record):
    link = to_hexworld(record)
    back = from_hexworld(link)
    assert recognise(link) == "hexworld"
    assert to_hexworld(back) == link
    assert back.moves() == record.moves()
    if not hexworld_losses(record) and record.result is not None:
        assert back == record
