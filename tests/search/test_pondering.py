"""Laws of thinking in the opponent's time."""

import time

import pytest

from antipodes.core import Move
from antipodes.errors import IllegalMoveError
from antipodes.games.registry import make_game
from antipodes.search.interface import Limits
from antipodes.search.pondering import Ponder
from antipodes.search.tree import TreeSearch
from tests.raising import raising


@pytest.fixture
def search():
    found = TreeSearch(make_game("hex", {"size": 7}).initial(), seed=1, memory=16)
    found.run(Limits(visits=50))
    return found


def wait_for(condition):
    """Wait until something is so."""
    while not condition():
        time.sleep(0.001)


def test_pondering_adds_visits_until_it_is_stopped(search):
    ponder = Ponder(search)
    wait_for(lambda: search.visits > 1_000)
    assert search.candidates()
    ponder.stop()
    visits = search.visits
    assert not ponder.is_running
    time.sleep(0.03)
    assert search.visits == visits


def test_pondered_visits_are_kept_when_the_opponent_moves(search):
    with Ponder(search) as ponder:
        wait_for(lambda: search.visits > 2_000)
        best = search.candidates()[0].move
        position = search.position.play(best)
        after = ponder.play(best)
    assert after is search
    assert search.position == position
    assert search.visits > 100


def test_an_illegal_move_does_not_move_the_root(search):
    position = search.position
    with Ponder(search) as ponder, pytest.raises(IllegalMoveError):
        ponder.play(Move(10_000))
    assert search.position == position
    search.run(Limits(visits=search.visits + 10))


def test_pondering_ends_at_its_limit(search):
    ponder = Ponder(search, visits=500)
    wait_for(lambda: not ponder.is_running)
    assert search.visits == 500


def test_stopping_at_once_never_hangs(search):
    for _ in range(20):
        Ponder(search).stop()


def test_an_error_of_the_search_is_raised_once(search, monkeypatch):
    monkeypatch.setattr(search, "run", raising(RuntimeError("broken")))
    ponder = Ponder(search)
    with pytest.raises(RuntimeError, match="broken"):
        ponder.stop()
    ponder.stop()
