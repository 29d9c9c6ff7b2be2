"""Halos and rings stay on the cells that they mark, and numbers leave rods visible."""

import io
import json

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.scripts import random_script, script
from tests.browser.test_board import BoardPage

GAMES = {
    "antipod": script("antipod"),
    "antipode": script("antipode"),
    "hex": random_script("hex", "b", size=7),
    "antipalos": random_script("antipalos", "ladder a", size=12),
}
_EVERYWHERE = "flat+discs+sphere"
_RINGS = ".last-ring, .left-ring, .reached-ring, .flipped-ring"

# Those of some pixels that are farther than two pixels from each cell, or from certain cells.
_OUTSIDE = """([points, cells]) => {
  const around = [-2, 0, 2].flatMap((dx) => [-2, 0, 2].map((dy) => [dx, dy]));
  const isOn = (x, y) => {
    const found = document.elementFromPoint(x + .5, y + .5)?.closest("[data-spot]");
    return found && (!cells || cells.includes(Number(found.dataset.cell)));
  };
  return points.filter(([x, y]) => !around.some(([dx, dy]) => isOn(x + dx, y + dy)));
}"""
_HIDE = """(hidden) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:is(${hidden}) { visibility: hidden !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""
# The cells that have rings: layers of pieces have the marks of cells in the cells' order.
_MARKED = """(rings) => {
  const layers = [...document.querySelectorAll("antipodes-board g.pieces")];
  return layers.flatMap((layer) => {
    const cells = layer.parentNode.querySelectorAll("g.cells > [data-cell]");
    const each = layer.children.length / cells.length;
    return [...layer.children].flatMap((marks, i) =>
      marks.querySelector(rings) ? [Number(cells[Math.floor(i / each)].dataset.cell)] : []);
  });
}"""


def open_end(player, name, **settings):
    """Show the end of a game in a tall window, with settings of the board."""
    played = GAMES[name]
    position, moves = played.start(), []
    for text in played.moves:
        moves.append(str(int(position.parse_move(text))))
        position = position.play(position.parse_move(text))
    player.page.set_viewport_size({"width": 1280, "height": 2400})
    values = json.dumps(json.dumps({"motion": "off", **settings}))
    player.page.add_init_script(f"localStorage.setItem('antipodes-board', {values})")
    options = "".join(f"&{key}={value}" for key, value in played.options.items())
    player.open(f"/analysis/{name}/?moves={','.join(moves)}{options}")
    player.shows(position)
    expect(player.page.locator("antipodes-board .last-ring").first).to_be_attached()
    return position


def changed(player, hidden):
    """Return the pixels that differ once some elements are hidden."""
    shown = pixels(player)
    player.page.evaluate(_HIDE, hidden)
    differs = np.abs(shown - pixels(player)).max(axis=2) > 24
    player.page.evaluate("() => { document.adoptedStyleSheets = []; }")
    rows, columns = differs.nonzero()
    return list(zip(columns.tolist(), rows.tolist(), strict=True))


def pixels(player):
    png = player.page.screenshot(animations="disabled")
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


@pytest.mark.parametrize("name", GAMES)
def test_the_halo_of_a_winning_chain_stays_on_the_board(window, site, name):
    player = window(site, "desktop", reduced_motion="reduce")
    assert open_end(player, name, view=_EVERYWHERE).scene().chain
    points = changed(player, ".band")
    assert points
    assert player.page.evaluate(_OUTSIDE, [points, None]) == []
    player.picture(f"marks-{name}", whole=False)


@pytest.mark.parametrize("name", GAMES)
def test_rings_stay_on_their_cells(window, site, name):
    player = window(site, "desktop", reduced_motion="reduce")
    open_end(player, name, view=_EVERYWHERE)
    points = changed(player, _RINGS)
    cells = player.page.evaluate(_MARKED, _RINGS)
    assert points
    assert player.page.evaluate(_OUTSIDE, [points, cells]) == []


_ON_RODS = """() => [...document.querySelectorAll(".pieces g:has(> .piece .rod)")].map((top) => {
  const rod = top.querySelector(".rod-edge");
  const box = top.querySelector(".number").getBoundingClientRect();
  const inside = rod.getScreenCTM().inverse();
  const parts = [.1, .3, .5, .7, .9];
  const points = parts.flatMap((x) => [.3, .5, .7].map((y) =>
    new DOMPoint(box.left + x * box.width, box.top + y * box.height).matrixTransform(inside)));
  const covered = points.filter((point) => rod.isPointInStroke(point));
  return covered.length + top.querySelectorAll(".disc").length;
})"""


def test_numbers_leave_the_direction_of_rods_visible(window, site):
    page = BoardPage(window(site))
    page.page.add_init_script("localStorage.setItem('antipodes-board', '{\"numbers\": \"on\"}')")
    moves = GAMES["antipalos"].moves[:14]
    page.show(f"game=antipalos&size=12&moves={','.join(moves)}")
    assert page.page.evaluate(_ON_RODS) == [0] * len(moves)
    page.player.picture("numbers-antipalos", whole=False)
