"""Notifications: the unread badge, the list, the settings, vacation and mails."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import confirm_address, sign_up, submit
from tests.browser.scripts import Script
from tests.live.post import text_of

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())

_HOURS = {"an hourly digest": tuple(range(24)), "a daily digest": (20,)}
# Checks that the digest is due at a full hour or the chosen hour, and makes it due now.
_MAKE_DUE = """
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
_TASK_TIMEOUT = 90  # seconds until periodic tasks have run, on a busy machine


def badge(player):
    return player.page.locator(".unread-badge-link")


def test_the_badge_counts_unread_notifications(table):
    player, other = table(SMALL)
    sign_up(player, "nora")
    address = re.sub(r"^.*(/m/[^/?#]+/).*$", r"\1", other.page.url)
    player.open(address)
    after = player.play(SMALL.start(), "a1")
    other.shows(after)
    player.open("/rules/")
    other.play(after, "b2")
    expect(badge(player)).to_contain_text("1 unread", timeout=_TASK_TIMEOUT * 1_000)
    expect(player.page).to_have_title(re.compile(r"^\(1\) "))
    expect(player.page.locator(".unread-badge-announcement")).to_contain_text("It is your turn")
    player.picture("notifications-badge")

    badge(player).click()
    player.says("played b2. It is your turn in Hex")
    player.check_accessibility()
    player.picture("notifications-list")

    player.page.get_by_role("link", name=re.compile("played b2")).click()
    player.page.wait_for_url(f"**{address}")
    expect(badge(player)).not_to_contain_text("1 unread")


def test_settings_are_saved_and_vacations_checked(window, site):
    for kind in ("desktop", "phone", "dark"):
        player = window(site, kind)
        name = f"otto-{kind}"
        sign_up(player, name)
        player.open("/accounts/notices/")
        player.check_accessibility()
        player.picture(f"notifications-settings-{kind}")
        chat_by_mail = "New chat messages in your matches: By e-mail"
        player.page.get_by_role("checkbox", name=chat_by_mail).check()
        player.page.get_by_label("an hourly digest").check()
        player.page.get_by_label("Time zone").select_option("Europe/Rome")
        player.press("Save")
        player.says("Your settings are saved")
        expect(player.page.get_by_role("checkbox", name=chat_by_mail)).to_be_checked()
        player.open("/accounts/away/")
        player.page.get_by_label("Last day of your vacation").fill("2000-01-01")
        player.press("Start vacation")
        expect(player.page.locator("main .errorlist")).to_be_visible()
        player.check_accessibility()
        player.picture(f"vacation-{kind}")


@pytest.mark.parametrize(
    ("frequency", "name"), [("an hourly digest", "rosa"), ("a daily digest", "dora")]
)
def test_a_digest_links_to_the_match_and_unsubscribes(table, site, frequency, name):
    player, other = table(SMALL)
    sign_up(player, name)
    confirm_address(player, name)
    player.open("/accounts/notices/")
    player.page.get_by_role("checkbox", name="It is your turn: By e-mail").check()
    player.page.get_by_label(frequency).check()
    player.page.locator("select[name='hour']").select_option("20")
    player.page.get_by_label("Time zone").select_option("Europe/Rome")
    player.press("Save")
    player.says("Your settings are saved")
    player.open(other.page.url)
    after = player.play(SMALL.start(), "a1")
    other.shows(after)
    player.open("/rules/")
    other.play(after, "b2")
    expect(badge(player)).to_contain_text("1 unread", timeout=_TASK_TIMEOUT * 1_000)
    site.shell(_MAKE_DUE.format(name=name, hours=_HOURS[frequency]))
    mail = site.post.wait_for(
        lambda one: "List-Unsubscribe" in one and name in one["To"], _TASK_TIMEOUT
    )
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "b2" in text_of(mail)
    unsubscribe = re.search(r"<(http[^>]+)>", mail["List-Unsubscribe"])
    assert unsubscribe is not None
    match = re.search(r"http://\S+/m/\S+", text_of(mail))
    assert match is not None
    player.open(re.sub(r"^http://[^/]+", "", match.group()))
    player.shows(after.play(after.parse_move("b2")))
    player.open(re.sub(r"^http://[^/]+", "", unsubscribe.group(1)))
    player.check_accessibility()
    submit(player)
    player.picture("unsubscribed")
    player.open("/accounts/notices/")
    expect(player.page.get_by_label("never")).to_be_checked()
