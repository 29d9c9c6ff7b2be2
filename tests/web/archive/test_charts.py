"""Charts of statistics: where their bars, lines and words lie."""

import math
import xml.etree.ElementTree as ET

import pytest

from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.web.archive import statistics_views
from antipodes.web.archive.statistics import FirstMove, Lengths, Share, Summary


def shapes(svg):
    """Return the elements of a chart by class: texts and bars with their places, paths."""
    root = ET.fromstring(svg)
    found: dict[str, list[str]] = {"size": [root.attrib["viewBox"]]}
    for one in root:
        kind = one.tag.rpartition("}")[2]
        text = "".join(one.itertext())
        place = " ".join(one.attrib.get(name, "") for name in ("x", "y", "width", "height", "d"))
        name = one.attrib.get("class", kind)
        found.setdefault(name, []).append(f"{' '.join(place.split())} {text}".strip())
    return found


def test_the_chart_of_wins_has_a_row_for_each_outcome():
    wins = {Color.BLACK: Share(4, 8), Color.WHITE: Share(0, 8)}
    assert shapes(statistics_views.wins_chart(Summary(None, 8, wins, Share(2, 8), {}))) == {
        "size": ["0 0 640 126"],
        "title": ["Wins by colour"],
        "grid": ["M120 0V102", "M234 0V102", "M348 0V102", "M462 0V102", "M576 0V102"],
        "faint": ["120 120 0 %", "234 120 25 %", "348 120 50 %", "462 120 75 %", "576 120 100 %"],
        "ink": [
            *("112 22 Black", "636 22 50.0 %"),
            *("112 56 White", "636 56 0.0 %"),
            *("112 90 Draws", "636 90 25.0 %"),
        ],
        "bar": ["120 6.8 228.0 20.4", "120 40.8 0.0 20.4", "120 74.8 114.0 20.4"],
        "whisker": [
            "M218.1 17H477.9M218.1 12v10M477.9 12v10",
            "M120 51H267.9M120 46v10M267.9 46v10",
            "M152.6 85H389.4M152.6 80v10M389.4 80v10",
        ],
    }


def test_the_chart_of_wins_without_games_has_empty_bars():
    wins = {Color.BLACK: Share(0, 0), Color.WHITE: Share(0, 0)}
    found = shapes(statistics_views.wins_chart(Summary(None, 0, wins, Share(0, 0), {})))
    assert found["size"] == ["0 0 640 92"]
    assert found["bar"] == ["120 6.8 0.0 20.4", "120 40.8 0.0 20.4"]
    assert found["ink"] == ["112 22 Black", "636 22", "112 56 White", "636 56"]


def test_the_chart_of_lengths_has_a_bar_for_each_length():
    assert shapes(statistics_views.lengths_chart(Lengths({3: 2, 4: 1, 5: 4}))) == {
        "size": ["0 0 640 226"],
        "title": ["Lengths of games"],
        "grid": ["M44 180H628"],
        "faint": ["38 14 4", "141.3 198 3", "336 198 4", "530.7 198 5", "336 218 moves"],
        "bar": [
            "59.6 94 163.5 86.0 3 moves: 2 games",
            "254.2 137 163.6 43.0 4 moves: 1 games",
            "448.9 8 163.5 172.0 5 moves: 4 games",
        ],
        "median": ["M530.7 8V180"],
    }


@pytest.mark.parametrize(
    ("counts", "numbers", "median"),
    [
        ({10: 1, 19: 1}, list(range(10, 20)), "M336 8V180"),
        ({10: 1, 20: 3}, list(range(10, 21, 2)), "M601.5 8V180"),
        ({10: 3, 109: 1}, list(range(10, 110, 12)), "M46.9 8V180"),
    ],
)
def test_ten_bars_at_most_have_a_number(counts, numbers, median):
    found = shapes(statistics_views.lengths_chart(Lengths(counts)))
    assert [int(one.split()[2]) for one in found["faint"][1:-1]] == numbers
    assert found["median"] == [median]


@pytest.mark.parametrize(
    ("number", "marks"),
    [
        ("wins", {0: "75", 1: "38", 2: "25"}),
        ("swaps", {0: "50", 1: "50", 2: "50"}),
        ("games", {0: "25", 1: "100", 2: "75"}),
    ],
)
def test_cells_of_several_first_moves_have_the_sum_of_their_games(number, marks):
    moves = [
        FirstMove(0, "a1", frozenset({0, 1}), 4, Share(3, 4), Share(2, 4)),
        FirstMove(2, "c1", frozenset({1, 2}), 12, Share(3, 12), Share(6, 12)),
    ]
    scene = statistics_views.first_moves_scene(make_game("hex", {"size": 3}), moves, number)
    assert scene.overlay.marks == marks
    assert scene.overlay.weights == {0: 0.5, 1: 1.0, 2: pytest.approx(math.sqrt(0.75))}
    assert scene.title == "First moves of Hex"
