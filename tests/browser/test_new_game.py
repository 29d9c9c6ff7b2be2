"""The form for a new game: two taps for the usual, sliders for clocks."""

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize("kind", ["desktop", "narrow"])
def test_sliders_make_a_custom_clock(window, site, kind):
    player = window(site, kind)
    player.open("/new/hex/?opponent=link")
    player.fill("control", "other")
    code = player.page.locator("[name='control_text']")
    expect(code).to_have_value("10m+5s")
    expect(code).not_to_be_visible()
    player.page.get_by_label("Minutes for each player").fill("3")
    player.page.get_by_label("Seconds for each move").fill("0")
    expect(code).to_have_value("3m")
    player.picture(f"new-game-clock-{kind}")
    player.check_accessibility()
    player.page.locator("form.new-game button.first").click()
    player.page.wait_for_url("**/c/*/")
    player.says("3m")


def test_two_taps_start_a_usual_game(window, site):
    player = window(site, "phone")
    player.open("/new/antipod/")
    names = player.page.locator("form.new-game label:visible").all_inner_texts()
    assert len({name.strip() for name in names}) == len(names)
    player.page.locator("form.new-game button.first").tap()
    player.page.wait_for_url("**/m/*/")


@pytest.mark.parametrize(
    ("opponent", "label"),
    [
        ("computer", "Play"),
        ("anybody", "Post a challenge"),
        ("people", "Challenge"),
        ("link", "Make a link"),
    ],
)
def test_the_button_says_what_it_does(window, site, opponent, label):
    player = window(site)
    player.open("/new/hex/")
    player.fill("opponent", opponent)
    button = player.page.locator("form.new-game button.first")
    expect(button).to_have_accessible_name(label)
    assert player.page.locator("[name=rated]").is_visible() == (opponent != "computer")
