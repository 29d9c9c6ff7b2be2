"""A turn of Antipode is shown as it happens, and leaves its marks."""

import pytest
from playwright.sync_api import expect

from tests.browser.test_board import BoardPage

LINE = "e8-e8,f8-f8,b2-e1,e7-e8,i2-i1,g5-e7,e5-e1,e2-g5,g4-a1,f5-g4"
TURN = "f7-i5"  # flips three neighbours, then four tokens that the pawn passes on its way from a1
SHOW_NEXT = """async (address) => {
  const { board: at, moves, pieces } = await (await fetch(address)).json();
  const board = document.querySelector("antipodes-board");
  board.show({ board: board.data, pieces, move: moves.at(-1) });
  const isOwn = (one) => one.effect.target.closest("antipodes-board");
  const running = document.getAnimations().filter((one) => one.constructor === Animation);
  if (!running.every(isOwn)) throw new Error("something else moves");
  const ends = running.map((one) => one.effect.getComputedTiming().endTime);
  window.turn = { running, length: Math.max(0, ...ends) };
  for (const one of running) one.pause();
  return window.turn.length;
}"""
AT = """(time) => {
  for (const one of window.turn.running) one.currentTime = time;
}"""
END = "() => { for (const one of window.turn.running) one.finish(); }"


@pytest.fixture
def page(window, site):
    page = BoardPage(window(site, "desktop"))
    page.show(f"game=antipode&moves={LINE}")
    return page


def place(page, name):
    """Return the centre of a cell, or of the pawn that is shown on it."""
    box = page.cell(name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def figure_of_the_mover(page):
    box = page.board.locator(".piece.blue .figure").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def near(a, b):
    return abs(a[0] - b[0]) < 12 and abs(a[1] - b[1]) < 12


def show_turn(page):
    return page.page.evaluate(SHOW_NEXT, f"/positions.json?game=antipode&moves={LINE},{TURN}")


def test_a_turn_is_shown_as_it_happens(page):
    length = show_turn(page)
    assert 1_000 < length < 4_000
    assert near(figure_of_the_mover(page), place(page, "a1"))
    for step in range(6):
        page.page.evaluate(AT, step * length / 5)
        page.player.picture(f"turn-of-antipode-{step}")
    page.page.evaluate(END)
    assert near(figure_of_the_mover(page), place(page, "i5"))
    expect(page.board.locator(".piece")).to_have_count(17)  # the sides before flips have gone


def test_a_turn_leaves_marks_on_all_that_it_changed(page):
    show_turn(page)
    for ring, count in {"last": 1, "left": 1, "reached": 1, "flipped": 7}.items():
        expect(page.board.locator(f".pieces .{ring}-ring")).to_have_count(count)
    for name, words in {"f7": "last move", "a1": "left by", "i5": "reached by"}.items():
        assert words in page.cell(name).get_attribute("aria-label")


@pytest.mark.parametrize(
    ("motion", "reduced", "factor"),
    [
        ("slow", "no-preference", 2),
        ("fast", "no-preference", 0.5),
        ("off", "no-preference", 0),
        ("on", "reduce", 0),
    ],
)
def test_the_speed_is_a_setting_and_less_motion_is_none(page, motion, reduced, factor):
    usual = show_turn(page)
    page.page.emulate_media(reduced_motion=reduced)
    page.show(f"game=antipode&moves={LINE}")
    page.page.evaluate(f"document.querySelector('antipodes-board').looks = {{motion: '{motion}'}}")
    assert show_turn(page) == pytest.approx(factor * usual, rel=0.1)
