"""Laws of bouts: how many games a pairing has, who begins them, and who wins it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.core import Color, Outcome, Termination
from antipodes.errors import InputError
from antipodes.games.antipalos import Antipalos
from antipodes.games.match_play import TARGETS, MatchPlay
from antipodes.games.registry import game_ids, make_game
from antipodes.tournaments import BOUTS, BoutGame, Decision, make_bout, total
from antipodes.tournaments.bouts import DECIDERS
from tests.cases import for_each

CHART = (1, 2, 3, 4, 5)
WON_BY = (Decision((1.0, 0.0)), Decision((0.0, 1.0)))


def results_of(bout):
    """Return a strategy for the scores of single games."""
    if not bout.counts_chart:
        return st.sampled_from([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)])
    won = [(float(one), 0.0) for one in CHART]
    return st.sampled_from([(0.0, 0.0), *won, *[(other, one) for one, other in won]])


def played(bout, scores, **rules):
    """Play a bout game after game; return its games and its result."""
    games: list[BoutGame] = []
    while bout.wanted(games, **rules) > len(games):
        games.append(BoutGame(next(scores)))
    return games, bout.decision(games, **rules)


@given(st.data(), st.sampled_from(list(BOUTS.values())), st.booleans())
def test_every_bout_ends_with_a_result_and_not_too_many_games(data, bout, needs_winner):
    results = results_of(bout)
    scores = iter(lambda: data.draw(results), None)
    games, found = played(bout, scores, needs_winner=needs_winner)
    assert found is not None
    assert sum(found.points) == 1
    assert not found.is_forfeit
    assert len(games) <= bout.most + DECIDERS * needs_winner
    first, second = total(games)
    if needs_winner:
        assert set(found.points) == {0.0, 1.0}
    if first != second:
        assert (found.points[0] > found.points[1]) == (first > second)
    else:
        assert needs_winner or found.points == (0.5, 0.5)


@given(st.data(), st.sampled_from(TARGETS))
def test_matches_follow_the_rules_of_match_play(data, target):
    bout = make_bout(f"match-{target}")
    standing = MatchPlay(Antipalos(), target)
    games: list[BoutGame] = []
    for number in range(1, bout.most + 1):
        assert bout.wanted(games) == number
        beginner = standing.side_of(Color.WHITE)
        assert bout.is_exchanged(number, games) == (beginner == 1)
        winner = data.draw(st.sampled_from([None, 0, 1]))
        points = 0 if winner is None else data.draw(st.sampled_from(CHART))
        color = None if winner is None else standing.color_of(winner)
        standing = standing.after(Outcome(color, Termination.CONNECTION, points))
        games.append(BoutGame((points * float(winner == 0), points * float(winner == 1))))
        assert list(total(games)) == list(standing.scores)
        if standing.winner is not None:
            assert bout.decision(games) == WON_BY[standing.winner]
            return
        assert (bout.decision(games) is None) == (number < bout.most)


def test_a_match_is_drawn_after_as_many_games_as_one_without_draws_can_have():
    bout = make_bout("match-6")
    drawn = [BoutGame((0.0, 0.0))] * (bout.most - 1)
    assert bout.most == 11
    assert bout.decision(drawn) is None
    assert bout.decision([*drawn, drawn[0]]) == Decision((0.5, 0.5))
    assert bout.decision([*drawn, BoutGame((0.0, 1.0))]) == Decision((0.0, 1.0))


@for_each("name", ["single", "best-of-3", "match-6", "match-15"])
def test_who_makes_no_move_in_the_first_game_loses_the_pairing(name):
    won = 3.0 if name.startswith("match") else 1.0
    bout, absent = make_bout(name), [BoutGame((0.0, won), is_forfeit=True)]
    assert bout.decision(absent) == Decision((0.0, 1.0), is_forfeit=True)
    if bout.is_series:
        assert bout.decision([BoutGame((won, 0.0)), *absent]) is None


def test_a_result_of_a_game_that_goes_on_is_awaited():
    for bout in BOUTS.values():
        going_on = [BoutGame(None)]
        assert bout.decision(going_on) is None
        assert bout.wanted(going_on) == 1
        assert bout.wanted([], at_once=True) == (2 if bout.name in {"mirrored", "pair"} else 1)


def test_only_boxed_antipalos_has_match_play():
    bout = make_bout("match-9")
    for game in game_ids():
        if game != "antipalos":
            with pytest.raises(InputError, match="has no match play"):
                bout.check(make_game(game))
        make_bout("best-of-3").check(make_game(game))
    bout.check(make_game("antipalos"))
    with pytest.raises(InputError, match="ruleset is mail"):
        bout.check(make_game("antipalos", {"ruleset": "mail"}))


def test_an_unknown_bout_is_named():
    with pytest.raises(
        InputError, match="'best-of-4'; there are single, mirrored, pair, best-of-3"
    ):
        make_bout("best-of-4")
