"""Antipalos: each player has the coordinates of their own side."""

import pytest
from playwright.sync_api import expect

from tests.browser.scripts import Script


@pytest.fixture
def players(table):
    return table(Script("antipalos", {"size": 12}, ()))


def moves(player):
    return player.page.locator(".moves .move-text")


def test_the_list_of_moves_has_each_players_coordinates(players):
    first, second = players
    start = Script("antipalos", {"size": 12}, ()).start()
    after = first.play(start, "B4*")
    second.shows(after)
    expect(moves(first)).to_have_text(["B4*"])
    expect(moves(second)).to_have_text(["K9*"])
    for player, seat in ((first, "seat 1 (white)"), (second, "seat 2 (black)")):
        text = f"Coordinates of {seat}"
        expect(player.page.get_by_text(text)).to_have_count(1)
        expect(player.page.locator(".board-side")).to_contain_text(text)
    second.picture("antipalos-own-side")
    second.page.locator(".board-options summary").click()
    second.page.get_by_text("the first player’s side", exact=True).click()
    expect(moves(second)).to_have_text(["B4*"])
    expect(second.page.locator(".board-side")).to_contain_text("Coordinates of seat 1")


def test_typed_moves_use_the_players_coordinates(players):
    first, second = players
    start = Script("antipalos", {"size": 12}, ()).start()
    after = first.play(start, "B4*")
    second.shows(after)
    second.page.locator(".board-options summary").click()
    second.page.get_by_label("Move input").check()
    field = second.page.get_by_role("textbox", name="Move")
    field.fill("*A1")
    field.press("Enter")
    expect(moves(second)).to_have_text(["K9*", "*A1"])
    expect(moves(first)).to_have_text(["B4*", "*L12"])
    assert [move["text"] for move in second.match["moves"]] == ["B4*", "*L12"]
