"""No page shuts anybody out: axe finds nothing, in light, dark and high contrast, on every page."""

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import game_ids
from tests.browser.accounts import sign_up
from tests.browser.scripts import drawn_by_lot

PLACES = [
    "/",
    "/lobby/",
    "/rules/",
    *(f"/rules/{game_id}/" for game_id in game_ids()),
    *(f"/new/{game_id}/" for game_id in game_ids()),
    *(f"/analysis/{game_id}/" for game_id in game_ids()),
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/nowhere/",
]
KINDS = ["desktop", "dark", "contrast", "phone"]


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation_on_the_pages_that_everybody_sees(window, site, kind):
    player = window(site, kind)
    for place in PLACES:
        player.open(place)
        name = place.strip("/").replace("/", "-") or "home"
        player.picture(f"page-{name}-{kind}")
        player.breaks_nothing_for_anybody()
    player.forgive("404")


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation_on_matches_in_play_and_finished(table, kind):
    # Each player gives away proven wins, so the review has turning points to show.
    played = drawn_by_lot("hex", "113", size=4, swap="sides")
    players = table(played, kinds=(kind,))
    position = played.start()
    for text in played.moves[:2]:
        position = players[position.seat_to_move].play(position, text)
    players[0].picture(f"match-in-play-{kind}")
    players[0].breaks_nothing_for_anybody()
    for tab in players[0].page.get_by_role("tab").all():
        tab.click()
        players[0].picture(f"match-tab-{tab.get_attribute('id')}-{kind}")
        players[0].breaks_nothing_for_anybody()
    for text in played.moves[2:]:
        players[1 - position.seat_to_move].shows(position)
        players[position.seat_to_move].shows(position)
        position = players[position.seat_to_move].play(position, text)
    players[0].page.locator("antipodes-review .turns strong").first.wait_for()
    players[0].picture(f"match-finished-{kind}")
    players[0].breaks_nothing_for_anybody()


@pytest.mark.parametrize("kind", ["desktop", "dark"])
def test_axe_finds_no_violation_on_a_challenge(window, site, kind):
    owner, other = window(site, kind), window(site, kind)
    link = owner.challenge("antipalos", size=12)
    owner.picture(f"challenge-own-{kind}")
    owner.breaks_nothing_for_anybody()
    other.open(link)
    other.picture(f"challenge-{kind}")
    other.breaks_nothing_for_anybody()


@pytest.mark.parametrize("kind", ["desktop", "dark", "phone"])
def test_axe_finds_no_violation_on_the_pages_of_an_account(window, site, kind):
    player = window(site, kind)
    sign_up(player, f"evelyn-{kind}")
    for place in ("/", "/lobby/", "/accounts/", "/accounts/email/", "/accounts/password/change/"):
        player.open(place)
        name = place.strip("/").replace("/", "-") or "home"
        player.picture(f"own-{name}-{kind}")
        player.breaks_nothing_for_anybody()


def test_axe_finds_no_violation_where_a_form_or_an_address_is_wrong(window, site):
    player = window(site)
    player.open("/new/antipalos/?")
    player.fill("control", "other")
    player.fill("control_text", "soon")
    player.page.locator("form.wish button.first").click()
    player.page.get_by_role("alert").filter(has_text="soon").wait_for()
    player.picture("wrong-form")
    player.breaks_nothing_for_anybody()
    for address in ("/m/nothing/", "/c/nothing/", "/new/chess/", "/rules/chess/"):
        player.open(address)
        player.breaks_nothing_for_anybody()
    player.picture("wrong-address")
    player.forgive("404")


def test_the_documentation_runs_and_is_searched_under_the_policy_of_the_site(window, site):
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
