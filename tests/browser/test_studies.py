"""Studies: two writers, keys, phones, frames and pages to print."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import sign_up


def make_study(player, title="Ladders"):
    """Make a study of a small board, and return its address."""
    player.open("/studies/new/?game=hex&size=4&swap=off&moves=5,6")
    player.fill("title", title)
    player.page.locator("main button.first").click()
    player.page.wait_for_url(re.compile("/study/.+/1/"))
    expect(player.page.locator(".tree button")).to_have_count(2)
    return player.page.url.split("#")[0]


def test_two_writers_see_each_others_moves_and_keep_both_comments(window, site):
    ann, bob = window(site), window(site, "dark")
    sign_up(bob, "bob-writes")
    address = make_study(ann)
    ann.open(address.replace("/1/", "/settings/"))
    ann.fill("names", "bob-writes")
    ann.press("Invite")
    ann.says("bob-writes")
    for player in (ann, bob):
        player.open(address)
        expect(player.page.locator(".study-saved")).to_have_text("All changes are saved.")
    ann.cell(0).click()
    expect(bob.page.locator(".tree button")).to_have_count(3)
    bob.cell(15).click()
    expect(ann.page.locator(".tree button")).to_have_count(4)
    # Both write at the start: the second text is not lost.
    for player in (ann, bob):
        player.button("Start position").click()
        expect(player.page.locator("#study-comment")).to_have_value("")
    ann.page.context.set_offline(True)
    ann.page.locator("#study-comment").fill("from ann")
    bob.page.locator("#study-comment").fill("from bob")
    bob.page.locator("#study-comment").blur()
    expect(bob.page.locator(".study-saved")).to_have_text("All changes are saved.")
    ann.page.context.set_offline(False)
    ann.page.locator("#study-comment").blur()
    ann.press("Keep both")
    expect(bob.page.locator("#study-comment")).to_have_value("from bob\n\nfrom ann")
    ann.expect_errors("WebSocket|Failed to load|net::ERR")


def test_marks_and_arrows_are_drawn_with_keys(window, site):
    player = window(site)
    make_study(player)
    player.page.get_by_role("radio", name="arrow").check()
    player.cell(0).focus()
    player.page.keyboard.press("Enter")
    player.cell(5).focus()
    player.page.keyboard.press("Enter")
    expect(player.cell(0)).to_have_attribute("aria-label", "a1, empty, arrow to b2")
    player.page.get_by_role("radio", name="circle").check()
    player.cell(3).focus()
    player.page.keyboard.press("Enter")
    expect(player.cell(3)).to_have_attribute("aria-label", "d1, empty, circle")
    player.page.reload()
    expect(player.cell(3)).to_have_attribute("aria-label", "d1, empty, circle")
    player.picture("study")


@pytest.mark.parametrize("kind", ["desktop", "dark", "phone", "narrow"])
def test_the_pages_of_a_study_are_accessible(window, site, kind):
    player = window(site, kind)
    address = make_study(player)
    player.picture(f"study-{kind}")
    player.check_accessibility()
    for place in ("/studies/", "/studies/?mine", "/studies/new/"):
        player.open(place)
        player.check_accessibility()
    for page in ("1/embed/", "settings/", "new/", "print/"):
        player.open(address.removesuffix("1/") + page)
        player.picture(f"study-{page.strip('/').replace('/', '-')}-{kind}")
        player.check_accessibility()


def test_a_game_is_shown_in_a_frame(window, site):
    player = window(site)
    player.play_computer("hex", size=4, swap="off")
    player.open(player.page.url.split("?")[0] + "embed/")
    expect(player.page.locator("antipodes-board [data-cell]").first).to_be_visible()
    player.check_accessibility()


def test_a_reader_reports_the_comment_of_the_shown_position(window, site):
    ann, reader = window(site), window(site, "narrow")
    address = make_study(ann)
    ann.page.locator("#study-comment").fill("you fool")
    ann.page.locator("#study-comment").blur()
    expect(ann.page.locator(".study-saved")).to_have_text("All changes are saved.")
    sign_up(reader, "reader-of-ladders")
    reader.open(address)
    reader.says("you fool")
    reader.page.get_by_role("link", name="Report", exact=True).click()
    reader.page.get_by_label("The comment at this position").check()
    reader.page.get_by_label("Insults").check()
    reader.check_accessibility()
    reader.picture("report-of-a-study")
    reader.press("Report")
    reader.says("Thank you")
    reader.check_accessibility()
