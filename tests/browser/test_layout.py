"""Labels of boards and lists fit, on broad screens and on phones."""

import pytest
from django.templatetags.static import static
from playwright.sync_api import expect

from antipodes.games.registry import game_ids
from antipodes.puzzles import store
from tests.browser.accounts import sign_up

# Labels that overlap the frame, a border or a cell, measured in the page.
_COVERED = """() => {
  const covered = (picture) => {
    const cells = [...picture.querySelectorAll(".frame, .cell .ground")];
    const boxes = cells.map((one) => one.getBoundingClientRect());
    const borders = [...picture.querySelectorAll(".border-band")];
    return (label) => {
      const { left, right, top, bottom, width, height } = label.getBoundingClientRect();
      const [upper, lower] = [top + .2 * height, bottom - .2 * height]; // where digits reach
      if (boxes.some((one) => one.left < right && one.right > left && one.top < lower
        && one.bottom > upper)) return true;
      const steps = Array.from({ length: 9 }, (_, i) => left + (width * i) / 8);
      const points = steps.flatMap((x) => [new DOMPoint(x, upper), new DOMPoint(x, lower)]);
      return borders.some((border) => {
        const inside = border.getScreenCTM().inverse();
        return points.some((point) => border.isPointInFill(point.matrixTransform(inside)));
      });
    };
  };
  const pictures = [...document.querySelectorAll("antipodes-board .board-pictures svg")];
  return pictures.flatMap((one) =>
    [...one.querySelectorAll(".label")].filter(covered(one)).map((label) => label.textContent));
}"""


@pytest.mark.parametrize("kind", ["desktop", "phone"])
@pytest.mark.parametrize(
    "board",
    [
        "hex/?size=19",
        "hex/?size=26",
        "antipalos/?ruleset=mail&size=26",
        "antipalos/?size=20",
        "antipod/?side=10",
        "cylindrical-hex/?rows=15&columns=12",
    ],
)
def test_coordinates_clear_the_frame_and_the_cells(window, site, board, kind):
    player = window(site, kind)
    player.open(f"/analysis/{board}")
    expect(player.page.locator("antipodes-board .label").first).to_be_attached()
    assert player.page.evaluate(_COVERED) == []
    player.picture(f"coordinates-{board.split('/')[0]}-{board[-2:]}-{kind}", whole=False)


# The least contrast of a border's fill or line with the page, and of its line with its fill.
_BORDER = """() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map((one) => (one / 255) ** 2.2);
    return .2126 * r + .7152 * g + .0722 * b + .05;
  };
  const contrast = (a, b) => Math.max(light(a) / light(b), light(b) / light(a));
  const ground = getComputedStyle(document.body).backgroundColor;
  return [...document.querySelectorAll(".border-band")].map((band) => {
    const { fill, stroke } = getComputedStyle(band);
    const parts = [fill, stroke].map((one) => contrast(one, ground));
    return [Math.max(...parts), Math.max(contrast(fill, stroke), contrast(fill, ground))];
  });
}"""


@pytest.mark.parametrize("kind", ["desktop", "dark"])
def test_borders_of_both_colours_stand_out_from_the_page(window, site, kind):
    player = window(site, kind)
    player.open("/analysis/hex/?size=5")
    bands = player.page.locator("antipodes-board .border-band")
    expect(bands).to_have_count(4)
    for beside, inside in player.page.evaluate(_BORDER):
        assert beside >= 3
        assert inside >= 3
    player.picture(f"borders-{kind}", whole=False)


# A list of moves with conditional moves, at several widths.
_LIST = """async () => {
  const { MovesPanel } = await import("/static/antipodes/match/moves.js");
  const sheet = document.createElement("link");
  Object.assign(sheet, { rel: "stylesheet", href: "/static/antipodes/match.css" });
  document.head.append(sheet);
  await new Promise((done) => (sheet.onload = done));
  const match = document.createElement("antipodes-match");
  document.querySelector("main").replaceChildren(match);
  let root;
  const tabs = { add: (_name, _title, record) => { root = record; } };
  const panel = new MovesPanel({ go() {}, step() {}, place() {}, tabs });
  match.append(root);
  const made = (i) => ({ color: i % 2 ? "black" : "white", seat: i % 2, text: "*L12-*K11" });
  const source = (i) => ["hand", "conditional", "given"][i % 3];
  const moves = Array.from({ length: 240 }, (_, i) => ({ ...made(i), source: source(i) }));
  panel.draw({ ply: 240, view: { moves, own: [] }, textOf: (text) => text });
  const isOut = (part, item) =>
    part.getBoundingClientRect().right > item.getBoundingClientRect().right + .5;
  const found = new Set();
  // Beside a board, the list is 22rem wide, minus a scroll bar.
  for (const width of innerWidth > 960 ? [8, 12, 16, 18, 20, 22, 24] : [""]) {
    root.style.width = width && `${width}rem`;
    for (const item of match.querySelectorAll(".moves li")) {
      for (const part of item.querySelectorAll(".move-text, .move-source")) {
        if (part.textContent && isOut(part, item)) found.add(`${part.textContent} ${width}`);
      }
    }
  }
  return [...found];
}""".replace("/static/", static(""))


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("language", ["en-gb", "de", "fr"])
def test_the_tag_of_a_conditional_move_stays_inside_its_move(window, site, width, language):
    player = window(site)
    player.page.set_viewport_size({"width": width, "height": 844})
    player.page.context.add_cookies([{"name": "language", "value": language, "url": site.url("/")}])
    player.open("/privacy/")
    assert player.page.evaluate(_LIST) == []
    player.picture(f"conditional-tags-{width}-{language}")


def test_leaving_pages_while_they_load_logs_no_error(window, site):
    """Boards, sockets and requests in progress end without errors when their page is left."""
    player = window(site)
    player.play_computer("hex", size=5)
    match = player.page.url
    places = ["/", "/lobby/", "/pair/", *(f"/rules/{one}/" for one in game_ids()), match]
    places += [f"/analysis/{one}/" for one in game_ids()]
    for wait in ("commit", "domcontentloaded", "load"):
        for place in places:
            address = place if "://" in place else site.url(place)
            player.page.goto(address, wait_until=wait)
    player.open("/rules/")
    assert player.errors == []


# The shifts that no click caused, as Lighthouse counts them.
_WATCH_SHIFTS = """new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts.push(one.value);
}).observe({ type: "layout-shift", buffered: true });
window.shifts = [];"""
_MOST_SHIFT = 0.02


@pytest.mark.parametrize("kind", ["desktop", "phone", "narrow"])
def test_nothing_moves_while_a_page_loads(window, site, kind):
    places = ["/", "/lobby/", "/pair/", "/tv/", "/learn/hex-rules/swap/"]
    places += [f"/puzzles/{next(iter(store.puzzles(one))).id}/" for one in game_ids()]
    for place in ("rules", "new", "analysis", "editor"):
        places += [f"/{place}/{one}/" for one in game_ids()]
    player = window(site, kind)
    player.page.add_init_script(_WATCH_SHIFTS)
    moved = {}
    for place in places:
        player.open(place)
        player.page.wait_for_load_state("networkidle")
        moved[place] = player.page.evaluate("shifts.reduce((sum, one) => sum + one, 0)")
    assert {place: shift for place, shift in moved.items() if shift > _MOST_SHIFT} == {}


@pytest.mark.parametrize("language", ["en-gb", "de", "fr"])
def test_both_boards_of_antipod_are_in_sight_on_the_smallest_phones(window, site, language):
    player = window(site, "phone", locale=language)
    player.page.set_viewport_size({"width": 320, "height": 640})
    player.play_computer("antipod", seat=0)
    pictures = player.page.locator("antipodes-board .board-pictures svg")
    expect(pictures).to_have_count(2)
    player.picture(f"antipod-320-{language}", whole=False)
    lowest = pictures.last.bounding_box()
    own = player.page.locator(".own").bounding_box()
    assert lowest["y"] + lowest["height"] <= own["y"]
    assert own["y"] + own["height"] <= 640


# Widths in pixels at which the header has more than one row, or is wider than the window.
_HEADER = """document.querySelector(".top").offsetHeight > 75
  || document.documentElement.scrollWidth > document.documentElement.clientWidth"""
# Links that the header and its menus have more than once.
_TWICE = """[...document.querySelectorAll(".site-nav a")]
  .filter((one) => getComputedStyle(one).display !== "none")
  .map((one) => one.getAttribute("href")).filter((one, i, all) => all.indexOf(one) !== i)"""


@pytest.mark.parametrize("language", ["en-gb", "de", "fr"])
def test_the_header_is_one_row_at_every_width(window, site, language):
    """Guests have the longest header: name, "Sign in" and "Sign up"."""
    guest = window(site, locale=language)
    guest.play_computer("hex", size=5)
    guest.open("/privacy/")
    wrong = []
    for width in range(320, 1500, 40):
        guest.page.set_viewport_size({"width": width, "height": 700})
        wrong += [width] if guest.page.evaluate(_HEADER) else []
        assert guest.page.evaluate(_TWICE) == [], width
    assert wrong == []
    guest.page.set_viewport_size({"width": 1100, "height": 700})
    guest.page.locator(".menu-part summary").click()
    guest.picture(f"header-{language}", whole=False)


@pytest.mark.parametrize("game_id", game_ids())
def test_a_phone_on_its_side_shows_board_and_turn_without_scrolling(window, site, game_id):
    player = window(site, "phone")
    player.page.set_viewport_size({"width": 844, "height": 390})
    player.play_computer(game_id, seat=0)
    boards = player.page.locator("antipodes-board .board-pictures svg")
    for place in (boards.first, boards.last, player.page.locator(".status-line")):
        box = place.bounding_box()
        assert box["y"] + box["height"] <= 390, game_id
    player.check_accessibility()
    player.picture(f"landscape-{game_id}", whole=False)


def test_the_button_of_a_new_game_is_in_sight_on_phones(window, site):
    player = window(site, "phone")
    for game_id in game_ids():
        player.open(f"/new/{game_id}/")
        box = player.page.locator("form.new-game > .buttons .first").bounding_box()
        assert box["y"] + box["height"] <= player.page.viewport_size["height"], game_id


def test_long_names_stay_in_the_cards_of_matches(window, site):
    """Names have no spaces; a phone is narrower than some of them."""
    player = window(site, "phone")
    player.page.set_viewport_size({"width": 320, "height": 640})
    player.open("/lobby/")
    outside = player.page.evaluate(
        """() => {
          const card = document.createElement("ul");
          card.className = "matches";
          card.innerHTML = `<li class="card match"><a href="#"><span></span><span class="words">
            <span>Penelope_Featherstonehaugh</span></span></a></li>`;
          document.querySelector("main").append(card);
          const [words, name] = [".words", ".words span"].map((one) => card.querySelector(one));
          const range = new Range();
          range.selectNodeContents(name);
          return range.getBoundingClientRect().right - words.getBoundingClientRect().right;
        }"""
    )
    assert outside <= 0


# A game in which each player has every action of a match without series, pause or vacation.
_BEGUN = """
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Play, Terms
from antipodes.web.accounts.models import User
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up

users = [User.objects.get(username=name), User.objects.create(username=f"other-{name}")]
terms = Terms(game=make_game("antipode"), players=tuple(str(one.pk) for one in users),
              control=read_control("20m+10s"))
row = begin_match(terms, users)
for ply in range(4):
    match = look_up(row.slug).match
    move = min(match.position.legal_moves)
    carry_out(row.slug, Play(seat=match.seat_to_move, ply=ply, key=f"{ply} of {name}", move=move))
report(row.slug)
"""

# The words of icons and tabs that leave their box, and rows of icons in which one stands alone.
_LEFT_OUT = """() => {
  const wordsOf = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect();
  };
  const isOut = (one, box) => {
    const words = wordsOf(one), { left, right } = box.getBoundingClientRect();
    return words.left < left - 1 || words.right > right + 1;
  };
  const shown = (some) => [...some].filter((one) => one.checkVisibility());
  const list = document.querySelector(".tab-list");
  const icons = shown(document.querySelectorAll(".icon-bar > :is(button, a), .icon-bar summary"));
  const tops = icons.map((one) => Math.round(one.getBoundingClientRect().top / 20));
  return [
    ...icons.filter((one) => isOut(one, one)),
    ...icons.filter((_, at) => tops.filter((top) => top === tops[at]).length === 1),
    ...shown(list.children).filter((one) => isOut(one, list)),
  ].map((one) => one.textContent.trim());
}"""


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_words_of_actions_and_tabs_of_a_match_fit(window, site, worker_id, language):
    player = window(site, locale=language)
    name = f"{language}-{worker_id}"
    sign_up(player, name)
    player.open(f"/m/{site.ask(_BEGUN, name=name)}/")
    expect(player.page.locator(".icon-bar > :not([hidden])")).to_have_count(6)
    for width in (320, 375, 800, 1280):
        player.page.set_viewport_size({"width": width, "height": 900})
        player.page.wait_for_timeout(200)
        assert player.page.evaluate(_LEFT_OUT) == [], width
        player.picture(f"actions-{language}-{width}")
