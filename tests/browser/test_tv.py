"""The TV page: spectators follow the best game, or the computer between games."""

from playwright.sync_api import expect

from tests.browser.scripts import Script

HEX = Script("hex", {"size": 4, "swap": "off"}, ())


def test_spectators_follow_a_game_and_the_computer_between_games(table, window, site):
    black, white = table(HEX)
    first = black.play(HEX.start(), "a1")
    white.shows(first)
    tv = window(site, "narrow")
    tv.open("/tv/hex/")
    tv.shows(first)
    tv.check_accessibility()
    tv.picture("tv-narrow")
    tv.shows(white.play(first, "b2"))
    tv.open("/tv/antipode/")
    expect(tv.page.locator(".seats")).to_have_count(2)
    expect(tv.page.locator(".status-line")).to_contain_text("The computer is thinking")
    tv.picture("tv-computer")
