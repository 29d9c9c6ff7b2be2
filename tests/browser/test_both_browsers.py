"""Acts of every player, in Chromium and in Firefox; no script of a page logs an error."""

import re

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import make_game
from tests.browser.fixtures import firefox
from tests.browser.scripts import random_script
from tests.browser.test_analysis import analyse, line, open_board
from tests.browser.test_keyboard import go_to
from tests.browser.test_page_engine import MODULE, begin, moves_in_the_middle

needs_firefox = pytest.mark.skipif(
    firefox() is None, reason="there is no Firefox; on Debian: apt install firefox-esr"
)
needs_engine = pytest.mark.skipif(not MODULE.exists(), reason="make setup builds the engine")
pytestmark = pytest.mark.parametrize(
    "browser", ["chromium", pytest.param("firefox", marks=needs_firefox)], indirect=True
)

SMALL = {"size": 4, "swap": "off"}


@needs_engine
@pytest.mark.parametrize("game_id", ["antipod", "antipalos", "antipode", "cylindrical-hex"])
def test_the_computer_answers_from_the_page(window, site, game_id):
    player = window(site)
    player.play_computer(game_id, level=1, seat=0)
    expect(player.page.get_by_text("The computer thinks on this device")).to_be_visible()
    game = player.match
    position = make_game(game_id, game["options"]).initial()
    if position.seat_to_move not in game["own"]:
        position = player.after_answer(position)
    text = moves_in_the_middle(position)[0]
    player.after_answer(player.move(position, text))
    own = game["own"]
    assert {move["source"] for move in player.match["moves"] if move["seat"] not in own} == {
        "device"
    }


@needs_engine
def test_a_whole_game_against_the_engine_in_the_page(window, site):
    player = window(site)
    position = begin(player, 1, size=4)
    while position.outcome is None:
        position = player.move(position, moves_in_the_middle(position)[0])
        if position.outcome is None:
            position = player.after_answer(position)
    player.says("You" if position.outcome.winner == "black" else "Computer")


def test_two_players_play_live_and_chat(window, site):
    script = random_script("hex", "both browsers", **SMALL)
    players = [window(site), window(site)]
    players[1].join(players[0].challenge("hex", seat=0, control="10m+5s", **SMALL))
    expect(players[0].page).to_have_url(players[1].page.url)
    position = script.start()
    for text in script.moves:
        position = players[position.seat_to_move].play(position, text)
    for player in players:
        player.says(str(position.outcome))
    players[0].say("good game")
    players[1].open_chat()
    expect(players[1].chat_message("good game")).to_be_visible()


def test_a_position_is_analysed_and_variations_are_kept(window, site):
    player = window(site)
    open_board(player, "/analysis/hex/?size=5&moves=c3")
    position = make_game("hex", {"size": 5}).initial().play(12)
    player.play(position, "b2")
    assert len(line(player)) == 2
    player.page.get_by_role("combobox", name="Effort").select_option("look")
    analyse(player)
    assert player.page.locator(".best-lines li").count() >= 1


def test_a_game_is_played_by_keys(window, site):
    player = window(site)
    player.play_computer("hex", level=1, seat=0, **SMALL)
    position = make_game("hex", SMALL).initial()
    for text in ("b2", "c3", "a1"):
        legal = [position.format_move(move) for move in position.legal_moves]
        chosen = text if text in legal else legal[0]
        go_to(player, chosen)
        player.page.keyboard.press("Enter")
        position = player.after_answer(position.play(position.parse_move(chosen)))
        if position.outcome is not None:
            break
    player.page.keyboard.press("ArrowLeft")
    assert player.page.evaluate("document.activeElement.matches('[data-cell]')")


@pytest.mark.parametrize("path", ["/", "/analysis/hex/", "/puzzles/", "/rules/antipod/", "/tv/"])
def test_the_policy_of_pages_stops_texts_of_scripts_alone(window, site, path):
    player = window(site)
    player.open(path)
    player.expect_errors("Content Security Policy|The page’s settings blocked an inline script")
    player.page.evaluate(
        "() => { const script = document.createElement('script');"
        " script.textContent = 'window.wasRun = true'; document.head.append(script); }"
    )
    assert player.page.evaluate("window.wasRun === undefined")
    assert (
        player.page.evaluate("new WebAssembly.Module(new Uint8Array([0,97,115,109,1,0,0,0]))")
        is not None
    )


def test_a_puzzle_is_tried(window, site):
    player = window(site)
    player.open("/puzzles/next?game=hex")
    player.press("Show solution")
    expect(player.page.locator(".puzzle-status")).to_contain_text(re.compile("^Solution: "))


@needs_engine
def test_a_game_begins_while_the_site_is_down(window, own_site):
    player = window(own_site)
    player.open("/offline/")
    player.button("Keep for offline play").click()
    player.says("This device keeps everything for offline play.")
    player.expect_errors(".*")  # browsers log requests that fail
    own_site.stop()
    player.page.reload()
    player.page.locator("[name='game']").select_option("hex")
    player.button("Play").click()
    expect(player.page.get_by_text("Your turn.")).to_be_visible()
    player.move(make_game("hex").initial(), "f6")
    player.page.wait_for_function(
        "() => Object.values(localStorage).some((text) => JSON.parse(text).moves?.length === 2)"
    )
