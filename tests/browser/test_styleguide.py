"""Photographs of all components, compared with earlier ones, and the looks of boards."""

import pytest
from django.templatetags.static import static
from playwright.sync_api import expect

from tests.browser.accounts import make_moderator, sign_in
from tests.browser.fixtures import PICTURES
from tests.browser.photographs import FOLDER, difference

_KINDS = ["desktop", "dark", "contrast", "phone", "narrow"]
_FONT = "() => document.fonts.check('16px \"Atkinson Hyperlegible Next\"')"
_HAS_FONT = """() => [...document.fonts].some(
  (one) => one.family.includes("Hyperlegible") && one.status === "loaded")"""
_SECTIONS = ["colours", "texts", "spaces", "buttons", "forms", "cards", "boards"]
_PHOTOGRAPHED = ["desktop", "dark", "contrast", "phone"]
_COLOUR = """() => getComputedStyle(document.querySelector("antipodes-board .cell .ground")).fill"""
_CHOOSE = """([name, value]) => document.querySelector("antipodes-board").settings()
  .find((one) => one.name === name).choose(value)"""
_CHOICES = """name => document.querySelector("antipodes-board").settings()
  .find((one) => one.name === name).choices.map(([value]) => value)"""


@pytest.fixture(scope="module")
def warden(site):
    """The name of a moderator."""
    make_moderator(site, "keeper")
    return "keeper"


def _wait_for_fonts(route):
    answer = route.fetch()
    text = answer.text()
    assert "optional" in text
    route.fulfill(response=answer, body=text.replace("optional", "block"))


def _use_fonts(player):
    player.page.route("**/fonts.css", _wait_for_fonts)
    player.page.context.add_cookies([{"name": "fonts", "value": "on", "url": player.site.url("/")}])


def open_guide(player, warden):
    """Open the style guide with the fonts of the site, however late they come."""
    _use_fonts(player)
    sign_in(player, warden)
    player.open("/styleguide/")
    player.page.locator("html[data-complete]").wait_for()


@pytest.mark.parametrize("kind", _KINDS)
def test_every_component_is_accessible(window, site, warden, kind):
    player = window(site, kind)
    open_guide(player, warden)
    assert player.page.locator("antipodes-board .cell").count() > 500
    player.picture(f"styleguide-{kind}")
    player.check_accessibility()


@pytest.mark.parametrize("kind", _PHOTOGRAPHED)
def test_components_look_as_in_their_photographs(window, site, warden, kind):
    player = window(site, kind, reduced_motion="reduce")
    open_guide(player, warden)
    player.page.wait_for_function("() => document.fonts.status === 'loaded'")
    found = player.page.locator(".styleguide section").evaluate_all("all => all.map(one => one.id)")
    assert found == _SECTIONS
    unlike = [
        text
        for name in _SECTIONS
        if (
            text := difference(
                player.page.locator(f"#{name}").screenshot(scale="css"), f"{name}-{kind}", PICTURES
            )
        )
    ]
    assert not unlike, unlike


def test_every_photograph_is_of_a_component():
    known = {f"{name}-{kind}.png" for name in _SECTIONS for kind in _PHOTOGRAPHED}
    assert {path.name for path in FOLDER.iterdir()} == known


def test_the_second_page_has_the_fonts_of_the_site(window, site):
    player = window(site)
    player.open("/rules/")
    player.page.wait_for_function("() => document.cookie.includes('fonts=on')")
    player.open("/lobby/")
    player.page.wait_for_function(_FONT)


def test_board_themes_differ_and_are_kept_for_the_next_board(window, site):
    player = window(site)
    player.open("/analysis/hex/?size=5")
    player.page.locator("antipodes-board .cell").first.wait_for()
    themes = player.page.evaluate(_CHOICES, "board")
    assert len(themes) >= 4
    found = set()
    for theme in themes:
        player.page.evaluate(_CHOOSE, ["board", theme])
        player.page.wait_for_timeout(200)  # the transition of colours
        found.add(player.page.evaluate(_COLOUR))
    assert len(found) == len(themes)
    player.open("/analysis/antipod/?side=4")
    expect(player.page.locator("antipodes-board").first).to_have_attribute("data-board", themes[-1])


def test_a_suggestion_is_no_circle_and_a_tinted_cell_is_not_the_last_move(window, site):
    player = window(site)
    player.open("/analysis/hex/?size=5&moves=b2")
    last = player.page.locator(".last-ring")
    expect(last).to_have_count(1)
    cell = player.cell(20)
    before = cell.locator(".ground").evaluate("one => getComputedStyle(one).fill")
    cell.hover()
    player.page.wait_for_timeout(200)
    assert cell.locator(".ground").evaluate("one => getComputedStyle(one).fill") != before
    assert cell.locator(".inset").evaluate("one => getComputedStyle(one).stroke") == "none"
    player.page.evaluate(
        """async () => {
      const { proposal } = await import("/static/antipodes/board/marks.js");
      document.querySelector("antipodes-board .pieces").append(proposal("1"));
    }""".replace("/static/", static(""))
    )
    assert player.page.locator(".sign-plate").evaluate("one => one.localName") == "rect"


def test_the_first_page_breaks_its_lines_as_with_the_fonts_of_the_site(window, site):
    places = "all => all.map(one => [one.textContent.trim(), one.getBoundingClientRect().height])"
    heights = []
    for has_fonts in (False, True):
        player = window(site)
        if has_fonts:
            _use_fonts(player)
        player.open("/")
        player.page.wait_for_function("() => document.fonts.status === 'loaded'")
        assert player.page.evaluate(_HAS_FONT) == has_fonts
        heights.append(player.page.locator(".pitch :is(h1, p)").evaluate_all(places))
        player.picture(f"first-page-fonts-{'on' if has_fonts else 'off'}", whole=False)
    assert heights[0] == heights[1]
