"""Tests of ``antipodes play`` in line mode."""

import json
import random
import re

import pytest

from antipodes.cli.line_mode.commands import COMMANDS
from antipodes.games.registry import game_ids, make_game
from antipodes.records import load
from tests.cli.tools import environment, run, run_process

PROMPT = "(help for help): "
SMALL = {
    "antipod": {"side": 3},
    "antipalos": {"size": 5, "ruleset": "mail"},
    "antipode": {},
    "hex": {"size": 4},
    "cylindrical-hex": {"rows": 4, "columns": 4},
}


def settings(options):
    return [word for key, value in options.items() for word in ("--set", f"{key}={value}")]


def two_people(game):
    return [word for seat in range(game.seats) for word in ("--seat", f"{seat + 1}=human")]


def play(game_id, text, *arguments, **options):
    return run("play", game_id, "--line", *arguments, text=text, **options)


def hex4(text, *arguments):
    """Play Hex of size 4 with people on both sides."""
    people = ["--black", "human", "--white", "human"]
    done = play("hex", text, "--set", "size=4", *people, *arguments)
    assert done.exit_code == 0, done.output
    return done.output


def random_game(game_id, options, seed):
    """Return the text of the moves of a random game and its last position."""
    chance = random.Random(seed)
    position = make_game(game_id, options).initial()
    texts = []
    while position.outcome is None:
        move = chance.choice(list(position.legal_moves))
        texts.append(position.format_move(move))
        position = position.play(move)
    return texts, position


@pytest.mark.parametrize("game_id", game_ids())
def test_a_whole_game_can_be_piped_in(game_id, tmp_path):
    texts, last = random_game(game_id, SMALL[game_id], seed=1)
    file = tmp_path / "game.json"
    arguments = ["play", game_id, *settings(SMALL[game_id]), *two_people(last.game)]
    done = run(*arguments, "--save", file, text="\n".join(texts) + "\n")
    assert (done.exit_code, done.stderr) == (0, "")
    assert f"{last.game.title}: {last.outcome}." in done.stdout
    assert last.picture() in done.stdout
    assert load(file).final_position() == last
    assert str(load(file).result) == str(last.outcome)


@pytest.mark.parametrize("game_id", game_ids())
def test_programs_play_a_whole_game_against_each_other(game_id):
    arguments = [word for seat in (1, 2) for word in ("--seat", f"{seat}=random")]
    done = play(game_id, "", *settings(SMALL[game_id]), *arguments, "--seed", "7")
    again = play(game_id, "", *settings(SMALL[game_id]), *arguments, "--seed", "7")
    assert done.exit_code == 0
    assert PROMPT not in done.output
    assert re.search(r": (Draw|\w+ wins) ", done.output)
    assert done.output == again.output


def test_a_person_plays_against_the_computer(call):
    arguments = ["play", "hex", "--set", "size=3", "--level", "1"]
    code, output, errors = call(*arguments, data=b"b2\na1\na2\nb3\n", environment=environment())
    assert code == 0
    assert "Black: a person, White: computer:1." in output
    assert re.search(r"White (plays|swaps)", output)
    assert "Computer thinks..." in errors
    assert "Traceback" not in errors


def test_the_pairing_player_wins_as_second_player():
    arguments = ["--set", "side=3", "--set", "handicap=none", "--black", "pairing"]
    done = play("antipod", "", *arguments, "--white", "random", "--seed", "3")
    assert "Black wins by connection" in done.output


def test_the_first_lines_are_the_game_the_players_and_the_board():
    lines = hex4("").splitlines()
    assert lines[0].startswith("Hex. Black joins")
    assert lines[1] == "Black: a person, White: a person."
    assert lines[3] == "   a b c d"


def test_the_end_of_input_ends_the_game():
    output = hex4("a1\n")
    assert output.endswith("The game is unfinished. Goodbye.\n")


def test_quit_leaves():
    assert hex4("quit\na1\n").endswith("The game is unfinished. Goodbye.\n")


def test_piped_input_is_echoed_after_the_prompt():
    assert f"Black's move {PROMPT}a1\nBlack plays a1.\n" in hex4("a1\n")


def test_empty_lines_are_ignored():
    assert "not a move" not in hex4("\n   \n\t\n")


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("z9", "'z9' is not a move of Hex"),
        ("a1\na1", "a1 is not legal: the point is not empty"),
        ("swap", "swap is not legal"),
        ("a1 b2", "'a1 b2' is not a move of Hex"),
        ("where z9", "the board has no point 'z9'"),
        ("x" * 10_000, "is not a move of Hex"),
        ("\x00", "is not a move of Hex"),
    ],
)
def test_invalid_input_is_reported_and_changes_nothing(lines, reason):
    output = hex4(f"{lines}\nboard\n")
    (message,) = [line for line in output.splitlines() if reason in line]
    assert message.endswith("The board is unchanged.")
    assert len(message) < 300


def test_help_names_every_command_and_a_move():
    output = hex4("help\n")
    for command in COMMANDS.values():
        assert f"  {command.usage} " in output
        assert command.help in output
    assert "Moves look like a1." in output


def test_moves_lists_them_all_or_those_that_begin_with_a_text():
    assert "16 legal moves:" in hex4("moves\n")
    assert "4 legal moves that begin with b:\nb1 b2 b3 b4\n" in hex4("moves B\n")
    assert "There are no legal moves that begin with q." in hex4("moves q\n")


def test_very_many_moves_are_cut_short():
    output = play("antipalos", "moves\n").output
    assert re.search(r"\.\.\. and \d+ more; moves \S\S lists", output)


def test_where_and_read_describe_the_board_in_words():
    assert "b1: black. Next to it: a1 empty" in hex4("b1\nwhere b1\n")
    assert "Black (1): b1." in hex4("b1\nread\n")


def test_a_rim_point_is_shown_with_both_names():
    assert "a1 or a12: white" in play("antipod", "where a12\n").output


def test_rods_and_pawns_are_described():
    people = ["--white", "human", "--black", "human"]
    assert "B4: a white / rod" in play("antipalos", "B4*\nwhere b4\n", *people).output
    assert "e1: the blue pawn on a blue token" in play("antipode", "where e1\n").output


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_has_rules_in_words(game_id):
    output = play(game_id, "rules\n").output
    assert f"{make_game(game_id).title}, " in output
    assert max(map(len, output.splitlines())) <= 100


@pytest.mark.parametrize("game_id", game_ids())
def test_options_are_shown_with_their_values(game_id):
    output = play(game_id, "options\n").output
    for name, value in make_game(game_id).options.as_dict().items():
        assert f"  {name}={value}  (" in output


def test_undo_between_people_takes_back_one_move():
    output = hex4("a1\nb2\nundo\nread\n")
    assert "Taken back: 1 move." in output
    assert "Black (1): a1. Last move" in output


def test_undo_against_a_program_goes_back_to_the_person():
    output = play("hex", "a1\nundo\nundo\n", "--white", "random").output
    assert "Taken back: 2 moves." in output
    assert "There is nothing to take back." in output


def test_a_first_move_of_the_program_is_not_taken_back():
    assert "nothing to take back" in play("hex", "undo\n", "--black", "random").output


def test_swap_is_a_move():
    assert "White swaps." in hex4("a1\nswap\n")


def test_a_swap_of_seats_swaps_the_people():
    arguments = ["--set", "swap=sides", "--black", "random", "--white", "human", "--seed", "5"]
    output = play("hex", "swap\nread\n", *arguments).output
    # After the swap the person has Black, and the program moves for White at once.
    assert re.search(
        r"White swaps\..*White plays \w+\..*Black to move\.\nYour move", output, re.DOTALL
    )


def test_a_resignation_ends_the_game_and_can_be_taken_back(tmp_path):
    file = tmp_path / "game.json"
    output = hex4("a1\nresign\na2\nundo\na2\n", "--save", str(file))
    assert "White resigns; Black wins." in output
    assert "The game is over; undo takes moves back." in output
    assert "Taken back: the resignation." in output
    assert load(file).result is None
    hex4("a1\nresign\n", "--save", str(file))
    assert str(load(file).result) == "Black wins by resignation"


def test_after_the_end_one_can_play_again():
    output = hex4("again\na1\nresign\nagain\na1\n")
    assert "The game is not over" in output
    assert output.count("Black plays a1.") == 2


def test_another_game_exchanges_seats_but_the_loser_of_antipalos_begins():
    hex4_again = play("hex", "resign\nagain\nquit\n", "--white", "random", "--seed", "1")
    assert "Black: random, White: a person." in hex4_again.output
    antipalos = ("--set", "size=12", "--black", "random", "--seed", "1")
    again = play("antipalos", "resign\nagain\nquit\n", *antipalos)
    assert "White: a person, Black: random." in again.output


def test_the_winning_chain_is_shown():
    output = hex4("a1\nb1\na2\nb2\na3\nb3\na4\n")
    assert "Hex: Black wins by connection.\nThe winning chain: a4, a3, a2, a1." in output


def test_hint_proposes_a_legal_move():
    output = hex4("a1\nhint\n")
    (point,) = re.findall(r"The computer would play (\w+)\.", output)
    position = make_game("hex", {"size": 4}).initial()
    position = position.play(position.parse_move("a1"))
    assert position.parse_move(point) in position.legal_moves


def test_save_writes_a_record_and_load_continues_it(tmp_path):
    file = tmp_path / "game.json"
    assert f"Saved to {file}." in hex4(f"a1\nb2\nsave {file}\n")
    assert load(file).moves() == [0, 5]
    loaded = run(
        "play", "--line", "--load", file, "--seat", "2=human", "--seat", "1=human", text=""
    )
    assert "Hex, move 3: Black to move." in loaded.output


def test_a_loaded_record_keeps_its_comments_and_variations(tmp_path):
    file = tmp_path / "game.json"
    hex4("a1\nb2\n", "--save", str(file))
    record = load(file)
    record.root.children[0].comment = "a corner"
    record.root.play("d4")
    record.players = ("Ann", "Bob")
    old = tmp_path / "old.json"
    from antipodes.records import save

    save(old, record)
    people = ["--seat", "1=human", "--seat", "2=human"]
    new = tmp_path / "new.json"
    done = run("play", "--line", "--load", old, "--save", new, *people, text="c3\nundo\nundo\nd1\n")
    assert done.exit_code == 0, done.output
    again = load(new)
    assert [node.text for node in again.main_line()] == ["a1", "d1"]
    assert again.root.children[0].comment == "a corner"
    assert [child.text for child in again.root.children] == ["a1", "d4"]
    assert again.players == ("Ann", "Bob")


def test_a_failed_save_changes_nothing(tmp_path):
    output = hex4(f"save\nsave {tmp_path}/none/game.json\na1\n")
    assert "Name a file: save FILE" in output
    assert "cannot be written: no such file or directory" in output
    assert "Black plays a1." in output


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["chess"], 2, "there is no game 'chess'"),
        (["hex", "--set", "size"], 2, "'size' is not of the form KEY=VALUE"),
        (["hex", "--set", "=5"], 2, "'=5' is not of the form KEY=VALUE"),
        (["hex", "--set", "size=5", "--set", "SIZE=6"], 2, "size is set twice"),
        (["hex", "--set", "size=99"], 2, "size is 99, but must be 2..26"),
        (["hex", "--set", "size=5x"], 2, "size is '5x', but must be 2..26"),
        (["hex", "--set", "sise=5"], 2, "there is no option 'sise'"),
        (["hex", "--black", "robot"], 2, "'robot' is not a player"),
        (["hex", "--black", "computer:99"], 2, "there is no level '99'"),
        (["hex", "--level", "best"], 2, "there is no level 'best'"),
        (["hex", "--red", "human"], 2, "Hex has no colour red"),
        (["hex", "--seat", "3=human"], 2, "there is no seat '3'; seats are 1 to 2"),
        (["hex", "--seat", "human"], 2, "'human' is not of the form NUMBER=PLAYER"),
        (["hex", "--seat", "1=human", "--black", "human"], 2, "seat 1 is given two players"),
        (["hex", "--black", "pairing"], 2, "the pairing strategy is for Antipod and"),
        (["hex", "--seed", "x"], 2, "'x' is not a valid integer"),
        (["hex", "--full-screen"], 2, "--full-screen needs a terminal"),
        (["--load", "/nowhere/at.all"], 2, "'/nowhere/at.all' cannot be read"),
        ([], 2, 'say which game to play, such as "antipodes play antipod"'),
    ],
)
def test_wrong_arguments_are_refused_with_a_reason(arguments, code, words):
    done = run("play", *arguments, text="")
    assert done.exit_code == code
    assert words in done.stderr
    assert done.stderr.startswith("antipodes: error: ")
    assert "Traceback" not in done.stderr


def test_all_wrong_arguments_are_named_at_once():
    done = run("play", "hex", "--red", "human", "--seat", "9=human", "--black", "me")
    assert all(word in done.stderr for word in ("--red", "'9'", "'me'"))


def test_hyphens_and_underscores_in_options_are_the_same():
    done = play("antipode", "options\n", "--set", "full-board=loss")
    assert "full_board=loss" in done.output


def test_a_record_of_another_game_is_refused(tmp_path):
    file = tmp_path / "game.json"
    hex4("a1\n", "--save", str(file))
    done = run("play", "antipod", "--load", file, "--line")
    assert (done.exit_code, "a record of hex, not of antipod" in done.stderr) == (2, True)
    done = run("play", "--load", file, "--line", "--set", "size=5")
    assert (done.exit_code, "--set is for new games" in done.stderr) == (2, True)


def test_a_team_can_be_people_and_programs():
    arguments = ["--set", "seats=team", "--white", "random", "--seat", "2=human"]
    output = play("antipalos", "B4*\n", *arguments).output
    assert "White: random, Black: a person and computer." in output


@pytest.mark.parametrize("changes", [{"NO_COLOR": "1"}, {"NO_COLOR": None, "FORCE_COLOR": "1"}])
def test_no_control_codes_reach_a_pipe(changes):
    arguments = ["play", "hex", "--white", "random"]
    done = run_process(*arguments, text="a1\nb2\nhelp\n", ANTIPODES_PLAIN="1", **changes)
    assert "\x1b" not in done.stdout + done.stderr
    assert "\r" not in done.stdout + done.stderr


@pytest.mark.extreme  # test_a_person_plays_against_the_computer does without it as well
def test_kernels_work_without_compilation():
    done = run_process(
        "play", "hex", "--set", "size=3", "--level", "1", text="b2\n", ANTIPODES_PLAIN="1"
    )
    assert (done.returncode, "White" in done.stdout) == (0, True)


def test_json_of_a_saved_game_is_plain(tmp_path):
    file = tmp_path / "game.json"
    hex4("a1\n", "--save", str(file))
    assert json.loads(file.read_text())["moves"] == ["a1"]


def test_a_game_begins_after_moves():
    done = run("play", "hex", "--set", "size=4", "--line", "--from", "a1 b2, c1", text="quit\n")
    assert done.exit_code == 0, done.output
    assert "Hex, move 4: White to move." in done.output
    assert "Black: computer, White: a person." in done.output


@pytest.mark.parametrize(("ply", "number"), [("2", 3), ("0", 1), ("-1", 4), ("-2", 3)])
def test_a_game_begins_within_a_record(tmp_path, ply, number):
    file = tmp_path / "game.json"
    people = ["--seat", "1=human", "--seat", "2=human"]
    run("play", "hex", "--set", "size=4", "--line", "--save", file, *people, text="a1\nb2\nc1\n")
    done = run("play", "--line", "--from", file, "--ply", ply, *people, text="")
    assert f"Hex, move {number}: " in done.output


def test_a_game_begins_from_a_picture(tmp_path):
    file = tmp_path / "board.txt"
    file.write_text(make_game("antipod", {"side": 3}).initial().picture())
    people = ["--white", "human", "--black", "human"]
    done = run("play", "--line", "--from", file, *people, text="")
    assert done.exit_code == 0, done.stderr
    assert "Antipod" in done.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--from", "a1 b2"], "moves need the game before them"),
        (["hex", "--set", "size=4", "--from", "a1 a1"], "a1 is not legal"),
        (["hex", "--set", "size=2", "--from", "a1 b2 a2"], "the game is over in this position"),
        (["hex", "--from", "a1", "--ply", "7"], "ply is 7, but the record has 1 moves"),
        (["hex", "--ply", "1"], "--ply belongs to --from"),
        (["hex", "--from", "a1", "--load", "x"], "give one"),
    ],
)
def test_a_wrong_start_is_refused_with_a_reason(arguments, words):
    done = run("play", *arguments, "--line", text="")
    assert done.exit_code == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
