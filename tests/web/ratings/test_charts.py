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


def chart_of(*values_and_deviations):
    """Return a chart of ratings that are five days apart."""
    found = [
        Point(BEGUN + number * 5 * DAY, value, deviation, "won")
        for number, (value, deviation) in enumerate(values_and_deviations)
    ]
    return charts.history_chart(found, "Hex <b>")


def path_of(text, name):
    """Return the data of the path of a class; ``None`` if there is none."""
    paths = (one for one in re.findall(r"<path[^>]*>", text) if f'class="{name}"' in one)
    return next((one.partition(' d="')[2].partition('"')[0] for one in paths), None)


def test_a_chart_has_the_line_and_a_band_of_two_deviations():
    text = chart_of((1_500.0, 60.0), (1_600.0, 60.0))
    # The axes: from 2 March to 7 March, and from 1380 to 1720.
    assert path_of(text, "established") == "M56 153.1L708 88.9"
    assert path_of(text, "band") == "M56 76.1L708 12L708 165.9L56 230Z"
    assert re.search(r'<circle[^>]* cx="708" cy="88.9" r="4"', text)
    grid = re.findall(r'd="M56 ([\d.]+)H708"', text)
    labels = re.findall(r'<text text-anchor="end" x="50" y="([\d.]+)">(\d+)<', text)
    values = [(round(float(y) - 4, 1), int(one)) for y, one in labels]
    assert values == [(217.2, 1400), (153.1, 1500), (88.9, 1600), (24.8, 1700)]
    assert [float(y) for y in grid] == [y for y, _ in values]
    assert "1500 after the first game, 1600 now. The table below has" in text
    assert text.count('y="250"') == 5  # the dates
    assert ">Hex &lt;b&gt;</title>" in text
    assert 'viewBox="0 0 720 260"' in text


@pytest.mark.parametrize(
    ("deviations", "provisional", "established"),
    [
        ((60, 60, 60), 0, 3),
        ((200, 60, 60), 2, 2),
        ((200, 111, 110), 3, 1),
        ((200, 200, 200), 3, 0),
    ],
)
def test_the_lines_of_a_provisional_and_an_established_rating_meet(
    deviations, provisional, established
):
    text = chart_of(*((1_500.0 + one, float(one)) for one in deviations))
    lines = [path_of(text, name) for name in ("provisional", "established")]
    counts = [0 if one is None else len(re.split("[ML]", one)) - 1 for one in lines]
    assert counts == [max(1, provisional), established]
    if established and provisional:
        first, second = (one.removesuffix("h0")[1:].split("L") for one in lines if one)
        assert first[-1] == second[0]


@pytest.mark.parametrize(
    ("ratings", "days", "x_axis", "y_axis"),
    [
        ([(1_500, 200), (1_450, 200)], 0, (-0.5, 0.5), (1_350, 1_600)),
        ([(1_500, 100), (1_500, 110)], 1, (0, 1), (1_280, 1_720)),
    ],
)
def test_a_provisional_rating_alone_has_hundred_points_of_space(ratings, days, x_axis, y_axis):
    found = [
        Point(BEGUN + number * days * DAY, float(value), float(deviation), "won")
        for number, (value, deviation) in enumerate(ratings)
    ]
    plane = charts._plane(found)
    assert plane.y_axis == y_axis
    assert tuple((at - BEGUN) / DAY for at in plane.x_axis) == x_axis


@pytest.mark.parametrize(("days", "form"), [(365, r"^\d+ \w+$"), (366, r"^\w+ 20\d\d$")])
def test_dates_of_more_than_a_year_are_months(days, form):
    names = [name for _, name in dates_of(points(5, days))]
    assert len(names) == 5
    assert all(re.match(form, name) for name in names)


def test_the_first_of_many_points_is_drawn_once_wherever_the_second_is():
    later = points(2 * charts._MOST_POINTS, 30)
    first = Point(BEGUN - 30 * DAY, 1_500.0, 60.0, "won")
    second = Point(BEGUN - 15 * DAY, 1_500.0, 60.0, "won")
    for found in ([first, *later], [first, second, *later]):
        shown = charts._thinned(found, charts._plane(found))
        assert shown[: len(found) - len(later)] == found[: len(found) - len(later)]
        assert shown.count(first) == 1
