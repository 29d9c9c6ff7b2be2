"""Chats of the lobby and of events: read by everyone, written by accounts, moderated."""

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import make_moderator, sign_in, sign_up


@pytest.mark.parametrize("kind", ["desktop", "dark", "phone", "narrow"])
def test_two_visitors_talk_with_keys_and_a_third_reads(window, site, kind, worker_id):
    ann, visitor = window(site, kind), window(site, kind)
    sign_up(ann, f"talks-{kind}-{worker_id}")
    for player in (ann, visitor):
        player.open("/lobby/")
    visitor.says("Sign up to write here.")
    assert not visitor.chat_field.count()
    text = f"hello from a {kind} window"
    ann.chat_field.fill(text)
    ann.chat_field.press("Enter")
    expect(ann.chat_message(text)).to_have_class("own")
    expect(visitor.chat_message(text)).to_be_visible()
    expect(visitor.page.locator("antipodes-open-chat [role=status]").last).to_contain_text(text)
    for player in (ann, visitor):
        player.check_accessibility()
    ann.picture(f"lobby-chat-{kind}")


def test_the_chat_is_read_without_javascript_and_cleared_by_moderators(window, site, worker_id):
    rude, plain = window(site), window(site, java_script_enabled=False)
    name, warden = f"rude-{worker_id}", f"chat-warden-{worker_id}"
    sign_up(rude, name)
    rude.open("/lobby/")
    rude.chat_field.fill("buy my tortoise")
    rude.chat_field.press("Enter")
    expect(rude.chat_message("buy my tortoise")).to_be_visible()
    plain.open("/lobby/")
    plain.says("buy my tortoise")
    plain.picture("lobby-chat-plain")
    make_moderator(site, warden)
    moderator = window(site)
    sign_in(moderator, warden)
    moderator.open("/lobby/")
    line = moderator.chat_message("buy my tortoise")
    line.get_by_role("link", name=f"Report message by {name}: buy my tortoise").click()
    moderator.page.get_by_label("Advertising").check()
    moderator.press("Report")
    moderator.open("/admin/moderation/reportrow/")
    moderator.page.locator("#result_list tbody th a").first.click()
    moderator.page.locator("[name='action'][value='hide']").check()
    moderator.page.get_by_label("Reason").fill("No advertising.")
    moderator.page.get_by_role("button", name="Apply").click()
    expect(rude.chat_message("buy my tortoise")).to_have_count(0)


EVENT = """
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments import make_format
from antipodes.web.accounts.models import User
from antipodes.web.tournaments import services
from antipodes.web.tournaments.plans import Plan

plan = Plan(title="Cup", format=make_format("swiss"), game=make_game("hex", {"size": 5}),
            control=read_control("5m+5s"))
report(services.create_tournament(User.objects.get(username=name), plan).slug)
"""


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_the_host_of_an_event_deletes_a_message_while_others_read(window, site, kind, worker_id):
    host, ann, plain = window(site), window(site, kind), window(site, java_script_enabled=False)
    name = f"hosts-{kind}-{worker_id}"
    sign_up(host, name)
    sign_up(ann, f"cup-{kind}-{worker_id}")
    slug = site.ask(EVENT, name=name)
    for player in (host, ann):
        player.open(f"/tournament/{slug}/")
    for text in ("Good luck, all!", "buy my tortoise"):
        ann.chat_field.fill(text)
        ann.chat_field.press("Enter")
        expect(host.chat_message(text)).to_be_visible()
    for player in (host, ann):
        player.check_accessibility()
        player.picture(f"event-chat-{kind}-{'host' if player is host else 'player'}")
    plain.open(f"/tournament/{slug}/")
    plain.says("buy my tortoise")
    plain.picture(f"event-chat-plain-{kind}")
    expect(ann.page.get_by_role("button", name="Delete message")).to_have_count(0)
    host.chat_message("buy my tortoise").get_by_role("button", name="Delete message").press("Enter")
    for player in (host, ann):
        expect(player.chat_message("buy my tortoise")).to_have_count(0)
        expect(player.chat_message("Good luck, all!")).to_be_visible()
    expect(host.page.get_by_role("list", name="Messages")).to_be_focused()
