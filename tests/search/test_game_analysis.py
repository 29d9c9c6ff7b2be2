"""Which moves turned a game: those that cost their player much, and no others."""

from dataclasses import replace

import pytest

from antipodes.games.registry import make_game
from antipodes.search.analysis import analyze
from antipodes.search.analysis_result import Estimate
from antipodes.search.game_analysis import turning_points
from antipodes.search.interface import Limits, Proven


def made_up(position, value, error=0.01, proven=None):
    """Return an analysis that values a position so for the seat to move."""
    found = analyze(position, limits=Limits(visits=20))
    mover = position.to_move
    estimates = tuple(
        Estimate(one.color, one.seats, value if one.color is mover else 1 - value, error)
        for one in found.estimates
    )
    best = replace(found.candidates[0], move=next(iter(position.legal_moves)))
    return replace(
        found,
        value=value,
        error=error,
        proven=proven,
        estimates=estimates,
        candidates=(best, *found.candidates[1:]),
    )


def line(*texts):
    position = make_game("hex", {"size": 3, "swap": "off"}).initial()
    positions, moves = [position], []
    for text in texts:
        moves.append(position.parse_move(text))
        position = position.play(moves[-1])
        positions.append(position)
    return positions, moves


def turns(values, texts, **more):
    positions, moves = line(*texts)
    analyses = [made_up(p, v, **more) for p, v in zip(positions, values, strict=True)]
    return [point.turn for point in turning_points(analyses, moves)]


def test_a_move_that_costs_much_turns_the_game():
    assert turns([0.6, 0.7, 0.4], ["b2", "c3"]) == [1]


def test_a_move_that_costs_little_does_not():
    assert turns([0.6, 0.5, 0.55], ["b2", "c3"]) == []


def test_the_best_move_never_turns_the_game():
    assert turns([0.6, 0.9], ["a1"]) == []


def test_what_chance_may_explain_does_not_turn_the_game():
    assert turns([0.6, 0.7], ["b2"], error=0.2) == []


def test_a_proven_win_given_away_decides():
    positions, moves = line("b2")
    analyses = [
        made_up(positions[0], 1.0, 0.0, Proven.WIN),
        made_up(positions[1], 1.0, 0.0, Proven.WIN),
    ]
    (point,) = turning_points(analyses, moves)
    assert point.decides
    assert (point.before, point.after, point.color) == (1.0, 0.0, positions[0].to_move)
    assert point.better == next(iter(positions[0].legal_moves))


def test_analyses_and_moves_must_fit():
    with pytest.raises(ValueError, match="0 analyses do not go with 0 moves"):
        turning_points([], [])
