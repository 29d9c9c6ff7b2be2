"""Overlays of analyses: numbers and shades, readable without colour as well."""

from xml.etree import ElementTree as ET

import pytest

from antipodes.notation.ascii_pictures import draw
from antipodes.notation.scene import Overlay
from antipodes.notation.svg import render_svg
from antipodes.notation.svg.style import HEAT
from antipodes.notation.words import describe, shade_level
from tests.notation.scenes import GAMES, played

NAMESPACE = "{http://www.w3.org/2000/svg}"


def empty_cells(position):
    scene = position.scene()
    taken = {*scene.stones, *scene.rods}
    return [cell for cell in range(scene.topology.cell_count) if cell not in taken]


def shaded_cells(svg):
    """Return how many cells are shaded and how many dots are drawn."""
    tree = ET.fromstring(svg)
    areas = [g for g in tree.iter(NAMESPACE + "g") if g.get("fill") == HEAT]
    return sum(len(group) for group in areas)


@pytest.mark.parametrize("name", GAMES)
def test_marks_stand_on_the_board_in_text_and_in_svg(name):
    position, _ = played(name, 0)
    cells = empty_cells(position)[:3]
    marks = dict(zip(cells, "123", strict=True))
    scene = position.scene().with_overlay(Overlay(marks=marks))
    texts = [item.text for item in ET.fromstring(render_svg(scene)).iter(NAMESPACE + "text")]
    picture, plain = draw(scene), draw(position.scene())
    for cell, mark in marks.items():
        places = len(scene.topology.places_of[cell])
        assert picture.count(mark) == plain.count(mark) + places
        without = render_svg(position.scene())
        before = [item.text for item in ET.fromstring(without).iter(NAMESPACE + "text")]
        assert texts.count(mark) == before.count(mark) + places


@pytest.mark.parametrize("name", GAMES)
def test_each_shade_has_as_many_dots_as_its_step(name):
    position, _ = played(name, 0)
    cells = empty_cells(position)[:4]
    weights = dict(zip(cells, (0.05, 0.2, 0.6, 1.0), strict=True))
    assert [shade_level(weight) for weight in weights.values()] == [0, 1, 3, 4]
    scene = position.scene().with_overlay(Overlay(weights=weights))
    svg = render_svg(scene)
    places = {cell: len(scene.topology.places_of[cell]) for cell in cells}
    assert shaded_cells(svg) == sum(places[cell] for cell in cells[1:])
    dots = sum(shade_level(weight) * places[cell] for cell, weight in weights.items())
    plain = render_svg(position.scene()).count("<circle")
    assert svg.count("<circle") == plain + dots


def test_a_piece_hides_shade_and_text_marks_of_its_cell():
    position, _ = played("hex", 9)
    stone = next(iter(position.scene().stones))
    scene = position.scene().with_overlay(Overlay(marks={stone: "1"}, weights={stone: 1.0}))
    assert draw(scene) == draw(position.scene())
    assert shaded_cells(render_svg(scene)) == 0


def test_the_description_names_marks_and_what_matters_most():
    position, _ = played("hex-2", 0)
    overlay = Overlay(marks={0: "1", 3: "2"}, weights={0: 0.01, 1: 0.5, 2: 1.0})
    text = describe(position.scene().with_overlay(overlay))
    assert text.endswith("Proposed moves: 1 at a1, 2 at b2. The game hangs most on a2, b1.")


def test_pictures_without_an_analysis_do_not_change():
    position, _ = played("antipod", 9)
    assert render_svg(position.scene().with_overlay(Overlay())) == render_svg(position.scene())


def test_marks_of_two_characters_fit_a_square():
    position, _ = played("antipalos", 0)
    scene = position.scene().with_overlay(Overlay(marks={0: "1/"}))
    last_row = draw(scene).splitlines()[-2]
    assert last_row.startswith(" 1  1/ . ")


def test_shades_are_steps_of_four():
    levels = [shade_level(weight / 100) for weight in range(101)]
    assert levels == sorted(levels)
    assert set(levels) == {0, 1, 2, 3, 4}
