"""Laws of Antipalos' match play."""

import pytest

from antipodes.core import Color, Outcome, Termination
from antipodes.errors import InvalidOptionsError
from antipodes.games.antipalos import Antipalos
from antipodes.games.match_play import MatchPlay

DRAW = Outcome(None, Termination.REPETITION, 0)


def win(color: Color, points: int) -> Outcome:
    return Outcome(color, Termination.CONNECTION, points)


def test_points_of_chart_a_add_up_until_the_target_is_reached():
    match = MatchPlay(Antipalos(), 6)
    match = match.after(win(Color.WHITE, 3))
    assert (match.scores, match.winner) == ((3, 0), None)
    # Side 1 lost and begins: it is White now.
    assert match.color_of(1) is Color.WHITE
    match = match.after(win(Color.BLACK, 4))
    assert (match.scores, match.winner) == ((7, 0), 0)


def test_the_loser_begins_the_next_game():
    match = MatchPlay(Antipalos(), 9)
    assert match.beginner == 0
    assert match.after(win(Color.WHITE, 1)).beginner == 1
    assert match.after(win(Color.BLACK, 1)).beginner == 0


def test_a_draw_scores_nothing_and_the_same_side_begins_again():
    match = MatchPlay(Antipalos(), 15).after(win(Color.WHITE, 1))
    drawn = match.after(DRAW)
    assert (drawn.scores, drawn.beginner, drawn.games) == (match.scores, match.beginner, 2)


@pytest.mark.parametrize("seats", ["two", "team", "cutthroat3", "cutthroat4"])
def test_every_colour_has_one_side_in_every_order(seats):
    match = MatchPlay(Antipalos(seats=seats), 15)
    for _ in range(5):
        sides = [match.side_of(color) for color in match.game.colors]
        assert sorted(sides) == list(range(len(match.scores)))
        assert [match.color_of(side) for side in sides] == list(match.game.colors)
        match = match.after(win(match.game.colors[-1], 1))


@pytest.mark.parametrize(
    ("game", "target", "code"),
    [
        (Antipalos(), 7, "match-play/target"),
        (Antipalos(ruleset="mail"), 6, "match-play/ruleset"),
    ],
)
def test_what_cannot_be_a_match_is_refused(game, target, code):
    with pytest.raises(InvalidOptionsError) as caught:
        MatchPlay(game, target)
    assert caught.value.code == code


def test_a_won_match_takes_no_more_games():
    match = MatchPlay(Antipalos(), 6, scores=(6, 2))
    with pytest.raises(ValueError, match="over"):
        match.after(DRAW)


def test_a_game_given_up_scores_as_two_opposite_borders():
    match = MatchPlay(Antipalos(), 9)
    assert match.after_resignation(Color.BLACK, phase=1).scores == (0, 3)
    assert match.after_resignation(Color.WHITE, phase=2).scores == (1, 0)
