"""Keyboard use: a whole game from the home page to the end, and focus on the board."""

import re

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import make_game
from antipodes.search.players import make_player
from tests.browser.test_studies import make_study

SIZE = 4


def tab_to(player, matches):
    """Press Tab until the focused element matches a CSS selector."""
    for _ in range(80):
        player.page.keyboard.press("Tab")
        if player.page.evaluate("s => document.activeElement?.matches(s) ?? false", matches):
            return
    raise AssertionError(f"Tab never reaches {matches}")


def go_to(player, name):
    """Focus a cell by typing its name; repeat if a busy machine was too slow."""
    for _ in range(5):
        if not player.page.evaluate("document.activeElement.matches('[data-cell]')"):
            tab_to(player, "antipodes-board [data-cell]")
        player.page.keyboard.type(name)
        if (focused(player) or "").startswith(f"{name},"):
            return
        player.page.wait_for_timeout(1_300)
    raise AssertionError(f"typing {name} does not focus the cell")


def test_a_whole_game_is_played_with_the_keyboard(window, site):
    player = window(site)
    keys = player.page.keyboard
    player.open("/")
    tab_to(player, "a[href='/new/hex/']")
    keys.press("Enter")
    player.page.wait_for_url("**/new/hex/")
    tab_to(player, "[name='option-size']")
    keys.type(f"{SIZE}:")
    tab_to(player, "form.new-game button.first")
    keys.press("Enter")
    player.page.wait_for_url("**/m/*/")

    own = player.match["own"][0]
    position = make_game("hex", {"size": SIZE}).initial()
    own_engine = make_player("computer:4", 1)
    while position.outcome is None:
        if position.seat_to_move != own:
            position = player.after_answer(position)
            continue
        move = own_engine.choose(position)
        if move == position.game.swap_move:
            move = next(one for one in position.legal_moves if one != move)
        go_to(player, position.format_move(move))
        keys.press("Enter")
        position = position.play(move)
    player.shows(position)
    player.says(str(position.outcome))


def test_arrow_keys_move_between_cells_and_stay_on_the_board(window, site):
    player = window(site)
    player.play_computer("antipod", side=4, seat=0)
    tab_to(player, "antipodes-board [data-cell]")
    seen = set()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        for _ in range(12):
            player.page.keyboard.press(key)
            focus = "document.activeElement.dataset.cell ?? null"
            cell = player.page.evaluate(focus)
            assert cell is not None
            seen.add(cell)
    assert len(seen) > 15


def test_the_focus_is_visible(window, site):
    player = window(site)
    player.play_computer("hex", size=4, seat=0)
    tab_to(player, "antipodes-board [data-cell]")
    player.page.keyboard.press("ArrowRight")
    player.picture("keyboard-focus")


def focused(player):
    return player.page.evaluate("document.activeElement.getAttribute('aria-label')")


def test_the_focus_stays_on_the_board_after_a_first_move_on_the_home_page(window, site):
    player = window(site)
    player.open("/")
    go_to(player, "d3")
    player.page.keyboard.press("Enter")
    player.page.wait_for_url("**/m/*/")
    player.page.wait_for_selector("antipodes-board [data-cell]:focus")
    assert focused(player).startswith("d3,")


def test_a_rim_point_has_one_label_and_both_its_spots_are_highlighted(window, site):
    player = window(site)
    player.open("/analysis/antipod/?side=4")
    go_to(player, "d7")
    assert focused(player).startswith("d7, also d")
    assert player.page.locator("antipodes-board .cell.hovered").count() == 2


def keys_in(part):
    """Return the texts of the tables of keys in a part of a page."""
    return [text.strip() for text in part.locator("th[scope=row], td").all_inner_texts()]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/analysis/hex/",
        "/editor/hex/",
        "/learn/hex-rules/swap/",
        "/puzzles/daily/",
        "match",
        "study",
    ],
)
def test_a_question_mark_shows_the_keys_on_every_page_with_a_board(window, site, path):
    player = window(site)
    player.open("/playing-without-sight/")
    known = keys_in(player.page.locator("#keys"))
    assert "?" in known
    if path == "match":
        player.play_computer("hex", level=1, seat=0, size=4)
    elif path == "study":
        make_study(player)
    else:
        player.open(path)
    expect(player.page.locator("antipodes-board [data-cell]").first).to_be_visible()
    player.page.keyboard.press("?")
    dialog = player.page.get_by_role("dialog", name="Keys")
    expect(dialog.get_by_role("row").first).to_be_visible()
    assert keys_in(dialog) == known
    player.check_accessibility()
    player.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_a_question_mark_in_a_field_is_text(window, site):
    player = window(site)
    player.open("/analysis/hex/?size=4")
    field = player.page.get_by_role("textbox", name="Move")
    field.press("?")
    expect(field).to_have_value("?")
    expect(player.page.get_by_role("dialog")).to_be_hidden()
    player.page.get_by_text("Board options").click()
    player.button("Keys (?)").click()
    expect(player.page.get_by_role("dialog")).to_contain_text(re.compile("Arrow keys"))
