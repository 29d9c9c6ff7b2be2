"""Accessibility of pages and matches, in light, dark and high contrast."""

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import game_ids
from tests.browser.accounts import sign_up
from tests.browser.scripts import random_script

PLACES = [
    "/",
    "/lobby/",
    "/rules/",
    *(f"/rules/{game_id}/" for game_id in game_ids()),
    *(f"/new/{game_id}/" for game_id in game_ids()),
    *(f"/analysis/{game_id}/" for game_id in game_ids()),
    "/learn/",
    "/puzzles/",
    "/ratings/",
    "/ratings/hex/",
    "/clubs/",
    "/simuls/",
    "/games/",
    "/statistics/",
    "/statistics/hex/",
    "/knowledge/",
    "/data/",
    "/privacy/",
    "/offline/",
    "/playing-without-sight/",
    "/pair/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/nowhere/",
]
OWN_PLACES = [
    "/",
    "/lobby/",
    "/notices/",
    "/puzzles/history/",
    "/accounts/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/2fa/",
    "/accounts/sessions/",
    "/accounts/tokens/",
    "/accounts/notices/",
    "/accounts/away/",
]
KINDS = ["desktop", "dark", "contrast", "phone"]


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation_on_public_pages(window, site, kind):
    player = window(site, kind)
    for place in PLACES:
        player.open(place)
        name = place.strip("/").replace("/", "-") or "home"
        player.picture(f"page-{name}-{kind}")
        player.check_accessibility()
    player.expect_errors("404")


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation_on_matches_in_play_and_finished(table, kind):
    # Both players give away proven wins, so the review has turning points.
    played = random_script("hex", "113", size=4, swap="sides")
    players = table(played, kinds=(kind,))
    position = played.start()
    for text in played.moves[:2]:
        position = players[position.seat_to_move].play(position, text)
    players[0].picture(f"match-in-play-{kind}")
    players[0].check_accessibility()
    for tab in players[0].page.get_by_role("tab").all():
        tab.click()
        players[0].picture(f"match-tab-{tab.get_attribute('id')}-{kind}")
        players[0].check_accessibility()
    for text in played.moves[2:]:
        players[1 - position.seat_to_move].shows(position)
        players[position.seat_to_move].shows(position)
        position = players[position.seat_to_move].play(position, text)
    players[0].page.get_by_role("tab", name="Review").click()  # another tab stays open
    players[0].page.locator("antipodes-review .turns strong").first.wait_for()
    players[0].picture(f"match-finished-{kind}")
    players[0].check_accessibility()


@pytest.mark.parametrize("kind", ["desktop", "dark"])
def test_axe_finds_no_violation_on_a_challenge(window, site, kind):
    owner, other = window(site, kind), window(site, kind)
    link = owner.challenge("antipalos", size=12)
    owner.picture(f"challenge-own-{kind}")
    owner.check_accessibility()
    other.open(link)
    other.picture(f"challenge-{kind}")
    other.check_accessibility()


@pytest.mark.parametrize("kind", ["desktop", "dark", "phone"])
def test_axe_finds_no_violation_on_the_pages_of_an_account(window, site, kind):
    player = window(site, kind)
    sign_up(player, f"evelyn-{kind}")
    for place in OWN_PLACES:
        player.open(place)
        name = place.strip("/").replace("/", "-") or "home"
        player.picture(f"own-{name}-{kind}")
        player.check_accessibility()


def test_axe_finds_no_violation_on_form_errors_and_missing_pages(window, site):
    player = window(site)
    player.open("/new/antipalos/?")
    player.fill("control", "other")
    player.page.get_by_text("as a code").click()
    player.fill("control_text", "soon")
    player.page.locator("form.new-game button.first").click()
    player.page.get_by_role("alert").filter(has_text="soon").wait_for()
    player.picture("wrong-form")
    player.check_accessibility()
    for address in ("/m/nothing/", "/c/nothing/", "/new/chess/", "/rules/chess/"):
        player.open(address)
        player.check_accessibility()
    player.picture("wrong-address")
    player.expect_errors("404")


def test_the_documentation_and_its_search_work_under_the_content_security_policy(window, site):
    player = window(site)
    player.open("/docs/")
    if player.page.get_by_text("has not been built").count():
        pytest.skip("the documentation is not built: make docs")
    expect(player.page.get_by_role("heading", name="Antipodes", level=1)).to_be_visible()
    assert player.page.locator("body").get_attribute("data-theme") is not None
    player.open("/docs/search.html?q=pairing")
    expect(player.page.locator("#search-results li a").first).to_be_visible()
    player.page.locator("#search-results li a").first.click()
    expect(player.page.get_by_role("heading", level=1)).to_be_visible()
    assert player.errors == []
