"""Premoves: set while the opponent thinks, played or dropped when their move arrives."""

import re

from playwright.sync_api import expect

from antipodes.games.registry import make_game
from tests.browser.scripts import Script

LIVE = {"control": "other", "control_text": "5m+5s"}
HEX = Script("hex", {"size": 4, "swap": "off"}, ())
ANTIPODE = Script("antipode", {}, ())


def notice(player):
    return player.page.locator(".premove")


def set_cell(player, *cells):
    for cell in cells:
        player.cell(cell).click()
    expect(notice(player)).to_contain_text("as soon as your opponent has moved")


def test_a_premove_is_played_at_once_or_dropped_with_a_word(table):
    black, white = table(HEX, **LIVE)
    start = HEX.start()
    set_cell(white, 5)
    expect(white.cell(5)).to_have_attribute("aria-label", re.compile("premove"))
    expect(white.page.locator(".premove-ring")).to_have_count(1)
    white.picture("premove")
    black.check_accessibility()
    white.check_accessibility()
    position = black.move(start, "a1").play(5)
    black.shows(position)
    white.shows(position)
    expect(notice(white)).to_be_hidden()
    # The opponent takes the cell.
    set_cell(white, 10)
    taken = black.play(position, "c3")
    white.shows(taken)
    expect(notice(white)).to_contain_text("not possible any more")
    expect(white.page.locator(".premove-ring")).to_have_count(0)
    assert len(white.match["moves"]) == 3


def test_escape_a_tap_and_the_button_cancel_a_premove(table):
    black, white = table(HEX, **LIVE)
    set_cell(white, 5)
    white.page.keyboard.press("Escape")
    expect(notice(white)).to_be_hidden()
    set_cell(white, 6)
    white.cell(6).click()
    expect(notice(white)).to_be_hidden()
    set_cell(white, 6)
    notice(white).get_by_role("button", name="Cancel").click()
    expect(notice(white)).to_be_hidden()
    position = black.play(HEX.start(), "a1")
    white.shows(position)
    assert len(white.match["moves"]) == 1


def test_a_token_and_a_landing_are_set_with_the_keys_on_a_phone(table):
    blue, red = table(ANTIPODE, kinds=("desktop", "phone"), **LIVE)
    game = make_game("antipode", {})
    position = game.initial()
    first = position.parse_move("e4-e4")
    after = position.play(first)
    answer = next(iter(after.legal_moves))
    cells = after.steps(answer)
    red.cell(cells[0]).focus()
    red.page.keyboard.press("Enter")
    red.says("Premove: Now choose where your pawn lands")
    red.cell(cells[1]).focus()
    red.page.keyboard.press("Enter")
    expect(notice(red)).to_contain_text("as soon as your opponent has moved")
    red.check_accessibility()
    red.picture("premove-phone", whole=False)
    blue.click_steps(position, position.steps(first))
    both = after.play(answer)
    red.shows(both)
    blue.shows(both)


def test_correspondence_games_have_no_premoves(table):
    _, white = table(HEX, control="other", control_text="3d/move")
    white.cell(5).click(force=True)
    expect(notice(white)).to_be_hidden()
    expect(white.cell(5)).to_have_attribute("aria-disabled", "true")
