"""Boards with small cells on phones: pinch, double tap and the lens."""

import re

import pytest
from playwright.sync_api import expect

_BOARDS = ["antipalos/?ruleset=mail&size=26", "antipod/?side=10", "hex/?size=19"]
_PICTURE = "antipodes-board .board-pictures svg"


class Fingers:
    """Fingers on the screen of a phone."""

    def __init__(self, page):
        """Connect to the browser."""
        self._session = page.context.new_cdp_session(page)

    def send(self, kind, *points):
        """Send a touch event with the fingers that are down."""
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def tap(self, point):
        """Touch a point for a moment."""
        self.send("touchStart", point)
        self.send("touchEnd")


def open_board(window, site, board):
    """Open a board in the analysis, and return the player, the picture and its middle."""
    player = window(site, "phone")
    player.open(f"/analysis/{board}")
    picture = player.page.locator(_PICTURE).first
    expect(picture).to_have_class("zoomable")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    return player, picture, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def cell_width(player):
    """Return the width of the first cell on the screen, in pixels."""
    return player.page.locator("antipodes-board .cell .ground").first.bounding_box()["width"]


@pytest.mark.parametrize("board", _BOARDS)
def test_a_double_tap_zooms_in_and_out_without_a_move(window, site, board):
    player, picture, middle = open_board(window, site, board)
    small = cell_width(player)
    assert small < 24
    fingers = Fingers(player.page)
    for _ in range(2):
        fingers.tap(middle)
    expect(picture).to_have_class("zoomable zoomed")
    assert cell_width(player) >= max(2 * small, 44)
    player.picture(f"zoom-{board.split('/')[0]}", whole=False)
    player.button("Whole board").click()
    expect(picture).to_have_class("zoomable")
    player.check_accessibility()


def test_two_fingers_zoom_and_one_moves_the_board(window, site):
    player, picture, (x, y) = open_board(window, site, "hex/?size=19")
    fingers = Fingers(player.page)
    fingers.send("touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 5):
        fingers.send("touchMove", (x - 20 - 10 * step, y), (x + 20 + 10 * step, y))
    fingers.send("touchEnd")
    zoomed = picture.get_attribute("viewBox")
    assert float(zoomed.split()[2]) < 15
    fingers.send("touchStart", (x, y))
    for step in range(1, 5):
        fingers.send("touchMove", (x - 12 * step, y - 8 * step))
    fingers.send("touchEnd")
    moved = picture.get_attribute("viewBox")
    assert [float(one) for one in moved.split()][:2] > [float(one) for one in zoomed.split()][:2]
    assert player.page.locator(".cell.selected").count() == 0


def test_the_lens_names_the_cell_under_the_finger_and_chooses_it(window, site):
    player, _, (x, y) = open_board(window, site, "antipalos/?ruleset=mail&size=26")
    fingers = Fingers(player.page)
    fingers.send("touchStart", (x, y))
    lens = player.page.locator(".board-lens")
    lens.wait_for()
    first = lens.locator("b").text_content()
    fingers.send("touchMove", (x + 30, y + 30))
    expect(lens.locator("b")).not_to_have_text(first)
    expect(player.page.locator(".board-pictures .cell.hovered")).to_have_count(1)
    player.picture("lens", whole=False)
    name = lens.locator("b").text_content()
    fingers.send("touchEnd")
    expect(lens).to_have_count(0)
    rod = re.compile(rf"^{name}, \w+ rod, .*last move")
    player.page.get_by_role("button", name=rod).first.wait_for()


def test_a_board_with_large_cells_is_left_to_the_browser(window, site):
    player = window(site, "phone")
    player.open("/analysis/hex/?size=5")
    player.page.locator("antipodes-board .cell").first.wait_for()
    player.page.wait_for_timeout(300)
    assert player.page.locator(".zoomable").count() == 0
