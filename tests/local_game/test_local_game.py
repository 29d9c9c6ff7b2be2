"""Laws of local games: takebacks, resignations, rematches and their records."""

from typing import Any

import pytest

from antipodes import records
from antipodes.core import Color
from antipodes.errors import IllegalMoveError
from antipodes.games.match_play import MatchPlay
from antipodes.games.registry import make_game
from antipodes.local_game import LocalGame, SeatPlayers, continued, save
from antipodes.records import Reason


def local_game(*players, game_id="hex", **options):
    game = make_game(game_id, options or {"size": 4})
    return LocalGame(game.initial(), players or ("human",) * game.seats)


def played(local, *texts):
    for text in texts:
        local.play(local.position.parse_move(text))
    return local


def texts(local):
    pairs = zip(local.positions, local.moves, strict=False)
    return [position.format_move(move) for position, move in pairs]


def test_undo_takes_back_to_the_last_turn_of_a_person():
    local = played(local_game("human", "computer:1"), "a1", "b2", "c3")
    assert not local.human_to_move
    assert local.undo() == 1
    played(local, "c3", "d4")
    assert local.undo() == 2
    assert texts(local) == ["a1", "b2"]


@pytest.mark.parametrize("players", [("human", "human"), ("random", "random")])
def test_undo_takes_back_one_move_where_all_or_no_players_are_people(players):
    local = played(local_game(*players), "a1", "b2")
    assert local.undo() == 1
    assert texts(local) == ["a1"]


def test_undo_leaves_the_first_moves_of_programs():
    local = played(local_game("computer:1", "human"), "a1")
    assert local.undo() == 0
    assert texts(local) == ["a1"]
    assert local_game().undo() == 0


def test_undo_takes_a_resignation_back_alone():
    local = played(local_game(), "a1")
    local.resign()
    assert local.is_over
    assert (local.undo(), local.is_over) == (0, False)
    assert texts(local) == ["a1"]


def test_an_illegal_move_changes_nothing():
    local = played(local_game(), "a1")
    with pytest.raises(IllegalMoveError):
        played(local, "a1")
    assert texts(local) == ["a1"]


def test_each_seat_has_a_player():
    players = ("human", "random", "human", "pairing")
    local = local_game(*players, game_id="antipalos", seats="team")
    assert local.players_of(Color.BLACK) == ("random", "pairing")
    with pytest.raises(ValueError, match="seats"):
        local_game("human", "random", game_id="antipalos", seats="team")


def test_the_winner_is_the_opponent_of_the_colour_that_resigned():
    local = local_game()
    before = local.winner
    local.resign()
    assert (before, local.winner) == (None, Color.WHITE)
    several = local_game(game_id="antipalos", size=12, seats="cutthroat3")
    several.resign()
    assert several.is_over
    assert several.winner is None


def test_players_move_on_by_a_seat_for_a_rematch_and_programs_go_with_them():
    local = local_game("human", "random")
    players = SeatPlayers(seed=1)
    program = players.at(1, "random")
    local.resign()
    players.move_on(local.shift, 2)
    local.begin_rematch()
    assert local.players == ("random", "human")
    assert (local.moves, local.is_over) == ([], False)
    assert players.at(0, "random") is program


def test_a_rematch_adds_the_points_of_match_play():
    game: Any = make_game("antipalos")
    local = LocalGame(game.initial(), ("human", "human"), match_play=MatchPlay(game, 6))
    local.resign()
    local.begin_rematch()
    assert local.match_play is not None
    assert local.match_play.games == 1
    assert max(local.match_play.scores) == 3


def test_a_saved_game_keeps_the_comments_of_the_record_it_went_on_from(tmp_path):
    path = tmp_path / "game.json"
    save(played(local_game(), "a1", "b2", "c3"), path)
    record = records.load(path)
    record.comment = "a fine game"
    again = continued(local_game(), record)
    again.undo()
    played(again, "d4")
    save(again, path)
    loaded = records.load(path)
    assert loaded.comment == "a fine game"
    assert [node.text for node in loaded.main_line()] == ["a1", "b2", "d4"]
    again.undo()
    save(again, path)
    assert [node.text for node in records.load(path).main_line()] == ["a1", "b2"]


def test_a_resignation_is_saved_and_read_back(tmp_path):
    local = played(local_game(), "a1")
    local.resign()
    path = tmp_path / "game.json"
    save(local, path)
    record: Any = records.load(path)
    assert (record.result.reason, record.result.winner) == (Reason.RESIGNATION, Color.BLACK)
    assert continued(local_game(), record).resigned is Color.WHITE


def test_the_result_of_the_rules_is_saved(tmp_path):
    save(played(local_game(size=2, swap="off"), "a1", "b1", "a2"), tmp_path / "game.json")
    record: Any = records.load(tmp_path / "game.json")
    assert record.result.winner is Color.BLACK


def test_a_game_of_three_ends_without_winner_when_one_resigns(tmp_path):
    local = local_game(game_id="antipalos", seats="cutthroat3")
    local.resign()
    save(local, tmp_path / "game.json")
    result: Any = records.load(tmp_path / "game.json").result
    assert result.winner is None
    assert (result.reason, result.loser) == (Reason.RESIGNATION, Color.WHITE)


@pytest.mark.parametrize("options", [{}, {"seats": "team"}, {"seats": "cutthroat3"}])
def test_a_colour_has_one_opponent_where_two_colours_play(options):
    game = make_game("antipalos", {"size": 12, **options})
    for color in game.colors:
        others = set(game.colors) - {color}
        assert game.opponent_of(color) is (others.pop() if len(others) == 1 else None)
