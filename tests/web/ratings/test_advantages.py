"""Ratings take the known advantage of a colour into account."""

import pytest

from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings import services, voiding
from antipodes.web.ratings.glicko import PERIOD, Rating
from antipodes.web.ratings.models import RatedMatch, RatingRow
from antipodes.web.ratings.outcomes import Outcome, RatedGame, Side
from antipodes.web.ratings.pool_ratings import UserRating, ratings_after

LONG_AGO = 1_700_000_000_000
BLACK = 141.8  # advantage in the classic setting
SHARE = 0.885  # of the classic setting's games that Black wins between equal computers


@pytest.fixture
def classic(play):
    """Return a function that plays a rated game of Antipod; ann is White and bob Black."""

    def play_classic(loser, **more):
        return play(loser, game_id="antipod", options=more.pop("options", {}), **more)

    return play_classic


def changes(loser, advantage):
    """Return how the ratings of White and Black change who both have 1500, deviation 60."""
    before = {one: UserRating(Rating(1500, 60), 20, 0) for one in (0, 1)}
    sides = tuple(
        Side((one,), Outcome.LOST if one == loser else Outcome.WON, advantage * (2 * one - 1))
        for one in (0, 1)
    )
    after = ratings_after(RatedGame(1, PERIOD, sides), before)
    return [after[one].rating.value - 1500 for one in (0, 1)]


def test_winning_as_black_in_the_classic_setting_gains_little():
    plain, known = changes(0, 0), changes(0, BLACK)
    assert plain == pytest.approx([-10.0, 10.0], abs=0.5)
    assert known == pytest.approx([-3.4, 3.4], abs=0.3)
    assert changes(1, BLACK)[0] > 1.6 * changes(1, 0)[0]


def test_a_player_who_is_always_black_stays_near_the_rating_of_equal_opponents():
    found = {}
    for advantage in (0, BLACK):
        black = UserRating()
        for number in range(150):
            at, won = number * PERIOD // 5, int((number + 1) * SHARE) > int(number * SHARE)
            outcomes = (Outcome.LOST, Outcome.WON) if won else (Outcome.WON, Outcome.LOST)
            before = {0: UserRating(Rating(1500, 50), 99, at), 1: black}
            sides = (Side((0,), outcomes[0], -advantage), Side((1,), outcomes[1], advantage))
            black = ratings_after(RatedGame(number, at, sides), before)[1]
        found[advantage] = black.rating.value
    assert found[0] > 1780
    assert abs(found[BLACK] - 1500) < 100


def test_matches_are_rated_with_the_advantage_of_their_setting(classic, people):
    services.rate(classic(0, at=LONG_AGO))
    [row] = RatedMatch.objects.all()
    assert [one["advantage"] for one in row.sides] == [-BLACK, BLACK]
    white, black = (RatingRow.objects.get(user=one).value for one in people[:2])
    assert white + black == pytest.approx(3000)
    assert 1500 < black < 1600
    services.rate(classic(0, by=people[2:], at=LONG_AGO, options={"handicap": "fair"}))
    assert RatingRow.objects.get(user=people[3]).value > 1650


@pytest.mark.parametrize("swap", ["on", "off"])
def test_matches_with_a_swap_or_from_another_position_have_no_advantage(classic, swap):
    row = classic(0, at=LONG_AGO, options={"swap": swap})
    if swap == "off":
        MatchRow.objects.filter(pk=row.pk).update(start={"moves": []})
    services.rate_all()
    services.recalculate()
    assert {one["advantage"] for one in RatedMatch.objects.get().sides} == {0}


def ratings():
    state = ("user", "value", "deviation", "volatility", "games")
    return sorted(RatingRow.objects.values_list(*state))


def test_undoing_and_restoring_a_match_keeps_the_advantages(classic):
    rows = [classic(number % 2, at=LONG_AGO + number) for number in range(4)]
    services.rate_all()
    before = ratings()
    voiding.void(rows[1])
    voiding.apply_marks()
    assert ratings() != before
    voiding.restore(rows[1])
    voiding.apply_marks()
    assert ratings() == before


def test_recalculating_takes_the_present_advantages(classic):
    for number in range(4):
        classic(0, at=LONG_AGO + number)
    services.rate_all()
    expected = ratings()
    for row in RatedMatch.objects.all():
        row.sides = [{**one, "advantage": 0.0} for one in row.sides]
        row.save()
    assert services.recalculate() == 4
    assert ratings() == expected
