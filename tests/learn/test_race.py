"""The race to a border of Antipalos: exact answers on small boards and printed positions."""

import random

import pytest

from antipodes.core import Color
from antipodes.games.antipalos import Antipalos, AntipalosPosition
from antipodes.learn.race import Race, RaceReferee
from antipodes.learn.store import find_course


def position_of(step_id):
    """Return the position of a step, which is one of Antipalos."""
    position = find_course("antipalos-strategy").step(step_id).position
    assert isinstance(position, AntipalosPosition)
    return position


def brute_force(position, runner, turns):
    """Return whether the runner joins top and bottom within so many turns, trying every move."""
    if position.outcome is not None:
        return position.outcome.winner is runner
    own = position.to_move is runner
    if own and turns == 0:
        return False
    found = (brute_force(position.play(move), runner, turns - own) for move in position.legal_moves)
    return any(found) if own else all(found)


@pytest.mark.parametrize("seed", range(12))
def test_the_race_agrees_with_trying_every_move(seed):
    game, chance = Antipalos(ruleset="mail", size=3, swap="off"), random.Random(seed)
    position = game.initial()
    while position.ply < 3 + seed % 2:
        position = position.play(chance.choice(position.legal_moves))
    if position.outcome is None:
        race = Race(position, Color.VERT, "top")
        for turns in (1, 2):
            assert race.gets_through(position, turns) == brute_force(position, Color.VERT, turns)


def test_a_line_ends_with_the_runner_at_the_border():
    position = position_of("near")
    race = Race(position, position.to_move, "bottom")
    for move in race.line(position, 5):
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner is Color.WHITE


def test_a_blocker_who_loses_turns_is_passed():
    position = position_of("close")
    position = position.play(position.parse_move("*G2"))
    race = Race(position, Color.WHITE, "bottom")
    assert not race.gets_through(position, 4)
    assert not race.gets_through(position, 4, 1)
    assert race.gets_through(position, 4, 2)


def test_the_referee_says_what_it_cannot_decide(monkeypatch):
    monkeypatch.setattr("antipodes.learn.race._NODES", 3)
    position = position_of("far")
    referee = RaceReferee(Race(position, Color.WHITE, "bottom"))
    assert referee.wins(position, 5) is None
    assert referee.answer(position, 5) is None
