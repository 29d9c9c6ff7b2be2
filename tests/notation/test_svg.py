"""SVG pictures: well-formed, alone on their page, readable without colours and without eyes."""

import math
import os
import re
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from antipodes.boards import Shape
from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.notation.svg import render_svg
from antipodes.notation.svg.board import border_bands
from antipodes.notation.svg.layout import layout
from antipodes.notation.svg.style import (
    CHAIN,
    CHAIN_EDGE,
    FRAME_WIDTH,
    LAST,
    PAINTS,
    ROD_WIDTH,
    UNIT,
)
from antipodes.notation.words import describe
from tests.notation.scenes import GAMES, after, played
from tests.thorough import sample

NAMESPACE = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).resolve().parents[1] / "data" / "svg"


def parsed(svg):
    return ET.fromstring(svg)


def ids(tree):
    return [item.get("id") for item in tree.iter() if item.get("id")]


def copies(tree, ending):
    """Return the places of the copies of a shape."""
    return [
        (use.get("x"), use.get("y"))
        for use in tree.iter(NAMESPACE + "use")
        if use.get("href").endswith(f"-{ending}")
    ]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("plies", [0, 9, 400])
def test_every_picture_is_well_formed_and_complete(name, plies):
    position, numbers = played(name, plies)
    scene = position.scene().with_numbers(numbers).with_hints((0, 1))
    svg = render_svg(scene)
    tree = parsed(svg)
    assert tree.tag == NAMESPACE + "svg"
    assert len(tree.get("viewBox").split()) == 4
    known = set(ids(tree))
    assert {use.get("href")[1:] for use in tree.iter(NAMESPACE + "use")} <= known
    cells = copies(tree, "cell") + copies(tree, "shaded")
    assert len(cells) == len(set(cells)) == len(scene.topology.places)
    assert len(svg) < 200_000


@pytest.mark.parametrize("name", GAMES)
def test_everything_lies_within_the_picture(name):
    position, numbers = played(name, 400)
    tree = parsed(render_svg(position.scene().with_numbers(numbers)))
    left, top, width, height = map(float, tree.get("viewBox").split())
    placed = [item for item in tree.iter() if item.get("x") and item.get("y")]
    assert placed
    for item in placed:
        assert left <= float(item.get("x")) <= left + width
        assert top <= float(item.get("y")) <= top + height


@pytest.mark.parametrize("name", GAMES)
def test_a_screen_reader_is_told_what_the_picture_shows(name):
    scene = played(name, 9)[0].scene()
    tree = parsed(render_svg(scene))
    assert tree.get("role") == "img"
    title, description = tree.find(NAMESPACE + "title"), tree.find(NAMESPACE + "desc")
    assert tree.get("aria-labelledby").split() == [title.get("id"), description.get("id")]
    assert title.text == scene.title
    assert description.text == describe(scene)


def test_pictures_share_a_page_without_sharing_ids():
    scenes = [played(name, plies)[0].scene() for name in GAMES for plies in (0, 5)]
    scenes.append(scenes[0].with_hints((3,)))
    scenes.append(scenes[0].with_numbers({1: 1}))
    found = [set(ids(parsed(render_svg(scene)))) for scene in scenes]
    assert all(first.isdisjoint(second) for first, second in combinations(found, 2))
    own = ids(parsed(render_svg(scenes[0], scope="mine")))
    assert all(name.startswith("mine-") for name in own)


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_needs_nothing_from_outside_and_styles_nothing_outside(name):
    svg = render_svg(played(name, 5)[0].scene())
    assert "<style" not in svg
    assert "<script" not in svg
    assert " class=" not in svg
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]


def test_the_same_scene_gives_the_same_text():
    first, second = (render_svg(played("antipod", 20)[0].scene()) for _ in range(2))
    assert first == second


def test_titles_are_escaped():
    scene = replace(played("hex-2", 1)[0].scene(), title='<b> & "quotes" </svg>')
    assert parsed(render_svg(scene)).find(NAMESPACE + "title").text == scene.title


def test_colors_differ_by_more_than_color():
    # Black is filled, White is hollow; all others bear marks of different shapes.
    marks = [
        paint.mark for color, paint in PAINTS.items() if color not in (Color.BLACK, Color.WHITE)
    ]
    assert all(marks)
    assert len(set(marks)) == len(marks)
    assert set(PAINTS) == set(Color)


def test_a_rim_point_shows_its_stone_chain_last_move_and_number_on_both_boards():
    position = after("antipod", {"side": 2, "handicap": "none"}, "a1 c3")
    scene = position.scene()
    rim = scene.topology.cell("c3")
    assert str(position.outcome) == "Black wins by connection"
    assert rim in scene.chain
    tree = parsed(render_svg(scene.with_numbers({rim: 7})))
    assert len(copies(tree, "black")) == 4
    assert [item.text for item in tree.iter(NAMESPACE + "text")].count("7") == 2
    last = [group for group in tree.iter(NAMESPACE + "g") if group.get("stroke") == LAST]
    assert len(last[0].findall(NAMESPACE + "g")) == 2
    halo = next(p for p in tree.iter(NAMESPACE + "path") if p.get("stroke") == "#f5b301")
    # Four stones shown, and a line from pole to rim on each board.
    assert halo.get("d").count("M") == 6


def test_a_ring_round_the_cylinder_crosses_the_seam_at_both_ends():
    position = after(
        "cylindrical-hex", {"rows": 3, "columns": 3, "first": "white"}, "a2 a1 b2 b1 c2"
    )
    assert str(position.outcome) == "White wins by closing a ring"
    tree = parsed(render_svg(position.scene()))
    assert len(copies(tree, "repeated")) == 6
    halo = next(p for p in tree.iter(NAMESPACE + "path") if p.get("stroke") == "#f5b301")
    assert halo.get("d").count("M") == 3 + 4


def test_pawns_stand_on_tokens_of_their_color():
    tree = parsed(render_svg(played("antipode", 0)[0].scene()))
    assert len(copies(tree, "blue-pawn")) == len(copies(tree, "red-pawn")) == 1
    assert len(copies(tree, "blue")) == len(copies(tree, "red")) == 2


def test_coordinates_belong_to_squares_or_to_grid_points_as_moves_name_them():
    boxed = parsed(render_svg(played("antipalos", 0)[0].scene()))
    mail = parsed(render_svg(played("antipalos-mail", 0)[0].scene()))
    letters = [[i.text for i in tree.iter(NAMESPACE + "text")] for tree in (boxed, mail)]
    assert letters[0][:12] == list("ABCDEFGHIJKL")
    assert letters[1][:9] == list("abcdefghi")


def test_positions_show_themselves_in_notebooks():
    position = played("hex-2", 1)[0]
    assert position._repr_svg_() == position.to_svg() == render_svg(position.scene())


# A digit is about so broad, in heights of its font; capitals and digits are about so high.
DIGIT, HEIGHT = 0.64, 0.73
BROAD_BOARDS: dict[str, tuple[str, dict[str, object]]] = {
    "hex-19": ("hex", {"size": 19}),
    "hex-26": ("hex", {"size": 26}),
    "antipalos-20": ("antipalos", {"size": 20}),
    "antipalos-mail-26": ("antipalos", {"ruleset": "mail", "size": 26}),
    "antipod-10": ("antipod", {"side": 10}),
    "cylinder-15": ("cylindrical-hex", {"rows": 15, "columns": 12}),
}


def gap(point, first, second):
    """Return how far a point is from a line between two others."""
    (x, y), (x1, y1), (x2, y2) = point, first, second
    length = math.dist(first, second) ** 2
    along = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length if length else 0
    along = min(1, max(0, along))
    return math.dist(point, (x1 + along * (x2 - x1), y1 + along * (y2 - y1)))


def edges_of_label(label, size):
    """Return points all round the box of a label."""
    wide, high = DIGIT * size * len(label.text) / 2, HEIGHT * size / 2
    steps = [i / 4 - 1 for i in range(9)]
    beside = [(label.x + side * wide, label.y + step * high) for side in (-1, 1) for step in steps]
    above = [(label.x + step * wide, label.y + side * high) for side in (-1, 1) for step in steps]
    return beside + above


@pytest.mark.parametrize("size", [0.36, 0.36 * 1.3, "site"])
@pytest.mark.parametrize("name", sample(list(BROAD_BOARDS), 3))
def test_coordinates_of_two_digits_clear_cells_and_frame(name, size):
    game_id, options = BROAD_BOARDS[name]
    scene = make_game(game_id, options).initial().scene()
    where = layout(scene.topology, points_named=scene.points_named)
    is_square = scene.topology.shape is Shape.SQUARE
    if size == "site":  # the largest letters that the site's boards have
        size = 0.54 if is_square else 0.44
    bands = [band for _, band in border_bands(scene, where)]
    lines = [([*band, band[0]], 0.0) for band in bands]
    if is_square:
        low, high = -0.5, scene.topology.size[0] - 0.5
        corners = [(low, low), (high, low), (high, high), (low, high), (low, low)]
        lines.append((corners, FRAME_WIDTH))
    assert any(len(label.text) > 1 for label in where.labels)
    for label in where.labels:
        points = edges_of_label(label, size)
        for line, reach in lines:
            for first, second in pairwise(line):
                assert min(gap(one, first, second) for one in points) > reach + 0.04, label
        for place in (*where.places, *where.repeated):
            assert min(math.dist(one, (place.x, place.y)) for one in points) > 0.5, label


@pytest.mark.parametrize("name", GAMES)
def test_the_halo_of_a_chain_is_cut_at_the_edge_of_the_board(name):
    scene = played(name, 400)[0].scene()
    if not scene.chain:
        pytest.skip("no chain wins this game")
    tree = parsed(render_svg(scene))
    (halo,) = (item for item in tree.iter(NAMESPACE + "g") if item.get("clip-path"))
    assert {line.get("stroke") for line in halo} == {CHAIN, CHAIN_EDGE}
    (clip,) = tree.iter(NAMESPACE + "clipPath")
    assert halo.get("clip-path") == f"url(#{clip.get('id')})"
    where = layout(scene.topology)
    assert clip[0].get("d").count("Z") == len(where.places) + len(where.repeated)


@pytest.mark.parametrize("name", GAMES)
def test_the_ring_of_the_last_move_stays_on_its_cell(name):
    scene = played(name, 9)[0].scene()
    (ring,) = (
        item
        for item in parsed(render_svg(scene)).iter(NAMESPACE + "g")
        if item.get("stroke") == LAST
    )
    half = float(ring.get("stroke-width")) / 2
    (line, *_) = ring.iter(NAMESPACE + "path")
    points = [complex(*map(float, pair.split())) for pair in line.get("d")[1:-1].split("L")]
    # The middles of a cell's edges are half a step from its centre.
    for a, b in pairwise([*points, points[0]]):
        assert abs(a + b) / 2 + half <= UNIT / 2 + 0.1  # of a unit: figures are rounded


def test_the_number_of_a_move_leaves_the_direction_of_its_rod_visible():
    position, numbers = played("antipalos", 400)
    scene = position.scene().with_numbers(numbers)
    rods = {str(numbers[cell]): (cell, rod.diagonal) for cell, rod in scene.rods.items()}
    tree = parsed(render_svg(scene))
    (places,) = [item for item in tree.iter(NAMESPACE + "g") if item.get("font-weight") == "bold"]
    assert {item.tag for item in places} == {NAMESPACE + "text"}  # no plates
    assert len(places) == len(rods)
    for item in places:
        cell, diagonal = rods[item.text]
        (place,) = scene.topology.places_of[cell]
        size = float(item.get("font-size"))
        dx = float(item.get("x")) - UNIT * place.x
        dy = float(item.get("y")) - 0.35 * size - UNIT * place.y
        far = abs(dx + dy if diagonal == "/" else dx - dy) / math.sqrt(2)
        assert far > UNIT * ROD_WIDTH / 2 + size / 2


SMALL = {
    "antipod": after("antipod", {"side": 2, "handicap": "none"}, "a1 c3"),
    "antipalos-mail": after("antipalos", {"ruleset": "mail", "size": 3}, "b1-c2 a1-b2 c2-d3 a3-b2"),
    "antipode": after("antipode", {}, "e2-e2 a4-a5"),
    "hex": after("hex", {"size": 3}, "b2 a2 c1 c3 a3"),
    "cylindrical-hex": after("cylindrical-hex", {"rows": 2, "columns": 3}, "b1 c2"),
}


@pytest.mark.parametrize("name", SMALL)
def test_small_pictures_stay_as_approved(name):
    """Look at the new pictures, then run with UPDATE_PICTURES=1 to keep them."""
    svg = render_svg(SMALL[name].scene()) + "\n"
    path = GOLDEN / f"{name}.svg"
    if os.environ.get("UPDATE_PICTURES"):
        path.write_text(svg, encoding="utf-8")
    assert svg == path.read_text(encoding="utf-8")
