"""Items of answers as lines of text, and the parts of answers about boards that few boards have."""

from dataclasses import replace

import pytest

from antipodes.clocks.control import DAY, HOUR, MINUTE, SECOND
from antipodes.mail.layout import (
    Preview,
    kept_lines,
    preview_answer,
    preview_subject,
    refusal_answer,
    submission_answer,
    with_footer,
    write_board,
    write_digest,
)
from antipodes.mail.layout.items import Answer, Field, Listing, Moves, Original, Picture, Title
from antipodes.mail.layout.text import (
    BETWEEN,
    RULE,
    broken,
    comment_lines,
    day,
    instant,
    lines_of,
    rating_change,
    span,
)
from antipodes.match import Match, Offer, OfferKind, Resign, Start
from tests.mail.layout.boards import BEGUN, begun, carried_out, played, reported
from tests.mail.layout.reader import read


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (-5, "0s"),
        (0, "0s"),
        (SECOND - 1, "0s"),
        (61 * SECOND, "1m1s"),
        (HOUR - 1, "59m59s"),
        (HOUR, "1h"),
        (HOUR + 59 * SECOND, "1h"),
        (DAY - 1, "23h59m"),
        (2 * DAY + 3 * HOUR + 4 * MINUTE, "2d3h4m"),
    ],
)
def test_durations_have_seconds_below_an_hour(milliseconds, text):
    assert span(milliseconds) == text


def test_instants_are_written_to_the_second_below():
    assert instant(1_999) == "1970-01-01T00:00:01Z"
    assert (day(DAY - 1), day(DAY)) == ("1970-01-01", "1970-01-02")


def test_a_change_of_a_rating_has_its_sign():
    assert rating_change(1500, 1512) == ("1500", "1512", "+12")
    assert rating_change(1500, 1493) == ("1500", "1493", "-7")
    assert rating_change(1500, 1500) == ("1500", "1500", "+0")
    assert rating_change(None, 1500) == rating_change(1500, None) == ("", "", "")


def test_long_values_continue_in_indented_lines():
    assert lines_of(Field("News", " a \n b ")) == ["News: a b"]
    assert lines_of(Field("News", "\u200b")) == ["News: -"]
    assert lines_of(Field("News", "x" * 60 + " " + "y" * 11)) == [f"News: {'x' * 60} {'y' * 11}"]
    assert lines_of(Field("News", "x" * 60 + " " + "y" * 12)) == [
        f"News: {'x' * 60}\n    {'y' * 12}"
    ]
    assert lines_of(Field("News", "x" * 90)) == [f"News:\n    {'x' * 90}"]
    assert Field.of("Turn", " a ", "", " ", "b") == Field("Turn", "a; b")


def test_columns_of_a_table_are_as_wide_as_their_widest_cell():
    table = Listing("Games", ("No", "Name"), (("7", "ann  bob"), ("101", "")))
    assert lines_of(table) == ["Games: 2", "  No   Name", "  7    ann bob", "  101  -"]
    assert lines_of(Listing("Games", ("No",), ())) == ["Games: 0"]


def test_a_row_that_does_not_fit_a_line_continues_in_indented_ones():
    table = Listing(
        "Games", ("No", "Name", "Where"), (("7", "x" * 70, "y"), ("8", "a b", "z" * 80))
    )
    assert lines_of(table) == [
        "Games: 2",
        "  No  Name",
        "      Where",
        f"  7   {'x' * 70}",
        "      y",
        "  8   a b",
        f"      {'z' * 80}",
    ]
    [board] = read("\n".join([*lines_of(table), ""]))
    assert board.tables["Games"] == [
        {"No": "7", "Name": "x" * 70, "Where": "y"},
        {"No": "8", "Name": "a b", "Where": "z" * 80},
    ]


def test_long_lines_are_broken_at_spaces_and_keep_their_indentation():
    line = "  " + "word " * 20
    assert broken(line) == "\n".join(
        ["  " + " ".join(["word"] * 15), "  " + " ".join(["word"] * 5)]
    )
    assert broken("-- \n  short  ") == "-- \n  short  "
    assert broken("y" * 90 + " z") == "y" * 90 + "\nz"


def numbered(count, seats, *, first=1, automatic=(), text="a1"):
    moves = Moves(
        name="Moves", texts=(text,) * count, seats=seats, first=first, automatic=automatic
    )
    return lines_of(moves)


def test_moves_of_one_player_are_in_the_same_columns():
    assert numbered(0, 2) == ["Moves: 0"]
    assert numbered(3, 2, first=9) == ["Moves: 3", "   9. a1  10. a1  11. a1"]
    # Nine moves fit into 76 columns, of which eight are whole turns of two or four players.
    for seats, columns in ((1, 9), (2, 8), (3, 9), (4, 8), (5, 5)):
        _, *rows = numbered(20, seats)
        assert [row.count(".") for row in rows[:-1]] == [columns] * (len(rows) - 1), seats
        assert {row[:2] for row in rows} == {"  "}
    _, *rows = numbered(3, 4, text="x" * 40)
    assert [row.split(". ")[0] for row in rows] == ["  1", "  2", "  3"]
    assert numbered(2, 2, text="x" * 90)[1:] == [f"  {n}. {'x' * 90}" for n in (1, 2)]


def test_automatic_moves_are_marked():
    assert numbered(3, 2, automatic=(True, False)) == [
        "Moves: 3",
        "  1. a1 (auto)  2. a1         3. a1",
    ]


def test_messages_of_players_cannot_look_like_ours():
    for line in (RULE, BETWEEN, "--", "-- "):
        assert kept_lines(line) == [f" {line.rstrip()}"]
    assert kept_lines("\n\n a\t|\n\nb\xa0c \n\n") == [" a      |", "", "b c"]
    assert kept_lines(" \n") == []
    exact, longer = "x" * 70 + " " + "y" * 7, "x" * 70 + " " + "y" * 8
    assert kept_lines(exact) == [exact]
    assert kept_lines(longer) == longer.split()
    assert comment_lines(" a\nb ", "hi") == [RULE, "a b writes:", "hi"]


def test_a_quoted_mail_is_not_wrapped():
    long = "x " * 60
    assert lines_of(Original(f"\n\na \n\n{long}\n")) == [
        *(RULE, "You wrote:", "> a", ">", f"> {long.rstrip()}"),
    ]


def test_a_footer_is_a_signature():
    assert with_footer("a\n\n", [" b\nc ", "d"]) == "a\n\n-- \nb c\nd\n"


def test_an_answer_has_its_first_title_and_picture():
    position = begun("hex", {"size": 3}).position
    first, second = Picture(position, 0), Picture(position, 1)
    answer = Answer.of([Field("a", "b")], [], [Title("x"), first], [Title("y"), second])
    assert (answer.title, answer.picture, len(answer.blocks)) == ("x", first, 3)
    assert (Answer.of().title, Answer.of().picture) == ("", None)


# Boards.


def board_of(match, **more):
    (board,) = read(write_board(reported(match, **more)))
    return board


@pytest.mark.parametrize(
    ("moves", "given"),
    [
        ([], []),
        (["a1"], ["1; the first move, by no player"]),
        (["a1", "b2"], ["2; the first moves, by no player"]),
    ],
)
def test_moves_before_the_first_turn_are_told(moves, given):
    terms = begun("hex", {"size": 5}).terms
    position = terms.origin
    numbers = []
    for text in moves:
        numbers.append(int(position.parse_move(text)))
        position = position.play(numbers[-1])
    match = Match.begun(replace(terms, start=Start(moves=tuple(numbers))), BEGUN)
    assert board_of(match).values("Given") == given


def test_series_and_tournament_of_a_match_are_told():
    match = begun("hex", {"size": 5})
    board = board_of(match, series="to 9 points", tournament="Open, round 2")
    assert (board.values("Series"), board.values("Tournament")) == (
        *(["to 9 points"], ["Open, round 2"]),
    )
    board = board_of(match)
    assert board.values("Series") == board.values("Tournament") == []


UNDO = {"kind": OfferKind.TAKEBACK}
ONGOING = "propose, undo, resign, chat TEXT or help"
MOVING = f"preview MOVE, submit MOVE, {ONGOING}"
WAITING = f"queue MOVE, {ONGOING}"


@pytest.mark.parametrize(
    ("moves", "command", "viewer", "words"),
    [
        ([], None, None, "show, chat TEXT, unsubscribe or help"),
        ([], None, 0, f"your move in the first line, or with {MOVING}"),
        ([], None, 1, WAITING),
        (
            ["a1"],
            None,
            1,
            f"your move in the first line, or with swap, {MOVING}",
        ),
        (["a1", "b2", "c3"], (Offer, {"seat": 1, **UNDO}), 0, f"accept, reject, {WAITING}"),
        (
            ["a1"],
            (Offer, {"seat": 0, **UNDO}),
            1,
            f"your move in the first line, or with accept, reject, swap, {MOVING}",
        ),
        (["a1", "b2"], (Offer, {"seat": 0, **UNDO}), 1, f"accept, reject, {WAITING}"),
        (["a1"], (Offer, {"seat": 0, **UNDO}), 0, WAITING),
        (["a1", "b2"], (Resign, {"seat": 1}), 0, "show, chat TEXT or help"),
    ],
)
def test_an_answer_says_how_to_reply(moves, command, viewer, words):
    match = played(begun("hex", {"size": 5}), moves)
    if command is not None:
        match = carried_out(match, command)
    assert board_of(match, viewer=viewer).values("Answer") == [f"reply with {words}"]
    assert board_of(match, viewer=viewer, address="").values("Answer") == []


def test_an_offer_waits_for_each_player_once():
    match = played(begun("hex", {"size": 5}), ["a1", "b2"])
    match = carried_out(match, (Offer, {"seat": 0, **UNDO}))
    assert board_of(match).values("Offer") == ["undo; by ann; waits for bob; goes back to move 1"]
    team = begun("antipalos", {"size": 12, "seats": "team"}, players=("0", "1", "0", "1"))
    team = carried_out(team, (Offer, {"seat": 1, "kind": OfferKind.DRAW}))
    (offer,) = board_of(team).values("Offer")
    assert offer == "draw; by bob; waits for ann, cat-3"


# Other answers.


def test_a_refusal_quotes_a_mail_that_is_not_blank():
    assert len(refusal_answer([]).blocks) == 1
    assert refusal_answer([], original=" \n") == refusal_answer([])
    assert refusal_answer([], original="d4").blocks[-1] == (Original("d4"),)


def test_previews_are_named_by_their_board_or_as_new():
    assert preview_subject("cylindrical-hex", 7) == "Cylindrical-Hex Preview 7"
    assert preview_subject("hex", None) == "Hex Preview new"


def test_a_preview_tells_the_turn_after_its_moves():
    position = played(begun("hex", {"size": 5}), ["a1"]).position
    tried = (int(position.parse_move("c3")),)
    preview = Preview(start=position, moves=tried, made=(0,), now=BEGUN)
    items = [item for block in preview_answer(preview).blocks for item in block]
    assert Field("Turn", "move 3; seat 1; Black (x)") in items
    assert not [item for item in items if isinstance(item, Field) and item.name == "Link"]
    (moves,) = (item for item in items if isinstance(item, Moves))
    assert moves.marked() == [(2, "c3")]
    picture = preview_answer(preview).picture
    assert picture is not None
    assert (picture.ply, picture.moves) == (2, (0, *tried))


def test_a_submission_shows_the_board_after_its_move():
    report = reported(played(begun("hex", {"size": 5}), ["a1"]), viewer=1)
    move = int(report.match.position.parse_move("c3"))
    answer = submission_answer(report, move)
    picture = answer.picture
    assert picture is not None
    assert (picture.ply, picture.position.ply, picture.moves) == (2, 2, (0, move))
    items = [item for block in answer.blocks for item in block]
    (moves,) = (item for item in items if isinstance(item, Moves))
    assert moves.marked() == [(2, "c3")]


def test_a_digest_lists_its_boards():
    running = played(begun("hex", {"size": 5}), ["a1"])
    over = carried_out(begun("hex", {"size": 5}), (Resign, {"seat": 0}))
    text = write_digest(
        [reported(running), reported(over, number=7)], headline="Two boards.", more=["More."]
    )
    head, first, second = read(text)
    assert head.values("News") == ["Two boards.", "More."]
    deadline = instant(running.clock.deadline or 0)
    assert head.tables["Boards"] == [
        {"Board": "101", "Game": "hex", "Turn": "bob", "Moves": "1", "Deadline": deadline},
        {"Board": "7", "Game": "hex", "Turn": "-", "Moves": "0", "Deadline": "-"},
    ]
    assert [board.title[2] for board in (first, second) if board.title] == ["101", "7"]
    assert text.count(f"\n\n{BETWEEN}\n") == 2
