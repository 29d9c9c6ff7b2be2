"""Sounds, questions, menu, settings and the review's chart, on desktop and phone."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import sign_up
from tests.browser.scripts import Script, random_script

_SMALL = Script("hex", {"size": 4, "swap": "off"}, ())
# Counts the sources of sound that the page starts.
_COUNT_SOUNDS = """() => {
  window.sounds = 0;
  for (const kind of [OscillatorNode, AudioBufferSourceNode]) {
    const start = kind.prototype.start;
    kind.prototype.start = function (...at) { window.sounds += 1; return start.apply(this, at); };
  }
}"""
_CHOOSE = """([name, value]) => document.querySelector("antipodes-board").settings()
  .find((one) => one.name === name).choose(value)"""


def test_sounds_are_silent_until_switched_on_and_stay_on(table):
    black, white = table(_SMALL)
    position = _SMALL.start()
    for player in (black, white):
        player.page.evaluate(_COUNT_SOUNDS)
    button = white.button("Sounds")
    expect(button).to_have_attribute("aria-pressed", "false")
    position = black.play(position, "b2")
    white.shows(position)
    assert white.page.evaluate("window.sounds") == 0
    button.click()
    white.page.wait_for_function("() => window.sounds > 0")
    before = white.page.evaluate("window.sounds")
    white.play(position, "c3")
    white.page.wait_for_function("before => window.sounds > before", arg=before)
    assert black.page.evaluate("window.sounds") == 0
    white.page.reload()
    expect(white.button("Sounds")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_questions_are_answered_by_typing(table, kind):
    black, white = table(_SMALL, kinds=(kind,))
    position = _SMALL.start()
    for text in ("b2", "c3"):
        position = [black, white][position.seat_to_move].play(position, text)
    white.shows(position)
    white.page.evaluate(_CHOOSE, ["input", "on"])
    field = white.page.get_by_label("Move", exact=True)
    answer = white.page.locator(".board-answer")
    for question, expected in (
        ("o", "white: c3."),
        ("x", "black: b2."),
        ("last", "Last move: c3, white."),
        ("where c3", "c3, white. Empty: "),
        ("goal", "You are White: "),
        ("time", "no time limit"),
        ("?", "where c3, goal, time"),
    ):
        field.fill(question)
        field.press("Enter")
        expect(answer).to_contain_text(expected)
    field.fill("a1")
    field.press("Enter")
    white.says("It is not your turn.")
    white.check_accessibility()


@pytest.mark.parametrize("kind", ["desktop", "phone", "narrow"])
def test_the_menu_leads_to_clubs_and_statistics(window, site, kind):
    player = window(site, kind)
    player.open("/playing-without-sight/")
    if kind != "desktop":
        player.button("Menu").click()
    player.page.locator(".menu-part summary").click()
    player.check_accessibility()
    links = player.page.locator(".menu-list")
    for name in ("Clubs", "Statistics", "Finished games", "Playing without sight"):
        expect(links.get_by_role("link", name=name)).to_be_visible()
    player.picture(f"menu-{kind}", whole=False)
    menu = player.page.locator(".site-nav" if kind != "desktop" else ".menu-list").bounding_box()
    assert menu["y"] + menu["height"] <= player.page.viewport_size["height"]
    links.get_by_role("link", name="Clubs").click()
    player.page.wait_for_url("**/clubs/")
    header = player.page.locator("header.top").bounding_box()
    assert header["height"] < 80


@pytest.mark.parametrize("kind", ["desktop", "narrow", "contrast"])
def test_settings_are_in_groups(window, site, kind):
    player = window(site, kind)
    sign_up(player, f"ruth-{kind}")
    player.open("/accounts/")
    for group in ("Profile", "Security", "Notifications", "Play", "Data"):
        expect(player.page.get_by_role("heading", name=group, exact=True)).to_be_visible()
    player.picture(f"settings-{kind}")
    player.check_accessibility()
    player.open("/notices/?new")
    expect(player.page.locator(".empty a.button")).to_be_visible()
    player.check_accessibility()


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_the_reviews_chart_has_axes_and_the_viewers_colour(table, kind):
    played = random_script("hex", "113", size=4, swap="sides")
    players = table(played, kinds=(kind,))
    position = played.start()
    for text in played.moves:
        player = players[position.seat_to_move]
        player.shows(position)
        position = player.play(position, text)
    player = players[1]
    player.page.locator("antipodes-review .turns strong").first.wait_for()
    assert "100%" in player.page.locator(".chart .axis").all_text_contents()
    signs = set(player.page.locator(".chart .turn-sign").all_text_contents())
    assert signs
    assert signs <= {"?", "??"}
    expect(player.page.locator(".mistakes")).to_contain_text(re.compile(r"\w+ \(you\)"))
    player.picture(f"review-chart-{kind}")
    player.check_accessibility()


def test_without_a_network_there_is_a_page_that_says_so(window, site):
    player = window(site)
    player.open("/lobby/")
    player.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    player.open("/rules/")
    player.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    player.page.context.set_offline(True)
    # What the page needs for games is kept only after "Keep for offline play".
    player.expect_errors("ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket")
    player.open("/lobby/")
    player.says("No connection")
    player.page.context.set_offline(False)
    player.page.get_by_role("link", name="Try again").click()
    expect(player.page.get_by_role("heading", name="Lobby", exact=True)).to_be_visible()


_COUNT_HALOS = """() => {
  window.halos = 0;
  addEventListener("animationstart", ({ animationName }) => {
    if (animationName === "board-halo") window.halos += 1;
  });
}"""


def test_the_end_has_a_halo_and_sounds_once_and_none_with_less_motion(table):
    black, white = table(_SMALL)
    white.page.emulate_media(reduced_motion="reduce")
    position = _SMALL.start()
    for player in (black, white):
        player.page.evaluate(_COUNT_SOUNDS)
        player.page.evaluate(_COUNT_HALOS)
        player.button("Sounds").click()
    for text in ("b1", "a1", "b2", "a2", "b3", "a3", "b4"):
        position = (black, white)[position.seat_to_move].play(position, text)
        for player in (black, white):
            player.shows(position)
    black.says("You won")
    white.says("You lost")
    for player in (black, white):
        expect(player.page.locator(".band")).to_have_count(1)
    black.page.wait_for_function("() => window.halos === 1")
    # Knocks of the switch and of six moves, of two sources each; at the end three tones, or two.
    for player, tones in ((black, 3), (white, 2)):
        player.page.wait_for_function("count => window.sounds === count", arg=2 * 7 + tones)
    for key in ("Home", "End"):
        black.page.locator("h1").click()
        black.page.keyboard.press(key)
    expect(black.page.locator(".band")).to_have_count(1)
    black.page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.ready))")
    assert black.page.evaluate("window.halos") == 1
    assert white.page.evaluate("window.halos") == 0
