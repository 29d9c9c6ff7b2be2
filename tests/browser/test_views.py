"""Views of boards: flat, hemispheres, sphere, side by side and unrolled."""

import json
import re
from itertools import pairwise

import pytest
from django.templatetags.static import static
from playwright.sync_api import expect

from antipodes.boards import sphere
from antipodes.games.registry import make_game

_VIEWS = ("flat", "discs", "sphere", "flat+sphere", "flat+discs+sphere")
_MOVES = "c3,d13,f5,e13,d4,g8,f4,d3"
_GAME = f"/analysis/antipod/?side=5&moves={_MOVES}"

# A function body run in the page, with a module as `m` and an argument as `x`.
_RUN = """async (x) => {{
  const m = await import("/static/antipodes/board/{module}");
  {body}
}}""".replace("/static/", static(""))


def open_board(player, path, **settings):
    """Open a page with board settings, and wait until a board is shown."""
    values = json.dumps(json.dumps(settings))
    player.page.add_init_script(f"localStorage.setItem('antipodes-board', {values})")
    player.open(path)
    expect(player.page.locator("antipodes-board [data-cell]").first).to_be_attached()


def cell(player, number, *, panel):
    picture = player.page.locator("antipodes-board .board-pictures svg").nth(panel)
    return picture.locator(f"[data-cell='{number}']")


def compute(player, module, body, argument=None):
    """Run a function body with a module ``m`` and an argument ``x``."""
    return player.page.evaluate(_RUN.format(module=module, body=body), argument)


def is_shown(player, number):
    """Return whether a cell of the sphere is visible."""
    return player.page.evaluate(
        "n => !document.querySelector(`.rotatable [data-cell='${n}']`).hasAttribute('hidden')",
        number,
    )


@pytest.mark.parametrize("kind", ["desktop", "dark", "phone", "contrast"])
@pytest.mark.parametrize("view", _VIEWS)
def test_each_view_shows_the_position(window, site, view, kind):
    player = window(site, kind)
    open_board(player, _GAME, view=view)
    player.picture(f"view-{view}-{kind}", whole=False)
    position = make_game("antipod", {"side": 5}).initial()
    for text in _MOVES.split(","):
        position = position.play(position.parse_move(text))
    player.shows(position)


@pytest.mark.parametrize("lines", ["neighbours", "chains"])
def test_lines_and_the_game_graph_are_drawn(window, site, lines):
    player = window(site)
    open_board(player, _GAME, view="discs+sphere", lines=lines, graph="on")
    expect(player.page.locator(".links .net")).to_have_count(3)
    expect(player.page.locator(".game-graph figcaption")).to_contain_text("can still be connected")
    player.picture(f"view-lines-{lines}")


@pytest.mark.parametrize(("view", "panel"), [("discs", 0), ("discs", 1), ("sphere", 0)])
def test_a_click_in_any_view_plays(window, site, view, panel):
    player = window(site)
    open_board(player, "/analysis/antipod/?side=4", view=view)
    board = sphere(4)
    front = next(
        number
        for number in range(board.cell_count)
        if board.places_of[number][0].board == panel
        and number not in board.rims["equator"]
        and any(near in board.rims["poles"] for near in board.neighbours[number])
        and board.places_of[number][0].y >= 0
    )
    cell(player, front, panel=panel).click()
    start = make_game("antipod", {"side": 4}).initial()
    player.shows(start.play(front))


def test_hovering_a_rim_point_highlights_it_in_all_views(window, site):
    player = window(site)
    open_board(player, "/analysis/antipod/?side=4", view="flat+discs+sphere")
    rim = sphere(4).rims["equator"][1]
    cell(player, rim, panel=0).hover()
    expect(player.page.locator(f".cell.hovered[data-cell='{rim}']")).to_have_count(5)


def test_arrow_keys_go_around_the_sphere_and_rotate_it(window, site):
    player = window(site)
    open_board(player, "/analysis/antipod/?side=4", view="sphere")
    start = sphere(4).rims["poles"][0]
    cell(player, start, panel=0).focus()
    seen = []
    for _ in range(13):
        player.page.keyboard.press("ArrowDown")
        number = player.page.evaluate("Number(document.activeElement.dataset.cell)")
        assert is_shown(player, number)
        seen.append(number)
    board = sphere(4)
    assert all(b in board.neighbours[a] for a, b in pairwise(seen))
    assert board.rims["poles"][1] in seen
    assert start in seen


def test_a_drag_rotates_the_sphere_and_plays_no_move(window, site):
    player = window(site)
    open_board(player, "/analysis/antipod/?side=4", view="sphere")
    pole = sphere(4).rims["poles"][1]
    assert not is_shown(player, pole)
    box = player.page.locator(".rotatable").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    player.page.mouse.move(x, y + 150)
    player.page.mouse.down()
    player.page.mouse.move(x, y - 100, steps=8)
    player.page.mouse.move(x, y - 250, steps=8)
    player.page.wait_for_timeout(300)
    player.page.mouse.up()
    assert is_shown(player, pole)
    player.shows(make_game("antipod", {"side": 4}).initial())


def test_buttons_rotate_the_sphere(window, site):
    player = window(site)
    open_board(player, "/analysis/antipod/?side=4", view="sphere")
    pole = sphere(4).rims["poles"][1]
    player.press(f"Show pole {sphere(4).name(pole)}")
    expect(cell(player, pole, panel=0)).to_be_visible()
    player.press("Reset rotation")
    expect(cell(player, pole, panel=0)).to_be_hidden()


def test_with_reduced_motion_the_sphere_rotates_at_once(window, site):
    player = window(site, "desktop", reduced_motion="reduce")
    open_board(player, "/analysis/antipod/?side=4", view="sphere")
    pole = sphere(4).rims["poles"][1]
    player.button("Show pole d11").evaluate("button => button.click()")
    assert is_shown(player, pole)


def test_an_unrolled_cylinder_scrolls_by_columns(window, site):
    player = window(site)
    open_board(player, "/analysis/cylindrical-hex/?rows=5&columns=6", view="unrolled")
    first = player.page.locator("[data-cell='0']:not(.repeated)")
    before = first.bounding_box()["x"]
    player.press("Scroll right")
    assert first.bounding_box()["x"] > before + 10
    first.click()
    player.shows(make_game("cylindrical-hex", {"rows": 5, "columns": 6}).initial().play(0))


def test_cells_of_the_sphere_have_as_many_corners_as_neighbours(window, site):
    player = window(site)
    open_board(player, "/analysis/antipod/?side=5", view="flat")
    board = sphere(5)
    cells, corners, lengths = compute(
        player,
        "space.js",
        """const board = document.querySelector("antipodes-board").data;
        const found = m.sphereOf(board);
        return [found.cells, found.corners.length, found.corners.map((c) => Math.hypot(...c))];""",
    )
    assert [len(own) for own in cells] == [len(near) for near in board.neighbours]
    assert corners == 2 * board.cell_count - 4
    assert lengths == pytest.approx([1] * corners)


def test_rotations_lead_from_one_direction_to_another(window, site):
    player = window(site)
    open_board(player, "/analysis/antipod/?side=4", view="flat")
    for x, y, z in ((0.6, 0.0, 0.8), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0), (0.48, 0.64, -0.6)):
        reached, back = compute(
            player,
            "space.js",
            """const front = [0, 0, 1];
            const rotation = m.rotationTowards(x, front, Math.acos(x[2]));
            const {axis, angle} = m.rotationBetween(m.IDENTITY, rotation);
            const again = m.rotationAbout(axis, angle);
            return [m.rotated(again, x), m.rotatedBack(rotation, front)];""",
            [x, y, z],
        )
        assert reached == pytest.approx([0, 0, 1], abs=1e-6)
        assert back == pytest.approx([x, y, z], abs=1e-6)


def test_the_game_graph_merges_chains_and_leaves_out_the_other_colour(window, site):
    player = window(site)
    open_board(player, "/analysis/antipod/?side=3", view="flat")
    board = sphere(3)
    left, right = board.rims["poles"]
    ring = {str(near): "white" for near in board.neighbours[left]}
    pieces = {str(left): "black", str(right): "black", **ring}
    body = """const board = document.querySelector("antipodes-board").data;
        const graph = m.graphOf(board, x, "black");
        const from = m.reachable(graph, graph.nodeOf[board.poles[0]]);
        return [graph.nodes.length, from.has(graph.nodeOf[board.poles[1]])];"""
    count, joined = compute(player, "chains.js", body, pieces)
    assert count == board.cell_count - len(ring)
    assert not joined
    one = str(board.neighbours[left][0])
    count, joined = compute(player, "chains.js", body, {**pieces, one: "black"})
    assert count == board.cell_count - len(ring)
    assert joined


def view_of(player, name):
    """Return the radio button of a view."""
    return player.page.get_by_role("radio", name=name, exact=True)


def choose_view(player, name):
    """Choose a view by its radio button."""
    player.page.locator(".board-views label", has_text=re.compile(f"^{re.escape(name)}$")).click()
    expect(view_of(player, name)).to_be_checked()


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("antipod/?side=4", ["Flat", "Hemispheres", "Sphere", "Side by side"]),
        ("cylindrical-hex/?rows=5&columns=6", ["Flat", "Unrolled (scrolls)"]),
    ],
)
def test_one_view_is_chosen_in_every_game(window, site, path, names):
    player = window(site)
    player.open(f"/analysis/{path}")
    group = player.page.get_by_role("group", name="Board view")
    expect(group.get_by_role("radio")).to_have_count(len(names))
    expect(view_of(player, "Flat")).to_be_checked()
    for name in names:
        choose_view(player, name)
        expect(group.get_by_role("radio", checked=True)).to_have_count(1)
    player.check_accessibility()


def test_arrow_keys_choose_views_and_keep_the_focus(window, site):
    player = window(site)
    player.open("/analysis/antipod/?side=4&moves=c3,d3")
    expect(player.page.locator("antipodes-board [data-cell]").first).to_be_attached()
    view_of(player, "Flat").focus()
    for name in ("Hemispheres", "Sphere", "Side by side", "Flat"):
        player.page.keyboard.press("ArrowRight")
        expect(view_of(player, name)).to_be_checked()
        expect(view_of(player, name)).to_be_focused()
    # The keys do not step through the moves.
    player.shows(make_game("antipod", {"side": 4}).initial().play("c3").play("d3"))


def test_the_view_is_stored_for_each_game(window, site):
    player = window(site)
    player.open("/analysis/antipod/?side=4")
    pictures = player.page.locator("antipodes-board .board-pictures svg")
    for name, count in (("Sphere", 1), ("Hemispheres", 2), ("Side by side", 3)):
        choose_view(player, name)
        expect(pictures).to_have_count(count)
    player.page.reload()
    expect(pictures).to_have_count(3)
    expect(view_of(player, "Side by side")).to_be_checked()
    player.open("/analysis/cylindrical-hex/?rows=5&columns=6")
    expect(view_of(player, "Flat")).to_be_checked()
    choose_view(player, "Unrolled (scrolls)")
    player.open("/analysis/antipod/?side=4")
    expect(view_of(player, "Side by side")).to_be_checked()


def test_side_by_side_shows_the_last_combination(window, site):
    player = window(site)
    open_board(player, "/analysis/antipod/?side=4", view="flat+discs+sphere")
    pictures = player.page.locator("antipodes-board .board-pictures svg")
    expect(pictures).to_have_count(5)
    player.page.evaluate(
        """() => document.querySelector("antipodes-board").settings()
        .find((one) => one.name === "view").choose("flat+discs")"""
    )
    expect(pictures).to_have_count(4)
    choose_view(player, "Flat")
    expect(pictures).to_have_count(2)
    choose_view(player, "Side by side")
    expect(pictures).to_have_count(4)


def test_the_sphere_rotates_to_a_last_move_on_the_far_side(window, site):
    player = window(site)
    far = sphere(4).neighbours[sphere(4).rims["poles"][1]][0]
    open_board(player, f"/analysis/antipod/?side=4&moves={far}", view="sphere")
    expect(cell(player, far, panel=0)).to_be_visible()
    player.press("Reset rotation")
    expect(cell(player, far, panel=0)).to_be_hidden()
    field = player.page.locator("input[name=move]")
    field.fill("b9")
    field.press("Enter")
    number = sphere(4).cell("b9")
    expect(cell(player, number, panel=0)).to_be_visible()


def test_signs_of_cells_behind_the_sphere_stand_at_its_edge_and_lead_to_the_cells(window, site):
    player = window(site)
    open_board(player, _GAME, view="sphere")
    player.page.evaluate(
        """() => {
          const hidden = document.querySelector(".rotatable g.cell[hidden]");
          document.querySelector("antipodes-analysis-board").overlay = {
            marks: { [hidden.dataset.cell]: "1" },
          };
        }"""
    )
    sign = player.page.locator(".rotatable [data-behind]")
    expect(sign).to_have_text("1")
    behind = sign.get_attribute("data-behind")
    assert not is_shown(player, behind)
    sign.click()
    expect(sign).to_have_count(0)
    assert is_shown(player, behind)


def test_an_arrow_goes_on_behind_the_sphere(window, site):
    player = window(site)
    open_board(player, _GAME, view="sphere")
    ends = player.page.evaluate(
        """() => {
          const cells = [...document.querySelectorAll(".rotatable g.cell")];
          const from = cells.find((one) => !one.hasAttribute("hidden"));
          const to = cells.find((one) => one.hasAttribute("hidden"));
          const board = document.querySelector("antipodes-analysis-board");
          board.node.shapes = [["arrow", Number(from.dataset.cell), Number(to.dataset.cell)]];
          board.redraw();
          const length = (name) => document.querySelector(`.rotatable ${name}`).getTotalLength();
          return [length(".note-line"), length(".note-back")];
        }"""
    )
    assert min(ends) > 0
