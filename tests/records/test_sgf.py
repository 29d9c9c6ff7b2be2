"""SGF: what other programs write is read, what we write is what they expect."""

import codecs

import pytest

from antipodes import Antipalos, Antipod, Antipode, Color, Hex, Setup
from antipodes.errors import InvalidRecordError
from antipodes.records import (
    Mark,
    Reason,
    Record,
    Result,
    from_sgf,
    from_sgf_leniently,
    read_record,
    record_titles,
    to_sgf,
    write_record,
)
from antipodes.records.sgf.names import is_ours


def faults_of(source):
    with pytest.raises(InvalidRecordError) as caught:
        from_sgf(source)
    return caught.value.faults


def texts(record):
    return [node.text for node in record.main_line()]


# --- Hex, as other programs have it -----------------------------------------------------------


def test_hex_is_written_as_other_programs_read_it():
    record = Record.from_moves(Hex(), ["a2", "swap", "c3"])
    record.players = ("Ann", "Ben")
    record.result = Result(Color.WHITE, Reason.RESIGNATION)
    text = to_sgf(record)
    for part in ("GM[11]", "FF[4]", "SZ[11]", "PB[Ann]", "PW[Ben]", "RE[W+R]", "CA[UTF-8]"):
        assert part in text
    assert ";B[a2];W[swap-pieces];B[c3]" in text.replace("\n", "")


def test_both_kinds_of_swap_are_read_without_our_own_properties():
    pieces = from_sgf("(;FF[4]GM[11]SZ[5];B[a2];W[swap-pieces];B[c3])")
    sides = from_sgf("(;FF[4]GM[11]SZ[5];B[a2];W[swap-sides];W[c3])")
    assert pieces.game.options.swap == "pieces"
    assert sides.game.options.swap == "sides"
    assert texts(pieces) == texts(sides) == ["a2", "swap", "c3"]


def test_small_and_capital_letters_are_the_same():
    assert texts(from_sgf("(;GM[11]SZ[5];B[A2];W[b3])")) == ["a2", "b3"]


def test_the_board_is_eleven_by_eleven_if_nothing_is_said():
    assert from_sgf("(;GM[11])").game == Hex()


def test_a_resignation_as_a_last_move_is_the_result():
    record = from_sgf("(;GM[11]SZ[5];B[a2];W[b2];B[resign])")
    assert texts(record) == ["a2", "b2"]
    assert record.result == Result(Color.WHITE, Reason.RESIGNATION)


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("B+", Result(Color.BLACK)),
        ("B+R", Result(Color.BLACK, Reason.RESIGNATION)),
        ("W+Resign", Result(Color.WHITE, Reason.RESIGNATION)),
        ("W+Time", Result(Color.WHITE, Reason.TIME)),
        ("W+F", Result(Color.WHITE, Reason.FORFEIT)),
        ("black", Result(Color.BLACK)),
        ("Void", Result(None, Reason.VOID)),
        ("?", Result(None, Reason.UNKNOWN)),
        ("0", Result(None, Reason.AGREEMENT)),
        ("who knows", Result(None, Reason.UNKNOWN, "who knows")),
    ],
)
def test_results_of_other_programs(value, result):
    assert from_sgf(f"(;GM[11]RE[{value}];B[a1])").result == result


def test_the_reason_of_a_win_is_found_out_from_the_moves():
    record = from_sgf("(;GM[11]SZ[2]RE[B+];B[a1];W[b1];B[a2])")
    assert record.result == Result(Color.BLACK, Reason.CONNECTION)


def test_stones_set_up_at_the_root_are_the_start():
    record = from_sgf("(;GM[11]SZ[3]AB[a1][b2]AW[c1:c2]PL[W];W[b1])")
    assert record.start == Setup(
        stones=(("a1", "black"), ("c1", "white"), ("b2", "black"), ("c2", "white")),
        to_move="white",
        composed=True,
    )


def test_a_start_is_shown_to_other_programs():
    game = Hex(size=3, swap="off")
    record = Record(game, Setup(stones=(("a1", "black"), ("b2", "white"))))
    text = to_sgf(record)
    assert "AB[a1]" in text
    assert "AW[b2]" in text
    assert "PL[B]" in text


def test_variations_comments_and_times_are_read():
    record = from_sgf(
        r"(;GM[11]SZ[5]C[root];B[a2]BL[10.5]C[with \] and \\ and \: and \(];W[b2]WL[3]TE[2]"
        "(;B[c3];W[d4])(;B[c4]N[other]))"
    )
    first, second, third, _ = record.main_line()
    assert record.root.comment == "root"
    assert first.comment == r"with ] and \ and : and ("
    assert (first.time_left, second.time_left) == (10.5, 3)
    assert second.mark is Mark.VERY_GOOD
    assert third.text == "c3"
    assert second.children[1].extra == {"sgf": {"N": ["other"]}}


def test_a_comment_of_its_own_belongs_to_the_move_before():
    record = from_sgf("(;GM[11];B[a1]C[one];C[two];C[three];W[b2])")
    assert [node.comment for node in record.main_line()] == ["one\ntwo\nthree", ""]


def test_line_ends_that_are_escaped_are_none():
    record = from_sgf("(;GM[11]C[a\\\nb\r\nc\n\rd])")
    assert record.root.comment == "ab\nc\nd"


def test_what_is_not_understood_is_written_again():
    text = to_sgf(from_sgf(r"(;GM[11]GN[Final]AP[HexGui:0.9]KM[6.5];B[a1]LB[a1:x\]][b2:y])"))
    for part in ("GN[Final]", "AP[HexGui:0.9]", "KM[6.5]", r"LB[a1:x\]][b2:y]"):
        assert part in text


@pytest.mark.parametrize("name", ["UTF-8", "ISO-8859-1", "windows-1252", "utf-16"])
def test_encodings_are_those_that_the_file_names(name):
    data = f"(;GM[11]CA[{name}]PB[Zoë])".encode(name)
    assert from_sgf(data).players[0] == "Zoë"


@pytest.mark.parametrize("name", ["GBK", "Big5", "Shift_JIS", "EUC-JP"])
def test_encodings_whose_characters_hold_brackets_and_backslashes(name):
    # In these the second byte of a character can be a backslash or a bracket.
    text = {"GBK": "歖昞", "Big5": "功許", "Shift_JIS": "表十", "EUC-JP": "表十"}[name]
    assert from_sgf(f"(;GM[11]CA[{name}]C[{text}])".encode(name)).root.comment == text


def test_without_a_name_the_encoding_is_utf8_or_latin1():
    assert from_sgf("(;GM[11]PB[Zoë])".encode()).players[0] == "Zoë"
    assert from_sgf("(;GM[11]PB[Zoë])".encode("latin-1")).players[0] == "Zoë"
    assert read_record(b"\xef\xbb\xbf(;GM[11]PB[Zo\xc3\xab])").players[0] == "Zoë"


# --- Hex, as Little Golem has it ----------------------------------------------------------------


LITTLE_GOLEM = (
    "(;FF[4]EV[hex.ch.32.2.1]PB[Ann]PW[Ben]SZ[13]RE[B]GC[game #1]SO[https://www.littlegolem.net];"
)


def test_records_of_little_golem_are_read():
    record = from_sgf(LITTLE_GOLEM + "W[am];B[swap];W[ii];B[gh];W[de];B[resign])")
    assert record.game == Hex(size=13, swap="pieces")
    assert texts(record) == ["a13", "swap", "i9", "g8", "d5"]
    assert record.players == ("Ann", "Ben")
    assert record.result == Result(Color.BLACK, Reason.RESIGNATION)
    assert record.comment == "game #1"
    assert from_sgf(to_sgf(record)) == record


def test_the_first_player_of_little_golem_joins_top_and_bottom():
    text = LITTLE_GOLEM.replace("13", "2") + "W[aa];B[ba];W[ab])"
    assert from_sgf(text).result == Result(Color.BLACK, Reason.CONNECTION)


@pytest.mark.parametrize(
    ("head", "game"),
    [
        ("EV[hex.in.DEFAULT.14]", "hex"),
        ("EV[null]SO[http://www.littlegolem.com]", "hex"),
        ("EV[null]SO[http://www.littlegolem.com]KM[6.5]", None),
        ("EV[go19.ch.10.4.3]SO[http://www.littlegolem.com]KM[6.5]", None),
        ("SO[https://example.org]", None),
        ("GM[1]EV[hex.in.DEFAULT.14]", None),
    ],
)
def test_records_without_gm_are_hex_only_where_little_golem_says_so(head, game):
    text = f"(;FF[4]{head};W[ac];B[ie])"
    if game is None:
        assert faults_of(text)[0].code == "record/other-game"
    else:
        assert from_sgf(text).game.id == game
        assert from_sgf(text).event in ("", "hex.in.DEFAULT.14")


def test_the_variations_of_little_golem_are_read():
    record = from_sgf(LITTLE_GOLEM + "W[am](;B[swap])(;B[ab];W[cd]))")
    assert [node.text for node in record.root.children[0].children] == ["swap", "a2"]


def test_a_resignation_as_a_last_move_says_why_the_winner_won():
    record = from_sgf("(;GM[11]SZ[5]RE[W+];B[a2];W[b2];B[resign])")
    assert record.result == Result(Color.WHITE, Reason.RESIGNATION)


def test_a_result_against_the_last_move_is_told():
    record, faults = from_sgf_leniently("(;GM[11]SZ[5]RE[B+T];B[a2];W[b2];B[resign])")
    assert record.result == Result(Color.BLACK, Reason.TIME)
    (fault,) = faults
    told = "RE says Black wins on time, but the last move says White wins by resignation"
    assert fault.message == told


# --- Hex, as HexGui and benzene have it ---------------------------------------------------------


def test_stones_set_up_before_the_first_move_are_the_start():
    record = from_sgf("(;GM[11]SZ[5];AB[a1:b1][c2];AW[d3]AE[b1];PL[W];W[e5];B[e4])")
    assert record.start is not None
    assert sorted(record.start.stones) == [("a1", "black"), ("c2", "black"), ("d3", "white")]
    assert texts(record) == ["e5", "e4"]
    assert from_sgf(to_sgf(record)) == record


def test_stones_set_up_after_a_move_end_the_line_before():
    record, faults = from_sgf_leniently("(;GM[11]SZ[5];AB[a1];W[e5];AB[b2];W[c3])")
    assert texts(record) == ["e5"]
    assert [fault.code for fault in faults] == ["record/late-setup"]
    assert record.start is not None


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("(;GM[11]SZ[5];W[a1];B[b2])", Color.WHITE),
        ("(;GM[11]SZ[5];AB[a1]AW[b1];W[c3])", Color.WHITE),
        ("(;GM[11]SZ[5];AB[a1]AW[b1]PL[B];W[c3])", Color.WHITE),
        ("(;GM[11]SZ[5];AB[a1](;B[c3])(;B[d3]))", Color.BLACK),
        ("(;GM[11]SZ[5];AB[a1]AW[b1]PL[W])", Color.WHITE),
        ("(;GM[11]SZ[5];AB[a1]AW[b1])", Color.BLACK),
        ("(;GM[11]SZ[5];AB[a1])", Color.WHITE),
        ("(;GM[11]SZ[5]PL[W])", Color.WHITE),
    ],
)
def test_the_first_move_tells_which_colour_begins(text, first):
    record = from_sgf(text)
    assert record.root.position.to_move is first
    assert from_sgf(to_sgf(record)) == record


@pytest.mark.parametrize(
    ("word", "after", "swap", "is_noted"),
    [
        ("swap-pieces", "W", "sides", True),
        ("SWAP", "W", "sides", True),
        ("swap-sides", "W", "sides", False),
        ("swap-sides", "B", "pieces", True),
        ("swap", "B", "pieces", True),
        ("swap-pieces", "B", "pieces", False),
    ],
)
def test_the_colour_after_a_swap_tells_its_kind(word, after, swap, is_noted):
    text = f"(;GM[11]SZ[5];B[b1];W[{word}]C[well];{after}[c3])"
    record = from_sgf(text)
    assert record.game == Hex(size=5, swap=swap)
    assert texts(record) == ["b1", "swap", "c3"]
    comment = record.root.children[0].children[0].comment
    assert comment.startswith("well")
    assert (f"calls this move {word}; the next move shows that {swap}" in comment) == is_noted
    assert from_sgf(to_sgf(record)) == record


def test_a_resignation_in_a_variation_is_a_comment():
    record = from_sgf("(;GM[11]SZ[5];B[a2](;W[b2];B[c2])(;W[b3];B[resign])(;W[resign]))")
    assert record.result is None
    first = record.root.children[0]
    assert [node.text for node in first.children] == ["b2", "b3"]
    assert first.children[1].comment == "White wins by resignation"
    assert first.comment == "Black wins by resignation"


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("(;GM[11]SZ[13];W[am];B[ii])", ["a13", "i9"]),
        ("(;GM[11]SZ[13];B[am];W[ii])", ["a13", "i9"]),
    ],
)
def test_points_of_two_letters_are_read_in_numbered_records(text, moves):
    record = from_sgf(text)
    assert texts(record) == moves
    assert record.start is None


# --- files of several games, and encodings -------------------------------------------------------


COLLECTION = "(;GM[11]SZ[3];B[a1])\n(;GM[11]SZ[4];B[b2])\n(;GM[1])\n(;)\n"


def test_a_game_of_several_is_chosen_by_its_number():
    assert len(record_titles(COLLECTION)) == 3
    assert read_record(COLLECTION, game=1).game == Hex(size=3)
    assert texts(read_record(COLLECTION, game=2)) == ["b2"]
    for number in (0, -1, 4):
        with pytest.raises(InvalidRecordError, match=f"no game {number}; the file has 3") as raised:
            read_record(COLLECTION, game=number)
        assert raised.value.code == "record/no-such-game"
    with pytest.raises(InvalidRecordError, match="no game 2; the file has 1"):
        read_record(write_record(read_record(COLLECTION, game=1)), game=2)


def test_the_games_of_a_file_are_listed_by_players_and_event():
    text = "(;GM[11]PB[Ann]PW[B\\]n]EV[Cup];B[a1]PB[no])(;)(;GM[11]PW[Dan])(;GM[11]C[x](;B[a1]))"
    assert record_titles(text) == ["Ann – B]n, Cup", "Dan", ""]
    assert record_titles(write_record(read_record(text, game=1))) == [""]


def test_an_empty_game_does_not_hide_the_next_one():
    assert from_sgf("(;)\n(;GM[11]SZ[4])").game == Hex(size=4)
    assert faults_of("(;)")[0].code == "record/other-game"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_text_with_two_bytes_for_each_character_needs_no_mark(encoding):
    data = "(;GM[11]SZ[5]PB[Zoë Łuk];B[a2])".encode(encoding)
    record = read_record(data)
    assert record.players[0] == "Zoë Łuk"
    assert texts(record) == ["a2"]
    assert record_titles(data) == ["Zoë Łuk"]


# --- the other games ----------------------------------------------------------------------------


def test_black_and_white_keep_their_letters():
    record = Record.from_moves(Antipod(side=4), ["d3", "e3"])
    assert ";W[d3];B[e3]" in to_sgf(record).replace("\n", "")  # lines are folded anywhere


def test_other_colours_take_letters_in_the_order_of_turns():
    game = Antipode()
    move = game.initial().format_move(next(iter(game.initial().legal_moves)))
    assert f";B[{move}]" in to_sgf(Record.from_moves(game, [move]))


def test_third_and_fourth_colours_name_themselves():
    game = Antipalos(size=12, seats="cutthroat4")
    record = Record.from_moves(game, ["A1*", "B1*", "C1*", "*D1"])
    record.end.time_left = 7
    record.players = ("a", "b", "c", "d:]")
    text = to_sgf(record)
    assert ";W[A1*];B[B1*];XM[red:C1*];XL[7]XM[blue:*D1]" in text.replace("\n", "")
    assert from_sgf(text) == record


# --- faults ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("nothing", "record/not-sgf", ""),
        ("(;GM[11]", "record/not-sgf", "line 1, column 9"),
        ("(;GM[11];B[a1]\n;W[b2", "record/not-sgf", "line 2, column 3"),
        ("(;GM[11];B[a1];\n ?)", "record/not-sgf", "line 2, column 2"),
        ("(;GM[11];B;W[b1])", "record/not-sgf", "line 1, column 11"),
        ("(;GM[11];[a1])", "record/not-sgf", "line 1, column 10"),
        ("(;GM[11](B[a1]))", "record/not-sgf", "line 1, column 10"),
        ("(;GM[11])(;GM[11])", "record/several-games", "line 1, column 10"),
        ("(;GM[1];B[aa])", "record/other-game", "line 1, column 2"),
        ("(;B[aa])", "record/other-game", "line 1, column 2"),
        ("(;GM[2])", "record/other-game", "line 1, column 2"),
        ("(;GM[0]XG[chess])", "game/unknown", "line 1, column 2"),
        ("(;GM[11]SZ[99])", "option/out-of-range", "line 1, column 2"),
        ("(;GM[11]SZ[9:11])", "record/sgf-value", "line 1, column 2"),
        ("(;GM[11];B[a1]\n;W[a1])", "move/occupied", "line 2, column 1"),
        ("(;GM[11];B[a1];\nB[a2])", "record/turn", "line 1, column 15"),
        ("(;GM[11];B[a1]W[a2])", "record/several-moves", "line 1, column 9"),
        ("(;GM[11];B[a1];W[pass])", "record/pass", "line 1, column 15"),
        ("(;GM[11];B[a1];W[])", "record/pass", "line 1, column 15"),
        ("(;GM[11];B[a1];AW[b2])", "record/late-setup", "line 1, column 15"),
        ("(;GM[11];B[a1]BL[soon])", "record/sgf-value", "line 1, column 9"),
        ("(;GM[11];B[resign];W[a1])", "record/sgf-value", "line 1, column 9"),
        ("(;GM[11]XO[swap:pieces];B[a1];W[swap-sides])", "record/sgf-value", "line 1, column 30"),
        ("(;GM[11]XJ[{])", "record/sgf-value", "line 1, column 2"),
        ("(;GM[11]RE[W+]XR[black][resignation][])", "record/sgf-value", "line 1, column 2"),
        ("(;GM[11]XS[{}])", "record/sgf-value", "line 1, column 2"),
        ("(;GM[0]XG[antipod]AB[a1])", "record/start", "line 1, column 2"),
    ],
)
def test_faults_have_a_code_and_a_place(text, code, where):
    assert (code, where) in [(fault.code, fault.where) for fault in faults_of(text)]


def test_all_faults_are_found_at_once():
    text = "(;GM[11]SZ[3]\n(;B[a1];W[a1])\n(;B[z9])\n(;B[b2]TE[1]BM[1]))"
    assert [fault.where for fault in faults_of(text)] == [
        "line 4, column 2",
        "line 2, column 8",
        "line 3, column 2",
    ]


def test_an_unfinished_file_is_kept_as_far_as_it_goes():
    record, faults = from_sgf_leniently("(;GM[11]SZ[5];B[a1];W[b2](;B[c3];W[")
    assert texts(record) == ["a1", "b2", "c3"]
    assert faults


def test_an_unknown_encoding_is_a_fault():
    assert faults_of(b"(;GM[11]CA[zip])")[0].code == "record/encoding"
    assert faults_of(b"(;GM[11]CA[ascii]C[\xff])")[0].code == "record/encoding"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("(;GM[11]SZ[5]XO[size:6])", "SZ says '5', but XO says 6"),
        ("(;GM[11]XV[x])", "XV is 'x', but must be a whole number"),
        ("(;GM[11]XV[1234567])", "XV is '1234567', but must be a whole number"),
        ("(;GM[11]XJ[3])", "XJ must hold an object"),
        ("(;GM[11]XE[3])", "XE must hold an object"),
        ("(;GM[11]XM[pink:a1])", "'pink' is not a colour of Hex"),
        ("(;GM[11]XM[red:a1])", "'red' is not a colour of Hex"),
        ("(;GM[11]XM[:a1])", "'' is not a colour of Hex"),
    ],
)
def test_values_that_mean_nothing_here_are_named(text, told):
    [fault] = faults_of(text)
    assert (fault.code, fault.where) == ("record/sgf-value", "line 1, column 2")
    assert fault.message == told


def test_a_record_goes_on_after_values_that_mean_nothing_here():
    text = "(;GM[11]SZ[5]XO[size:5]XV[x]XJ[3];B[a1]XE[3];XM[pink:b2])"
    record, faults = from_sgf_leniently(text)
    assert len(faults) == 4
    assert (record.game, texts(record)) == (Hex(size=5), ["a1"])
    assert (record.extra, record.end.extra) == ({}, {})


def test_the_version_of_the_rules_has_six_digits_at_most():
    assert faults_of("(;GM[11]XV[123456])")[0].code == "record/newer-rules"
    assert from_sgf("(;GM[11]XV[ 1 ])").game == Hex()


def test_what_is_not_understood_takes_the_place_of_other_data_under_its_name():
    record = from_sgf('(;GM[11];B[a1]XE[{"sgf": 3, "a": 1}]ZZ[q])')
    assert record.end.extra == {"a": 1, "sgf": {"ZZ": ["q"]}}


@pytest.mark.parametrize("name", ["nonsense", "a\0b", "zip"])
def test_a_file_in_an_unknown_encoding_is_read_as_utf8(name):
    record, [fault] = from_sgf_leniently(f"(;GM[11]CA[{name}]PB[Zoë])".encode())
    shown = name.replace("\0", "\\x00")
    assert (fault.code, fault.where) == ("record/encoding", "CA")
    assert fault.message == f"the encoding '{shown}' is not known; read as UTF-8"
    assert record.players[0] == "Zoë"


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF8, "utf-8"),
    ],
)
def test_a_byte_order_mark_goes_before_the_encoding_that_the_file_names(mark, name):
    record = from_sgf(mark + "(;GM[11]CA[latin-1]PB[Zoë])".encode(name))
    assert record.players[0] == "Zoë"


def test_only_what_we_write_of_ourselves_is_ours():
    assert is_ours("AP", ["Antipodes:1"], "Hex")
    assert is_ours("GN", ["Hex"], "Hex")
    for values in ("Antipodes:1", [], None, ["HexGui:1"]):
        assert not is_ours("AP", values, "Hex")
    assert not is_ours("GN", ["Hex", "Hex"], "Hex")
    assert not is_ours("KM", ["Hex"], "Hex")


def test_thousands_of_variations_inside_each_other_are_no_trouble(deep_record):
    assert from_sgf(to_sgf(deep_record)) == deep_record


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[11]" + "(" * 5000,
        "(;GM[11]" + "(;C[x]" * 10_000,
        "(;GM[11]" + ";C[x]" * 10_000,
        "(;GM[11]C[" + "\\a" * 100_000,
        "(" * 10_000,
    ],
)
def test_endless_nesting_is_refused(text):
    assert faults_of(text)
