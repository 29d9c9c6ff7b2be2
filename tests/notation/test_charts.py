"""Charts: round ticks, places within the axes, texts for screen readers."""

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.notation.svg.charts import Plane, chart, label, ticks

NAMESPACE = "{http://www.w3.org/2000/svg}"
PLANE = Plane(left=10, top=20, width=100, height=50, x_axis=(0, 4), y_axis=(-1, 1))


@given(
    low=st.floats(-5_000, 5_000),
    room=st.floats(0.5, 10_000),
    most=st.integers(2, 20),
    least=st.sampled_from([1, 10]),
)
def test_ticks_are_round_numbers_within_the_axis(low, room, most, least):
    found = ticks(low, low + room, most, least)
    assert len(found) <= most + 1
    assert all(low <= one <= low + room for one in found)
    assert str(found.step).rstrip("0") in {"1", "2", "5"}
    assert found.step >= least
    assert all(one % found.step == 0 for one in found)


def test_values_lie_between_the_axes_and_those_beyond_at_their_ends():
    assert [PLANE.x(value) for value in (0, 1, 4, -3, 9)] == [10, 35, 110, 10, 110]
    assert [PLANE.y(value) for value in (-1, 0, 1, -7, 7)] == [70, 45, 20, 70, 20]


def test_a_line_of_one_point_is_a_dot_and_one_of_none_is_nothing():
    assert PLANE.line([(0, 0)]) == '<path d="M10 45h0"/>'
    assert PLANE.line([]) == ""


def test_a_band_surrounds_the_line():
    assert PLANE.band([(0, -1, 1), (4, 0, 1)]) == '<path d="M10 20L110 20L110 45L10 70Z"/>'


def test_a_bar_has_a_tooltip_and_its_error_bar_two_caps():
    assert 'width="50.0" height="25.0"><title>a &lt; b</title>' not in PLANE.bar((0, 2), (0, 1))
    assert 'width="50.0" height="25.0"><title>a &lt; b</title>' in PLANE.bar(
        (0, 2), (0, 1), "a < b"
    )
    assert PLANE.error_bar(1, 2, 0) == '<path d="M35 45H60M35 40v10M60 40v10"/>'


@pytest.mark.parametrize("description", ["", "It rises & falls."])
def test_a_chart_names_itself_to_screen_readers(description):
    drawn = chart(
        [label("<5", 1, 2)],
        (120, 80),
        title="A & B",
        description=description,
        xmlns="http://www.w3.org/2000/svg",
    )
    tree = ET.fromstring(drawn)
    texts = {item.get("id"): item.text for item in tree if item.get("id")}
    named = (tree.get("aria-labelledby") or "").split()
    assert [texts[name] for name in named] == ["A & B", *filter(None, [description])]
    assert tree.get("role") == "img"
    assert tree.get("viewBox") == "0 0 120 80"
    assert tree.findtext(NAMESPACE + "text") == "<5"
