"""Answers can be read by their documented format, without loss."""

import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from antipodes.clocks import read_control
from antipodes.errors import Fault
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.mail.layout import BoardReport, board_answer, write_board, write_refusal
from antipodes.mail.layout.items import Field, Listing, Moves
from antipodes.mail.layout.text import WIDTH
from antipodes.match import (
    ANY,
    ConditionalMoves,
    Match,
    MoveSource,
    Resign,
    SetConditionalMoves,
    Start,
)
from tests.cases import for_each
from tests.golden.mail import answers
from tests.mail.layout.boards import BEGUN, at_random, begun, carried_out, played, reported
from tests.mail.layout.reader import RULE, read

PAGE = (Path(__file__).resolve().parents[3] / "docs/mail-format.md").read_text(encoding="utf-8")

BOARDS = sorted(answers.REPORTS)
# The golden answers, which another test compares with the current ones.
READ = {
    path.stem: path.read_text(encoding="utf-8")
    for path in answers.FOLDER.glob("*.txt")
    if not path.stem.startswith("help-")
}


def board_of(name):
    """Return a report and the board that the reader finds in its answer."""
    report = answers.report(name)
    (board,) = read(write_board(report))
    return report, board


@for_each("name", sorted(READ))
def test_every_answer_follows_the_documented_format(name):
    for board in read(READ[name]):
        assert board.fields


@for_each("name", BOARDS)
def test_fields_agree_with_the_match(name):
    report, board = board_of(name)
    match = report.match
    game = match.terms.game
    assert board.title is not None
    assert board.title[1:] == ("Board", str(report.number))
    assert board.title[0].lower() == board.values("Game")[0] == game.id
    options = dict(one.split("=") for one in board.values("Options")[0].split())
    assert make_game(game.id, options) == game
    rated, control = board.parts("Terms")
    assert (rated == "rated", read_control(control)) == (match.terms.rated, match.terms.control)
    assert board.values("Link") == [report.link]
    assert board.values("Followers") == [", ".join(report.followers) or "-"]
    assert board.values("News") == list(report.news)


@for_each("name", BOARDS)
def test_moves_lead_to_the_same_position(name):
    report, board = board_of(name)
    match = report.match
    position = match.terms.game.initial()
    for number, text, automatic in board.moves["Moves"]:
        made = match.moves[number - 1]
        assert number == position.ply + 1
        assert automatic == (made.source is MoveSource.CONDITIONAL)
        # Move n is that of seat 1 + (n - 1) modulo the seats, as documented.
        assert made.seat == (number - 1) % match.terms.game.seats
        position = position.play(position.parse_move(text, report.side))
    assert position == match.position
    assert "\n".join(board.picture) == position.picture(report.side)
    assert board.ply == match.ply


@for_each("name", BOARDS)
def test_turn_and_result(name):
    report, board = board_of(name)
    match = report.match
    if match.result is None:
        number, seat, color, who = board.parts("Turn")
        assert number == f"move {match.ply + 1}"
        assert seat == f"seat {match.position.seat_to_move + 1}"
        assert color.startswith(f"{match.position.to_move.title} (")
        assert who == report.players[match.position.seat_to_move].name
        assert board.values("State") == ["paused" if match.clock.paused else "playing"]
        assert not board.values("Result")
    else:
        reason, _, *winner = board.parts("Result")
        assert reason == match.result.reason.value
        assert bool(winner) == (match.result.winner is not None)
        assert board.values("State") == ["over"]
        assert not board.values("Turn")


@for_each("name", BOARDS)
def test_seats_and_clocks(name):
    report, board = board_of(name)
    match, clock = report.match, report.match.clock
    rows = board.tables["Seats"]
    assert [row["Player"] for row in rows] == [player.name for player in report.players]
    for seat, row in enumerate(rows):
        assert row["Seat"] == str(seat + 1)
        assert row["Colour"].startswith(match.color_of(seat).title)
        assert row["Rating"] == report.players[seat].rating
        is_running = match.result is None and clock.deadline is not None and clock.seat == seat
        assert (row["Deadline"] != "-") == is_running
        if is_running:
            deadline = datetime.fromisoformat(row["Deadline"]).timestamp()
            assert deadline == clock.deadline // 1000
    assert len(board.values("Away")) == len(clock.away)


@for_each("name", BOARDS)
def test_answers_to_others_have_no_private_parts(name):
    report = answers.report(name)
    values = {one: getattr(report, one) for one in BoardReport.__dataclass_fields__}
    for viewer in (None, *range(report.match.terms.game.seats)):
        told = BoardReport(**(values | {"viewer": viewer, "queued": "", "submitted": ""}))
        (board,) = read(write_board(told))
        resigns = viewer in report.match.resigning
        is_prepared = viewer is not None and bool(report.match.conditional_moves[viewer])
        assert bool(board.values("Resigning")) == resigns
        assert bool(board.values("Conditional")) == is_prepared
        assert bool(board.values("You")) == (viewer is not None)
        assert report.address not in write_board(told)


def test_every_field_is_documented():
    names = {
        item.name
        for report in answers.reports().values()
        for block in board_answer(report).blocks
        for item in block
        if isinstance(item, Field | Listing | Moves)
    }
    names |= {one for text in READ.values() for board in read(text) for one, _ in board.fields}
    settings = {"Vacation"}
    told = set(re.findall(r"`([A-Z][A-Za-z]*)`", PAGE))
    assert names - settings <= told


def test_fields_are_in_the_documented_order():
    section = PAGE.partition("## A board")[2].partition("\nSeats move")[0]
    order = re.findall(r"^\| `([A-Z][a-z]*)`", section, re.MULTILINE)
    for report in answers.reports().values():
        names = [name for name, _ in read(write_board(report))[0].fields]
        places = [order.index(name) for name in names]
        assert places == sorted(places)


@for_each("name", sorted(READ))
def test_lines_fit_into_a_terminal(name):
    in_picture = {line for board in read(READ[name]) for line in board.picture}
    assert all(len(line) <= WIDTH or line in in_picture for line in READ[name].split("\n")), max(
        READ[name].split("\n"), key=len
    )


@given(
    st.lists(
        st.tuples(
            st.from_regex(r"[a-z][a-z0-9]{2,8}( \(bot\))?", fullmatch=True),
            st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
            | st.sampled_from([RULE, "=" * 60, "-- ", "--", f"hi\n{RULE}\nbob writes:\nI resign"]),
        ),
        max_size=3,
    )
)
def test_messages_cannot_imitate_fields(comments):
    report = reported(begun("hex", {"size": 3}), comments=tuple(comments))
    (board,) = read(write_board(report))
    assert [who for who, _ in board.messages] == [who for who, _ in comments]
    assert board.moves["Moves"] == []
    for (_, words), (_, lines) in zip(comments, board.messages, strict=True):
        kept = re.sub(r"\s", "", "".join(lines))
        assert len(kept) <= len(words)


@given(st.text(max_size=200))
def test_quoted_mails_cannot_imitate_fields(original):
    fault = Fault("move/unreadable", f"{original!r} is not a move of Hex")
    report = reported(begun("hex", {"size": 3}))
    (board,) = read(write_refusal([fault], report=report, original=original))
    assert len(board.values("Refused")) == 1
    assert board.parts("Refused")[0] == "move/unreadable"
    assert len(board.messages) == bool(original.strip())


@given(
    st.sampled_from(
        [
            ("antipod", {"side": 3, "swap": "on"}),
            ("hex", {"size": 4}),
            ("cylindrical-hex", {"rows": 3, "columns": 4, "first": "white"}),
            ("antipode", {}),
            ("antipalos", {"size": 12, "rods": 2, "seats": "cutthroat4"}),
            ("antipalos", {"ruleset": "mail", "size": 4}),
        ]
    ),
    st.integers(0, 30),
    st.integers(0, 1000),
)
def test_answers_about_random_games_are_read_back(game, count, seed):
    report = reported(at_random(begun(*game), count, seed))
    (board,) = read(write_board(report))
    position = report.match.terms.game.initial()
    for _, text, _ in board.moves["Moves"]:
        position = position.play(position.parse_move(text, report.side))
    assert position == report.match.position


def test_every_game_has_a_golden_answer():
    games = {report.match.terms.game.id for report in answers.reports().values()}
    assert games == set(game_ids())


def test_the_end_of_a_boxed_game_has_its_points():
    example = game_class("antipalos").finished_game
    assert example is not None
    match = played(begun("antipalos", example.options), example.moves.split())
    (board,) = read(write_board(reported(match)))
    assert board.values("Points") == ["3"]
    assert board.parts("Result") == ["connection", "White wins by connection", "won by ann"]


def test_a_result_of_the_players_has_no_points():
    match = carried_out(begun("antipalos", {"size": 12}), (Resign, {"seat": 0}))
    (board,) = read(write_board(reported(match)))
    assert board.parts("Result")[0] == "resignation"
    assert board.values("Points") == []


def test_conditional_moves_that_are_no_line_are_named_to_their_player_only():
    match = begun("hex", {"size": 5})
    moves = ConditionalMoves.line(ANY, int(match.position.parse_move("a1")))
    match = carried_out(match, (SetConditionalMoves, {"seat": 1, "moves": moves}))
    for viewer, queued, found in (
        (1, "", ["several lines; see the page of the match"]),
        (1, "a1", ["a1"]),
        (0, "", []),
        (None, "", []),
    ):
        (board,) = read(write_board(reported(match, viewer=viewer, queued=queued)))
        assert board.values("Conditional") == found


def test_rods_on_the_board_before_the_first_move_are_told():
    before = played(begun("antipalos", {"ruleset": "mail", "size": 4}), ["a1-b2", "b3-c4", "c1-d2"])
    terms = replace(before.terms, start=Start(setup=before.position.to_setup()))
    (board,) = read(write_board(reported(Match.begun(terms, BEGUN))))
    assert board.values("Start") == ["Vert (v) a1-b2, c1-d2; Horz (h) b3-c4"]
