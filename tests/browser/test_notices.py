"""Notices as people meet them: the bell, the list, and choices."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import confirm_address, sign_up, submit
from tests.browser.scripts import Script
from tests.live.post import text_of

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())

_HOURS = {"once an hour": tuple(range(24)), "once a day": (20,)}
# The digest waits for a full hour, or for the hour that was chosen; then that time has come.
_TIME_PASSES = """
from datetime import datetime
from zoneinfo import ZoneInfo
from antipodes.web.notifications.models import NotificationRow
rows = NotificationRow.objects.filter(user__username={name!r}).exclude(mail_due=None)
assert rows
for row in rows:
    due = datetime.fromtimestamp(row.mail_due / 1000, ZoneInfo("Europe/Rome"))
    assert due.hour in {hours} and (due.minute, due.second) == (0, 0), due
rows.update(mail_due=1)
"""
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
    player.says("played b2. It is your turn in Hex")
    player.breaks_nothing_for_anybody()
    player.picture("notices-list")

    player.page.get_by_role("link", name=re.compile("played b2")).click()
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
        player.press("Save")
        player.says("Your choices are kept")
        expect(player.page.get_by_role("checkbox", name=chat_by_mail)).to_be_checked()
        player.open("/accounts/away/")
        player.page.get_by_label("The last day on which I am away").fill("2000-01-01")
        player.press("Go away")
        player.says("has passed")
        player.breaks_nothing_for_anybody()
        player.picture(f"notices-away-{kind}")


@pytest.mark.parametrize(("frequency", "name"), [("once an hour", "rosa"), ("once a day", "dora")])
def test_a_mail_tells_what_was_missed_and_its_link_stops_such_mail(table, site, frequency, name):
    player, other = table(SMALL)
    sign_up(player, name)
    confirm_address(player, name)
    player.open("/accounts/notices/")
    player.page.get_by_role("checkbox", name="It is your turn: By e-mail").check()
    player.page.get_by_label(frequency).check()
    player.page.locator("select[name='hour']").select_option("20")
    player.page.get_by_label("My time zone").select_option("Europe/Rome")
    player.press("Save")
    player.says("Your choices are kept")
    player.open(other.page.url)
    after = player.play(SMALL.start(), "a1")
    other.shows(after)
    player.open("/rules/")
    other.play(after, "b2")
    expect(bell(player)).to_contain_text("1 new", timeout=_LONG * 1_000)
    site.shell(_TIME_PASSES.format(name=name, hours=_HOURS[frequency]))
    mail = site.post.wait_for(lambda one: "List-Unsubscribe" in one and name in one["To"], _LONG)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "b2" in text_of(mail)
    stop = re.search(r"<(http[^>]+)>", mail["List-Unsubscribe"])
    assert stop is not None
    there = re.search(r"http://\S+/m/\S+", text_of(mail))
    assert there is not None
    player.open(re.sub(r"^http://[^/]+", "", there.group()))
    player.shows(after.play(after.parse_move("b2")))
    player.open(re.sub(r"^http://[^/]+", "", stop.group(1)))
    player.breaks_nothing_for_anybody()
    submit(player)
    player.picture("notices-stopped")
    player.open("/accounts/notices/")
    expect(player.page.get_by_label("never")).to_be_checked()
