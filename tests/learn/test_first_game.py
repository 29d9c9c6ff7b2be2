"""The coached first game: its advice fades, and who follows it can finish the game."""

import pytest

from antipodes.errors import IllegalMoveError
from antipodes.games.registry import game_class, game_ids
from antipodes.learn.first_game import CoachedGame


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_declares_a_first_game(game_id):
    assert game_class(game_id).first_game is not None, f"{game_id}: first_game in its class"


def test_the_advice_fades_and_wins_on_a_small_board():
    game = CoachedGame("hex", seed=1)
    lengths = []
    while game.position.outcome is None:
        lengths.append(len(game.advice()))
        (best,) = game.advice(asked=True)
        game.play(game.position.format_move(best))
    assert game.won
    assert game.advice() == ()
    assert lengths[:3] == [1, 1, 1]
    assert all(count > 1 for count in lengths[3:6])
    assert not any(lengths[6:])


def test_the_first_advice_in_antipalos_is_near_the_centre():
    game = CoachedGame("antipalos", seed=1)
    for asked in (False, True):
        (advised,) = game.advice(asked=asked)
        assert game.position.format_move(advised) == "F6*"
    game.play("F6*")
    (following,) = game.advice()
    assert game.position.format_move(following) != "F6*"


def test_the_computer_begins_where_the_learner_moves_second():
    game = CoachedGame("antipod", seed=1)
    assert game.position.ply == 1
    assert game.position.seat_to_move == game.seat


def test_an_illegal_move_changes_nothing():
    game = CoachedGame("hex", seed=1)
    game.play("c3")
    before = game.position
    with pytest.raises(IllegalMoveError):
        game.play("c3")
    assert game.position == before
