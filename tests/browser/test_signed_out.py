"""Match pages whose session ends while they are open."""

from tests.browser.accounts import PASSWORD, fill, sign_up, submit
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())


def test_a_player_who_was_signed_out_can_sign_in_again(table, window, site):
    player, other = table(SMALL)
    address = player.page.url
    sign_up(player, "edna")
    player.open(address)
    player.says("edna")

    elsewhere = window(site)
    elsewhere.open("/accounts/login/")
    fill(elsewhere, login="edna", password=PASSWORD)
    submit(elsewhere)
    elsewhere.page.wait_for_url(lambda url: "login" not in url)
    elsewhere.open("/accounts/sessions/")
    elsewhere.page.get_by_role("button", name="Sign out everywhere else").click()

    player.says("You were signed out.")
    player.page.get_by_role("link", name="Sign in again").click()
    fill(player, login="edna", password=PASSWORD)
    submit(player)
    player.page.wait_for_url(lambda url: "login" not in url)
    after = player.play(SMALL.start(), "a1")
    other.shows(after)


def test_a_spectator_who_was_signed_out_continues_watching(table, window, site):
    player, other = table(SMALL)
    spectator = window(site)
    sign_up(spectator, "fred")
    spectator.open(player.page.url)
    signed_out = spectator.page.context.new_page()
    signed_out.goto(site.url("/accounts/logout/"))
    signed_out.locator("main button").click()
    after = player.play(SMALL.start(), "a1")
    spectator.shows(after)
    other.shows(after)
