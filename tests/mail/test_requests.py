"""Commands in Subjects, bodies and replies, and lines that are no commands."""

from typing import Any

import pytest

from antipodes.mail.commands import COMMANDS, INFO, VERBS, Shape, Verb
from antipodes.mail.grammar import bare_subject, blot, read_moves
from antipodes.mail.incoming import Mail
from antipodes.mail.requests import (
    MOST_REQUESTS,
    Request,
    move_line,
    read_board,
    read_requests,
    write_request,
)
from tests.cases import for_each
from tests.mail.reading import HERE, TOKEN, fault, one, read, said

CLASSIC = {
    "antipod move 101 ann TOKEN d4": (Verb.MOVE, 101, "ann", ("d4",)),
    "antipod board 101 ann TOKEN d4": (Verb.MOVE, 101, "ann", ("d4",)),
    "move 101 ann TOKEN d4 e5 f6": (Verb.MOVE, 101, "ann", ("d4", "e5", "f6")),
    "move 101 ann d4 TOKEN": (Verb.MOVE, 101, "ann", ("d4",)),
    "move 101 TOKEN d4": (Verb.MOVE, 101, "", ("d4",)),
    "antipod move 101 ann TOKEN pass": (Verb.PASS, 101, "ann", ()),
    "antipod move 101 ann TOKEN swap": (Verb.SWAP, 101, "ann", ()),
    "antipod move 101 ann TOKEN propose": (Verb.PROPOSE, 101, "ann", ()),
    "antipod move 101 ann TOKEN undo": (Verb.UNDO, 101, "ann", ()),
    "antipod move 101 ann TOKEN accept": (Verb.ACCEPT, 101, "ann", ()),
    "antipod move 101 ann TOKEN reject": (Verb.REJECT, 101, "ann", ()),
    "antipod move 101 ann TOKEN resign": (Verb.RESIGN, 101, "ann", ()),
    "antipod resign 101 ann TOKEN": (Verb.RESIGN, 101, "ann", ()),
    "antipod swap 101 ann TOKEN": (Verb.SWAP, 101, "ann", ()),
    "antipod queue 101 ann TOKEN d4": (Verb.QUEUE, 101, "ann", ("d4",)),
    "antipod queue 101 ann TOKEN Resign": (Verb.QUEUE, 101, "ann", ("resign",)),
    "antipod submit 101 ann TOKEN d4": (Verb.SUBMIT, 101, "ann", ("d4",)),
    "antipod confirm 101 ann TOKEN": (Verb.CONFIRM, 101, "ann", ()),
    "draw 101 ann TOKEN": (Verb.PROPOSE, 101, "ann", ()),
    "propose 101 ann TOKEN pause": (Verb.PROPOSE, 101, "ann", ("pause",)),
    "accept 101 ann TOKEN draw": (Verb.ACCEPT, 101, "ann", ("draw",)),
    "accept ann TOKEN c17": (Verb.ACCEPT, None, "ann", ("c17",)),
    "reject C17 ann TOKEN": (Verb.REJECT, None, "ann", ("c17",)),
    "antipod subscribe 101 ann TOKEN": (Verb.SUBSCRIBE, 101, "ann", ()),
    "subscribe 101 102 ann TOKEN": (Verb.SUBSCRIBE, 101, "ann", ("102",)),
    "subscribe ann TOKEN": (Verb.SUBSCRIBE, None, "ann", ()),
    "unsubscribe 101 ann TOKEN": (Verb.UNSUBSCRIBE, 101, "ann", ()),
    "antipod notify ann TOKEN on": (Verb.NOTIFY, None, "ann", ("on",)),
    "antipod preview 101 d4 e5": (Verb.PREVIEW, 101, "", ("d4", "e5")),
    "antipod preview 101 ann TOKEN d4": (Verb.PREVIEW, 101, "ann", ("d4",)),
    "antipod show 101#5 102": (Verb.SHOW, 101, "", ("101#5", "102")),
    "antipod show ann bob": (Verb.SHOW, None, "", ("ann", "bob")),
    "showas ann TOKEN 101": (Verb.SHOWAS, None, "ann", ("101",)),
    "all show ann next": (Verb.ALL_SHOW, None, "", ("ann",)),
    "antipod games ann bob inactive": (Verb.GAMES, None, "", ("ann", "bob")),
    "all games ann": (Verb.GAMES, None, "", ("ann",)),
    "antipod standings": (Verb.STANDINGS, None, "", ()),
    "antipod ratings": (Verb.STANDINGS, None, "", ()),
    "antipod history ann": (Verb.HISTORY, None, "", ("ann",)),
    "puzzle": (Verb.PUZZLE, None, "", ()),
    "hex puzzle TOKEN": (Verb.PUZZLE, None, "", ()),
    "puzzle ann TOKEN hex": (Verb.PUZZLE, None, "ann", ("hex",)),
    "puzzle 7849cdf999 TOKEN c1 e5": (Verb.PUZZLE, None, "", ("7849cdf999", "c1", "e5")),
    "puzzle ann TOKEN 74be58d503 solution": (
        Verb.PUZZLE,
        None,
        "ann",
        ("74be58d503", "solution"),
    ),
    "tournaments": (Verb.TOURNAMENT, None, "", ()),
    "tournament standings 12": (Verb.TOURNAMENT, None, "", ("standings", "12")),
    "tournament ann TOKEN join 12": (Verb.TOURNAMENT, None, "ann", ("join", "12")),
    "tournament join ann TOKEN 12": (Verb.TOURNAMENT, None, "ann", ("join", "12")),
    "simuls": (Verb.SIMUL, None, "", ()),
    "simul join ann TOKEN 12": (Verb.SIMUL, None, "ann", ("join", "12")),
    "antipod help": (Verb.HELP, None, "", ()),
    "help Move Board": (Verb.HELP, None, "", ("move", "board")),
    "list hex": (Verb.LIST, None, "", ("hex",)),
    "antipod challenge ann TOKEN bob cid": (Verb.CHALLENGE, None, "ann", ("bob", "cid")),
    "antipod seek ann TOKEN": (Verb.SEEK, None, "ann", ()),
    "antipod limit ann TOKEN 3": (Verb.LIMIT, None, "ann", ("3",)),
    "vacation ann TOKEN until 2027-08-31": (Verb.VACATION, None, "ann", ("until", "2027-08-31")),
    "vacation ann TOKEN OFF": (Verb.VACATION, None, "ann", ("off",)),
    "reminders ann TOKEN 24 3": (Verb.REMINDERS, None, "ann", ("24", "3")),
    "digest ann TOKEN daily 8": (Verb.DIGEST, None, "ann", ("daily", "8")),
    "digests ann TOKEN hourly": (Verb.DIGEST, None, "ann", ("hourly",)),
    "view ann TOKEN First": (Verb.VIEW, None, "ann", ("first",)),
    "view ann TOKEN": (Verb.VIEW, None, "ann", ()),
    "signup ann ann@home.example": (Verb.SIGNUP, None, "ann", ("ann@home.example",)),
    "add ann TOKEN a@b.example c@d.example": (
        Verb.ADD,
        None,
        "ann",
        ("a@b.example", "c@d.example"),
    ),
    "change address ann TOKEN a@b.example": (Verb.CHANGE_ADDRESS, None, "ann", ("a@b.example",)),
    "signoff ann TOKEN": (Verb.SIGNOFF, None, "ann", ()),
    "delete ann TOKEN": (Verb.DELETE, None, "ann", ()),
    "message ann TOKEN bob, cid": (Verb.MESSAGE, None, "ann", ("bob", "cid")),
    "broadcast ann TOKEN": (Verb.BROADCAST, None, "ann", ()),
    "chat 101 ann TOKEN": (Verb.CHAT, 101, "ann", ()),
}


@for_each("line", CLASSIC)
@pytest.mark.parametrize("change", [str, str.upper, str.title])
def test_commands_of_the_classic_server(line, change):
    request = one(change(line).replace(change("TOKEN"), TOKEN))
    verb, board, user, words = CLASSIC[line]
    assert said(request, "verb", "board") == (verb, board)
    assert request.user.lower() == user
    assert tuple(word.lower() for word in request.words) == words
    assert request.secret == (TOKEN if "TOKEN" in line else "")


ANYWHERE = [
    "antipod challenge -radius=4 ann TOKEN bob",
    "antipod challenge --radius 4 ann TOKEN bob",
    "antipod challenge ann -radius=4 TOKEN bob",
    "antipod challenge ann TOKEN -radius 4 bob",
    "antipod challenge ann TOKEN bob --radius=4",
    "antipod challenge ann TOKEN bob -radius = 4",
]


@pytest.mark.parametrize("line", ANYWHERE)
def test_options_stand_anywhere_after_the_name_of_a_command(line):
    request = one(line.replace("TOKEN", TOKEN))
    assert said(request, "verb", "user", "words") == (Verb.CHALLENGE, "ann", ("bob",))
    assert request.options == {"side": "4"}
    assert request.secret == TOKEN


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("antipod seek --handicap two -side 5 ann TOKEN", {"handicap": "two", "side": "5"}),
        ("hex seek -rated ann TOKEN --forfeittime 12h", {"rated": "on", "forfeittime": "12h"}),
        ("hex preview -size=5 new c3", {"new": "", "size": "5"}),
        ("hex preview new --size 5 c3", {"new": "", "size": "5"}),
        ("hex preview new c3 -size=5", {"new": "", "size": "5"}),
    ],
)
def test_every_command_with_options_takes_them_anywhere(line, options):
    assert one(line.replace("TOKEN", TOKEN)).options == options


def test_a_name_after_an_option_without_a_value_stays_a_name():
    request = one(f"hex challenge ann {TOKEN} -unrated bob")
    assert (request.words, request.options) == (("bob",), {"unrated": "on"})


def test_every_command_has_an_example():
    tried = {verb for verb, *_ in CLASSIC.values()}
    # Tests below cover these two.
    assert tried | {Verb.MULTIPLE, Verb.CHANGE_PASSWORD} == set(Verb)


def test_the_table_has_every_verb_and_name_once():
    assert [info.verb for info in COMMANDS] == list(INFO)
    assert set(INFO) == set(Verb)
    assert len(VERBS) == sum(len(info.names) for info in COMMANDS)
    for info in COMMANDS:
        assert info.names[0] == info.verb.value
        assert info.usage.replace("[GAME] ", "").replace("GAME ", "").startswith(info.names[0])
        assert info.summary.endswith(".")


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("antipod", "antipod"),
        ("Antipalos", "antipalos"),
        ("ANTIPODE", "antipode"),
        ("hex", "hex"),
        ("cylindrical-hex", "cylindrical-hex"),
        ("CylindricalHex", "cylindrical-hex"),
        ("Cylindrical Hex", "cylindrical-hex"),
        ("cylindrical_hex", "cylindrical-hex"),
        ("Cylindrical\u2010Hex", "cylindrical-hex"),
    ],
)
def test_games_are_named_by_id_or_title(name, game):
    assert one(f"{name} standings").game == game
    assert one(f"{name} move 101 ann {TOKEN} d4").game == game


# Replies.


@pytest.mark.parametrize(
    ("line", "verb", "words"),
    [
        ("d4", Verb.MOVE, ("d4",)),
        ("D4.", Verb.MOVE, ("D4",)),
        ("d4 e5, f6", Verb.MOVE, ("d4", "e5", "f6")),
        ("b2 \u2013 c3", Verb.MOVE, ("b2-c3",)),
        ("*B4", Verb.MOVE, ("*B4",)),
        ("B4 *", Verb.MOVE, ("B4*",)),
        ("B2* - *B3", Verb.MOVE, ("B2*-*B3",)),
        (r"B2\* \- \*B3", Verb.MOVE, ("B2*-*B3",)),
        ("12. d4+", Verb.MOVE, ("d4+",)),
        ("c3 swap", Verb.MOVE, ("c3", "swap")),
        ("move d4", Verb.MOVE, ("d4",)),
        ("resign", Verb.RESIGN, ()),
        ("Resign!", Verb.RESIGN, ()),
        ("draw?", Verb.PROPOSE, ()),
        ("undo", Verb.UNDO, ()),
        ("takeback", Verb.UNDO, ()),
        ("swap", Verb.SWAP, ()),
        ("pass", Verb.PASS, ()),
        ("accept", Verb.ACCEPT, ()),
        ("decline draw", Verb.REJECT, ("draw",)),
        ("queue d4", Verb.QUEUE, ("d4",)),
        ("submit d4", Verb.SUBMIT, ("d4",)),
        ("confirm", Verb.CONFIRM, ()),
        ("preview d4", Verb.PREVIEW, ("d4",)),
        ("subscribe", Verb.SUBSCRIBE, ()),
        ("show", Verb.SHOW, ("101",)),
    ],
)
def test_short_replies(line, verb, words):
    found = [one(line, **HERE), one("What now", f"{line}\nBye", **HERE)]
    subject = "Re: Antipod Board 101 ann"
    found += [one(subject, f"\n{line}\n\nBye", **HERE), one(subject, line)]
    for request in found:
        assert said(request, "verb", "board", "words") == (verb, 101, words)
        assert request.user in ("ann", "")
    assert [request.text for request in found] == ["", "Bye", "Bye", ""]
    if verb not in (Verb.SHOW, Verb.PREVIEW):
        assert said(one(f"{subject} {line}", **HERE), "verb", "words") == (verb, words)


def test_comments_in_replies():
    assert one("Hello", "chat Well played!\n\nBye", **HERE).text == "Well played!\nBye"
    assert one("Hello", "say 5 more minutes", **HERE).text == "5 more minutes"
    assert one("Re: Antipod Board 101 ann chat", "Well  played!", **HERE).text == "Well  played!"
    assert one(f"chat 101 ann {TOKEN} well played").text == "well played"


@pytest.mark.parametrize(
    "line",
    ["I accept", "accept my apologies", "d4 was strong", "undo please", "delete", "hi", "d4?x"],
)
def test_text_is_not_a_command(line):
    assert read("Well", line, **HERE).requests == ()
    assert read("Re: Antipod Board 101 ann", line, **HERE).requests == ()


def test_a_reply_address_is_valid_for_its_board_only():
    assert fault("move 102 ann d4", **HERE) == "mail/other-board"
    assert fault("Re: Antipod Board 102 ann", "d4", **HERE) == "mail/other-board"
    assert one("show 102", **HERE).board == 102
    # A token is valid for all boards.
    assert said(one(f"move 102 ann {TOKEN} d4", **HERE), "board", "secret") == (102, TOKEN)


def test_a_reply_may_name_its_sender():
    assert one("move 101 Ann d4", **HERE).user == "Ann"
    assert one("move 101 bob d4", **HERE).user == "bob"
    assert one(f"move 101 bob {TOKEN} d4", **HERE).user == "bob"
    assert one("antipod challenge bob cid", **HERE).words == ("bob", "cid")
    assert one("antipod challenge ann bob", **HERE).words == ("bob",)
    assert one("vacation off", **HERE).words == ("off",)


def test_a_reply_to_a_preview_is_another_preview():
    request = one("Re: Antipod Preview 101", "d4", **HERE)
    assert said(request, "verb", "board", "words") == (Verb.PREVIEW, 101, ("d4",))


# Plies, options, lists.


@pytest.mark.parametrize(
    "line",
    ["move 101#7 ann d4", "move 101 ann d4#7", "move 101 ann #7 d4", "Board 101 ann d4 e5#7"],
)
def test_the_ply_follows_the_board_or_the_move(line):
    assert one(line).ply == 7


def test_a_number_alone_is_the_ply_of_the_board_of_a_reply():
    assert said(one("move #3 d4", **HERE), "board", "ply", "words") == (101, 3, ("d4",))
    assert said(one("move #102 d4", **HERE), "board", "ply", "words") == (101, 102, ("d4",))
    # Elsewhere it is the board.
    request = one(f"move #3 ann {TOKEN} d4")
    assert said(request, "board", "ply", "words") == (3, None, ("d4",))


def test_a_preview_has_its_ply_where_a_move_has_it():
    assert said(one("preview #3 d4", **HERE), "board", "ply", "words") == (101, 3, ("d4",))
    request = one(f"preview ann {TOKEN} #3 d4", **HERE)
    assert said(request, "user", "ply", "words") == ("ann", 3, ("d4",))


def test_a_message_is_written_with_a_colon_after_its_last_recipient():
    values: dict[str, Any] = {"user": "ann", "secret": TOKEN, "words": ("bob", "cy")}
    written = write_request(Request(verb=Verb.MESSAGE, text="Hello there", **values))
    assert written == f"message ann {TOKEN} bob cy: Hello there"
    request = one(written)
    assert said(request, "user", "words", "text") == ("ann", ("bob", "cy"), "Hello there")
    assert write_request(Request(verb=Verb.MESSAGE, **values)) == f"message ann {TOKEN} bob cy"


def test_a_ply_may_be_zero():
    assert one("Re: Antipod Board 101 ann", "d4#0", **HERE).ply == 0
    assert one("Re: Antipod Board 101#5 ann", "d4#0", **HERE).ply == 0
    assert one("Re: Antipod Board 101#5 ann", "d4", **HERE).ply == 5


def test_options_in_all_their_spellings():
    line = f"antipod challenge ann {TOKEN} bob -Side=5 --totaltime = 30 \u2013swap=ON \u2014unrated"
    assert one(line).options == {"side": "5", "totaltime": "30", "swap": "on", "unrated": "on"}
    assert one(f"antipod challenge ann {TOKEN} bob -radius=7").options == {"side": "7"}
    assert one("antipod preview new 2 -phase-two-limit=5 d4").options == {
        "new": "2",
        "phase_two_limit": "5",
    }
    assert one("hex preview new d4").options == {"new": ""}
    assert fault(f"hex seek ann {TOKEN} -size=5 -size=6") == "option/twice"


def test_options_that_select_matches():
    assert one("games ann ACTIVE").options == {"which": "active"}
    assert one("all show ann next").options == {"which": "next"}
    assert one(f"showas ann {TOKEN} all").options == {"which": "all"}


@pytest.mark.parametrize(
    ("word", "board"),
    [("101", (101, None)), ("101#5", (101, 5)), ("#101", (101, None)), ("x1", None), ("1#", None)],
)
def test_boards(word, board):
    assert read_board(word) == board


def test_moves_as_people_write_them():
    assert read_moves(["1.", "d4,", "2.e5", "*", "B4"]) == (("d4", "e5*", "B4"), None)
    assert read_moves(["b2", "-", "c3", "d4", "-e5"]) == (("b2-c3", "d4-e5"), None)
    assert read_moves([]) == ((), None)


# Several commands.


def test_several_commands_in_the_body():
    body = f"""
antipod move 101 ann {TOKEN} d4

# to think about
chat 101 ann {TOKEN} hello there
frobnicate 5
message ann {TOKEN} bob cid: see you
End
Good luck to all of you
"""
    for mail in (read("multiple", body), read("Hello", f"MULTIPLE\n{body}")):
        assert [one.verb for one in mail.requests] == [Verb.MOVE, Verb.CHAT, Verb.MESSAGE]
        assert mail.requests[0].text == mail.comment == "Good luck to all of you"
        assert mail.requests[1].text == "hello there\nGood luck to all of you"
        assert mail.requests[2].words == ("bob", "cid")
        assert mail.requests[2].text.startswith("see you\n")
        assert [fault.code for fault in mail.faults] == ["mail/unknown-command"]
        assert mail.multiple


def test_commands_in_a_body_need_the_word_multiple():
    assert read("antipod help", "multiple\nresign").requests[0].text == "multiple\nresign"
    assert fault("", "antipod help") == "mail/body-command"
    assert fault("Hello", f"antipod move 101 ann {TOKEN} d4") == "mail/body-command"


def test_the_number_of_commands_is_limited():
    reading = read("multiple", "help\n" * (MOST_REQUESTS + 5))
    assert len(reading.requests) == MOST_REQUESTS
    assert [fault.code for fault in reading.faults] == ["mail/too-many"]


def test_multiple_takes_no_arguments():
    assert fault("multiple", "") == "mail/empty"
    assert fault("multiple", "multiple") in ("mail/empty", "mail/multiple")
    assert fault("multiple help") == "mail/multiple"


# Faults.


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "mail/empty"),
        ("hello", "mail/unknown-command"),
        ("antipod", "mail/unknown-command"),
        ("move", "mail/no-number"),
        ("move d4", "mail/no-number"),
        ("move 101", "mail/no-user"),
        ("vacation off", "mail/no-user"),
        ("seek", "mail/no-user"),
        ("show", "mail/too-few"),
        ("all show", "mail/too-few"),
        (f"add ann {TOKEN}", "mail/too-few"),
        (f"message ann {TOKEN}", "mail/too-few"),
        (f"resign 101 ann {TOKEN} now", "mail/too-much"),
        (f"vacation ann {TOKEN} soon", "mail/unknown-word"),
        ("help " + "x" * 1_000, "mail/too-long"),
    ],
)
def test_faults_have_codes(line, code):
    assert fault(line) == code


# Passwords.

PASSWORD = "correct#Horse9"


@pytest.mark.parametrize(
    "line",
    [
        "antipod move 101 ann PASSWORD d4",
        "Re: Antipod Board 101 ann PASSWORD d4",
        "antipod resign 101 ann PASSWORD",
        "chat 101 ann PASSWORD",
        "accept 101 ann PASSWORD",
        "accept ann PASSWORD c17",
        "subscribe 101 ann PASSWORD",
        "queue 101 ann PASSWORD d4",
        "showas ann PASSWORD 101",
        "vacation ann PASSWORD off",
        "message ann PASSWORD bob",
        "broadcast ann PASSWORD",
        "seek ann PASSWORD",
        "limit ann PASSWORD 3",
        "add ann PASSWORD a@b.example",
        "delete ann PASSWORD",
        "signoff ann PASSWORD",
    ],
)
@pytest.mark.parametrize("place", [{}, HERE])
def test_a_password_is_refused_and_redacted(line, place):
    reading = read(line.replace("PASSWORD", PASSWORD), "Hello", **place)
    assert reading.requests == ()
    (found,) = reading.faults
    assert found.code == "mail/password"
    assert PASSWORD not in str(found) + repr(found) + repr(reading)
    assert reading.exposed == ("ann",)
    assert reading.blotted(f"I said {PASSWORD}, didn't I?") == "I said ***, didn't I?"


def test_passwords_below_multiple_are_refused_one_by_one():
    lines = [f"move 101 {name} {PASSWORD} d4" for name in ("ann", "bob", "ann")]
    reading = read("multiple", "\n".join([*lines, "help"]))
    assert [request.verb for request in reading.requests] == [Verb.HELP]
    assert [found.code for found in reading.faults] == ["mail/password"] * 3
    assert reading.exposed == ("ann", "bob")
    assert PASSWORD not in repr(reading)


@pytest.mark.parametrize("word", ["swap", "pass", "PASS", "d4-e5", "d4,e5,f6", "12.d4"])
def test_a_word_that_could_be_a_move_is_no_password(word):
    assert one(f"queue 101 ann {word}").user == "ann"


def test_passwords_of_other_commands_are_redacted():
    reading = read(f"change password ann {PASSWORD} other-Horse9")
    assert reading.requests[0].verb is Verb.CHANGE_PASSWORD
    assert reading.requests[0].words == ()
    assert "Horse" not in repr(reading) + reading.blotted(f"{PASSWORD} other-Horse9")
    reading = read(f"signup ann {PASSWORD} ann@home.example")
    assert [fault.code for fault in reading.faults] == ["mail/password"]
    assert reading.exposed == ()
    assert PASSWORD not in repr(reading)


def test_tokens_and_reply_addresses_are_redacted():
    text = f"Token {TOKEN.upper()}, to play+{'ab2' * 10}@games.example and ann+games@home.example"
    assert blot(text, ()) == "Token ***, to play+***@games.example and ann+games@home.example"
    reading = read(f"move 101 ann {TOKEN} d4")
    assert TOKEN not in repr(reading)
    assert reading.requests[0].line == "move 101 ann *** d4"
    # A text with many secrets is left out completely.
    assert blot("a b c", [str(number) for number in range(1_000)]) == "***"


def test_automatic_mail_has_no_requests():
    mail = Mail(subject="move 101 ann d4", automatic="Precedence: bulk")
    assert read_requests(mail) == read_requests(Mail(automatic="x"))
    assert read_requests(mail).requests == ()


# Subjects.


@pytest.mark.parametrize(
    "decorated",
    [
        "Re: x 1",
        "RE: re: Re: x 1",
        "AW: WG: x 1",
        "Re[3]: x 1",
        "Re(2): x 1",
        "Re^2: x 1",
        "[EXTERNAL] Re: [games] x 1",
        "x 1 **",
        "x 1 ** ***",
        "x 1 (fwd)",
        "\u56de\u590d\uff1ax 1",
        "Fwd : x\u00a01",
    ],
)
def test_decorations_of_subjects_are_removed(decorated):
    assert bare_subject(decorated) == "x 1"


def test_a_command_with_a_colon_is_not_a_prefix():
    assert bare_subject("Re: chat: hello") == "chat: hello"
    assert one("chat: hello", **HERE).text == "hello"


def test_shapes_of_commands_with_comments():
    assert {info.verb for info in COMMANDS if info.shape is Shape.TEXT} == {Verb.CHAT}


# Replies whose move is decorated, or not in the first line.


def legal(*moves):
    """Return a judge of moves that knows only some as legal."""
    return lambda request: request.words[:1] in [(move,) for move in moves]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("*d4*", ("d4",)),
        ("**d4**", ("d4",)),
        ("_d4_", ("d4",)),
        ("`d4`", ("d4",)),
        ("'d4'", ("d4",)),
        ("\u201ed4\u201c", ("d4",)),
        ("[d4]", ("d4",)),
        ("- d4", ("d4",)),
        ("* d4", ("d4",)),
        ("\u2022 d4", ("d4",)),
        ("1) **d4**", ("d4",)),
        ("- d4 e5", ("d4", "e5")),
        ("*b2-b3*", ("*b2-b3*",)),
    ],
)
def test_a_move_may_be_decorated(line, words):
    may_be = legal("d4", "*b2-b3*")
    for text in (line, f"Hello!\n\n{line}\n", f"\n{line}\nBye"):
        assert one("Re: Antipod Board 101 ann", text, is_legal=may_be, **HERE).words == words


@pytest.mark.parametrize("line", ["**resign**", "- resign", "\u2022 Resign!"])
def test_a_command_in_the_first_line_may_be_decorated(line):
    assert one("Hello", line, **HERE).verb is Verb.RESIGN
    assert read("Hello", f"Hi\n{line}", **HERE).requests == ()


def test_a_move_below_a_greeting_is_played_and_the_rest_passed_on():
    found = one("Re: Antipod Board 101 ann", "Hi Bob,\n\n  d4\n\nall the best", **HERE)
    assert (found.verb, found.words) == (Verb.MOVE, ("d4",))
    assert found.text == "Hi Bob,\n\nall the best"
    assert one("Re: Antipod Board 101 ann", "Hi,\nd4#5", **HERE).ply == 5
    assert one("Hello", "Hi,\nd4", **HERE).words == ("d4",)
    assert one("Hello", "Hi,\nd4\nonce more:\nD4.", is_legal=legal("d4"), **HERE).words == ("d4",)


def test_the_only_legal_move_below_a_greeting_is_played():
    text = "Hi Bob, room\nb12\nand my move is\nd4"
    assert one("Hello", text, is_legal=legal("d4"), **HERE).words == ("d4",)
    reading = read("Hello", text, **HERE)
    assert (reading.requests, [one.code for one in reading.faults]) == ((), ["mail/which-move"])
    assert "b12, d4" in reading.faults[0].message
    assert fault("Hello", text, is_legal=legal(), **HERE) == "mail/which-move"
    # One line that cannot be played is left to the board, which says why.
    assert one("Hello", "Hi\nb12", is_legal=legal(), **HERE).words == ("b12",)


def test_a_star_that_can_be_a_bullet_or_part_of_a_move_is_asked_about():
    assert one("Hello", "* b4", is_legal=legal("*b4"), **HERE).words == ("*b4",)
    assert one("Hello", "* b4", is_legal=legal("b4"), **HERE).words == ("b4",)
    assert fault("Hello", "* b4", is_legal=legal("b4", "*b4"), **HERE) == "mail/which-move"


def test_the_first_line_counts_if_it_is_a_move():
    assert one("Hello", "d4\n\nI feared\ne5", is_legal=legal("e5"), **HERE).words == ("d4",)
    assert fault("Hello", "Thanks!\nSee you", **HERE) == "mail/no-move"
    assert fault("Hello", "Hi\n" * 60 + "d4", **HERE) == "mail/no-move"
    assert fault("Hello", "Hi\n" + "d4 " * 100, **HERE) == "mail/no-move"


def test_a_mail_that_cannot_be_read_is_told_so():
    places: dict[str, dict[str, Any]] = {
        "Re: Antipod Board 101 ann": HERE,
        "multiple": {},
        "Hello": {},
    }
    for subject, place in places.items():
        mail = Mail(subject=subject, unreadable="it is encrypted")
        reading = read_requests(mail, **place)
        assert [one.code for one in reading.faults] == ["mail/unreadable"]
        assert "it is encrypted; send it again as plain text" in reading.faults[0].message
    mail = Mail(subject="Re: Antipod Board 101 ann d4", unreadable="it is encrypted")
    assert [one.words for one in read_requests(mail, board=101).requests] == [("d4",)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("c1 d2\nBye", "c1 d2"),
        ("Good morning,\n\n- c1\n", "c1"),
        ("Hi\n*c1*", "c1"),
        ("hint\nc1", "hint"),
        ("Hi\nc1\nd2", "Hi"),
        ("", ""),
    ],
)
def test_the_line_of_a_puzzle(text, line):
    assert move_line(text, ("hint",)) == line
