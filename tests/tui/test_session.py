"""The session: one game at the board, without a screen."""

import pytest

from antipodes import records
from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.tui import files
from antipodes.tui.session import Session


def hex_session(**players):
    return Session(make_game("hex", {"size": 4}), {Color(k): v for k, v in players.items()})


def test_nothing_can_be_chosen_while_a_computer_is_to_move():
    session = hex_session(black="computer:1")
    assert session.picture().legal == frozenset()
    assert session.choose(3) is None
    assert session.moves == []


def test_a_swap_of_seats_takes_the_players_along():
    session = Session(make_game("hex", {"size": 4, "swap": "sides"}), {Color.WHITE: "computer:1"})
    session.play_text("a1")
    assert session.can_swap
    assert session.player_to_move == "computer:1"
    session.swap()
    assert session.player_to_move == "human"
    assert session.players_of(Color.BLACK) == ("computer:1",)


def test_resigning_ends_the_game_and_can_be_taken_back():
    session = hex_session()
    session.play_text("a1")
    session.resign()
    assert session.is_over
    assert "White resigns; Black wins." in session.caption
    assert session.undo() == 0
    assert not session.is_over


def test_each_seat_reads_and_writes_moves_from_its_own_side():
    session = Session(make_game("antipalos", {"size": 12}))
    assert session.turn_view()
    assert session.quarter_turns == 2
    session.play_text("A1*")
    assert session.position.last_cell == session.game.topology.cell("L12")
    assert session.move_texts() == ["A1*"]
    assert session.turn_view()
    assert session.quarter_turns == 0
    assert session.move_texts() == ["L12*"]


def test_only_boards_with_sides_can_be_turned():
    assert not hex_session().turn_view()
    assert not Session(make_game("antipalos", {"ruleset": "mail"})).turn_view()


def test_a_saved_game_goes_on_where_it_was(tmp_path):
    session = hex_session(white="random")
    for text in ("a1", "b2", "c3"):
        session.play_text(text)
    assert session.unfinished
    path = tmp_path / "game.json"
    files.save(session, path)
    assert not session.unfinished
    record = records.load(path)
    assert record.players == ("", "random")
    again = files.continued(record, {})
    assert again.move_texts() == ["a1", "b2", "c3"]
    assert not again.unfinished


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "give a file name"),
        (".", "is a folder"),
        ("no/such/x.json", "no folder"),
        ("a.png", "not .png"),
        ("a\0b", "give a file name"),
        ("~no-such-user/x", "cannot be"),
    ],
)
def test_file_names_that_cannot_be_used_are_explained(name, fault):
    assert fault in (files.fault_in_name(name) or "")


def test_a_file_name_without_ending_is_json(tmp_path):
    assert files.fault_in_name(str(tmp_path / "game")) is None
    assert files.path_of(" game ").name == "game.json"
