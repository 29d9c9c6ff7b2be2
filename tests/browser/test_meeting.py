"""How people who do not know each other find a game: pairing, links for many, choosy challenges."""

import re

from playwright.sync_api import expect

from antipodes.games.registry import make_game
from tests.browser.accounts import sign_up, slug_of
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())
_LONG = 60_000  # milliseconds until people have been paired, on a busy machine


def look(player, game="hex", board="small", control="10m+5s"):
    """Look for an opponent, by the form."""
    player.open("/pair/")
    for name, value in {"game": game, "board": board, "control": control}.items():
        player.page.locator(f"#pair-{name}").select_option(value)
    player.press("Find an opponent")
    player.page.wait_for_url(re.compile(r"/(pair/[^/]+|m/[^/]+)/"))


def test_two_who_look_for_the_same_game_are_led_to_one_match(window, site):
    first, second = window(site), window(site, "phone")
    look(first)
    first.says("Looking for an opponent")
    first.says("Nobody else looks for an opponent right now")
    first.breaks_nothing_for_anybody()
    first.picture("pairing")
    look(second)
    for player in (first, second):
        player.page.wait_for_url("**/m/*/", timeout=_LONG)
    assert slug_of(first) == slug_of(second)
    position = make_game("hex", {"size": 8}).initial()
    players = {player.match["own"][0]: player for player in (first, second)}
    after = players[0].play(position, "a1")
    players[1].shows(after)


def test_whoever_looks_for_another_game_is_not_taken_and_can_look_no_longer(window, site):
    first, second = window(site), window(site, "dark")
    look(first, control="5m+5s")
    look(second, game="antipod", board="standard", control="5m+5s")
    first.says("1 other search goes on right now")
    second.breaks_nothing_for_anybody()
    first.press("Cancel search")
    first.page.wait_for_url("**/lobby/")
    second.says("Nobody else looks for an opponent right now")
    second.press("Cancel search")
    second.page.wait_for_url("**/lobby/")
    assert not second.page.locator("#turn, #waiting").count()


def test_whoever_waits_long_is_offered_the_computer_and_plays_it(window, site):
    player = window(site)
    look(player, control="5m+5s")
    player.says("Nobody has come yet")
    player.breaks_nothing_for_anybody()
    player.picture("pairing-long")
    player.press("Play the computer")
    player.page.wait_for_url("**/m/*/")
    expect(player.page.locator(".seats")).to_contain_text("computer")


def test_a_search_by_correspondence_goes_on_without_its_page(window, site):
    first, second = window(site), window(site)
    look(first, board="large", control="3d/move+10d")
    first.says("You need not wait here")
    first.open("/lobby/")
    first.says("You look for opponents")
    first.breaks_nothing_for_anybody()
    look(second, board="large", control="3d/move+10d")
    second.page.wait_for_url("**/m/*/", timeout=_LONG)
    address = slug_of(second)
    expect(first.page.locator(f"#lists a[href='{address}']").first).to_be_visible(timeout=_LONG)


def test_one_link_begins_a_match_with_each_of_several_people(window, site):
    host = window(site)
    sign_up(host, "linus")
    link = host.challenge("hex", seat=0, uses="5", **SMALL.options)
    host.says("Matches left")
    host.breaks_nothing_for_anybody()
    host.page.get_by_text("Show QR code").click()
    code = host.page.get_by_role("img", name="The link above as a QR code")
    expect(code).to_be_visible()
    host.page.wait_for_function(
        "image => image.complete && image.naturalWidth > 0", arg=code.element_handle()
    )
    host.picture("link-for-several")
    guests = [window(site, "phone"), window(site)]
    for guest in guests:
        guest.join(link)
        guest.wait_for_match()
    addresses = [slug_of(guest) for guest in guests]
    assert addresses[0] != addresses[1]
    for address in addresses:
        expect(host.page.locator(f"main a[href='{address}']").first).to_be_visible()
    host.breaks_nothing_for_anybody()
    host.picture("link-for-several-begun")
    # Who comes back by the link is at the own match again; the host takes the link back.
    guests[0].open(link)
    assert slug_of(guests[0]) == addresses[0]
    host.press("Cancel")
    late = window(site)
    late.forgive("404|410")
    late.open(link)
    assert not late.page.locator("form[action$='/join']").count()


def test_a_challenge_for_accounts_is_not_for_guests_who_are_told_why(window, site):
    host, guest = window(site), window(site)
    sign_up(host, "selma")
    # A guest has a name only once something was played or asked for.
    guest.challenge("hex", seat=0, **SMALL.options)
    host.begin("hex", "anybody", seat=0, accounts_only=True, **SMALL.options)
    host.page.wait_for_url("**/c/*/")
    address = slug_of(host)
    guest.open("/lobby/")
    line = guest.page.locator(
        "#open ~ ul .challenge", has=guest.page.locator(f"a[href='{address}']")
    )
    expect(line).to_contain_text("account")
    expect(line.get_by_role("link", name=re.compile("^See Hex"))).to_be_visible()
    guest.picture("lobby-choosy")
    guest.breaks_nothing_for_anybody()
    guest.open(address)
    guest.breaks_nothing_for_anybody()
    assert not guest.page.locator("form[action$='/join']").count()
    assert guest.page.get_by_role("link", name="Sign up").count()

    # Those alone who fit, please.
    guest.open("/lobby/")
    guest.page.locator("details.filter summary").click()
    guest.page.get_by_label("Only what I may join").check()
    guest.page.locator("details.filter").get_by_role("button", name="Show").click()
    guest.says("Only what you have chosen above is shown")
    assert not guest.page.locator(f"#lists a[href='{address}']").count()

    member = window(site)
    sign_up(member, "thea")
    member.open("/lobby/")
    member.page.locator(f"#lists a.button[href='{address}']").click()
    member.press("Join and play")
    member.wait_for_match()
    host.wait_for_match()
    assert slug_of(member) == slug_of(host)
