"""Notices as people meet them: the bell, the list, and choices."""

import re

from playwright.sync_api import expect

from tests.browser.scripts import Script
from tests.browser.test_people import sign_up

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())

_LONG = 90  # seconds until rounds have come by on a busy machine


def bell(player):
    return player.page.locator(".bell-link")


def test_the_bell_calls_to_a_turn_and_is_quiet_when_it_is_seen(table):
    player, other = table(SMALL)
    sign_up(player, "nora")
    address = re.sub(r"^.*(/m/[^/?#]+/).*$", r"\1", other.page.url)
    player.open(address)
    after = player.play(SMALL.start(), "a1")
    other.shows(after)
    player.open("/rules/")
    other.play(after, "b2")
    expect(bell(player)).to_contain_text("1 new", timeout=_LONG * 1_000)
    expect(player.page).to_have_title(re.compile(r"^\(1\) "))
    expect(player.page.locator(".bell-news")).to_contain_text("It is your turn")
    player.picture("notices-bell")

    bell(player).click()
    player.says("has played b2. It is your turn in Hex")
    player.breaks_nothing_for_anybody()
    player.picture("notices-list")

    player.page.get_by_role("link", name=re.compile("has played b2")).click()
    player.page.wait_for_url(f"**{address}")
    expect(bell(player)).not_to_contain_text("1 new")


def test_choices_and_absences_are_kept(window, site):
    for kind in ("desktop", "phone", "dark"):
        player = window(site, kind)
        name = f"otto-{kind}"
        sign_up(player, name)
        player.open("/accounts/notices/")
        player.breaks_nothing_for_anybody()
        player.picture(f"notices-choices-{kind}")
        chat_by_mail = "Players talk at a match of yours: By e-mail"
        player.page.get_by_role("checkbox", name=chat_by_mail).check()
        player.page.get_by_label("once an hour").check()
        player.page.get_by_label("My time zone").select_option("Europe/Rome")
        player.press("Keep these choices")
        player.says("Your choices are kept")
        expect(player.page.get_by_role("checkbox", name=chat_by_mail)).to_be_checked()
        player.open("/accounts/away/")
        player.page.get_by_label("The last day on which I am away").fill("2000-01-01")
        player.press("Go away")
        player.says("has passed")
        player.breaks_nothing_for_anybody()
        player.picture(f"notices-away-{kind}")
