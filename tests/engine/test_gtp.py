"""The commands of the GTP engine, one by one."""

import logging
import math
import re

import pytest

import antipodes
from antipodes.engine import GtpEngine
from antipodes.engine.commands import COMMANDS
from antipodes.engine.counting import estimate
from antipodes.engine.wire import MAX_LINE
from antipodes.games.registry import game_ids, make_game
from antipodes.search.players import make_player
from tests.cases import for_each

from .helpers import FirstMove, ask, engine, refusal

REQUIRED = {
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "play", "genmove", "undo", "showboard"),
    *("all_legal_moves", "winner", "set_option", "perft"),
}


# --- lines and answers ----------------------------------------------------------------------


def test_the_engine_introduces_itself():
    gtp = engine()
    assert ask(gtp, "protocol_version") == "2"
    assert ask(gtp, "name") == "Antipodes"
    assert ask(gtp, "version") == antipodes.__version__


def test_every_listed_command_is_known_and_the_required_ones_are_listed():
    gtp = engine()
    listed = ask(gtp, "list_commands").split("\n")
    assert set(listed) >= REQUIRED
    assert listed == sorted(COMMANDS)
    assert all(ask(gtp, f"known_command {name}") == "true" for name in listed)
    assert ask(gtp, "known_command estimate_score") == "false"


@for_each(
    "name, least, most",
    [
        ("list_commands", 0, 0),
        ("known_command", 1, 1),
        ("ponder", 0, 1),
        ("boardsize", 1, 2),
        ("kgs-time_settings", 1, 4),
        ("play", 2, math.inf),
        ("set_option", 0, math.inf),
    ],
)
def test_the_usage_of_a_command_limits_its_arguments(name, least, most):
    refused = f"syntax error; write {COMMANDS[name].usage}"
    for count in (least - 1, least, least + 1, least + 2, least + 3, least + 4):
        if count >= 0:
            answer = engine().handle_line(" ".join([name, *["x"] * count]))
            assert (refused in answer) != (least <= count <= most)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("12 protocol_version", "=12 2"),
        ("  007\tprotocol_version  ", "=007 2"),
        ("protocol_version\r\n", "= 2"),
        ("protocol\x00_version\x07\n", "= 2"),
        ("protocol_version # 3", "= 2"),
        ("protocol_version#3", "= 2"),
        ("3 clear_board", "=3 "),
        ("3 nonsense", "?3 unknown command 'nonsense'; see list_commands"),
        ("3", "?3 there is no command after the number"),
        ("3name", "? unknown command '3name'; see list_commands"),
        ("NAME", "? unknown command 'NAME'; see list_commands"),
        ("3 play black", "?3 syntax error; write play COLOR MOVE..."),
        ("known_command", "? syntax error; write known_command NAME"),
        ("name please", "? syntax error; write name"),
        ("", None),
        (" \t \r\n", None),
        ("# name", None),
        ("\x01\x02\x7f\n", None),
    ],
)
def test_lines_are_cleaned_and_answers_carry_the_number(line, answer):
    assert engine().handle_line(line) == answer


def test_a_line_that_is_too_long_is_refused_unread():
    gtp = engine()
    assert gtp.handle_line("5 play black a1 " + "x" * MAX_LINE) == "?5 the line is too long"
    assert gtp.handle_line(" " * MAX_LINE + "name") == "? the line is too long"
    assert gtp.handle_line("#" + "x" * MAX_LINE) is None
    assert gtp.handle_line(" " * MAX_LINE) is None
    assert gtp.position.ply == 0


def test_quit_is_answered_and_remembered():
    gtp = engine()
    assert not gtp.quit_requested
    assert gtp.handle_line("9 quit") == "=9 "
    assert gtp.quit_requested


@pytest.mark.parametrize("game_id", game_ids())
def test_no_answer_contains_an_empty_line(game_id):
    gtp = engine(game_id)
    for command in (
        "showboard",
        "list_commands",
        "list_options",
        "set_option",
        "hexgui-analyze_commands",
    ):
        assert "" not in ask(gtp, command).split("\n")[1:]


def test_a_fault_of_the_program_is_an_answer_and_a_log_entry(caplog):
    class Broken(FirstMove):
        def choose(self, position, progress=None):
            return 10**9

    gtp = GtpEngine(make_game("hex"), Broken)
    with caplog.at_level(logging.ERROR):
        assert refusal(gtp, "genmove black") == "internal error: RuntimeError"
    assert "genmove black" in caplog.text
    assert ask(gtp, "play black a1") == ""


# --- the board ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game_id", "line", "options"),
    [
        ("hex", "boardsize 7", {"size": 7}),
        ("hex", "boardsize 7 7", {"size": 7}),
        ("cylindrical-hex", "boardsize 8 6", {"columns": 8, "rows": 6}),
        ("cylindrical-hex", "boardsize 8", {"columns": 8, "rows": 8}),
        ("antipod", "boardsize 4", {"side": 4}),
        ("antipalos", "boardsize 12", {"size": 12, "rods": 18}),
        ("antipode", "boardsize 5", {}),
    ],
)
def test_boardsize_chooses_the_size_and_clears_the_board(game_id, line, options):
    gtp = engine(game_id)
    ask(gtp, f"genmove {gtp.position.to_move}")
    ask(gtp, line)
    assert gtp.game == make_game(game_id, options)
    assert gtp.position == gtp.game.initial()
    assert refusal(gtp, "undo") == "cannot undo: this is the start"


@pytest.mark.parametrize(
    ("game_id", "line"),
    [
        ("hex", "boardsize 1"),
        ("hex", "boardsize 27"),
        ("hex", "boardsize 11 10"),
        ("hex", "boardsize eleven"),
        ("hex", "boardsize -3"),
        ("hex", "boardsize default"),
        ("hex", "boardsize 99999999999999999999999"),
        ("cylindrical-hex", "boardsize 2 2"),
        ("antipod", "boardsize 4 5"),
        ("antipod", "boardsize 11"),
        ("antipalos", "boardsize 13"),
        ("antipode", "boardsize 6"),
    ],
)
def test_a_size_that_the_game_does_not_have_is_refused(game_id, line):
    gtp = engine(game_id)
    ask(gtp, f"genmove {gtp.position.to_move}")
    assert refusal(gtp, line).startswith("unacceptable size")


@pytest.mark.parametrize("game_id", game_ids())
def test_showboard_gives_picture_and_caption(game_id):
    gtp = engine(game_id)
    lines = ask(gtp, "showboard").split("\n")
    assert lines[0] == ""
    assert lines[-1] == gtp.position.caption()
    picture = [line.strip() for line in gtp.position.picture().split("\n")]
    assert [line.strip() for line in lines[1:-1]] == picture


def test_clear_board_keeps_the_options():
    gtp = engine("hex", size=4, swap="off")
    ask(gtp, "play black a1")
    ask(gtp, "clear_board")
    assert gtp.position == make_game("hex", {"size": 4, "swap": "off"}).initial()


# --- options --------------------------------------------------------------------------------


def test_options_are_listed_with_kind_and_value():
    listed = "[string/2..26] size 11\n[list/pieces/sides/off] swap pieces"
    assert ask(engine(), "list_options") == listed
    assert ask(engine(), "set_option") == listed


def test_options_are_set_before_the_first_move_only():
    gtp = engine()
    ask(gtp, "set_option swap off")
    ask(gtp, "set_option size 5")
    assert gtp.game == make_game("hex", {"size": 5, "swap": "off"})
    ask(gtp, "play black a1")
    assert "before the first move" in refusal(gtp, "set_option swap sides")
    ask(gtp, "undo")
    ask(gtp, "set_option swap sides")
    assert gtp.game == make_game("hex", {"size": 5, "swap": "sides"})


@pytest.mark.parametrize(
    "line",
    [
        "set_option size",
        "set_option size 5 swap",
        "set_option size 99",
        "set_option size five",
        "set_option swap maybe",
        "set_option colour red",
        "set_option colour default",
        "set_option size 5 swap maybe",
    ],
)
def test_a_wrong_option_is_refused_as_a_whole(line):
    refusal(engine(), line)


def test_dependent_defaults_follow_the_options_they_depend_on():
    gtp = engine("antipalos")
    ask(gtp, "set_option size 12")
    assert gtp.game.options.rods == 18
    ask(gtp, "set_option ruleset mail")
    assert gtp.game == make_game("antipalos", {"ruleset": "mail", "size": 12})
    ask(gtp, "set_option ruleset boxed")
    assert gtp.game == make_game("antipalos", {"size": 12})
    ask(gtp, "set_option rods 10")
    ask(gtp, "boardsize 14")
    assert gtp.game.options.rods == 10
    ask(gtp, "set_option rods default")
    assert gtp.game.options.rods == 21


def test_several_options_are_checked_together():
    gtp = engine("antipalos", seats="team")
    assert "seats two" in refusal(gtp, "set_option ruleset mail")
    ask(gtp, "set_option ruleset mail seats two size 5 swap off")
    wanted = {"ruleset": "mail", "size": 5, "swap": "off"}
    assert gtp.game == make_game("antipalos", wanted)


@pytest.mark.parametrize(
    "options",
    [
        {"ruleset": "mail", "size": "7"},
        {"ruleset": "mail", "swap": "off"},
        {"size": "12", "rods": "11", "seats": "cutthroat4"},
        {"phase_two_limit": "0"},
    ],
)
def test_any_valid_options_can_be_reached_from_any_others(options):
    pairs = " ".join(f"{key} {value}" for key, value in options.items())
    plain = " ".join(f"{info.name} default" for info in make_game("antipalos").option_table())
    gtp = engine("antipalos", **options)
    ask(gtp, f"set_option {plain}")
    assert gtp.game == make_game("antipalos")
    ask(gtp, f"set_option {pairs}")
    assert gtp.game == make_game("antipalos", options)


# --- colours and moves ----------------------------------------------------------------------

COLORS = {
    "antipod": ({}, ["white", "black"]),
    "hex": ({}, ["black", "white"]),
    "cylindrical-hex": ({}, ["black", "white"]),
    "antipode": ({}, ["blue", "red"]),
    "antipalos": ({}, ["white", "black"]),
    "antipalos mail": ({"ruleset": "mail"}, ["vert", "horz"]),
    "antipalos 3": ({"seats": "cutthroat3"}, ["white", "black", "red"]),
}


@pytest.mark.parametrize("case", COLORS)
def test_colours_are_read_by_word_and_first_letter_in_any_case(case):
    options, colors = COLORS[case]
    for form in (str, str.upper, str.title, lambda word: word[0], lambda word: word[0].upper()):
        gtp = engine(case.split()[0], **options)
        for color in colors:
            ask(gtp, f"genmove {form(color)}")
        assert gtp.position.ply == len(colors)


def test_a_letter_that_two_colours_share_is_refused():
    gtp = engine("antipalos", seats="cutthroat4")
    assert "black or blue" in refusal(gtp, "genmove b")
    for color in ("w", "black", "r", "blue"):
        ask(gtp, f"genmove {color}")


@pytest.mark.parametrize("word", ["green", "red", "x", "blac", "empty", "1"])
def test_a_colour_that_the_game_lacks_is_refused_by_name(word):
    assert "there are black, white" in refusal(engine(), f"play {word} a1")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("play white a1", "it is not white's turn: black is to move"),
        ("genmove white", "it is not white's turn: black is to move"),
        ("play black z9", "'z9' is not a move of Hex"),
        ("play black a0", "'a0' is not a move of Hex"),
        ("play black pass", "'pass' is not a move of Hex"),
        ("play black swap", "illegal move: swap is not legal"),
        ("play black \\xff\\x00", "is not a move of Hex"),
    ],
)
def test_a_wrong_move_is_refused_with_the_reason(line, reason):
    assert reason in refusal(engine("hex", size=5), line)


def test_an_occupied_point_is_refused():
    gtp = engine()
    ask(gtp, "play black a1")
    assert refusal(gtp, "play white a1") == "illegal move: a1 is not legal: the point is not empty"


def test_after_the_end_nothing_is_played_but_undo_goes_back():
    gtp = engine("hex", size=2, swap="off")
    for line in ("play b a1", "play w b1", "play b a2"):
        ask(gtp, line)
    assert ask(gtp, "winner") == "black"
    assert ask(gtp, "to_move") == "none"
    assert ask(gtp, "all_legal_moves") == ""
    assert set(ask(gtp, "winning_chain").split()) == {"a1", "a2"}
    for line in ("play white b2", "play black b2"):
        assert refusal(gtp, line) == "game over: Black wins by connection"
    assert ask(gtp, "final_score") == "B+"
    assert ask(gtp, "genmove white") == "resign"
    ask(gtp, "undo")
    assert ask(gtp, "winner") == "none"
    assert ask(gtp, "to_move") == "black"


def test_moves_may_be_written_with_spaces_and_escapes():
    gtp = engine("antipalos", size=12, rods=1)
    ask(gtp, "play white \\*B4")
    ask(gtp, "play black c4*")
    ask(gtp, "play white *B4 - B5 \\*")
    assert ask(gtp, "to_move") == "black"
    assert "*C4" not in ask(gtp, "all_legal_moves").split()


@pytest.mark.parametrize(("swap", "word"), [("pieces", "swap-pieces"), ("sides", "swap-sides")])
def test_hex_names_its_kind_of_swap(swap, word):
    other = {"swap-pieces": "swap-sides", "swap-sides": "swap-pieces"}[word]
    for written in (word, word.upper(), "swap"):
        gtp = engine("hex", size=3, swap=swap)
        ask(gtp, "play black a2")
        assert ask(gtp, "all_legal_moves").split()[-1] == word
        assert f"write {word}" in refusal(gtp, f"play white {other}")
        ask(gtp, f"play white {written}")
        assert gtp.position.swapped


@pytest.mark.parametrize(
    ("game_id", "options"), [("antipod", {"swap": "on"}), ("antipalos", {"ruleset": "mail"})]
)
def test_other_games_call_the_swap_swap(game_id, options):
    gtp = engine(game_id, **options)
    first, second = gtp.game.colors
    ask(gtp, f"genmove {first}")
    assert ask(gtp, "all_legal_moves").split().count("swap") == 1
    ask(gtp, f"play {second} swap")
    assert gtp.position.swapped


def test_genmove_plays_the_move_that_it_answers():
    gtp = engine("hex", size=3)
    assert ask(gtp, "genmove black") == "a1"
    assert gtp.position == make_game("hex", {"size": 3}).initial().play(0)


def test_the_computer_plays_unless_another_player_is_given():
    gtp = GtpEngine(make_game("hex", {"size": 3, "swap": "off"}))
    legal = ask(gtp, "all_legal_moves").split()
    assert ask(gtp, "genmove black") in legal


def test_a_player_that_cannot_play_here_says_so():
    gtp = GtpEngine(make_game("hex"), lambda: make_player("pairing"))
    assert refusal(gtp, "genmove black")


# --- perft ----------------------------------------------------------------------------------


def test_perft_counts_like_the_game():
    gtp = engine("hex", size=3)
    assert [ask(gtp, f"perft {depth}") for depth in range(4)] == ["1", "9", "81", "576"]
    ask(gtp, "play black b2")
    assert ask(gtp, "perft 2") == str(gtp.game.perft(2, gtp.position))


def test_an_estimate_is_exact_where_every_line_has_as_many_moves():
    position = make_game("hex", {"size": 3, "swap": "off"}).initial()
    assert [estimate(position, depth) for depth in range(4)] == [1, 9, 9 * 8, 9 * 8 * 7]


def test_perft_counts_nothing_after_the_end():
    gtp = engine("hex", size=2, swap="off")
    for line in ("play b a1", "play w b1", "play b a2"):
        ask(gtp, line)
    assert [ask(gtp, f"perft {depth}") for depth in (0, 1, 99)] == ["1", "0", "0"]


@pytest.mark.parametrize("game_id", game_ids())
def test_an_absurd_perft_is_refused_with_an_estimate(game_id):
    assert re.fullmatch(
        r"perft 9 would count about \de\+\d\d positions; 1e\+10 at most",
        refusal(engine(game_id), "perft 9"),
    )


@pytest.mark.parametrize("depth", ["-1", "100", "1.5", "two", "٣", "9" * 50])
def test_a_depth_must_be_a_small_whole_number(depth):
    assert refusal(engine(), f"perft {depth}").endswith("must be 0..99")


# --- HexGUI ---------------------------------------------------------------------------------


def test_the_menu_of_hexgui_has_lines_of_three_parts():
    for line in ask(engine(), "hexgui-analyze_commands").split("\n"):
        kind, label, command = line.split("/")
        assert kind in {"move", "string", "plist", "param", "gfx"}
        assert label
        assert ask(engine(), f"known_command {command.split()[0]}") == "true"


def test_hexgui_tells_a_human_swap_by_setting_up_the_board():
    gtp = engine("hex", size=3)
    for line in ("hexgui-analyze_commands", "boardsize 3 3", "clear_board", "play black a2"):
        ask(gtp, line)
    for line in ("clear_board", "play white b1"):
        ask(gtp, line)
    assert gtp.position.to_move.value == "black"
    assert "swap-pieces" not in ask(gtp, "all_legal_moves")
    assert ask(gtp, "genmove black") == "a1"
    ask(gtp, "play white c1")
    ask(gtp, "undo")
    ask(gtp, "undo")
    ask(gtp, "undo")
    assert gtp.position == gtp.game.initial()


def test_hexgui_may_set_stones_in_any_order_and_choose_who_moves():
    gtp = engine("hex", size=3)
    ask(gtp, "hexgui-analyze_commands")
    for line in ("play black a1", "play black c1", "play white b2", "play white a3"):
        ask(gtp, line)
    assert refusal(gtp, "play white a1").startswith("illegal move")
    assert ask(gtp, "genmove white") == "b1"
    assert gtp.position.to_move.value == "black"


def test_other_games_and_other_clients_keep_turns():
    refusal(engine("hex"), "play white a1")
    gtp = engine("cylindrical-hex")
    ask(gtp, "hexgui-analyze_commands")
    refusal(gtp, "play white a1")


# Programs that let engines play matches and solve positions.


def test_a_resignation_ends_the_game_until_it_is_undone():
    gtp = engine("hex", size=3)
    assert refusal(gtp, "final_score") == "cannot score: the game is in progress"
    ask(gtp, "play b resign")
    assert ask(gtp, "final_score") == "W+R"
    assert ask(gtp, "genmove b") == "resign"
    assert refusal(gtp, "play b a1") == "game over: black has resigned"
    ask(gtp, "undo")
    ask(gtp, "play b a1")
    assert refusal(gtp, "play b resign") == "it is not black's turn: white is to move"
    ask(gtp, "clear_board")
    assert refusal(gtp, "final_score") == "cannot score: the game is in progress"


@pytest.mark.parametrize(
    ("game_id", "color", "score"),
    [("antipode", "blue", "W+R"), ("antipode", "red", "B+R"), ("antipod", "white", "B+R")],
)
def test_a_score_has_the_letters_of_sgf(game_id, color, score):
    gtp = engine(game_id)
    if gtp.position.to_move.value != color:
        ask(gtp, f"genmove {gtp.position.to_move}")
    ask(gtp, f"play {color} resign")
    assert ask(gtp, "final_score") == score


def test_a_move_for_a_regression_test_is_not_played():
    gtp = engine("hex", size=3)
    before = gtp.position
    assert ask(gtp, "reg_genmove b") == "a1"
    assert gtp.position is before
    assert refusal(gtp, "reg_genmove w").startswith("it is not white's turn")


def test_columns_without_i_are_those_of_programs_for_go(tmp_path):
    gtp = GtpEngine(make_game("hex", {"size": 26, "swap": "off"}), FirstMove, skips_i=True)
    plain = engine("hex", size=26, swap="off")
    for theirs, ours in [("H1", "h1"), ("j2", "i2"), ("R9", "q9"), ("aa26", "z26"), ("Z3", "y3")]:
        color = gtp.position.to_move
        ask(gtp, f"play {color} {theirs}")
        ask(plain, f"play {color} {ours}")
        assert gtp.position == plain.position
    assert "j2 is not legal" in refusal(gtp, "play w j2")
    moves = ask(gtp, "all_legal_moves").split()
    assert "aa1" in moves
    assert not any(move.startswith("i") for move in moves)
    file = tmp_path / "j5.sgf"
    file.write_text("(;GM[11]SZ[9];B[j5])", encoding="utf-8")
    assert "cannot load" in refusal(gtp, f"loadsgf {file}")


def test_komi_has_no_effect_and_cpu_time_grows():
    gtp = engine("hex", size=3)
    before = gtp.position
    assert ask(gtp, "komi 6.5") == ""
    assert gtp.position is before
    assert 0 < float(ask(gtp, "cputime")) <= float(ask(gtp, "cputime"))


def test_a_position_of_a_file_is_loaded(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[11]SZ[4];AB[d4]AW[a1]PL[W];W[b2];B[c3])", encoding="utf-8")
    gtp = engine("hex", size=3)
    ask(gtp, f"loadsgf {file}")
    assert [gtp.game.options.size, gtp.position.ply, str(gtp.position.to_move)] == [4, 4, "white"]
    ask(gtp, f"loadsgf {file} 2")
    assert ask(gtp, "to_move") == "black"
    ask(gtp, "undo")
    assert ask(gtp, "to_move") == "white"
    for line, reason in [
        (f"loadsgf {file} 0", "'0' is not the number of a move, from 1 to 3"),
        (f"loadsgf {file} 4", "'4' is not the number of a move, from 1 to 3"),
        (f"loadsgf {file} x", "'x' is not the number of a move, from 1 to 3"),
        ("loadsgf /none.sgf", "cannot load file: '/none.sgf' cannot be read: no such file"),
    ]:
        assert refusal(gtp, line).startswith(reason)
    assert "not of Antipode" in refusal(engine("antipode"), f"loadsgf {file}")


def test_a_file_keeps_the_options_that_it_does_not_tell(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[11]SZ[4];B[b2])", encoding="utf-8")
    gtp = engine("hex", size=3, swap="off")
    ask(gtp, f"loadsgf {file}")
    assert gtp.game.options.as_dict() == {"size": 4, "swap": "off"}
    assert "swap-pieces" not in ask(gtp, "all_legal_moves")
    file.write_text("(;GM[11]SZ[4];B[b2];W[swap-pieces])", encoding="utf-8")
    ask(gtp, f"loadsgf {file}")
    assert gtp.game.options.as_dict() == {"size": 4, "swap": "pieces"}
