"""Courses of games as plots: well-formed, told without colour, and complete."""

from xml.etree import ElementTree as ET

import pytest

from antipodes.core import Color
from antipodes.notation.plots import bar
from antipodes.notation.svg.plot import render_plot

NAMESPACE = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(("value", "column"), [(0.0, 0), (0.5, 5), (1.0, 10), (-3, 0), (7, 10)])
def test_a_star_stands_where_the_value_is(value, column):
    shown = bar(value, 11)
    assert len(shown) == 13
    assert shown.index("*") == column + 1


def test_what_is_not_known_has_no_star():
    assert bar(None, 11) == "|     :     |"


def texts(svg):
    return [item.text for item in ET.fromstring(svg).iter(NAMESPACE + "text")]


@pytest.mark.parametrize("turns", [1, 2, 25, 700])
def test_a_plot_of_any_length_is_well_formed_and_lies_within_its_frame(turns):
    course = [(turn % 3 / 2, 0.1) for turn in range(turns)]
    tree = ET.fromstring(render_plot("A game", {Color.BLACK: course}, {turns - 1: "last"}))
    _, _, width, height = map(float, tree.get("viewBox", "").split())
    for item in tree.iter(NAMESPACE + "text"):
        assert 0 < float(item.get("x", "")) < width
        assert 0 < float(item.get("y", "")) < height
    assert "last" in texts(ET.tostring(tree, encoding="unicode"))


def test_lines_of_several_colours_differ_in_dashes_and_bear_names():
    colors = (Color.WHITE, Color.BLACK, Color.RED, Color.BLUE)
    svg = render_plot("Four", {color: [(0.25, 0.0)] * 4 for color in colors}, {})
    tree = ET.fromstring(svg)
    drawn = [p for p in tree.iter(NAMESPACE + "path") if p.get("stroke")]
    dashes = {p.get("stroke-dasharray") for p in drawn if p.get("d", "").count("L") == 3}
    assert len(dashes) == 4
    assert {"White", "Black", "Red", "Blue"} <= set(texts(svg))
    heights = [
        float(item.get("y", ""))
        for item in tree.iter(NAMESPACE + "text")
        if item.text in ("White", "Black", "Red", "Blue")
    ]
    assert min(b - a for a, b in zip(sorted(heights), sorted(heights)[1:], strict=False)) >= 14


def test_a_gap_in_what_is_known_is_a_gap_in_the_line():
    course = [(0.5, 0.0), (0.6, 0.0), None, (0.7, 0.0)]
    svg = render_plot("Gap", {Color.BLACK: course}, {2: "unknown", 3: "known"})
    assert "unknown" not in texts(svg)
    assert "known" in texts(svg)


def test_the_description_tells_the_course():
    course = [(0.4, 0.0), (0.8, 0.0), (0.2, 0.0)]
    svg = render_plot("A & B", {Color.BLACK: course}, {2: "2. b3"})
    assert "Black: from 40% to 20%, lowest 20%, highest 80%, through one half 2 times." in svg
    assert "Turning points: move 2 (2. b3)." in svg
    ET.fromstring(svg)
