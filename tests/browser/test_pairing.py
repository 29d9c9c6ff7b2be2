"""Seeks, challenge links for several players, and challenges with requirements."""

import re

from playwright.sync_api import expect

from antipodes.games.registry import make_game
from tests.browser.accounts import sign_up, slug_of
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())
_PAIRING_TIMEOUT = 60_000  # milliseconds, on a busy machine


def seek(player, game="hex", board="small", control="10m+5s"):
    """Submit the form to find an opponent."""
    player.open("/pair/")
    for name, value in {"game": game, "board": board, "control": control}.items():
        player.page.locator(f"#pair-{name}").select_option(value)
    player.press("Find an opponent")
    player.page.wait_for_url(re.compile(r"/(pair/[^/]+|m/[^/]+)/"))


def test_two_players_with_the_same_seek_are_paired(window, site):
    first, second = window(site), window(site, "phone")
    seek(first)
    first.says("Looking for an opponent")
    first.says("No other players are searching")
    first.check_accessibility()
    first.picture("pairing")
    seek(second)
    for player in (first, second):
        player.page.wait_for_url("**/m/*/", timeout=_PAIRING_TIMEOUT)
    assert slug_of(first) == slug_of(second)
    position = make_game("hex", {"size": 8}).initial()
    players = {player.match["own"][0]: player for player in (first, second)}
    after = players[0].play(position, "a1")
    players[1].shows(after)


def test_seeks_for_different_games_are_not_paired_and_can_be_cancelled(window, site):
    first, second = window(site), window(site, "dark")
    seek(first, control="5m+5s")
    seek(second, game="antipod", board="standard", control="5m+5s")
    first.says("Others looking for a game")
    second.check_accessibility()
    second.picture("pairing-others")
    first.press("Cancel search")
    first.page.wait_for_url("**/lobby/")
    second.says("No other players are searching")
    second.press("Cancel search")
    second.page.wait_for_url("**/lobby/")
    assert not second.page.locator("#turn, #waiting").count()


def test_two_strangers_meet_in_the_lobby(window, site):
    first, second = window(site), window(site, "phone")
    seek(first, control="5m+5s")
    second.open("/lobby/")
    second.says("Players looking for a game")
    second.check_accessibility()
    second.picture("lobby-seeks")
    second.page.locator("#players + .challenges button").first.click()
    for player in (first, second):
        player.page.wait_for_url("**/m/*/", timeout=_PAIRING_TIMEOUT)
    assert slug_of(first) == slug_of(second)


def test_after_a_long_wait_the_player_can_play_the_computer(window, site):
    player = window(site)
    seek(player, control="5m+5s")
    player.says("No opponent found yet")
    player.check_accessibility()
    player.picture("pairing-long")
    player.press("Play the computer")
    player.page.wait_for_url("**/m/*/")
    expect(player.page.locator(".seats").first).to_contain_text("computer")


def test_a_correspondence_seek_continues_without_its_page(window, site):
    first, second = window(site), window(site)
    seek(first, board="large", control="3d/move+10d")
    first.says("You can leave this page")
    first.open("/lobby/")
    first.says("Your searches")
    first.check_accessibility()
    seek(second, board="large", control="3d/move+10d")
    second.page.wait_for_url("**/m/*/", timeout=_PAIRING_TIMEOUT)
    address = slug_of(second)
    expect(first.page.locator(f"#lists a[href='{address}']").first).to_be_visible(
        timeout=_PAIRING_TIMEOUT
    )


def test_one_link_starts_a_match_with_each_of_several_players(window, site):
    host = window(site)
    sign_up(host, "linus")
    link = host.challenge("hex", seat=0, uses="5", **SMALL.options)
    host.says("Matches left")
    host.check_accessibility()
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
    host.check_accessibility()
    host.picture("link-for-several-begun")
    # The link leads guests back to their match; the owner cancels it.
    guests[0].open(link)
    assert slug_of(guests[0]) == addresses[0]
    host.press("Cancel")
    late = window(site)
    late.expect_errors("404|410")
    late.open(link)
    assert not late.page.locator("form[action$='/join']").count()


def test_guests_see_why_they_cannot_join_a_challenge_for_accounts(window, site):
    host, guest = window(site), window(site)
    sign_up(host, "selma")
    # A guest is created with the first game or challenge.
    guest.challenge("hex", seat=0, **SMALL.options)
    host.start_game("hex", "anybody", seat=0, accounts_only=True, **SMALL.options)
    host.page.wait_for_url("**/c/*/")
    address = slug_of(host)
    guest.open("/lobby/")
    line = guest.page.locator(
        "#open ~ ul .challenge", has=guest.page.locator(f"a[href='{address}']")
    )
    expect(line).to_contain_text("account")
    expect(line.get_by_role("link", name=re.compile("^View Hex"))).to_be_visible()
    guest.picture("lobby-requirements")
    guest.check_accessibility()
    guest.open(address)
    guest.check_accessibility()
    assert not guest.page.locator("form[action$='/join']").count()
    assert guest.page.get_by_role("link", name="Sign up").count()

    # Filter for challenges that the guest can join.
    guest.open("/lobby/")
    guest.page.locator("details.filter summary").click()
    guest.page.get_by_label("Only those I can join").check()
    guest.page.locator("details.filter").get_by_role("button", name="Show").click()
    guest.says("The filter is active.")
    assert not guest.page.locator(f"#lists a[href='{address}']").count()

    member = window(site)
    sign_up(member, "thea")
    member.open("/lobby/")
    member.page.locator(f"#lists a.button[href='{address}']").click()
    member.press("Play")
    member.wait_for_match()
    host.wait_for_match()
    assert slug_of(member) == slug_of(host)
