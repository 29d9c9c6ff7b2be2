"""JSON records: shape, places of faults, and what can be saved of a faulty one."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

from antipodes import Antipod, Hex, Setup
from antipodes.errors import InvalidRecordError
from antipodes.records import (
    Mark,
    Reason,
    Record,
    Result,
    from_json,
    from_json_leniently,
    read_leniently,
    to_json,
)
from antipodes.records.json_format import record_data
from antipodes.records.json_text import parse
from antipodes.records.schema import schema
from tests.records.strategies import records
from tests.thorough import repetitions

VALIDATOR = jsonschema.Draft202012Validator(schema())


def text_of(**changes):
    """Return a small record as text, with some members changed; ``None`` takes one out."""
    data = {"format": "antipodes-record", "version": 1, "game": "hex", "moves": ["a1", "b2"]}
    data.update(changes)
    return json.dumps({name: value for name, value in data.items() if value is not None})


def faults_of(text):
    with pytest.raises(InvalidRecordError) as caught:
        from_json(text)
    return [(fault.code, fault.where) for fault in caught.value.faults]


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(schema())


def test_reasons_of_the_schema_are_those_of_the_program():
    reasons = schema()["properties"]["result"]["properties"]["reason"]["enum"]
    assert reasons == [reason.value for reason in Reason]


@settings(max_examples=repetitions(15, 100))
@given(records())
def test_what_is_written_follows_the_schema(record):
    VALIDATOR.validate(json.loads(to_json(record)))


def test_a_small_text_is_enough():
    record = from_json(text_of())
    assert record == Record.from_moves(Hex(), ["a1", "b2"])


def test_a_whole_record_is_written_a_move_to_a_line():
    record = Record.from_moves(Hex(size=5), ["a1", "b2"])
    first = record.root.children[0]
    first.time_left, first.time_spent, first.mark = 3.0, 1.5, Mark.GOOD
    record.root.add("c3").comment = "or here"
    record.players, record.date, record.root.comment = ("Zoë",), "2026-11-20", "x"
    record.result = Result(None, Reason.AGREEMENT, "dinner")
    assert (
        to_json(record)
        == """{
  "format": "antipodes-record",
  "version": 1,
  "game": "hex",
  "rules_version": 1,
  "options": {"size": 5, "swap": "pieces"},
  "players": ["Zoë", ""],
  "date": "2026-11-20",
  "result": {"winner": null, "reason": "agreement", "text": "dinner"},
  "root": {"comment": "x"},
  "moves": [
    {"move": "a1", "time_left": 3, "time_spent": 1.5, "mark": "good"},
    "b2"
  ],
  "variations": [
    {"line": 0, "after": 0, "moves": [{"move": "c3", "comment": "or here"}]}
  ]
}
"""
    )
    assert from_json(to_json(record)) == record


def test_an_empty_record_has_no_empty_parts():
    data = json.loads(to_json(Record(Hex())))
    assert list(data) == ["format", "version", "game", "rules_version", "options", "moves"]
    assert to_json(Record(Hex())).endswith('\n  "moves": []\n}\n')


def test_a_start_has_no_default_values():
    start = Setup(stones=(("a1", "black"), ("b2", "white")))
    data = record_data(Record(Hex(size=5, swap="off"), start))
    assert data["start"] == {"stones": {"a1": "black", "b2": "white"}, "to_move": "black"}


@pytest.mark.parametrize(("depth", "is_refused"), [(40, False), (41, True)])
def test_brackets_are_nested_to_a_depth(depth, is_refused):
    text = "[" * depth + "]" * depth
    if is_refused:
        with pytest.raises(InvalidRecordError, match="more than 40 deep"):
            parse(text)
    else:
        assert parse(text)
    assert parse(f"[{','.join(['[{}]'] * 50)}]") == [[{}]] * 50
    with pytest.raises(InvalidRecordError, match="more than 40 deep"):
        parse(f"[{'[],' * 50}{'[' * 40}{']' * 40}]")


def test_names_that_are_there_twice_are_told():
    with pytest.raises(InvalidRecordError) as caught:
        parse('{"b": 1, "a": {"y": 1, "x": 1, "y": 2, "x": 3}, "b": 2, "c": 4}')
    [fault] = caught.value.faults
    assert fault.values["names"] == ("'x'", "'y'", "'b'")
    twice = ", ".join(f'"{name}": 1, "{name}": 1' for name in "fedcba")
    with pytest.raises(InvalidRecordError) as caught:
        parse(f"{{{twice}}}")
    assert caught.value.faults[0].values["names"] == ("'a'", "'b'", "'c'", "'d'", "'e'")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[NaN]", "this is not JSON: NaN is not a number that JSON knows"),
        ("[-Infinity]", "this is not JSON: -Infinity is not a number that JSON knows"),
        ("[", "this is not JSON: Expecting value"),
        ("[" + "9" * 5_000 + "]", "a number has far too many digits"),
    ],
)
def test_text_that_is_no_json_is_refused_with_a_reason(text, message):
    with pytest.raises(InvalidRecordError) as caught:
        parse(text)
    assert [fault.message for fault in caught.value.faults] == [message]


def test_options_are_written_out():
    data = json.loads(to_json(Record(Antipod(side=4))))
    assert data["options"] == {
        "side": 4,
        "handicap": "six",
        "first": "white",
        "swap": "off",
        "extra_stones": 0,
    }
    assert data["rules_version"] == 1


@pytest.mark.parametrize(
    ("changes", "code", "where"),
    [
        ({"format": "chess"}, "record/not-a-record", "$"),
        ({"version": 2}, "record/newer-format", "$.version"),
        ({"version": "1"}, "record/schema", "$.version"),
        ({"game": "chess"}, "game/unknown", "$.game"),
        ({"game": 7}, "record/schema", "$.game"),
        ({"moves": None}, "record/schema", "$"),
        ({"colour": "red"}, "record/schema", "$"),
        ({"rules_version": 99}, "record/newer-rules", "$.rules_version"),
        ({"rules_version": 2}, "record/newer-rules", "$.rules_version"),
        ({"options": {"size": 99}}, "option/out-of-range", "$.options, size"),
        ({"options": {"sise": 9}}, "option/unknown", "$.options, sise"),
        ({"moves": ["a1", "a1"]}, "move/occupied", "$.moves[1]"),
        ({"moves": [{"move": "a1", "time_left": -1}]}, "record/schema", "$.moves[0].time_left"),
        ({"moves": ["a1", {"move": "z99"}]}, "move/unreadable", "$.moves[1]"),
        ({"players": ["a", "b", "c"]}, "record/players", "$.players"),
        ({"start": {"stones": {"z9": "black"}}}, "position/no-such-point", "$.start, z9"),
        ({"start": {"stones": {"a1": "pink"}}}, "record/schema", "$.start.stones.a1"),
        ({"result": {"winner": "black", "reason": "ring"}}, "record/result", "$.result"),
        ({"result": {"winner": "black", "reason": "luck"}}, "record/schema", "$.result.reason"),
        (
            {"variations": [{"line": 0, "after": 3, "moves": ["c3"]}]},
            "record/no-such-place",
            "$.variations[0]",
        ),
        (
            {"variations": [{"line": 1, "after": 0, "moves": ["c3"]}]},
            "record/no-such-place",
            "$.variations[0]",
        ),
        (
            {"variations": [{"line": 0, "after": 1, "moves": ["a1"]}]},
            "move/occupied",
            "$.variations[0].moves[0]",
        ),
    ],
)
def test_faults_have_a_code_and_a_place(changes, code, where):
    assert (code, where) in faults_of(text_of(**changes))


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"game": 7}, {"$.game": "7 must be of type string"}),
        ({"game": None, "moves": None}, {"$": "missing here: game, moves"}),
        (
            {f"x{number}": 1 for number in range(7)},
            {
                "$": "not known here: 'x0', 'x1', 'x2', 'x3', 'x4'; own data belongs under extra",
            },
        ),
        ({"version": 0}, {"$.version": "0 must be 1"}),
        (
            {"format": "x"},
            {"$": 'this is JSON, but not a record: it has no "format": "antipodes-record"'},
        ),
        (
            {"version": 2},
            {"$.version": "the record's format has version 2, but this program reads 1"},
        ),
        ({"moves": [3]}, {"$.moves[0]": "3 must be of type string | object"}),
        (
            {"moves": [{"move": "a1", "time_left": -1}]},
            {"$.moves[0].time_left": "-1 goes against minimum 0"},
        ),
        ({"players": {"a": 1}}, {"$.players": "an object must be of type array"}),
        ({"comment": [1]}, {"$.comment": "a list must be of type string"}),
        (
            {"result": {"winner": "pink", "reason": "time", "z": 1}},
            {
                "$.result": "not known here: 'z'",
                "$.result.winner": "'pink' must be one of"
                ' "black", "white", "red", "blue", "vert", "horz", null',
            },
        ),
        ({"players": ["a", "b", "c"]}, {"$.players": "there are 3 names, but Hex has 2 seats"}),
        (
            {"rules_version": 2},
            {
                "$.rules_version": "the record follows version 2 of the rules of Hex,"
                " but this program knows them up to version 1",
            },
        ),
        (
            {"variations": [{"line": 0, "after": 9, "moves": []}]},
            {"$.variations[0]": "there is no place after 9 moves of line 0 above"},
        ),
        (
            {"result": {"winner": "red", "reason": "time"}},
            {"$.result": "the winner is red, but colours here are black, white"},
        ),
    ],
)
def test_a_fault_says_what_is_wrong(changes, found):
    with pytest.raises(InvalidRecordError) as caught:
        from_json(text_of(**changes))
    assert {fault.where: fault.message for fault in caught.value.faults} == found


def test_all_faults_are_found_at_once():
    options = {"size": 99, "swap": "never", "sise": 1}
    assert len(faults_of(text_of(options=options))) == 3
    variations = [{"line": 0, "after": 1, "moves": ["zz"]}, {"line": 5, "after": 1, "moves": []}]
    found = faults_of(text_of(moves=["a1", "a1"], variations=variations))
    assert {where for _, where in found} == {
        "$.moves[1]",
        "$.variations[0].moves[0]",
        "$.variations[1]",
    }


def test_text_that_is_not_json_is_refused_with_line_and_column():
    assert faults_of('{"format":\n  oops}') == [("record/not-json", "line 2, column 3")]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" * 5000, "record/too-deep"),
        ('{"a":' * 5000, "record/too-deep"),
        (text_of(extra={"a": None}).replace("null", "[" * 60 + "]" * 60), "record/too-deep"),
        (text_of(extra={"a": None}).replace("null", "NaN"), "record/not-json"),
        (text_of(extra={"a": None}).replace("null", "9" * 5000), "record/not-json"),
        (text_of().replace('"game"', '"version": 1, "game"'), "record/name-twice"),
    ],
)
def test_what_json_allows_but_records_do_not(text, code):
    assert faults_of(text)[0][0] == code


@pytest.mark.parametrize("text", ["[" * 60, r"a \" ]]]" * 20, "{" * 60 + '\\"'])
def test_brackets_in_texts_are_no_nesting(text):
    record = from_json(text_of(extra={"a": text}))
    assert record.extra == {"a": text}


def test_a_line_is_kept_up_to_its_first_illegal_move():
    variations = [{"line": 0, "after": 1, "moves": ["c3", "c3", "d4"]}]
    record, faults = from_json_leniently(
        text_of(moves=["a1", "b2", "b2", "c3"], variations=variations)
    )
    assert [node.text for node in record.walk()] == ["", "a1", "b2", "c3"]
    assert [fault.where for fault in faults] == ["$.moves[2]", "$.variations[0].moves[1]"]
    assert "and 1 after it not looked at" in faults[0].message


def test_a_result_is_left_out_where_the_moves_that_bear_it_out_are_missing():
    text = text_of(
        options={"size": 2, "swap": "off"},
        moves=["a1", "a1", "b1", "a2"],
        result={"winner": "black", "reason": "connection"},
    )
    record, faults = read_leniently(text)
    assert record.result is None
    assert [fault.code for fault in faults] == ["move/occupied"]


def nested(depth):
    """Return objects inside each other."""
    data: dict[str, Any] = {}
    for _ in range(depth - 1):
        data = {"a": data}
    return data


def test_extra_data_may_be_nested_to_a_depth():
    deepest, deeper = nested(32), nested(33)
    record = from_json(text_of(extra=deepest, moves=[{"move": "a1", "extra": deepest}]))
    assert record.extra == record.end.extra == deepest
    text = text_of(extra=deeper, moves=[{"move": "a1", "extra": deeper}])
    path = ".a" * 32
    record, faults = from_json_leniently(text)
    assert [(fault.code, fault.where) for fault in faults] == [
        ("record/too-deep", f"$.moves[0].extra{path}"),
        ("record/too-deep", f"$.extra{path}"),
    ]
    assert {fault.message for fault in faults} == {"data is nested more than 32 deep"}
    assert record.extra == record.end.extra == {}
    assert record.end.text == "a1"


def test_a_variation_may_part_before_the_line_that_it_names():
    variations = [
        {"line": 0, "after": 1, "moves": ["c3", "c4"]},
        {"line": 1, "after": 1, "moves": ["d4"]},
        {"line": 1, "after": 2, "moves": ["e5"]},
        {"line": 3, "after": 1, "moves": ["f6"]},
    ]
    record = from_json(text_of(variations=variations))
    [first] = record.root.children
    assert [one.text for one in first.children] == ["b2", "c3", "d4", "f6"]
    assert [one.text for one in first.children[1].children] == ["c4", "e5"]


@pytest.mark.parametrize(("count", "shown"), [(100, 100), (101, 101), (150, 101)])
def test_of_very_many_faults_a_hundred_are_told(count, shown):
    variations = [{"line": 999, "after": 0, "moves": []}] * count
    found = faults_of(text_of(variations=variations))
    assert len(found) == shown
    assert found[99] == ("record/no-such-place", "$.variations[99]")
    assert found[100:] == ([("record/more-faults", "")] if count > 100 else [])


def test_what_other_programs_put_under_extra_is_kept():
    extra = {"rating": [1500, {"x": None}]}
    text = text_of(extra=extra, moves=[{"move": "a1", "extra": extra}])
    record = from_json(text)
    assert record.extra == extra
    assert json.loads(to_json(record))["moves"] == [{"move": "a1", "extra": extra}]


@pytest.mark.parametrize("value", [object(), {1: 2}, float("nan"), b"bytes"])
def test_extra_data_that_json_does_not_know_are_refused(value):
    record = Record(Hex())
    record.root.extra = {"a": [value]}
    with pytest.raises(InvalidRecordError, match=r"\$\.root\.extra"):
        to_json(record)


def test_a_record_that_contradicts_itself_is_not_written():
    record = Record(Hex())
    record.result = Result(None, Reason.RING)
    with pytest.raises(InvalidRecordError, match="goes on"):
        to_json(record)


def test_the_order_of_variations_is_kept():
    record = Record.from_moves(Hex(), ["a1", "b2"])
    for move in ("c3", "d4", "e5"):
        record.root.add(move).add("f6")
    record.root.children[2].add("g7").add("h8")
    assert from_json(to_json(record)) == record


def test_thousands_of_variations_inside_each_other_are_no_trouble(deep_record):
    assert from_json(to_json(deep_record)) == deep_record
