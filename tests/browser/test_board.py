"""The board element: mouse, touch, keyboard, announcements and settings."""

import re

import pytest
from django.templatetags.static import static
from playwright.sync_api import expect

START = """async ([address, more]) => {
  await import("/static/antipodes/board.js");
  const { showPreviews, enableMoveInput } = await import("/static/antipodes/board/requests.js");
  const position = await (await fetch(address)).json();
  const data = await (await fetch(position.board)).json();
  const board = document.createElement("antipodes-board");
  board.setAttribute("options", "");
  document.querySelector("main").replaceChildren(board);
  window.played = [];
  board.addEventListener("play", (event) => window.played.push(event.detail));
  const { game, options } = position;
  const line = { game, options, moves: position.moves.map((one) => one.move) };
  showPreviews(board, () => line);
  enableMoveInput(board, () => line);
  const last = position.moves.at(-1)?.last ?? null;
  const plies = Object.fromEntries(position.moves.map((one, i) => [one.last, i + 1]));
  const { pieces, legal, chain, toMove: turn } = position;
  board.show({ board: data, pieces, legal, last, chain, turn, plies, ...more });
}""".replace("/static/", static(""))


class BoardPage:
    """A page with a board element, which records the played moves."""

    def __init__(self, player):
        self.player, self.page = player, player.page
        self.board = self.page.locator("antipodes-board")

    def show(self, query, **more):
        """Show a position; ``more`` is passed to the board's ``show``."""
        self.player.open("/")
        self.page.evaluate(START, [f"/positions.json?{query}", more])
        expect(self.board.locator(".cell").first).to_be_visible()

    def cell(self, name):
        return self.board.locator(f"[aria-label^='{name},']").first

    def announces(self, text):
        expect(self.board.locator(".board-announcer > :last-child")).to_have_text(re.compile(text))

    @property
    def played(self):
        return self.page.evaluate("window.played")

    @property
    def focused(self):
        """The name of the focused cell."""
        label = self.page.evaluate("document.activeElement.getAttribute('aria-label')")
        return label.split(",")[0]

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)


@pytest.fixture
def show_board(window, site):
    """Show positions on boards: ``show_board("game=hex")`` returns the page."""

    def make(query, kind="desktop", **more):
        page = BoardPage(window(site, kind))
        page.show(query, **more)
        return page

    return make


def test_a_click_plays_and_hovering_shows_a_preview(show_board):
    page = show_board("game=hex&size=5", confirm=False)
    page.cell("c3").hover()
    expect(page.board.locator(".ghost.black")).to_have_count(1)
    assert page.played == []
    page.cell("c3").click()
    assert page.played == [12]


def test_moves_are_played_after_confirmation(show_board):
    page = show_board("game=hex&size=5", confirm=True)
    page.cell("c3").click()
    page.cell("d4").click()
    assert page.played == []
    page.player.press("Back")
    expect(page.board.locator(".selected")).to_have_count(0)
    page.cell("b2").click()
    page.player.press("Confirm")
    assert page.played == [6]


def test_moves_are_confirmed_with_large_buttons_on_touch_screens(show_board):
    page = show_board("game=hex&size=5", kind="phone", confirm=True)
    page.cell("c3").tap()
    assert page.played == []
    button = page.board.get_by_role("button", name="Confirm")
    box = button.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    button.tap()
    assert page.played == [12]


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
def test_keys_move_the_focus_between_cells(show_board, query, first, keys, last):
    page = show_board(query)
    page.cell(first).focus()
    page.press(*keys)
    assert page.focused == last


def test_enter_plays_and_escape_steps_back(show_board):
    page = show_board("game=antipode", confirm=True)
    page.cell("e4").focus()
    page.press("Enter")
    page.announces("e4 selected")
    page.press("Escape")
    page.announces("nothing selected")
    page.press("Enter", "Enter")
    page.announces("e4–e4: press Enter to play")
    page.press("Enter")
    assert page.played == [29 * 61 + 29]


def test_flips_of_an_antipode_move_are_previewed(show_board):
    page = show_board("game=antipode&moves=e4-e4,e8-e8,d3-d3", confirm=True)
    page.cell("e5").click()
    expect(page.cell("e4")).to_have_attribute("aria-label", re.compile("becomes red"))
    expect(page.board.locator(".change-ring")).to_have_count(1)
    assert page.played == []


def test_a_fixed_corner_of_antipode_has_a_lock(show_board):
    turns = "b2-a1,e7-e7,a2-a2,b1-e9"
    page = show_board(f"game=antipode&moves={turns}")
    expect(page.board.locator(".lock")).to_have_count(1)
    expect(page.cell("a1")).to_have_attribute("aria-label", re.compile("locked"))


def test_the_clicked_corner_of_a_square_chooses_the_rods_diagonal(show_board):
    page = show_board("game=antipalos&size=12", confirm=False)
    box = page.cell("F6").bounding_box()
    right, left = ({"x": part * box["width"], "y": 0.25 * box["height"]} for part in (0.75, 0.25))
    page.cell("F6").hover(position=right)
    page.cell("F6").click(position=left)
    page.cell("F6").click(position=right)
    square = 5 * 12 + 5
    assert page.played == [2 * square + 1, 2 * square]


def test_rods_are_placed_with_keys(show_board):
    page = show_board("game=antipalos&size=12", confirm=False)
    page.cell("A1").focus()
    page.press("/", "\\", "Enter")
    assert page.played == [0, 1]
    page.player.press("falling rod")
    assert page.played == [0, 1, 1]


PHASE_TWO = (
    "L12* *F6 *J7 *C9 *I8 *G5 J10* *I3 H4* *I5 *H5 *H6 *G6 *G7 J4* *E9 *F8 I4* K11* *J2 I9* *K1 "
    "J6* L1* *G8 F7* *A10 *B10 E7* D7* A11* E6* B12* C12* *B11 *A5"
).replace(" ", ",")


def test_a_rod_is_moved_or_turned_in_phase_two(show_board):
    page = show_board(f"game=antipalos&size=12&moves={PHASE_TWO}", confirm=False)
    page.cell("L12").click(position={"x": 45, "y": 20})
    page.announces("L12 selected")
    page.cell("A1").click(position={"x": 20, "y": 20})
    placements, origin = 2 * 144, 143
    assert page.played == [placements * (1 + origin) + 1]
    page.show(f"game=antipalos&size=12&moves={PHASE_TWO}", confirm=False)
    page.cell("L12").click(position={"x": 45, "y": 20})
    page.cell("L12").click(position={"x": 20, "y": 20})
    assert page.played == [placements * (1 + origin) + 2 * origin + 1]


@pytest.mark.parametrize(("seat", "corner"), [(0, 0), (1, 132), (2, 143), (3, 11)])
def test_each_seat_has_a1_at_its_own_lower_left(show_board, seat, corner):
    """The corner cells are A1, A12, L12 and L1 for the first seat."""
    page = show_board("game=antipalos&size=12&seats=team", seat=seat)
    expect(page.board.locator(".board-side")).to_contain_text(f"Coordinates of seat {seat + 1} ")
    expect(page.cell("A1")).to_have_attribute("data-cell", str(corner))
    boxes = {name: page.cell(name).bounding_box() for name in ("A1", "L1", "L12", "A12")}
    lowest = max(box["y"] for box in boxes.values())
    leftmost = min(box["x"] for box in boxes.values())
    at = [n for n, b in boxes.items() if b["y"] > lowest - 5 and b["x"] < leftmost + 5]
    assert at == ["A1"]


def test_coordinates_are_at_the_same_places_for_every_seat(show_board):
    places = []
    for seat in (0, 1):
        page = show_board("game=antipalos&size=12", seat=seat)
        labels = page.board.locator(".label")
        places.append([(one.text_content(), one.get_attribute("x")) for one in labels.all()])
    assert places[0] == places[1]


def test_the_first_seats_orientation_can_be_chosen(show_board):
    page = show_board("game=antipalos&size=12", seat=1)
    expect(page.cell("A1")).to_have_attribute("data-cell", "143")
    page.page.locator(".board-options summary").click()
    page.page.get_by_text("the first player’s side", exact=True).click()
    expect(page.cell("A1")).to_have_attribute("data-cell", "0")
    expect(page.board.locator(".board-side")).to_contain_text("Coordinates of seat 1 (white)")


def test_typed_moves_are_played_or_rejected_with_a_message(show_board):
    page = show_board("game=hex&size=5", confirm=False)
    page.page.locator(".board-options summary").click()
    page.page.get_by_label("Move input").check()
    field = page.page.get_by_role("textbox", name="Move")
    field.fill("z9")
    field.press("Enter")
    expect(page.board.get_by_role("alert")).to_contain_text("z9")
    page.player.expect_errors("400")
    field.fill("C3")
    field.press("Enter")
    expect(page.board.locator(".board-error")).to_be_empty()
    page.page.wait_for_function("() => window.played.length > 0")
    assert page.played == [12]


def test_board_settings_are_stored(show_board):
    page = show_board("game=hex&size=5&moves=c3,b2")
    page.page.locator(".board-options summary").click()
    page.page.get_by_label("Move numbers").check()
    expect(page.board.locator(".number")).to_have_text(["2", "1"])
    page.page.get_by_text("in each cell", exact=True).click()
    page.show("game=hex&size=5&moves=c3,b2")
    expect(page.board.locator(".number")).to_have_text(["2", "1"])
    expect(page.board.locator(".cell-name").first).to_have_text("a1")


@pytest.mark.parametrize("kind", ["desktop", "dark", "phone", "narrow", "contrast"])
@pytest.mark.parametrize("game", ["antipod", "antipode", "antipalos", "hex", "cylindrical-hex"])
def test_boards_fit_every_window(show_board, game, kind):
    page = show_board(f"game={game}", kind=kind)
    assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.player.picture(f"board-{game}-{kind}", whole=False)


def test_the_board_stays_where_it_is_when_the_last_rod_is_placed(show_board):
    page = show_board("game=antipalos&size=12")
    supply, pictures = (page.board.locator(one) for one in (".board-supply", ".board-pictures"))

    def place():
        page.page.evaluate("document.fonts.ready")
        return pictures.bounding_box()

    expect(supply).to_be_visible()
    before = place()
    page.show(f"game=antipalos&size=12&moves={PHASE_TWO}")
    expect(supply).to_be_hidden()
    assert place() == before


_CHIPS = """() => {
  const list = document.createElement("ol");
  list.innerHTML = '<span class="chip black"></span><span class="chip white"></span>';
  document.querySelector(".card, main").append(list);
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const brightness = (color) => {
    probe.fillStyle = color;
    probe.fillRect(0, 0, 1, 1);
    return probe.getImageData(0, 0, 1, 1).data.slice(0, 3).reduce((sum, one) => sum + one / 3, 0);
  };
  return [...list.children].map((chip) => {
    const { backgroundColor, borderTopColor } = getComputedStyle(chip);
    return [brightness(backgroundColor), brightness(borderTopColor)];
  });
}"""


@pytest.mark.parametrize("kind", ["desktop", "dark"])
def test_a_chip_reads_as_the_colour_of_its_piece(show_board, kind):
    """A bright ring around black reads as white on a dark page."""
    [black, white] = show_board("game=hex", kind).page.evaluate(_CHIPS)
    assert max(black) < 128 < white[0]
