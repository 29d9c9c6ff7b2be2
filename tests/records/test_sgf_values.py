"""SGF: values of single properties, and the text that is written, to the letter."""

import pytest

from antipodes import Antipalos, Antipod, Color, Hex
from antipodes.errors import InvalidRecordError
from antipodes.records import (
    Mark,
    Reason,
    Record,
    Result,
    from_sgf,
    from_sgf_leniently,
    to_sgf,
)
from antipodes.records.sgf.grammar import OutNode, serialise


def told(source):
    with pytest.raises(InvalidRecordError) as caught:
        from_sgf(source)
    return [fault.message for fault in caught.value.faults]


def texts(record):
    return [node.text for node in record.main_line()]


# --- reading ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("B+3.5", Result(Color.BLACK, Reason.UNKNOWN, "3.5")),
        (" w + r ", Result(Color.WHITE, Reason.RESIGNATION)),
        ("White+forfeit", Result(Color.WHITE, Reason.FORFEIT)),
        ("B+t", Result(Color.BLACK, Reason.TIME)),
        ("Draw", Result(None, Reason.AGREEMENT)),
        ("jigo", Result(None, Reason.AGREEMENT)),
        (" ", None),
    ],
)
def test_a_result_of_another_program_has_a_winner_and_a_reason(value, result):
    assert from_sgf(f"(;GM[11]RE[{value}];B[a1])").result == result


@pytest.mark.parametrize("value", ["0", "B+"])
def test_a_result_without_a_reason_has_that_of_the_rules(value):
    moves = ";B[a1];W[b1];B[a2]" if value == "B+" else ""
    record = from_sgf(f"(;GM[11]SZ[2]RE[{value}]{moves})")
    reason = Reason.CONNECTION if moves else Reason.AGREEMENT
    assert record.result is not None
    assert record.result.reason is reason
    kept = from_sgf("(;GM[11]SZ[2]RE[B+3];B[a1];W[b1];B[a2])").result
    assert kept == Result(Color.BLACK, Reason.UNKNOWN, "3")


@pytest.mark.parametrize(
    ("properties", "mark"),
    [
        ("TE[1]", Mark.GOOD),
        ("TE[]", Mark.GOOD),
        ("TE[ 2 ]", Mark.VERY_GOOD),
        ("BM[1]", Mark.BAD),
        ("BM[2]", Mark.VERY_BAD),
        ("DO[]", Mark.DOUBTFUL),
        ("DO[2]", Mark.DOUBTFUL),
        ("IT[]", Mark.INTERESTING),
        ("IT[2]", Mark.INTERESTING),
        ("C[x]", None),
    ],
)
def test_judgements_of_a_move(properties, mark):
    assert from_sgf(f"(;GM[11];B[a1]{properties})").end.mark is mark


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("0", 0), ("0.5", 0.5), ("1000000000", 1e9), ("-1", None), ("1e10", None)],
)
def test_clock_times_are_from_zero_to_a_thousand_million_seconds(value, seconds):
    record, faults = from_sgf_leniently(f"(;GM[11];B[a1]BL[{value}])")
    assert record.end.time_left == seconds
    assert [fault.message for fault in faults] == (
        []
        if seconds is not None
        else [f"BL is '{value}', but must be seconds from 0 to 1000000000"]
    )


@pytest.mark.parametrize(
    ("properties", "left"), [("BL[3]XL[4]", 3), ("XL[4]", 4), ("BL[0]XL[4]", 0), ("WL[3]", None)]
)
def test_the_time_left_is_that_of_the_mover(properties, left):
    assert from_sgf(f"(;GM[11];B[a1]{properties})").end.time_left == left


def test_later_nodes_without_a_move_add_to_the_move_before():
    record = from_sgf("(;GM[11];B[a1]BL[3]XT[2]TE[1]ZZ[q];C[x]YY[r];XL[7];DO[])")
    end = record.end
    assert (end.text, end.comment, end.time_left, end.time_spent) == ("a1", "x", 7, 2)
    assert end.mark is Mark.DOUBTFUL
    assert end.extra == {"sgf": {"ZZ": ["q"], "YY": ["r"]}}


def test_what_we_write_at_the_root_of_ourselves_is_no_data_of_others():
    record = from_sgf("(;GM[11]GN[Hex]AP[Antipodes:1];B[a1]GN[Hex])")
    assert record.root.extra == {}
    assert record.end.extra == {"sgf": {"GN": ["Hex"]}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[11]C[a][b])", "C has 2 values, but must have one"),
        ("(;GM[11];B[a1]TE[1]BM[1]DO[])", "BM, DO, TE judge the same move"),
        ("(;GM[11]XG[antipod])", "GM says Hex, but XG says 'antipod'"),
        ("(;GM[5]XG[antipod])", "GM is '5', but games here are 11 (Hex) and our own, 0"),
        ("(;GM[11]XO[size])", "XO has 'size', but must have name:value"),
        ("(;GM[11]SZ[5:6])", "SZ is '5:6', but boards here have as many rows as columns"),
        ("(;GM[11]XR[a][b][c])", "XR is 'a, b, c', which is no result"),
        ("(;GM[11]XR[black])", "XR is 'black', which is no result"),
        (
            "(;GM[11]RE[W+R]XR[black][time][])",
            "RE says White wins by resignation, but XR says Black wins on time",
        ),
        ("(;GM[11]XE[{])", None),
        ("(;GM[11];B[resign];W[a1])", "resign can stand only at the end of a line"),
        (
            "(;GM[11]XO[swap:pieces];B[a1];W[swap-sides])",
            "swap-sides is played, but the option is swap=pieces",
        ),
        ("(;GM[11];B[a1];AW[b2]PL[B])", "AW, PL set up stones after the start"),
        ("(;GM[11];B[a1](;W[b2]", "the file ends here, but 2 brackets are still open"),
        (
            "(;GM[11];B[a1] ?" + "x" * 30,
            f"'?{'x' * 19}' cannot stand here; nothing after it was looked at",
        ),
        ("(;GM[11]c[x])", "the name of a property has no capital letter"),
        ("(;GM[11]C)", "property C has no value"),
    ],
)
def test_a_fault_says_what_is_wrong(text, message):
    found = told(text)
    assert len(found) == 1
    if message is not None:
        assert found == [message]


@pytest.mark.parametrize(("before", "line"), [("", 1), ("\n", 2), ("\n\n", 3)])
def test_a_byte_that_its_encoding_does_not_have_is_told_with_its_line(before, line):
    source = f"{before}(;GM[11]CA[ascii]".encode() + b"C[\xff])"
    record, [fault] = from_sgf_leniently(source)
    assert fault.where == f"line {line}"
    assert fault.message == "byte 0xff cannot stand in text of encoding ascii"
    assert record.root.comment == "\ufffd"


def test_the_first_of_several_values_counts():
    record, _faults = from_sgf_leniently("(;GM[11]C[a][b];B[a1])")
    assert record.root.comment == "a"


def test_options_may_have_spaces_and_the_size_both_dimensions():
    assert from_sgf("(;GM[11]XO[ swap : off ]SZ[5:5])").game == Hex(size=5, swap="off")
    assert from_sgf("(;XG[antipod]XO[side:4])").game == Antipod(side=4)


@pytest.mark.parametrize(
    ("head", "stones", "to_move"),
    [
        ("PL[White]", [], "white"),
        ("PL[b]AB[a1]", ["a1"], "black"),
        ("AB[b2:a1]AW[c3]", ["a1", "a2", "b1", "b2"], None),
        ("AB[A1:a2]", ["a1", "a2"], None),
        ("AB[ c1 ]AE[a1]", ["c1"], None),
    ],
)
def test_stones_and_the_colour_to_move_are_a_start(head, stones, to_move):
    record, _faults = from_sgf_leniently(f"(;GM[11]SZ[5]{head})")
    assert record.start is not None
    assert sorted(point for point, owner in record.start.stones if owner == "black") == stones
    if to_move:
        assert record.root.position.to_move.value == to_move


def test_the_names_of_all_seats_are_read():
    assert from_sgf("(;GM[11]PW[Ben])").players == ("", "Ben")
    assert from_sgf("(;GM[11]PB[x]XN[Ann][Ben])").players == ("Ann", "Ben")


def test_a_move_after_the_end_is_no_matter_of_turns():
    with pytest.raises(InvalidRecordError) as caught:
        from_sgf("(;GM[11]SZ[2]XO[swap:off];B[a1];W[b1];B[a2];B[b2])")
    [fault] = caught.value.faults
    assert fault.code != "record/turn"


def test_moves_after_a_fault_are_counted():
    [message] = told("(;GM[11];B[a1];W[a1](;B[c3];W[c4])(;B[d4]))")
    assert message.endswith("(and 3 after it not looked at)")


def test_a_fault_in_one_variation_leaves_the_next_ones():
    record, faults = from_sgf_leniently("(;GM[11];B[a1](;W[pass];B[b2])(;W[c3](;B[z9])(;B[d4])))")
    assert [node.text for node in record.walk()] == ["", "a1", "c3", "d4"]
    assert [fault.code for fault in faults] == ["record/pass", "move/unreadable"]
    record, faults = from_sgf_leniently("(;GM[11];B[a1](;B[b2];W[b3])(;W[c3]))")
    assert [node.text for node in record.walk()] == ["", "a1", "c3"]
    assert [fault.code for fault in faults] == ["record/turn"]


# --- writing ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "written"),
    [
        (Result(Color.BLACK, Reason.RESIGNATION), "RE[B+R]"),
        (Result(Color.WHITE, Reason.TIME), "RE[W+T]"),
        (Result(Color.WHITE, Reason.FORFEIT), "RE[W+F]"),
        (Result(Color.WHITE), "RE[W+]"),
        (Result(None, Reason.AGREEMENT), "RE[Draw]"),
        (Result(None, Reason.VOID), "RE[Void]"),
        (Result(None, Reason.ABANDONED), "RE[Void]"),
        (Result(), "RE[?]"),
    ],
)
def test_results_are_written_as_other_programs_read_them(result, written):
    record = Record(Hex())
    record.result = result
    assert written in to_sgf(record).replace("\n", "")
    assert from_sgf(to_sgf(record)) == record


def test_a_winner_without_a_letter_is_written_for_us_only():
    record = Record(Antipalos(size=12, seats="cutthroat4"))
    record.result = Result(Color.RED, Reason.TIME, "late")
    text = to_sgf(record)
    assert "RE[" not in text
    assert from_sgf(text).result == record.result


@pytest.mark.parametrize(
    "others",
    [
        {"zz": ["x"]},
        {"B": ["x"]},
        {"XL": ["3"]},
        {"AB": ["a1"]},
        {"DT": ["2026"]},
        {"ZZ": []},
        {"ZZ": "x"},
        {"ZZ": [3]},
        {"ZZ": ["]"]},
        {"AP": ["Antipodes:1"]},
        {},
        3,
    ],
)
def test_data_that_cannot_stand_as_properties_are_kept_as_data(others):
    record = Record(Hex())
    record.root.extra = {"sgf": others}
    assert "XE[" in to_sgf(record)
    assert from_sgf(to_sgf(record)) == record


def test_data_that_can_stand_as_properties_are_written_as_such():
    record = Record(Hex())
    record.root.extra = {"sgf": {"ZZ": ["x", "y"]}}
    assert "ZZ[x][y]" in to_sgf(record)
    assert "XE[" not in to_sgf(record)


@pytest.mark.parametrize(
    ("count", "lines"),
    [
        (69, ["(;FF[4]" + f"C[{'x' * 69}]", ")"]),
        (70, ["(;FF[4]", f"C[{'x' * 70}])"]),
        (90, ["(;FF[4]", f"C[{'x' * 90}]", ")"]),
    ],
)
def test_lines_have_79_characters_unless_a_property_is_longer(count, lines):
    assert serialise(OutNode({"C": ["x" * count], "FF": ["4"]})) == "\n".join(lines) + "\n"


def test_only_several_variations_are_in_brackets():
    def node(name, *children):
        return OutNode({name: ["1"]}, list(children))

    tree = node("A", node("B", node("C", node("D")), node("E")))
    assert serialise(tree) == "(;A[1];B[1](;C[1];D[1])(;E[1]))\n"
