"""Matches that begin from a position."""

import json
import random

import pytest

from antipodes.clocks import read_control
from antipodes.errors import IllegalMoveError, InputError, MatchError
from antipodes.games.registry import game_ids, make_game
from antipodes.match import Abort, Challenge, Match, Offer, OfferKind, Play, Resign, Start, Terms
from antipodes.match import rematch as terms_of_rematch
from antipodes.match.commands import MoveSource
from antipodes.match.events import read_event
from antipodes.records import from_json, read_record, write_record
from tests.match.games import MatchDriver


def random_moves(game, count, seed=0):
    """Return the first moves of a random game that is not over after them."""
    chance, position = random.Random(seed), game.initial()
    moves: list[int] = []
    while len(moves) < count:
        move = int(chance.choice(list(position.legal_moves)))
        after = position.play(move)
        if after.outcome is not None:
            break
        position, moves = after, [*moves, move]
    return moves, position


def begun(game, start, control="unlimited"):
    players = ("ann", "bob", "cy", "dee")[: game.seats]
    terms = Terms(game=game, players=players, control=read_control(control), start=start)
    return Match.begun(terms, 1_000)


@pytest.mark.parametrize("game_id", game_ids())
def test_a_match_begins_after_given_moves(game_id):
    game = make_game(game_id)
    moves, position = random_moves(game, 7)
    match = begun(game, Start(moves=tuple(moves)), control="5m")
    assert match.position == position
    assert match.seat_to_move == match.clock.seat == position.seat_to_move
    assert [(int(made.move), made.source) for made in match.moves] == [
        (move, MoveSource.GIVEN) for move in moves
    ]


@pytest.mark.parametrize("game_id", game_ids())
def test_a_match_begins_from_a_setup(game_id):
    game = make_game(game_id)
    _, position = random_moves(game, 8, seed=3)
    match = begun(game, Start(setup=position.to_setup()))
    assert match.position == position
    assert match.ply == 0
    match = match.after(_moved(match))
    assert match.position.to_move != position.to_move or game.seats > 2


def _moved(match):
    driver = MatchDriver(match)
    move = next(iter(match.position.legal_moves))
    (event, *_) = driver.send(Play, match.seat_to_move, move=int(move))
    return event


@pytest.mark.parametrize("game_id", game_ids())
def test_a_start_survives_its_data(game_id):
    game = make_game(game_id)
    moves, position = random_moves(game, 5, seed=1)
    for start in (
        Start(),
        Start(moves=tuple(moves)),
        Start(setup=position.to_setup(), moves=(int(next(iter(position.legal_moves))),)),
    ):
        again = Start.read(json.loads(json.dumps(start.as_json())))
        assert again.position(game) == start.position(game)
        assert again.moves == start.moves
        assert hash(again) == hash(start)


def test_given_moves_cannot_be_taken_back():
    game = make_game("hex", {"size": 4})
    driver = MatchDriver(begun(game, Start(moves=(0, 5))))
    with pytest.raises(MatchError, match="you have made no move yet"):
        driver.send(Offer, 0, kind=OfferKind.TAKEBACK)
    driver.play("c1", "d1")
    driver.send(Offer, 0, kind=OfferKind.TAKEBACK)
    driver.send(Offer, 1, kind=OfferKind.TAKEBACK)
    assert [int(made.move) for made in driver.match.moves] == [0, 5]
    again = Match.replayed(
        driver.match.terms, 1_000, [read_event(one.as_json()) for one in driver.events]
    )
    assert again.position == driver.match.position


def test_a_player_who_has_only_given_moves_may_abort():
    driver = MatchDriver(begun(make_game("hex", {"size": 4}), Start(moves=(0, 5))))
    driver.send(Abort, 0)
    assert driver.match.result is not None


def test_the_record_of_a_match_has_its_setup_and_all_moves():
    game = make_game("hex", {"size": 4, "swap": "off"})
    _, position = random_moves(game, 4)
    driver = MatchDriver(begun(game, Start(setup=position.to_setup())))
    first, second = list(position.legal_moves)[:2]
    driver.send(Play, driver.match.seat_to_move, move=int(first))
    driver.send(Play, driver.match.seat_to_move, move=int(second))
    record = driver.match.record()
    for kind in ("sgf", "json"):
        again = read_record(write_record(record, kind).encode())
        assert again.root.position == position
        assert again.moves() == [first, second]
        assert again.final_position() == driver.match.position
    assert from_json(write_record(record, "json")).start is not None


def test_a_rematch_begins_from_the_same_position_on_the_same_seats():
    start = Start(moves=(0, 5))
    driver = MatchDriver(begun(make_game("hex", {"size": 4}), start))
    driver.send(Resign, 0)
    terms = terms_of_rematch(driver.match)
    assert (terms.start, terms.players) == (start, ("ann", "bob"))


def challenge(start, **details):
    game = make_game("hex", {"size": 2, "swap": "off"})
    return Challenge(game=game, by="ann", start=start, **details)


def test_a_finished_position_is_no_start():
    with pytest.raises(MatchError, match="the game is over in this position: Black wins") as told:
        challenge(Start(moves=(0, 1, 2)))
    assert told.value.code == "match/decided"


def test_a_start_with_an_illegal_move_is_refused():
    with pytest.raises(IllegalMoveError):
        challenge(Start(moves=(0, 0)))


def test_a_match_from_a_position_is_not_rated():
    with pytest.raises(InputError, match="games that begin from a position are not rated"):
        challenge(Start(moves=(0,)), rated=True)
