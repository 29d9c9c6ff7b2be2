"""Simuls: a host plays several players, with one list of boards."""

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import make_game
from tests.browser.accounts import sign_up


@pytest.fixture
def simul(window, site, worker_id):
    """The host of a simul that two guests have joined, the players, and the page's path."""
    host, *players = (window(site, kind) for kind in ("desktop", "phone", "narrow"))
    sign_up(host, f"hosts-{worker_id}-{len(host.page.context.pages)}-{id(host) % 10_000}")
    host.open("/simuls/")
    host.page.get_by_role("link", name="New simul").first.click()
    host.fill("game", "hex")
    host.fill("board", "small")
    host.fill("host_seat", "0")
    host.picture("simul-new")
    host.press("Make simul")
    host.page.wait_for_url("**/simul/*/")
    path = host.page.url
    for player in players:
        player.open(path)
        player.check_accessibility()
        player.press("Join")
        player.says("You have joined.")
    expect(host.page.locator(".simul-players li")).to_have_count(2)
    return host, players, path


def test_the_host_plays_two_boards_from_one_list(simul, window, site):
    host, (first, second), path = simul
    host.picture("simul-players")
    host.check_accessibility()
    expect(host.page.locator("#simul-status")).to_have_text("2 players have joined.")
    host.press("Begin")
    expect(host.page.locator("#simul-status")).to_contain_text("Your turn on 2 boards.")
    host.picture("simul-boards")
    host.check_accessibility()
    # Players are taken to their boards, the host stays at the list.
    for player in (first, second):
        player.page.wait_for_url("**/m/*/")
    assert host.page.url.endswith(path)
    start = make_game("hex", {"size": 8}).initial()
    host.page.get_by_role("link", name="Next board").click()
    opened = [host.play(start, "d4")]
    host.page.get_by_role("link", name="Next board").click()
    host.page.wait_for_url(lambda url: url.endswith("/"))
    opened.append(host.play(start, "e5"))
    for player in (first, second):
        player.page.wait_for_function(
            "document.querySelector('.now').textContent.includes('our turn')"
        )
        player.check_accessibility()
        player.picture(f"simul-match-{player.page.viewport_size['width']}")
    host.page.get_by_role("link", name="Next board").click()
    host.page.wait_for_url(path)
    expect(host.page.locator("#simul-status")).to_contain_text("2 boards in progress.")
    for player, position in zip((first, second), opened, strict=True):
        player.play(position, "a1")
        player.press("Resign")
        player.page.get_by_role("dialog").get_by_role("button", name="Resign now").click()
    expect(host.page.locator("#simul-status")).to_contain_text("2 : 0")
    watcher = window(site, "dark")
    watcher.open(path)
    watcher.says("The simul is over.")
    watcher.check_accessibility()
    watcher.picture("simul-over-dark")


def test_a_focused_board_keeps_the_focus_when_the_list_changes(simul):
    host, (first, _), _ = simul
    host.press("Begin")
    board = host.page.locator("#board-1")
    board.focus()
    first.page.wait_for_url("**/m/*/")
    first.press("Abort game")
    dialog = first.page.get_by_role("dialog")
    if dialog.count():
        dialog.get_by_role("button").first.click()
    expect(host.page.locator(".simul-boards .outcome")).to_have_text("Aborted")
    expect(board).to_be_focused()
