"""Guests, accounts and passwords."""

import re

from tests.browser.accounts import PASSWORD, confirm_address, fill, sign_up, submit
from tests.browser.scripts import Script
from tests.live.post import text_of

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())


def test_a_guest_who_signs_up_keeps_their_game(table, window, site):
    guest, other = table(SMALL)
    address = guest.page.url
    after = guest.play(SMALL.start(), "a1")
    other.shows(after)
    after = other.play(after, "b2")
    sign_up(guest, "amelia")
    guest.open("/")
    guest.page.locator(f"a[href='{address.removeprefix(site.url('').rstrip('/'))}']").first.click()
    guest.shows(after)
    guest.says("amelia")
    after = guest.play(after, "c3")
    other.shows(after)

    elsewhere = window(site)
    elsewhere.open("/accounts/login/")
    fill(elsewhere, login="amelia", password=PASSWORD)
    submit(elsewhere)
    elsewhere.page.wait_for_url(lambda url: "login" not in url)
    elsewhere.open(address)
    elsewhere.shows(after)
    assert elsewhere.match["own"] == [0]


def test_a_guest_who_signs_in_moves_their_game_to_the_account(table, window, site):
    sign_up(window(site), "doris")
    guest, other = table(SMALL)
    address = guest.page.url
    after = guest.play(SMALL.start(), "a1")
    other.shows(after)
    after = other.play(after, "b2")
    guest.open("/accounts/login/")
    fill(guest, login="doris", password=PASSWORD)
    submit(guest)
    guest.page.wait_for_url(lambda url: "login" not in url)
    guest.open(address)
    guest.says("doris")
    guest.play(after, "c3")
    other.page.reload()
    other.says("doris")


def test_an_address_is_confirmed_by_the_link_in_the_mail(window, site):
    player = window(site)
    sign_up(player, "bertil")
    confirm_address(player, "bertil")
    player.open("/accounts/email/")
    player.says("bertil@example.org")
    assert "not confirmed" not in player.page.locator("main").inner_text()


def test_a_forgotten_password_is_reset_by_the_link_in_the_mail(window, site):
    sign_up(window(site), "carmen")
    player = window(site)
    player.open("/accounts/password/reset/")
    fill(player, email="carmen@example.org")
    submit(player)
    player.page.wait_for_url("**/reset/done/")
    mail = site.last_mail()
    assert mail["To"] == "carmen@example.org"
    link = re.search(r"http://\S+", text_of(mail))
    assert link is not None
    player.open(link.group())
    fill(player, password1=PASSWORD[::-1], password2=PASSWORD[::-1])
    submit(player)
    player.page.wait_for_url("**/key/done/")
    player.open("/accounts/login/")
    fill(player, login="carmen", password=PASSWORD[::-1])
    submit(player)
    player.page.wait_for_url(lambda url: "login" not in url)
    player.page.get_by_text("carmen").first.wait_for(state="attached")
