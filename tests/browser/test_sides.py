"""Antipalos on the page of a match: each player reads and writes moves from their own side."""

import pytest
from playwright.sync_api import expect

from tests.browser.scripts import Script


@pytest.fixture
def players(table):
    return table(Script("antipalos", {"size": 12}, ()))


def moves(player):
    return player.page.locator(".moves .move-text")


def test_each_player_has_a_list_of_moves_from_their_own_side(players):
    first, second = players
    start = Script("antipalos", {"size": 12}, ()).start()
    after = first.play(start, "B4*")
    second.shows(after)
    expect(moves(first)).to_have_text(["B4*"])
    expect(moves(second)).to_have_text(["K9*"])
    for player, words in ((first, "Seen by seat 1 (white)"), (second, "Seen by seat 2 (black)")):
        expect(player.page.locator(".record .hint")).to_contain_text(words)
        expect(player.page.locator(".board-side")).to_contain_text(words)
    second.picture("antipalos-own-side")
    second.page.locator(".board-options summary").click()
    second.page.get_by_label("Seen from").select_option("first")
    expect(moves(second)).to_have_text(["B4*"])
    expect(second.page.locator(".record .hint")).to_contain_text("Seen by seat 1")


def test_a_move_is_written_from_ones_own_side(players):
    first, second = players
    start = Script("antipalos", {"size": 12}, ()).start()
    after = first.play(start, "B4*")
    second.shows(after)
    second.page.locator(".board-options summary").click()
    second.page.get_by_label("Write moves").select_option("on")
    field = second.page.get_by_role("textbox", name="Move")
    field.fill("*A1")
    field.press("Enter")
    expect(moves(second)).to_have_text(["K9*", "*A1"])
    expect(moves(first)).to_have_text(["B4*", "*L12"])
    assert [made["text"] for made in second.match["moves"]] == ["B4*", "*L12"]
