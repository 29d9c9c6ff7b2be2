"""The position editor and the import page, by mouse, touch and keys."""

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import game_ids, make_game
from tests.browser.test_analysis import open_board

KINDS = ["desktop", "dark", "phone", "narrow"]


def verdict(player, text):
    expect(player.page.locator(".editor-verdict h2")).to_have_text(text)


@pytest.mark.parametrize("kind", KINDS)
def test_the_editor_of_every_game_is_accessible(window, site, kind):
    player = window(site, kind)
    for game_id in game_ids():
        open_board(player, f"/editor/{game_id}/")
        verdict(player, "A position of the game")
        player.picture(f"editor-{game_id}-{kind}")
        player.check_accessibility()


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_pieces_are_set_judged_and_played_out(window, site, kind):
    player = window(site, kind)
    open_board(player, "/editor/hex/?size=4&swap=off")
    for cell in (0, 5):
        player.cell(cell).click()
    verdict(player, "Playable, but no game leads to it")
    player.page.locator("label", has_text="white").click()
    player.cell(5).click()
    verdict(player, "A position of the game")
    player.press("Undo")
    verdict(player, "Playable, but no game leads to it")
    player.press("Redo")
    verdict(player, "A position of the game")
    player.page.get_by_role("link", name="Play from here").click()
    player.press("Play")
    player.wait_for_match()
    assert player.match["setup"]["stones"] == {"a1": "black", "b2": "white"}


def test_a_position_is_set_up_by_keys_alone(window, site):
    player = window(site)
    open_board(player, "/editor/antipode/")
    typed = player.page.get_by_role("textbox", name="Type points")
    typed.fill("red d4 e4")
    typed.press("Enter")
    expect(player.cell(make_game("antipode").topology.cell("d4"))).to_have_attribute(
        "aria-label", "d4, red"
    )
    corner = player.cell(make_game("antipode").topology.cell("a1"))
    corner.focus()
    corner.press("Delete")
    verdict(player, "Not a position of the game")
    player.says("corner a1 has no token")
    corner.press("Enter")
    verdict(player, "A position of the game")


def test_games_are_imported_by_paste_and_by_file(window, site, tmp_path):
    player = window(site, "phone")
    player.open("/import/")
    player.check_accessibility()
    player.page.get_by_label("Paste a game").fill("https://hexworld.org/board/#5nc1,a2b3")
    player.button("Import").press("Enter")  # browsers show where the focus is after a key
    player.says("Hex, move 3: Black to move.")
    heading = player.page.locator("#imported")
    expect(heading).to_be_focused()
    expect(heading).to_have_css("outline-style", "none")
    player.picture("imported-phone")
    player.check_accessibility()
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[11]SZ[5];B[a1];W[a1])", encoding="utf-8")
    player.page.get_by_label("Or choose a file").set_input_files(file)
    player.press("Import")
    player.says("Not everything could be read")
    player.check_accessibility()
    player.page.get_by_label("Paste a game").fill("hello")
    player.press("Import")
    player.says("This cannot be read")
    player.expect_errors("400")
