"""The session: one game at the board, without a screen."""

from typing import Any

import pytest

from antipodes import records
from antipodes.core import Color
from antipodes.errors import IllegalMoveError
from antipodes.games.registry import make_game
from antipodes.records import Reason
from antipodes.tui import files
from antipodes.tui.session import Session


def hex_session(**players):
    return Session(make_game("hex", {"size": 4}), {Color(k): v for k, v in players.items()})


def test_undo_takes_back_to_the_last_turn_of_a_person():
    session = hex_session(white="computer:1")
    for text in ("a1", "b2", "c3"):
        session.play_text(text)
    assert not session.human_to_move
    assert session.undo() == 1
    session.play_text("c3")
    session.play_text("d4")
    assert session.undo() == 2
    assert session.move_texts() == ["a1", "b2"]


def test_undo_at_the_start_does_nothing():
    session = hex_session()
    assert session.undo() == 0


def test_undo_takes_back_one_move_where_nobody_or_everybody_is_a_person():
    for players in ({}, {"black": "random", "white": "random"}):
        session = hex_session(**players)
        session.play_text("a1")
        session.play_text("b2")
        assert session.undo() == 1


def test_nothing_can_be_chosen_while_a_computer_is_to_move():
    session = hex_session(black="computer:1")
    assert session.picture().legal == frozenset()
    assert session.choose(3) is None
    assert session.moves == []


def test_an_illegal_move_changes_nothing():
    session = hex_session()
    session.play_text("a1")
    with pytest.raises(IllegalMoveError):
        session.play_text("a1")
    assert session.move_texts() == ["a1"]


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
    assert session.over
    assert "White has resigned" in session.caption
    assert session.undo() == 0
    assert not session.over


def test_players_can_be_given_for_each_seat():
    game = make_game("antipalos", {"seats": "team"})
    session = Session(game, ("human", "random", "human", "pairing"))
    assert session.players_of(Color.BLACK) == ("random", "pairing")
    with pytest.raises(ValueError, match="seats"):
        Session(game, ("human", "random"))


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
    assert record.players == ("human", "random")
    again = files.continued(record, {})
    assert again.move_texts() == ["a1", "b2", "c3"]
    assert not again.unfinished


def test_saving_keeps_the_comments_of_the_record_it_went_on_from(tmp_path):
    path = tmp_path / "game.json"
    session = hex_session()
    for text in ("a1", "b2", "c3"):
        session.play_text(text)
    files.save(session, path)
    record = records.load(path)
    record.comment = "a fine game"
    again = files.continued(record, {})
    again.undo()
    again.play_text("d4")
    files.save(again, path)
    loaded = records.load(path)
    assert loaded.comment == "a fine game"
    assert [node.text for node in loaded.main_line()] == ["a1", "b2", "d4"]
    again.undo()
    files.save(again, path)
    assert [node.text for node in records.load(path).main_line()] == ["a1", "b2"]


def test_a_resignation_is_saved_and_read_back(tmp_path):
    session = hex_session()
    session.play_text("a1")
    session.resign()
    path = tmp_path / "game.json"
    files.save(session, path)
    record: Any = records.load(path)
    assert record.result.reason is Reason.RESIGNATION
    assert record.result.winner is Color.BLACK
    assert files.continued(record, {}).resigned is Color.WHITE


def test_the_result_of_the_rules_is_saved(tmp_path):
    session = Session(make_game("hex", {"size": 2, "swap": "off"}))
    for text in ("a1", "b1", "a2"):
        session.play_text(text)
    files.save(session, tmp_path / "game.json")
    record: Any = records.load(tmp_path / "game.json")
    assert record.result.winner is Color.BLACK


def test_a_game_of_three_ends_without_winner_when_one_resigns(tmp_path):
    session = Session(make_game("antipalos", {"seats": "cutthroat3"}))
    session.resign()
    files.save(session, tmp_path / "game.json")
    result: Any = records.load(tmp_path / "game.json").result
    assert result.winner is None
    assert result.text == "white resigned"


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("", "give a file name"),
        (".", "is a folder"),
        ("no/such/x.json", "no folder"),
        ("a.png", "not .png"),
        ("a\0b", "give a file name"),
        ("~nobody-here/x", "cannot be"),
    ],
)
def test_file_names_that_cannot_be_used_are_explained(name, fault):
    assert fault in (files.fault_in_name(name) or "")


def test_a_file_name_without_ending_is_json(tmp_path):
    assert files.fault_in_name(str(tmp_path / "game")) is None
    assert files.path_of(" game ").name == "game.json"


@pytest.mark.parametrize("options", [{}, {"seats": "team"}, {"seats": "cutthroat3"}])
def test_a_colour_has_one_opponent_where_two_colours_play(options):
    game = make_game("antipalos", {"size": 12, **options})
    for color in game.colors:
        others = set(game.colors) - {color}
        assert game.opponent_of(color) is (others.pop() if len(others) == 1 else None)


def test_the_winner_is_the_opponent_of_the_colour_that_resigned():
    assert hex_session().winner is None
    session = hex_session()
    session.resign()
    assert session.winner is Color.WHITE
    several = Session(make_game("antipalos", {"size": 12, "seats": "cutthroat3"}))
    several.resign()
    assert several.over
    assert several.winner is None
