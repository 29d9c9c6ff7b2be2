"""HexWorld links, written and read."""

import pytest

from antipodes import Antipod, Color, Hex, Setup
from antipodes.errors import InvalidRecordError
from antipodes.records import (
    Mark,
    Reason,
    Record,
    Result,
    from_hexworld,
    from_hexworld_leniently,
    hexworld_losses,
    read_record,
    to_hexworld,
)
from antipodes.records.hexworld import looks_like_link


def texts(record):
    return [node.text for node in record.main_line()]


def test_a_game_is_a_link():
    record = Record.from_moves(Hex(), ["a2", "swap", "c3"])
    record.result = Result(Color.WHITE, Reason.RESIGNATION)
    assert to_hexworld(record) == "https://hexworld.org/board/#11nc1,a2:sc3:rb"
    assert from_hexworld(to_hexworld(record)) == record
    assert to_hexworld(Record(Hex(size=7))) == "https://hexworld.org/board/#7nc1"


@pytest.mark.parametrize(
    ("link", "size", "moves"),
    [
        ("https://hexworld.org/board/#15c1,e6:sf7i8g10", 15, ["e6", "swap", "f7", "i8", "g10"]),
        ("https://hexworld.org/board/#14r9nc1,a10b4", 14, ["a10", "b4"]),
        ("hexworld.org/board/#11x11r12mnc1,,a10b4", 11, ["a10", "b4"]),
        ("https://hexworld.org/board/#11,a1b2,c3", 11, ["a1", "b2", "c3"]),
        ("https://hexworld.org/board/#11%2Ca1b2", 11, ["a1", "b2"]),
        ("#11,a1", 11, ["a1"]),
        ("11nc1,a1:S", 11, ["a1", "swap"]),
        (" 11 \n", 11, []),
    ],
)
def test_links_of_all_kinds(link, size, moves):
    record = from_hexworld(link)
    assert record.game.options.size == size
    assert texts(record) == moves


def test_the_kind_of_swap_is_an_option_of_the_game():
    assert from_hexworld("11,a1:S").game.options.swap == "sides"
    assert from_hexworld("11,a1:s").game.options.swap == "pieces"


@pytest.mark.parametrize(
    ("ending", "result"),
    [
        (":rb", Result(Color.WHITE, Reason.RESIGNATION)),
        (":rw", Result(Color.BLACK, Reason.RESIGNATION)),
        (":fb", Result(Color.WHITE, Reason.FORFEIT)),
        (":fw", Result(Color.BLACK, Reason.FORFEIT)),
        ("", None),
    ],
)
def test_endings(ending, result):
    assert from_hexworld("11,a1" + ending).result == result


def test_a_finished_game_has_its_result():
    assert from_hexworld("2,a1b1a2").result == Result(Color.BLACK, Reason.CONNECTION)


@pytest.mark.parametrize(
    ("link", "code", "where"),
    [
        ("https://hexworld.org/about", "record/not-hexworld", ""),
        ("https://hexworld.org/board/#", "record/not-hexworld", ""),
        ("", "record/not-hexworld", ""),
        ("11z,a1", "record/not-hexworld", ""),
        ("11x9,a1", "record/hexworld", "the size"),
        ("99,a1", "option/out-of-range", "the size"),
        ("11,a1A2", "record/hexworld", "character 6"),
        ("11,a1a1", "move/occupied", "character 6"),
        ("https://hexworld.org/board/#11,a1a1", "move/occupied", "character 34"),
        ("11,a1:p", "record/pass", "character 6"),
        ("11,a1:rwb2", "record/hexworld", "character 9"),
        ("11,a1b2:s", "move/no-swap", "character 8"),
    ],
)
def test_faults_have_a_code_and_a_place(link, code, where):
    with pytest.raises(InvalidRecordError) as caught:
        from_hexworld(link)
    assert (code, where) in [(fault.code, fault.where) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("moves", "result", "end"),
    [
        (["a1"], Result(Color.BLACK, Reason.RESIGNATION), ",a1:rw"),
        ([], Result(Color.WHITE, Reason.TIME), ",:fb"),
        (["a1"], Result(Color.WHITE, Reason.FORFEIT), ",a1:fb"),
        (["a1"], Result(Color.WHITE), ",a1"),
        (["a1"], Result(None, Reason.AGREEMENT), ",a1"),
        (["a1"], None, ",a1"),
        ([], None, ""),
    ],
)
def test_a_link_ends_with_the_loser(moves, result, end):
    record = Record.from_moves(Hex(), moves)
    record.result = result
    assert to_hexworld(record) == f"https://hexworld.org/board/#11nc1{end}"


def test_a_swap_of_sides_is_written_with_a_capital_letter():
    record = Record.from_moves(Hex(swap="sides"), ["a1", "swap", "b2"])
    assert to_hexworld(record).endswith(",a1:Sb2")
    assert from_hexworld(to_hexworld(record)) == record


@pytest.mark.parametrize(
    ("link", "moves", "message"),
    [
        ("11,a1:pb2", ["a1"], "a player passes, which the rules here do not allow"),
        ("11,a1:rwb2c3", ["a1"], "b2 comes after the end of the game"),
        ("11,a1" + "!" * 30, ["a1"], f"'{'!' * 20}' is no move"),
        ("11x9,a1", None, "the board is 11x9, but boards here are square"),
    ],
)
def test_a_fault_says_what_is_wrong(link, moves, message):
    with pytest.raises(InvalidRecordError) as caught:
        from_hexworld(link)
    assert [fault.message for fault in caught.value.faults] == [message]
    if moves is not None:
        assert texts(from_hexworld_leniently(link)[0]) == moves


@pytest.mark.parametrize(
    ("text", "is_link"),
    [
        ("https://hexworld.org/board/#11nc1", True),
        (" 11,a1\n", True),
        ("11", True),
        ("11 a1", False),
        ("11,a1\n12", False),
        ("hex", False),
    ],
)
def test_a_link_is_one_line(text, is_link):
    assert looks_like_link(text) is is_link


def test_a_faulty_link_is_kept_as_far_as_it_goes():
    record, faults = from_hexworld_leniently("11,a1b2a1c3")
    assert texts(record) == ["a1", "b2"]
    assert len(faults) == 1


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (Record(Antipod()), "for Hex only"),
        (Record(Hex(size=3), Setup(stones=(("a1", "black"),))), "empty board"),
    ],
)
def test_what_a_link_cannot_hold_is_refused(record, message):
    with pytest.raises(InvalidRecordError, match=message):
        to_hexworld(record)


def test_what_a_link_leaves_out_is_said():
    record = Record.from_moves(Hex(swap="off"), ["a1"])
    record.players = ("Ann",)
    record.date = "2026-11-20"
    record.root.comment = "good"
    record.root.add("b2").time_left = 3
    record.result = Result(Color.BLACK, Reason.TIME)
    assert hexworld_losses(record) == (
        "names",
        "date and event",
        "comments",
        "variations",
        "clock times",
        "the option swap=off",
        "that it ended on time (a link says forfeit)",
    )
    assert hexworld_losses(Record(Hex())) == ()


@pytest.mark.parametrize(
    ("name", "value", "losses"),
    [
        ("time_spent", 3, ("clock times",)),
        ("time_left", 0, ("clock times",)),
        ("mark", Mark.GOOD, ("marks and data of other programs",)),
        ("extra", {"a": 1}, ("marks and data of other programs",)),
        ("comment", "good", ("comments",)),
    ],
)
def test_notes_on_a_move_are_left_out(name, value, losses):
    record = Record.from_moves(Hex(), ["a1", "b2"])
    setattr(record.end, name, value)
    assert hexworld_losses(record) == losses


@pytest.mark.parametrize(
    ("name", "value", "losses"),
    [
        ("comment", "good", ("comments",)),
        ("place", "here", ("date and event",)),
        ("extra", {"a": 1}, ("marks and data of other programs",)),
        ("result", Result(Color.BLACK, Reason.RESIGNATION), ()),
        ("result", Result(Color.BLACK, Reason.RESIGNATION, "late"), ("the result",)),
        ("result", Result(Color.BLACK), ("the result",)),
        ("result", Result(None, Reason.AGREEMENT), ("the result",)),
    ],
)
def test_heads_of_a_record_are_left_out(name, value, losses):
    record = Record.from_moves(Hex(), ["a1", "b2"])
    setattr(record, name, value)
    assert hexworld_losses(record) == losses


def test_a_swap_that_was_played_and_an_end_by_the_rules_are_not_lost():
    assert hexworld_losses(Record(Hex(swap="sides"))) == ("the option swap=sides",)
    assert hexworld_losses(Record.from_moves(Hex(swap="sides"), ["a1", "swap"])) == ()
    assert hexworld_losses(Record.from_moves(Hex(size=2), ["a1", "b1", "a2"])) == ()


def test_a_link_may_stand_in_angle_brackets():
    link = "https://hexworld.org/board/#5nc1,a2:sb3"
    assert read_record(f" <{link}>\n") == read_record(link)
