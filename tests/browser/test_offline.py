"""Without a network: games, puzzles and rules in the page, and games that come to the site."""

import json
import re

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import game_ids, make_game
from tests.browser.accounts import sign_up
from tests.browser.test_page_engine import MODULE, moves_in_the_middle

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="make setup builds the engine")

NO_NETWORK = "ERR_INTERNET_DISCONNECTED|ERR_FAILED"


def keep(player):
    """Keep everything on the device, and cut the network."""
    player.open("/offline/")
    player.button("Keep for offline play").click()
    player.says("This device keeps everything for offline play.")
    player.expect_errors(NO_NETWORK)
    player.page.context.set_offline(True)


def begin(player, game_id, *, level=1, seat=0):
    """Begin a game without a network."""
    player.page.locator("[name='game']").select_option(game_id)
    player.page.locator("[name='level']").select_option(str(level))
    player.page.locator("[name='seat']").select_option(str(seat))
    player.button("Play").click()
    return make_game(game_id).initial()


def stored(player):
    """Return the games that the device has."""
    texts = player.page.evaluate(
        "Object.keys(localStorage).filter((key) => key.startsWith('antipodes-offline-'))"
        ".map((key) => localStorage.getItem(key))"
    )
    return [json.loads(text) for text in texts]


def answered(player, position, count):
    """Wait until the game on the device has so many moves, and return its position."""
    player.page.wait_for_function(
        "count => Object.entries(localStorage).some(([key, text]) =>"
        " key.startsWith('antipodes-offline-') && JSON.parse(text).moves.length === count)",
        arg=count,
    )
    for move in stored(player)[0]["moves"][position.ply :]:
        position = position.play(move)
    player.shows(position)
    return position


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_is_played_without_a_network(window, site, game_id):
    player = window(site)
    keep(player)
    player.open("/lobby/")
    player.says("No connection")
    position = begin(player, game_id)
    for ply in (2, 4):
        text = moves_in_the_middle(position)[0]
        position = answered(player, player.move(position, text), ply)
    expect(player.page.get_by_text("Your turn.")).to_be_visible()


def test_the_highest_level_of_hex_thinks_without_a_network(window, site):
    player = window(site)
    keep(player)
    player.open("/offline/")
    position = begin(player, "hex", level=9)
    answered(player, player.move(position, "b2"), 2)


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_a_game_goes_on_after_a_reload_and_comes_to_the_site_once(window, site, kind):
    player = window(site, kind)
    keep(player)
    player.open("/offline/")
    position = begin(player, "hex", seat=1)
    position = answered(player, position, 1)
    player.page.reload()
    player.says("Your turn.")
    player.shows(position)
    position = answered(player, player.move(position, "b2"), 3)
    player.check_accessibility()
    player.picture(f"offline-{kind}")
    [game] = stored(player)
    # Answers are lost: the site has the game, and the device does not know that.
    lost = []

    def lose(route):
        lost.append(route.fetch().json()["url"])
        route.abort()

    player.page.route("**/offline/games", lose)
    player.page.context.set_offline(False)
    player.page.reload()
    while len(lost) < 2:
        player.page.wait_for_timeout(50)
    assert stored(player) == [game]
    player.page.unroute("**/offline/games")
    player.page.reload()
    player.says("1 game has come to the site.")
    assert stored(player) == []
    link = player.page.get_by_role("link", name="Open", exact=True)
    assert {*lost, link.get_attribute("href")} == {lost[0]}
    link.click()
    player.page.wait_for_url("**/m/*/")
    moves = player.match["moves"]
    assert [move["move"] for move in moves][:3] == game["moves"]
    assert [move["source"] for move in moves][:3] == ["device", "hand", "device"]


def test_any_page_brings_the_games_of_the_device(window, site):
    player = window(site)
    keep(player)
    player.open("/offline/")
    position = begin(player, "hex")
    answered(player, player.move(position, "c3"), 2)
    player.page.context.set_offline(False)
    with player.page.expect_response("**/offline/games") as response:
        player.open("/rules/")
    assert response.value.ok
    player.page.wait_for_function("Object.keys(localStorage).every((key) => !/offline/.test(key))")


def test_what_the_site_does_not_take_stays_on_the_device(window, site):
    player = window(site)
    player.open("/rules/")
    game = {"key": "0" * 36, "game": "hex", "level": 1, "seat": 0, "moves": [5, 5], "begun": 1}
    player.page.evaluate(
        "game => localStorage.setItem('antipodes-offline-' + game.key, JSON.stringify(game))", game
    )
    player.expect_errors("400")
    player.open("/offline/")
    player.says("f1 is not legal: the point is not empty")
    assert stored(player)[0]["moves"] == [5, 5]
    player.button("Delete").click()
    assert stored(player) == []


def test_puzzles_are_solved_without_a_network(window, site):
    player = window(site)
    keep(player)
    player.page.reload()
    kept = player.page.evaluate("fetch('/offline/kept.json').then((answer) => answer.json())")
    puzzle = next(one for one in kept["puzzles"] if one["start"]["game"] == "hex")
    start = puzzle["start"]
    player.page.locator(f"a[href='#{start['id']}']").click()
    right = {int(key.split(",")[1]) for key in puzzle["answers"] if key.startswith("0,")}
    wrong = next(one for one in start["position"]["legal"] if one[0] not in right)
    player.cell(wrong[1]).click()
    player.says("is wrong.")
    player.button("Try again").click()
    for key in puzzle["answers"]:
        expect(player.page.locator(".puzzle-status")).to_contain_text("Your move.")
        player.cell(int(key.split(",")[1])).click()
    player.says("Solved!")


def test_tries_of_puzzles_come_to_the_account_once(window, site):
    player = window(site)
    sign_up(player, "offlinesolver")
    keep(player)
    player.page.reload()
    kept = player.page.evaluate("fetch('/offline/kept.json').then((answer) => answer.json())")
    puzzle = next(one for one in kept["puzzles"] if one["start"]["game"] == "hex")
    start = puzzle["start"]
    player.page.locator(f"a[href='#{start['id']}']").click()
    right = {int(key.split(",")[1]) for key in puzzle["answers"] if key.startswith("0,")}
    wrong = next(one for one in start["position"]["legal"] if one[0] not in right)
    player.cell(wrong[1]).click()
    player.says("is wrong.")
    player.button("Try again").click()
    for key in puzzle["answers"]:
        expect(player.page.locator(".puzzle-status")).to_contain_text("Your move.")
        player.cell(int(key.split(",")[1])).click()
    player.says("Solved!")
    player.picture("offline-puzzle")
    # The answer to the first try is lost: the device sends it again.
    lost = []

    def lose(route):
        lost.append(route.fetch().json()["verdict"])
        route.abort()

    player.page.route("**/puzzles/*/answer", lose)
    player.page.context.set_offline(False)
    with player.page.expect_request("**/puzzles/*/answer"):
        player.open("/rules/")
    while not lost:
        player.page.wait_for_timeout(50)
    player.page.unroute("**/puzzles/*/answer")
    player.open("/offline/")
    # The page that was left may have sent the first try again meanwhile.
    told = re.compile(r"The site has recorded (1 try of a puzzle|2 tries of puzzles)\.")
    expect(player.page.get_by_text(told)).to_be_visible()
    assert lost == ["wrong"]
    assert player.page.evaluate("localStorage.getItem('antipodes-tries')") is None
    assert site.ask(_TRIES) == ["failed", 1, True]
    player.open("/puzzles/history/")
    player.says("Not solved")


_TRIES = """
from antipodes.web.puzzles.models import TryRow
row = TryRow.objects.get(user__username="offlinesolver")
report([row.outcome, row.retries, row.solved_at is not None])
"""


@pytest.mark.parametrize(("code", "rules"), [("de", "Regeln"), ("fr", "Règles")])
def test_the_rules_are_read_without_a_network_in_the_readers_language(window, site, code, rules):
    player = window(site, locale=code)
    player.open("/offline/")
    player.page.locator("#offline-keep button").click()
    expect(player.page.locator("#offline-keep button")).to_have_count(0)
    player.expect_errors(NO_NETWORK)
    player.page.context.set_offline(True)
    player.open("/rules/hex/")
    expect(player.page).to_have_title(re.compile(rules))
    image = player.page.locator("figure img").first
    image.scroll_into_view_if_needed()
    expect(image).not_to_have_js_property("naturalWidth", 0)
    player.picture(f"offline-rules-{code}")


def test_without_anything_kept_there_is_a_page_that_says_so(window, site):
    player = window(site)
    player.open("/rules/")
    player.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    player.expect_errors(NO_NETWORK)
    player.page.context.set_offline(True)
    player.open("/lobby/")
    player.says("No connection")
