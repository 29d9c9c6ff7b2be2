"""Laws of boards that are drawn as bodies: every cell is seen once where it should be."""

import math
from xml.etree import ElementTree as ET

import pytest

from antipodes.boards import cylinder, sphere
from antipodes.games.registry import make_game
from antipodes.notation.scene import Overlay
from antipodes.notation.svg import render_svg
from antipodes.notation.svg.bodies import body, views_of

BOARDS = [sphere(2), sphere(5), sphere(10), cylinder(5, 7), cylinder(9, 12)]
VIEWS = [(board, view) for board in BOARDS for view in views_of(board)[1:]]


def distance(a, b):
    return math.dist((a.x, a.y), (b.x, b.y))


@pytest.mark.parametrize(("board", "view"), VIEWS, ids=str)
def test_cells_have_outlines_round_their_middles_and_stand_apart(board, view):
    seen = [spot for spot in body(board, view).spots if spot.is_seen]
    assert seen
    for spot in seen:
        around = spot.corners
        assert len(around) >= 4
        xs, ys = [x for x, _ in around], [y for _, y in around]
        assert min(xs) < spot.place.x < max(xs)
        assert min(ys) < spot.place.y < max(ys)
    places = [spot.place for spot in seen]
    assert all(
        distance(a, b) > 0.05
        for i, a in enumerate(places)
        for b in places[i + 1 :]
        if a.board == b.board
    )


@pytest.mark.parametrize("side", [2, 4, 6])
def test_hemispheres_show_every_point_and_the_rim_twice_at_the_same_height(side):
    board = sphere(side)
    found = body(board, "hemispheres")
    assert sorted(place.cell for place in found.places) == sorted(
        place.cell for place in board.places
    )
    for cell in board.rims["equator"]:
        left, right = found.of((cell,))
        assert left.y == pytest.approx(right.y)


@pytest.mark.parametrize("board", [sphere(3), sphere(5)], ids=str)
def test_no_two_lines_between_neighbours_cross_on_hemispheres(board):
    found = body(board, "hemispheres")
    lines = [
        pair
        for a in range(board.cell_count)
        for b in board.neighbours[a]
        if a < b
        for pair in found.links(a, b)
    ]
    assert len({(a.cell, b.cell) for a, b in lines}) == sum(map(len, board.neighbours)) // 2

    def side(a, b, c):
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

    for i, (a, b) in enumerate(lines):
        for c, d in lines[i + 1 :]:
            if a.board != c.board or {a.cell, b.cell} & {c.cell, d.cell}:
                continue
            assert side(a, b, c) * side(a, b, d) >= -1e-9 or side(c, d, a) * side(c, d, b) >= -1e-9


@pytest.mark.parametrize(("board", "view"), VIEWS, ids=str)
def test_a_body_is_a_well_formed_picture_with_everything_inside(board, view):
    game = "antipod" if board.kind == "sphere" else "cylindrical-hex"
    names = {"antipod": ("side",), "cylindrical-hex": ("rows", "columns")}[game]
    scene = make_game(game, dict(zip(names, board.size, strict=True))).initial().scene()
    svg = render_svg(scene.with_overlay(Overlay(lines="neighbours")), view=view)
    left, top, width, height = map(float, ET.fromstring(svg).attrib["viewBox"].split())
    found = body(board, view)
    drawn = [(place.x, place.y) for place in found.places]
    drawn += [point for line in (*found.grounds, *found.rims) for point in line]
    for x, y in drawn:
        assert left <= x * 40 <= left + width
        assert top <= y * 40 <= top + height


def test_pictures_of_one_position_in_several_views_share_a_page():
    scene = make_game("antipod", {"side": 3}).initial().scene()
    ids = [render_svg(scene, view=view).split('id="')[1][:9] for view in views_of(sphere(3))]
    assert len(set(ids)) == 3
