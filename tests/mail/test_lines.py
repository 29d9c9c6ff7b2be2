"""Words of a line with a command: their order, their limits, and what may be left out."""

import pytest

from antipodes.mail.commands import Verb
from antipodes.mail.grammar import blot, read_board, read_moves, split_words, take_options
from antipodes.mail.requests import MOST_REQUESTS
from tests.mail.reading import HERE, TOKEN, fault, one, read, said

OTHER = "mt-" + "z" * 24


def message(subject, own_text="", **place):
    """Return the text of the only fault of a mail."""
    (found,) = read(subject, own_text, **place).faults
    return found.message


def test_a_command_has_at_most_a_thousand_characters():
    assert one("help " + "x" * 995).words == ("x" * 995,)
    assert fault("help " + "x" * 996) == "mail/too-long"


@pytest.mark.parametrize(("count", "shown"), [(73, 80), (74, 80)])
def test_a_fault_shows_eighty_characters_of_its_line(count, shown):
    line = "resign " + "x" * count
    (found,) = read(line).faults
    assert len(found.where) == shown
    assert found.where == (line if len(line) <= 80 else f"{line[:77]}...")


def test_the_first_of_several_tokens_counts():
    request = one(f"move 101 ann {TOKEN} {OTHER} d4")
    assert said(request, "user", "secret", "words") == ("ann", TOKEN, ("d4",))


def test_a_listing_is_read_as_the_user_before_the_token():
    request = one(f"games bob ann {TOKEN} {OTHER}")
    assert said(request, "user", "secret", "words") == ("ann", TOKEN, ("bob", "ann"))
    assert said(one(f"games {TOKEN} ann"), "user", "words") == ("", ("ann",))
    assert said(one(f"games {TOKEN} {OTHER} ann"), "user", "words") == ("", ("ann",))
    assert one(f"show 101 {TOKEN} ann {OTHER}").user == ""
    assert said(one("games"), "user", "words") == ("", ())


def test_the_last_word_that_selects_matches_counts():
    assert one("games ann ALL Next").options == {"which": "next"}
    request = one(f"showas ann {TOKEN} all active 7#2")
    assert said(request, "words", "options") == (("7#2",), {"which": "active"})


def test_a_preview_of_a_board_has_no_options():
    assert one("hex preview 101 -size=5 d4").options == {}


@pytest.mark.parametrize(
    ("line", "user", "words"),
    [
        ("hex preview 101 ann d4", "ann", ("d4",)),
        ("hex preview 101 12. d4", "", ("d4",)),
        ("hex preview 101 d4", "", ("d4",)),
        ("hex preview new d4", "", ("d4",)),
        ("hex preview new 12 d4", "", ("d4",)),
        (f"hex preview new {TOKEN} d4", "", ("d4",)),
    ],
)
def test_a_preview_has_moves_after_board_user_and_number(line, user, words):
    assert said(one(line), "user", "words") == (user, words)


def test_a_new_board_is_for_as_many_players_as_the_number_says():
    assert one("antipalos preview new 12 d4").options == {"new": "12"}
    assert one(f"hex preview new {TOKEN} d4").secret == TOKEN


@pytest.mark.parametrize(
    ("line", "verb", "user", "words"),
    [
        ("move 101 bob resign", Verb.RESIGN, "bob", ()),
        ("move 101 d4 e5", Verb.MOVE, "ann", ("d4", "e5")),
        ("queue 101 swap d4", Verb.QUEUE, "ann", ("swap", "d4")),
        ("accept bob c17", Verb.ACCEPT, "bob", ("c17",)),
        ("accept c17", Verb.ACCEPT, "ann", ("c17",)),
        ("vacation bob off", Verb.VACATION, "bob", ("off",)),
        ("message bob cid", Verb.MESSAGE, "ann", ("bob", "cid")),
        ("subscribe 102", Verb.SUBSCRIBE, "ann", ()),
        ("subscribe bob", Verb.SUBSCRIBE, "bob", ()),
        (f"broadcast bob {TOKEN}", Verb.BROADCAST, "bob", ()),
        (f"{TOKEN} d4", Verb.MOVE, "ann", ("d4",)),
        ("c3 Pass", Verb.MOVE, "ann", ("c3", "pass")),
    ],
)
def test_the_user_of_a_reply_may_be_named_or_not(line, verb, user, words):
    assert said(one(line, **HERE), "verb", "user", "words") == (verb, user, words)


def test_a_board_of_a_reply_may_be_named_or_not():
    assert one("chat 101 well played", **HERE).text == "well played"
    assert one("chat 5 more", **HERE).text == "5 more"
    assert one("subscribe 102", **HERE).board == 102
    assert one("subscribe", **HERE).board == 101
    assert said(one("broadcast hello all", **HERE), "user", "text") == ("ann", "hello all")


@pytest.mark.parametrize("line", ["antipod d4", "games", "move", "d4 hello"])
def test_a_line_of_a_reply_must_be_about_its_board(line):
    assert fault("Re: Antipod Board 101 ann", line, **HERE) == "mail/no-move"


def test_a_reply_may_ask_for_help():
    assert one("Hello", "help", **HERE).verb is Verb.HELP


def test_a_token_in_the_subject_is_valid_for_another_board():
    request = one(f"Re: Antipod Board 101 ann {TOKEN}", "move 102 d4", **HERE)
    assert said(request, "board", "user", "secret", "words") == (102, "ann", TOKEN, ("d4",))


def test_a_command_after_the_user_is_followed_by_no_password():
    request = one("move 101 ann chat hello there")
    assert said(request, "verb", "user", "text") == (Verb.CHAT, "ann", "hello there")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("resign 101 ann now", "mail/too-much"),
        ("resign 101 ann nows", "mail/password"),
        ("chat 101 ann hi", "mail/password"),
        ("message ann bob cid", "mail/password"),
        ("vacation ann soo", "mail/unknown-word"),
        ("vacation ann soon", "mail/password"),
        ("vacation ann until sometime", "mail/unknown-word"),
        (f"propose 101 ann {TOKEN} now", "mail/too-much"),
        (f"propose 101 ann {TOKEN} draw pause", "mail/too-much"),
        (f"subscribe 101 ann {TOKEN} soon", "mail/too-much"),
        (f"accept ann {TOKEN} c17 now", "mail/too-much"),
    ],
)
def test_words_of_four_letters_in_the_place_of_a_password_are_taken_for_one(line, code):
    assert fault(line) == code


def test_a_message_without_a_token_has_one_recipient():
    assert one("message ann bob").words == ("bob",)
    assert fault("message ann bob cid", **HERE) == "mail/password"
    assert one("message bob cid", **HERE).words == ("bob", "cid")


def test_the_first_word_too_much_is_named():
    usage = "[GAME] resign BOARD[#PLY] USERID [TOKEN]"
    assert message(f"resign 101 ann {TOKEN} right now") == f"resign takes no 'right': {usage}"
    assert "takes no 'pause':" in message(f"propose 101 ann {TOKEN} draw pause")
    assert "unexpected 'soon':" in message(f"vacation ann {TOKEN} until soon")
    assert message(f"hex seek ann {TOKEN} -size=5 -size=6") == "size is set twice"


def test_words_of_commands_are_in_lower_case_and_names_as_written():
    assert one(f"vacation ann {TOKEN} OFF").words == ("off",)
    assert one(f"propose 101 ann {TOKEN} Draw!").words == ("draw",)
    assert one(f"queue 101 ann {TOKEN} D4 Swap").words == ("D4", "swap")
    assert one(f"reject C17 ann {TOKEN}").words == ("c17",)
    assert one("help Move").words == ("move",)
    assert one("tournament Standings 12").words == ("standings", "12")
    assert one(f"message ann {TOKEN} Bob").words == ("Bob",)
    assert one(f"hex challenge ann {TOKEN} Bob").words == ("Bob",)
    assert one("signup ann Ann@home.example").words == ("Ann@home.example",)
    assert one("games Ann").words == ("Ann",)


def test_boards_are_written_in_one_form():
    request = one("show 101#5 #102 103#7 ann")
    assert said(request, "board", "ply") == (101, 5)
    assert request.words == ("101#5", "102", "103#7", "ann")
    assert one(f"subscribe ann {TOKEN} 101 #102#5").words == ("102#5",)
    assert one(f"subscribe ann {TOKEN} 101 #102#5").board == 101


def test_a_puzzle_or_an_event_is_no_user():
    assert said(one(f"puzzle hex {TOKEN}"), "user", "words") == ("", ("hex",))
    request = one(f"tournament {TOKEN} list")
    assert said(request, "user", "secret", "words") == ("", TOKEN, ("list",))
    assert said(one(f"tournament join 12 {TOKEN}"), "user", "words") == ("", ("join", "12"))


def test_the_text_of_a_message_begins_after_a_colon():
    for line in ("bob : hi there", "bob: hi there"):
        request = one(f"message ann {TOKEN} {line}")
        assert said(request, "words", "text") == (("bob",), "hi there")


# Several commands.


def test_a_comment_goes_with_the_commands_that_others_read():
    lines = ["help", f"hex challenge ann {TOKEN} bob", "games ann", f"broadcast ann {TOKEN}"]
    body = "\n".join([*lines, f"vacation ann {TOKEN} off", "resign", "QUIT", "", "Hi"])
    reading = read("multiple", body, **HERE)
    assert [request.text for request in reading.requests] == ["", "Hi", "", "Hi", "", "Hi"]
    assert (reading.comment, reading.faults) == ("Hi", ())


def test_a_subject_tells_board_user_and_token_of_commands_in_the_body():
    request = one(f"Re: Antipod Board 101 ann {TOKEN}", "multiple\nresign")
    assert said(request, "verb", "board", "user") == (Verb.RESIGN, 101, "ann")
    assert request.secret == TOKEN


def test_commands_and_faults_of_a_mail_are_counted_together():
    reading = read("multiple", "help\n" * MOST_REQUESTS)
    assert (len(reading.requests), reading.faults) == (MOST_REQUESTS, ())
    reading = read("multiple", "help\nfrobnicate\n" * MOST_REQUESTS)
    assert len(reading.requests) == len(reading.faults[:-1]) == MOST_REQUESTS // 2
    assert reading.faults[-1].code == "mail/too-many"
    assert reading.faults[0].message == "'frobnicate' is no command; the command help lists all"


def test_the_subject_has_the_word_multiple_once():
    assert fault("multiple", "multiple") == "mail/empty"
    assert fault("multiple", "\n# nothing\n") == "mail/empty"


def test_a_mail_without_a_command_says_where_one_should_be():
    assert fault("", "hello there") == "mail/no-subject"
    assert fault("", "") == "mail/empty"
    assert fault("hello", "help") == "mail/body-command"
    assert fault("hello", "hello") == "mail/unknown-command"


def test_a_subject_without_moves_awaits_them_only_for_a_move_or_a_preview():
    request = one("Re: Hex Preview new", "d4")
    assert said(request, "verb", "words", "text") == (Verb.PREVIEW, (), "d4")
    request = one("hex queue 101 ann", "d4")
    assert said(request, "verb", "words", "text") == (Verb.QUEUE, (), "d4")
    request = one("hex preview 101", "d4")
    assert said(request, "verb", "words", "text") == (Verb.PREVIEW, ("d4",), "")


def test_the_first_line_of_a_reply_is_named_where_it_is_no_move():
    assert message("Re: Antipod Board 101 ann", f"{TOKEN} hello").endswith("it is '*** hello'")


# Words.


def test_brackets_copied_from_a_usage_line_are_left_out():
    written = ["<ann>", "<a", "<>", "x>", "<x>"]
    assert split_words(" ".join(written)) == (["ann", "<a", "<>", "x>", "x"], written)


@pytest.mark.parametrize(
    ("word", "board"),
    [("101#5,", (101, 5)), ("101:", (101, None)), ("\u0661\u0660", None), ("1#\u0661", None)],
)
def test_a_board_may_have_punctuation_after_it_and_has_ascii_digits(word, board):
    assert read_board(word) == board


@pytest.mark.parametrize(
    ("words", "moves"),
    [
        (["*", "B4"], ("*B4",)),
        (["b2", "-", "*", "b3"], ("b2-*b3",)),
        (["b2-*", "B3", "c4"], ("b2-*B3", "c4")),
        (["a1", "*", "*", "b2"], ("a1*", "*b2")),
        (["*a1", "*", "b2"], ("*a1", "*b2")),
        (["b2-c3", "*"], ("b2-c3*",)),
        (["a1", "b2", "-", "c3"], ("a1", "b2-c3")),
        (["a1", "b2-*", "c3"], ("a1", "b2-*c3")),
        (["swap", "*", "b2"], ("swap", "*b2")),
        (["d4", "-rated"], ("d4", "-rated")),
        (["swap", "-e5"], ("swap", "-e5")),
    ],
)
def test_stars_and_dashes_join_words_to_moves(words, moves):
    assert read_moves(words) == (moves, None)


def test_the_first_ply_counts():
    assert read_moves(["d4#7", "e5#9"]) == (("d4", "e5"), 7)
    assert read_moves(["#7", "d4"]) == (("d4",), 7)
    assert read_moves(["d4#0", "e5#9"]) == (("d4", "e5"), 0)


@pytest.mark.parametrize(
    ("words", "rest", "options"),
    [
        (["-side", "=5"], [], {"side": "5"}),
        (["-side=", "5"], [], {"side": "5"}),
        (["-side=5", "=7"], ["=7"], {"side": "5"}),
        (["-side", "5", "6"], ["6"], {"side": "5"}),
        (["bob", "5", "=", "7"], ["bob", "5", "=", "7"], {}),
        (["-handicap", "Two", "-swap"], [], {"handicap": "two", "swap": "on"}),
        (["-handicap", "bob"], ["bob"], {"handicap": "on"}),
        (["-totaltime", "30d"], [], {"totaltime": "30d"}),
    ],
)
def test_the_value_of_an_option_may_be_a_word_of_its_own(words, rest, options):
    assert take_options(words, "antipod") == (rest, options, [])


def test_words_are_values_of_options_of_their_game_only():
    assert take_options(["-handicap", "two"], "") == (["two"], {"handicap": "on"}, [])
    assert take_options(["-size=5", "-size", "6"], "hex") == ([], {"size": "6"}, ["size"])


def test_secrets_are_redacted_in_any_case_and_the_longest_first():
    assert blot("A word, a-b, and about a", ["a", "a-b"]) == "*** word, ***, and about ***"
    few, many = ([f"s{number}" for number in range(count)] for count in (30, 31))
    assert blot("s7 and t", few) == "*** and t"
    assert blot("s7 and t", many) == "***"
    assert blot("s7 and t", [*few, "", *few]) == "*** and t"
