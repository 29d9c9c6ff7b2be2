"""Records in memory: trees that never hold an illegal move."""

import gc
import tracemalloc
from typing import Any

import pytest

from antipodes import Antipalos, Antipod, Color, Hex, Setup
from antipodes.core.array_cache import ArrayCache
from antipodes.errors import (
    Fault,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidRecordError,
)
from antipodes.records import (
    Mark,
    Reason,
    Record,
    Result,
    from_json,
    read_record,
    to_json,
    to_sgf,
    tree,
    write_record,
)
from antipodes.records.record import _settled


@pytest.fixture
def record():
    return Record.from_moves(Hex(size=3), ["a1", "swap", "b2", "c1"])


def test_a_record_begins_empty():
    record = Record(Antipod(side=4))
    assert record.moves() == []
    assert record.players == ("", "")
    assert record.result is None
    assert record.final_position() == Antipod(side=4).initial()


def test_moves_are_given_as_text_or_as_numbers(record):
    assert Record.from_moves(record.game, record.moves()) == record
    assert [node.text for node in record.main_line()] == ["a1", "swap", "b2", "c1"]


def test_the_positions_of_the_main_line_begin_with_the_start(record):
    positions = list(record.positions())
    assert [position.ply for position in positions] == [0, 1, 2, 3, 4]
    assert positions[0] == record.root.position
    assert positions[-1] == record.final_position() == record.end.position


def test_an_illegal_move_changes_nothing(record):
    with pytest.raises(IllegalMoveError):
        record.end.add("b2")
    with pytest.raises(InvalidMoveError):
        record.end.play("z9")
    with pytest.raises(IllegalMoveError):
        record.end.add(1000)
    assert record.end.children == ()


def test_a_finished_game_has_its_result():
    record = Record.from_moves(Hex(size=2, swap="off"), ["a1", "b1", "a2"])
    assert record.result == Result(Color.BLACK, Reason.CONNECTION)
    assert str(record.result) == "Black wins by connection"


def test_play_finds_a_move_that_is_there_and_add_does_not(record):
    first = record.root.play("a1")
    assert first is record.root.next
    assert record.root.add("a1") is not first
    assert len(record.root.children) == 2


def test_variations_come_after_the_main_line(record):
    variation = record.root.play("c3")
    assert record.root.children == (record.root.next, variation)
    assert "c3" not in [node.text for node in record.main_line()]
    variation.promote()
    assert [node.text for node in record.main_line()] == ["c3"]


def test_what_is_removed_is_gone_and_still_usable(record):
    swap = record.root.next.next
    swap.remove()
    assert [node.text for node in record.main_line()] == ["a1"]
    assert swap.parent is None
    assert swap.position.ply == 2


def wide_record():
    """Return a record whose nodes are all at depths of 15 and 16, which branch there."""
    record = Record(Hex(size=26, swap="off"))
    node = record.root
    for cell in range(15):
        node = node.add(cell)
    for cell in range(15, 115):
        node.add(cell).add(cell + 100)
    return record


def test_positions_of_many_trees_are_bounded_in_bytes(monkeypatch):
    monkeypatch.setattr(tree, "_latest", ArrayCache(500_000))
    trees = [wide_record() for _ in range(8)]
    trees += [from_json(to_json(one)) for one in trees]
    nodes = [node for one in trees for node in one.walk()]
    in_memory = {id(found): found.nbytes for node in nodes if (found := node._position())}
    starts = sum(one.root.position.nbytes for one in trees)
    assert sum(in_memory.values()) <= 500_000 + starts
    assert all(one.root.same_tree(trees[0].root) for one in trees)


@pytest.mark.parametrize("write", [to_json, to_sgf])
def test_writing_a_wide_tree_keeps_few_positions(write, monkeypatch):
    record = wide_record()
    monkeypatch.setattr(tree, "_latest", ArrayCache(300_000))
    write(record)
    tracemalloc.start()
    write(record)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000  # all its positions are 3 MB


def test_positions_are_found_again_when_none_were_kept(record):
    record.root.play("b3").play("c3")
    gc.collect()
    assert [node.position.ply for node in record.walk()] == [0, 1, 2, 3, 4, 1, 2]
    assert [node.depth for node in record.walk()] == [0, 1, 2, 3, 4, 1, 2]


def test_a_long_line_is_added_without_playing_it_again_at_each_move(played):
    node = Record(Hex(size=26, swap="off")).root
    for move in range(600):
        node = node.play(move)
    gc.collect()
    assert node.position.ply == 600
    assert len(played) <= 600


def test_comments_are_kept_without_what_no_file_can_hold(record):
    record.end.comment = "one\r\ntwo\x00\ud800\tthree"
    assert record.end.comment == "one\ntwo\ufffd\tthree"
    record.event = " a\nb "
    assert record.event == "a b"


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), 2e9])
def test_a_clock_time_is_a_number_of_seconds(record, seconds):
    with pytest.raises(ValueError, match="must be seconds"):
        record.end.time_left = seconds


def test_clock_times_are_kept_to_the_millisecond(record):
    record.end.time_left = 1.23456
    assert record.end.time_left == 1.235


def test_game_and_start_are_fixed(record):
    with pytest.raises(AttributeError, match="fixed"):
        record.game = Hex()
    with pytest.raises(AttributeError, match="no colour"):
        record.colour = "red"


def test_names_go_with_seats():
    record = Record(Antipalos(seats="team"), players=["Ann", "Ben"])
    assert record.players == ("Ann", "Ben", "", "")
    wrong: Any
    for wrong in (("a",) * 5, "Ann"):
        with pytest.raises(ValueError, match="names of 4 players"):
            record.players = wrong


def test_another_start_is_checked_and_described_in_one_way():
    game = Hex(size=3, swap="off")
    first = Record(game, Setup(stones=(("b2", "white"), ("a1", "black"))))
    second = Record(game, Setup(stones=(("a1", "black"), ("b2", "white")), to_move="black"))
    assert first == second
    with pytest.raises(InvalidPositionError, match="z9"):
        Record(game, Setup(stones=(("z9", "black"),)))


def test_records_are_equal_where_everything_is_the_same(record):
    other = Record.from_moves(record.game, record.moves())
    assert other == record
    other.end.mark = Mark.GOOD
    assert other != record
    assert record != record.moves()
    assert record.__eq__(3) is NotImplemented


def test_merging_brings_in_what_is_new(record):
    other = Record.from_moves(record.game, ["a1", "swap", "c3"])
    other.root.comment = "here"
    record.root.comment = "there"
    record.merge(other)
    record.merge(other)
    assert record.root.comment == "there\nhere"
    assert [child.text for child in record.root.next.next.children] == ["b2", "c3"]


def test_merging_keeps_notes_that_are_there(record):
    other = Record.from_moves(record.game, record.moves())
    mine, theirs = record.end, other.end
    mine.comment, theirs.comment = "ab\nc", "a"
    mine.time_left, theirs.time_left, theirs.time_spent = 0, 5, 7
    mine.extra, theirs.extra = {"x": 1}, {"x": 2, "y": 3}
    theirs.mark = Mark.BAD
    record.merge(other)
    assert (mine.comment, mine.time_left, mine.time_spent) == ("ab\nc\na", 0, 7)
    assert (mine.mark, mine.extra) == (Mark.BAD, {"x": 1, "y": 3})
    theirs.comment, theirs.mark = "c\na", Mark.GOOD
    record.merge(other)
    assert (mine.comment, mine.mark) == ("ab\nc\na", Mark.BAD)


def test_records_of_another_start_do_not_merge():
    game = Hex(size=3, swap="off")
    other = Record(game, Setup(stones=(("a1", "black"), ("b2", "white"))))
    with pytest.raises(InvalidRecordError, match="begins elsewhere"):
        Record(game).merge(other)


def test_a_record_shows_its_moves_and_its_result(record):
    game = repr(Hex(size=3))
    assert repr(record) == f"<Record of {game}, 4 moves, no result>"
    record.result = Result(Color.BLACK, Reason.TIME)
    assert repr(record) == f"<Record of {game}, 4 moves, Black wins on time>"


def test_a_mark_may_be_given_as_text(record):
    record.end.mark = "good"
    assert record.end.mark is Mark.GOOD
    record.end.mark = None
    assert record.end.mark is None
    with pytest.raises(ValueError, match="brilliant"):
        record.end.mark = "brilliant"


def test_the_root_is_neither_promoted_nor_removed(record):
    record.root.promote()
    record.root.remove()
    assert (record.root.text, record.root.move, record.root.depth) == ("", None, 0)
    assert [node.text for node in record.end.path()] == ["a1", "swap", "b2", "c1"]
    assert Record(record.game).end.parent is None
    assert record.root.next is record.root.children[0]
    assert record.end.next is None


def test_records_of_different_games_do_not_merge(record):
    with pytest.raises(InvalidRecordError, match="begins elsewhere"):
        record.merge(Record(Hex(size=4)))


def test_merging_keeps_siblings_in_order_on_both_sides(record):
    other = Record(record.game)
    for move in ("b1", "c1", "c2"):
        other.root.add(move)
    record.merge(other)
    assert [child.text for child in record.root.children] == ["a1", "b1", "c1", "c2"]


@pytest.mark.parametrize(
    "result",
    [
        Result(Color.BLACK, Reason.CONNECTION),
        Result(Color.RED, Reason.RESIGNATION),
        Result(None, Reason.FULL_BOARD),
    ],
)
def test_a_result_that_the_moves_do_not_bear_out_is_a_fault(record, result):
    record.result = result
    with pytest.raises(InvalidRecordError):
        record.check()


def test_a_winner_that_the_moves_contradict_is_a_fault():
    record = Record.from_moves(Hex(size=2, swap="off"), ["a1", "b1", "a2"])
    assert not record.faults()
    record.result = Result(Color.WHITE, Reason.CONNECTION)
    [fault] = record.faults()
    assert (fault.code, fault.where) == ("record/result", "result")
    assert fault.message == (
        "the result is White wins by connection, but the moves end with: Black wins by connection"
    )


def test_where_one_of_several_resigns_there_is_no_winner_and_no_draw():
    result = Result(None, Reason.TIME, loser=Color.BLACK)
    assert result.is_given_up
    assert not result.is_draw
    assert not Result(Color.RED, Reason.TIME).is_given_up
    assert Result(None, Reason.AGREEMENT).is_draw
    assert Result(None, Reason.FULL_BOARD).is_draw
    for reason in (Reason.VOID, Reason.ABANDONED, Reason.UNKNOWN):
        assert not Result(None, reason).is_draw
    assert not Result(Color.RED, Reason.AGREEMENT).is_draw
    assert not Result(None, Reason.AGREEMENT).is_given_up


@pytest.mark.parametrize("file_format", ["json", "sgf"])
def test_records_name_the_colour_that_gave_up(file_format):
    game = Antipalos(size=12, seats="cutthroat3")
    record = Record.from_moves(game, ())
    record.result = Result(None, Reason.TIME, "at night", game.colors[1])
    assert read_record(write_record(record, file_format)).result == record.result
    record.result = Result(None, Reason.TIME, loser=Color.VERT)
    with pytest.raises(InvalidRecordError, match="the loser is vert, but colours here are"):
        write_record(record, file_format)


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (Result(Color.RED, Reason.RESIGNATION), "Red wins by resignation"),
        (Result(Color.RED, Reason.UNKNOWN), "Red wins"),
        (Result(None, Reason.AGREEMENT, "dinner"), "Draw by agreement (dinner)"),
        (
            Result(None, Reason.RESIGNATION, loser=Color.BLACK),
            "No winner, ended by resignation (Black is out)",
        ),
        (
            Result(None, Reason.TIME, "at night", Color.RED),
            "No winner, ended by time (Red is out; at night)",
        ),
        (Result(None, Reason.TIME), "No winner, ended by time"),
        (Result(None, Reason.ABANDONED), "Abandoned"),
        (Result(None, Reason.VOID, "a\nb"), "No result (a b)"),
        (Result(Color.RED, Reason.FORFEIT), "Red wins by forfeit"),
        (Result(Color.RED, Reason.ABANDONED), "Red wins"),
        (Result(), "Result unknown"),
    ],
)
def test_results_are_said_in_words(result, sentence):
    assert str(result) == sentence


def test_a_setup_that_its_game_refuses_is_composed():
    class Refusing(Hex):
        def position(self, setup=None):
            raise InvalidPositionError([Fault("position/refused", "not this one")])

    game = Hex(size=3)
    assert _settled(Refusing(size=3), game.initial()).composed
    assert not _settled(game, game.initial()).composed


def test_trees_with_other_moves_notes_or_branches_differ(record):
    again = Record.from_moves(Hex(size=3), ["a1", "swap", "b2", "c1"])
    assert record.root.same_tree(again.root)
    again.root.children[0].comment = "good"
    assert not record.root.same_tree(again.root)
    again.root.children[0].comment = ""
    assert record.root.same_tree(again.root)
    again.root.add("c3")
    assert not record.root.same_tree(again.root)
    assert repr(again.root) == "<Node root, 2 after it>"
    assert repr(again.root.children[0]) == "<Node a1, 1 after it>"
