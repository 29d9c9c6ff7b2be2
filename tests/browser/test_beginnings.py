"""A live game takes its players to the board, and no clock runs before their first moves."""

import re

from playwright.sync_api import expect

from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())
BOARD = re.compile(r"/m/[^/]+/$")
BANK = 300_000  # milliseconds
_TIMEOUT = 20_000  # milliseconds, on a busy machine


def _first_at_board(tabs):
    """Return the only tab that goes to the board."""
    for _ in range(_TIMEOUT // 200):
        if any(BOARD.search(tab.url) for tab in tabs):
            break
        tabs[0].wait_for_timeout(200)
    tabs[0].wait_for_timeout(1_500)
    [found] = [tab for tab in tabs if BOARD.search(tab.url)]
    return found


def test_two_strangers_come_from_a_challenge_to_both_first_moves(window, site):
    author, guest = window(site), window(site, "phone")
    link = author.challenge("hex", size=4, swap="off", seat=0, control="5m+5s")
    author.open("/lobby/")
    tabs = [author.page, author.page.context.new_page()]
    tabs[1].goto(site.url("/lobby/"))
    for tab in tabs:
        tab.wait_for_load_state("networkidle")
    guest.join(link)
    guest.wait_for_match()
    author.page = _first_at_board(tabs)
    author.says("No clock runs before the first moves")
    after = author.play(SMALL.start(), "a1")
    guest.shows(after)
    assert guest.match["clock"]["left"][1] == BANK
    guest.play(after, "b2")
    author.shows(after.play(after.parse_move("b2")))
    assert [left >= BANK for left in author.match["clock"]["left"]] == [True, True]


def test_a_player_who_reads_another_page_is_told_where_the_game_is(window, site):
    author, guest = window(site), window(site)
    link = author.challenge("hex", size=4, swap="off", seat=0, control="5m+5s")
    author.open("/rules/hex/")
    author.page.wait_for_load_state("networkidle")
    guest.join(link)
    toast = author.page.get_by_role("alert").filter(has_text="Your game of Hex")
    expect(toast).to_be_visible(timeout=_TIMEOUT)
    expect(author.page).to_have_title(re.compile("▶ Your game of Hex"), timeout=_TIMEOUT)
    author.check_accessibility()
    author.picture("game-begins", whole=False)
    toast.get_by_role("link", name="Go to game").click()
    expect(author.page).to_have_url(BOARD)
    author.open("/lobby/")
    author.page.wait_for_load_state("networkidle")
    author.page.wait_for_timeout(1_500)
    assert author.page.url.endswith("/lobby/"), "who has been there may leave again"
