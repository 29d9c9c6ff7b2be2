"""The chart of a rating history: its points and dates, and the words of ranges."""

import re
from itertools import pairwise

import pytest

from antipodes.clocks import DAY
from antipodes.web.ratings import charts
from antipodes.web.ratings.history import Point
from antipodes.web.ratings.ranges import RatingRange

BEGUN = 1_772_409_600_000  # 2 March 2026, 00:00 UTC


def points(count, days):
    """Return ratings that are as far apart as each other, the last after so many days."""
    step = int(days * DAY) // max(1, count - 1)
    return [Point(BEGUN + number * step, 1_500.0 + number, 60.0, "won") for number in range(count)]


def dates_of(found):
    """Return the dates below a chart, and where they are."""
    text = charts.history_chart(found, "Hex")
    days = text[text.index('class="days"') :]
    return re.findall(r' x="([\d.]+)"[^>]*>([^<]+)<', days)


def test_few_points_are_all_drawn():
    found = points(charts._MOST_POINTS, 30)
    assert charts._thinned(found, charts._plane(found)) == found


def test_of_many_points_the_last_of_each_step_is_drawn():
    found = points(10 * charts._MOST_POINTS, 30)
    plane = charts._plane(found)
    shown = charts._thinned(found, plane)
    steps = [round(plane.x(one.at) / 2) for one in shown]
    assert len(shown) <= charts._MOST_POINTS + 1
    assert shown[0] == found[0]
    assert shown[-1] == found[-1]
    assert shown.count(found[0]) == 1
    assert steps[1:] == sorted(set(steps[1:]))
    for one, after in pairwise(found):
        is_last = round(plane.x(one.at) / 2) != round(plane.x(after.at) / 2)
        assert (one in shown[1:]) == is_last or one == found[0]


@pytest.mark.parametrize(
    ("days", "names"),
    [
        (0, ["2 March"]),
        (3, ["2 March", "3 March", "4 March"]),
        (10, ["3 March", "5 March", "7 March", "9 March", "11 March"]),
        (50, ["7 March", "17 March", "27 March", "6 April", "16 April"]),
        (730, ["May 2026", "October 2026", "March 2027", "July 2027", "December 2027"]),
    ],
)
def test_dates_are_spread_over_the_chart(days, names):
    found = dates_of(points(5, days))
    assert [name for _, name in found] == names
    places = [float(place) for place, _ in found]
    assert places == sorted(set(places))
    assert charts._LEFT <= places[0] <= places[-1] <= charts._WIDTH - charts._RIGHT


@pytest.mark.parametrize(
    ("bounds", "words", "included"),
    [
        ((None, None), "", {1_499, 1_500, 1_600, 1_601}),
        ((1_500, None), "rating from 1500", {1_500, 1_600, 1_601}),
        ((None, 1_600), "rating up to 1600", {1_499, 1_500, 1_600}),
        ((1_500, 1_600), "rating 1500 to 1600", {1_500, 1_600}),
    ],
)
def test_a_range_includes_its_bounds(bounds, words, included):
    found = RatingRange(*bounds)
    assert found.label == words
    assert {rating for rating in (1_499, 1_500, 1_600, 1_601) if found.includes(rating)} == included
