"""A match between a player on the site and one by mail."""

import pytest
from playwright.sync_api import expect, sync_playwright

from antipodes.games.registry import make_game
from tests.browser.fixtures import PICTURES, chromium, launch_chromium
from tests.browser.player import Player
from tests.mailservers.people import text_of

MOVES = ("b2", "a1", "b1", "a3", "b3")  # Black wins on a board of three rows


@pytest.fixture
def window(site):
    """A browser window, not signed in."""
    if chromium() is None:
        pytest.skip("there is no Chromium: sudo apt install chromium")
    PICTURES.mkdir(parents=True, exist_ok=True)
    expect.set_options(timeout=90_000)
    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(90_000)
        player = Player(context.new_page(), site, PICTURES)
        yield player
        context.close()
        browser.close()
    assert not player.errors, player.errors


def test_a_page_and_a_mailbox_play_a_match_to_its_end(site, window, person):
    site.people("hal", by_mail=False)
    site.people("ida")
    match = site.begin("hex", {"size": 3, "swap": "off"}, ["hal", "ida"])
    window.open("/accounts/login/")
    window.page.fill("[name=login]", "hal")
    window.page.fill("[name=password]", "the password of hal")
    window.page.locator("form[action*='login'] button[type=submit], main form button").first.click()
    window.page.wait_for_url(lambda url: "login" not in url)
    window.open(f"/m/{match['slug']}/")
    ida = person("ida")
    position = make_game("hex", {"size": 3, "swap": "off"}).initial()
    for ply, text in enumerate(MOVES):
        if ply % 2 == 0:
            position = window.play(position, text)
        else:
            mail = ida.wait_for_turn(match["number"], ply)
            assert f"hal has played {MOVES[ply - 1]}" in text_of(mail) or (
                f"hal played {MOVES[ply - 1]}" in text_of(mail)
            )
            ida.reply(mail, text)
            # The page shows the move by mail without being loaded again.
            position = position.play(position.parse_move(text))
            window.shows(position)
    ida.wait_for(
        lambda one: "State: over" in text_of(one) and "hal" in text_of(one), "the end of the match"
    )
    window.picture("mail-and-page")
    assert site.moves(match["number"]) == {"moves": list(MOVES), "over": True}
