"""The board by mouse, touch and keys: what is chosen, shown, spoken and kept."""

import re

import pytest
from playwright.sync_api import expect

START = """async ([address, more]) => {
  await import("/static/antipodes/board.js");
  const { showPreviews, readMoves } = await import("/static/antipodes/board/asking.js");
  const told = await (await fetch(address)).json();
  const data = await (await fetch(told.board)).json();
  const board = document.createElement("antipodes-board");
  board.setAttribute("options", "");
  document.querySelector("main").replaceChildren(board);
  window.heard = [];
  board.addEventListener("play", (event) => window.heard.push(event.detail));
  const { game, options } = told;
  const line = { game, options, moves: told.moves.map((one) => one.move) };
  showPreviews(board, () => line);
  readMoves(board, () => line);
  const last = told.moves.at(-1)?.last ?? null;
  const plies = Object.fromEntries(told.moves.map((one, i) => [one.last, i + 1]));
  const { pieces, legal, chain, toMove: turn } = told;
  board.show({ board: data, pieces, legal, last, chain, turn, plies, ...more });
}"""


class Table:
    """A board of any position in a window, and what was played on it."""

    def __init__(self, player):
        self.player, self.page = player, player.page
        self.board = self.page.locator("antipodes-board")

    def show(self, query, **more):
        """Lay a position on the board; ``more`` is told to it as it is."""
        self.player.open("/")
        self.page.evaluate(START, [f"/positions.json?{query}", more])
        expect(self.board.locator(".cell").first).to_be_visible()

    def cell(self, name):
        return self.board.locator(f"[aria-label^='{name},']").first

    def says(self, words):
        expect(self.board.locator(".board-voice")).to_have_text(re.compile(words))

    @property
    def heard(self):
        return self.page.evaluate("window.heard")

    @property
    def at(self):
        """The name of the cell that keys have reached."""
        label = self.page.evaluate("document.activeElement.getAttribute('aria-label')")
        return label.split(",")[0]

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)


@pytest.fixture
def lay(window, site):
    """Lay positions on boards: ``lay("game=hex")`` gives the table."""

    def make(query, kind="desktop", **more):
        table = Table(window(site, kind))
        table.show(query, **more)
        return table

    return make


def test_a_click_plays_at_once_and_pointing_shows_a_ghost(lay):
    table = lay("game=hex&size=5", confirm=False)
    table.cell("c3").hover()
    expect(table.board.locator(".ghost.black")).to_have_count(1)
    assert table.heard == []
    table.cell("c3").click()
    assert table.heard == [12]


def test_where_moves_are_confirmed_nothing_is_played_before(lay):
    table = lay("game=hex&size=5", confirm=True)
    table.cell("c3").click()
    table.cell("d4").click()
    assert table.heard == []
    table.player.press("Back")
    expect(table.board.locator(".held")).to_have_count(0)
    table.cell("b2").click()
    table.player.press("Confirm")
    assert table.heard == [6]


def test_on_touch_screens_moves_are_confirmed_by_large_buttons(lay):
    table = lay("game=hex&size=5", kind="phone")
    table.cell("c3").tap()
    assert table.heard == []
    button = table.board.get_by_role("button", name="Confirm")
    box = button.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    button.tap()
    assert table.heard == [12]


@pytest.mark.parametrize(
    ("query", "first", "keys", "last"),
    [
        ("game=hex&size=5", "c3", ["ArrowRight", "ArrowRight", "ArrowRight"], "e3"),
        ("game=hex&size=5", "c3", ["ArrowDown", "ArrowUp"], "c3"),
        ("game=hex&size=5", "c3", ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"], "c3"),
        ("game=hex&size=5", "c3", ["End"], "e3"),
        ("game=hex&size=5", "c3", ["Home"], "a3"),
        ("game=hex&size=11", "c3", ["k", "1", "1"], "k11"),
        ("game=antipod&side=4", "d7", ["ArrowRight"], "d8"),
        ("game=antipod&side=4", "d8", ["ArrowLeft"], "d7"),
        ("game=antipode", "e5", ["ArrowRight", "ArrowLeft"], "e5"),
        ("game=antipode", "e1", ["ArrowUp"], "e2"),
        ("game=antipalos&size=12", "A1", ["ArrowUp", "ArrowRight"], "B2"),
    ],
)
def test_keys_walk_the_cells_in_the_direction_one_expects(lay, query, first, keys, last):
    table = lay(query)
    table.cell(first).focus()
    table.press(*keys)
    assert table.at == last


def test_enter_plays_and_escape_steps_back(lay):
    table = lay("game=antipode", confirm=True)
    table.cell("e4").focus()
    table.press("Enter")
    table.says("e4 chosen")
    table.press("Escape")
    table.says("nothing chosen")
    table.press("Enter", "Enter")
    table.says("e4–e4: Enter plays")
    table.press("Enter")
    assert table.heard == [29 * 61 + 29]


def test_what_a_turn_of_antipode_flips_is_shown_before_it_is_played(lay):
    table = lay("game=antipode&moves=e4-e4,e8-e8,d3-d3", confirm=True)
    table.cell("e5").click()
    expect(table.cell("e4")).to_have_attribute("aria-label", re.compile("becomes red"))
    expect(table.board.locator(".change-ring")).to_have_count(1)
    assert table.heard == []


def test_the_corner_of_antipode_that_nothing_can_flip_bears_a_lock(lay):
    turns = "b2-a1,e7-e7,a2-a2,b1-e9"
    table = lay(f"game=antipode&moves={turns}")
    expect(table.board.locator(".lock")).to_have_count(1)
    expect(table.cell("a1")).to_have_attribute("aria-label", re.compile("locked"))


def test_where_one_points_in_a_square_is_the_diagonal_of_the_rod(lay):
    table = lay("game=antipalos&size=12", confirm=False)
    box = table.cell("F6").bounding_box()
    right, left = ({"x": part * box["width"], "y": 0.25 * box["height"]} for part in (0.75, 0.25))
    table.cell("F6").hover(position=right)
    table.cell("F6").click(position=left)
    table.cell("F6").click(position=right)
    square = 5 * 12 + 5
    assert table.heard == [2 * square + 1, 2 * square]


def test_rods_are_laid_by_keys(lay):
    table = lay("game=antipalos&size=12", confirm=False)
    table.cell("A1").focus()
    table.press("/", "\\", "Enter")
    assert table.heard == [0, 1]
    table.player.press("falling rod")
    assert table.heard == [0, 1, 1]


PHASE_TWO = (
    "L12* *F6 *J7 *C9 *I8 *G5 J10* *I3 H4* *I5 *H5 *H6 *G6 *G7 J4* *E9 *F8 I4* K11* *J2 I9* *K1 "
    "J6* L1* *G8 F7* *A10 *B10 E7* D7* A11* E6* B12* C12* *B11 *A5"
).replace(" ", ",")


def test_in_phase_two_a_rod_is_picked_up_and_laid_elsewhere_or_turned(lay):
    table = lay(f"game=antipalos&size=12&moves={PHASE_TWO}", confirm=False)
    table.cell("L12").click(position={"x": 45, "y": 20})
    table.says("L12 chosen")
    table.cell("A1").click(position={"x": 20, "y": 20})
    placements, origin = 2 * 144, 143
    assert table.heard == [placements * (1 + origin) + 1]
    table.show(f"game=antipalos&size=12&moves={PHASE_TWO}", confirm=False)
    table.cell("L12").click(position={"x": 45, "y": 20})
    table.cell("L12").click(position={"x": 20, "y": 20})
    assert table.heard == [placements * (1 + origin) + 2 * origin + 1]


@pytest.mark.parametrize(("seat", "corner"), [(0, 0), (1, 132), (2, 143), (3, 11)])
def test_each_seat_has_a1_at_its_own_lower_left(lay, seat, corner):
    """The corner cells are A1, A12, L12 and L1 for the first seat."""
    table = lay("game=antipalos&size=12&seats=team", seat=seat)
    expect(table.board.locator(".board-side")).to_contain_text(f"Seen by seat {seat + 1} ")
    expect(table.cell("A1")).to_have_attribute("data-cell", str(corner))
    boxes = {name: table.cell(name).bounding_box() for name in ("A1", "L1", "L12", "A12")}
    lowest = max(box["y"] for box in boxes.values())
    leftmost = min(box["x"] for box in boxes.values())
    at = [n for n, b in boxes.items() if b["y"] > lowest - 5 and b["x"] < leftmost + 5]
    assert at == ["A1"]


def test_coordinates_stand_at_the_same_places_for_every_seat(lay):
    places = []
    for seat in (0, 1):
        table = lay("game=antipalos&size=12", seat=seat)
        labels = table.board.locator(".label")
        places.append([(one.text_content(), one.get_attribute("x")) for one in labels.all()])
    assert places[0] == places[1]


def test_the_first_seats_view_can_be_chosen(lay):
    table = lay("game=antipalos&size=12", seat=1)
    expect(table.cell("A1")).to_have_attribute("data-cell", "143")
    table.page.locator(".board-options summary").click()
    table.page.get_by_label("Seen from").select_option("first")
    expect(table.cell("A1")).to_have_attribute("data-cell", "0")
    expect(table.board.locator(".board-side")).to_contain_text("Seen by seat 1 (white)")


def test_moves_are_written_as_text_and_what_is_wrong_is_said(lay):
    table = lay("game=hex&size=5", confirm=False)
    table.page.locator(".board-options summary").click()
    table.page.get_by_label("Write moves").select_option("on")
    field = table.page.get_by_role("textbox", name="Move")
    field.fill("z9")
    field.press("Enter")
    expect(table.board.get_by_role("alert")).to_contain_text("z9")
    table.player.forgive("400")
    field.fill("C3")
    field.press("Enter")
    expect(table.board.locator(".board-trouble")).to_be_empty()
    table.page.wait_for_function("window.heard.length > 0")
    assert table.heard == [12]


def test_choices_about_the_board_are_kept(lay):
    table = lay("game=hex&size=5&moves=c3,b2")
    table.page.locator(".board-options summary").click()
    table.page.get_by_label("Move numbers").select_option("on")
    expect(table.board.locator(".number")).to_have_text(["2", "1"])
    table.page.get_by_label("Coordinates").select_option("cells")
    table.show("game=hex&size=5&moves=c3,b2")
    expect(table.board.locator(".number")).to_have_text(["2", "1"])
    expect(table.board.locator(".cell-name").first).to_have_text("a1")


@pytest.mark.parametrize("kind", ["desktop", "dark", "phone", "narrow", "contrast"])
@pytest.mark.parametrize("game", ["antipod", "antipode", "antipalos", "hex", "cylindrical-hex"])
def test_boards_fit_every_window(lay, game, kind):
    table = lay(f"game={game}", kind=kind)
    assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    table.player.picture(f"board-{game}-{kind}", whole=False)
