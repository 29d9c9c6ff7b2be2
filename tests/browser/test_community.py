"""Following, blocking and reporting players, and moderators' decisions."""

from playwright.sync_api import expect

from tests.browser.accounts import make_moderator, sign_in, sign_up, slug_of
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())
_TASK_TIMEOUT = 60_000  # milliseconds until periodic tasks have run, on a busy machine


def test_followers_see_games_and_are_notified(window, site, table):
    fan = window(site)
    sign_up(fan, "fanny")
    star, other = window(site), window(site)
    sign_up(star, "stella")
    fan.open("/people/stella/")
    fan.press("Follow")
    expect(fan.button("Unfollow")).to_be_visible()
    link = star.challenge("hex", seat=0, **SMALL.options)
    other.join(link)
    star.wait_for_match()
    expect(fan.page.locator(".unread-badge-link")).to_contain_text(
        "1 unread", timeout=_TASK_TIMEOUT
    )
    fan.open("/following/")
    fan.check_accessibility()
    fan.picture("following-a-player")
    address = slug_of(star)
    fan.page.locator(f"#in-progress ~ ul a[href='{address}']").first.click()
    fan.shows(SMALL.start())

    # Follow a single match.
    fan.page.get_by_text("Follow or report").click()
    fan.press("Notify me of each move")
    expect(fan.page.get_by_text("You follow this match")).to_be_visible()
    fan.check_accessibility()
    fan.open("/following/")
    fan.says("You are notified of each move")
    star.play(SMALL.start(), "a1")
    expect(fan.page.locator(".unread-badge-link")).to_contain_text(
        "1 unread", timeout=_TASK_TIMEOUT
    )
    fan.page.locator("#people ~ ul").get_by_role("button", name="Unfollow stella").click()
    expect(fan.page.locator("#people")).to_have_count(0)


def test_blocked_players_cannot_read_each_others_messages(window, site):
    first, second = window(site), window(site)
    sign_up(first, "bruno")
    sign_up(second, "berta")
    link = first.challenge("hex", seat=0, **SMALL.options)
    second.join(link)
    for player in (first, second):
        player.wait_for_match()
    address = slug_of(first)
    second.say("good luck to you")
    first.open_chat()
    expect(first.chat_message("good luck to you")).to_be_visible()
    first.open("/people/berta/")
    first.press("Block")
    expect(first.button("Unblock")).to_be_visible()
    first.check_accessibility()
    first.open(address)
    first.shows(SMALL.start())
    second.say("are you still there")
    first.say("hello, is anyone there")
    second.open_chat()
    for player, text in ((first, "are you still there"), (second, "hello, is anyone there")):
        player.page.reload()
        player.open_chat()
        expect(player.page.locator(".chat-lines li.own").first).to_be_visible()
        assert not player.chat_message(text).count()

    # The game continues, but neither sees the other's challenges.
    second.shows(first.play(SMALL.start(), "a1"))
    first.start_game("hex", "anybody", **SMALL.options)
    first.page.wait_for_url("**/c/*/")
    challenge = slug_of(first)
    second.open("/lobby/")
    assert not second.page.locator(f"a[href='{challenge}']").count()
    first.open("/blocked/")
    first.check_accessibility()
    first.press("Unblock")
    first.says("You have not blocked anyone")
    first.open(address)
    first.open_chat()
    expect(first.chat_message("are you still there")).to_be_visible()


def test_a_moderator_deletes_a_reported_message_and_suspends_its_author(window, site):
    victim, rude = window(site), window(site, "phone")
    sign_up(victim, "vera")
    sign_up(rude, "rudi")
    link = victim.challenge("hex", seat=0, **SMALL.options)
    rude.join(link)
    for player in (victim, rude):
        player.wait_for_match()
    address = slug_of(victim)
    rude.say("you play like a sleepy tortoise")
    victim.open_chat()
    line = victim.chat_message("sleepy tortoise")
    name = "Report message by rudi: you play like a sleepy tortoise"
    line.get_by_role("link", name=name).click()
    victim.page.wait_for_url("**/chat/*/report/")
    victim.says("sleepy tortoise")
    victim.page.get_by_label("Insults").check()
    victim.check_accessibility()
    victim.picture("report-of-a-message")
    victim.press("Report")
    victim.says("Thank you")
    victim.check_accessibility()
    victim.open(address)
    victim.open_chat()
    assert not rude.chat_message("sleepy tortoise").get_by_role("link").count()  # their own

    make_moderator(site, "warden")
    moderator = window(site)
    sign_in(moderator, "warden")
    for act in ("hide", "suspend"):
        moderator.open("/accounts/")
        moderator.page.get_by_role("link", name="Open reports").click()
        if act == "suspend":
            moderator.open("/admin/moderation/reportrow/?state=all")
        moderator.page.locator("#result_list tbody th a").first.click()
        moderator.page.locator(f"[name='action'][value='{act}']").check()
        if act == "suspend":
            moderator.page.get_by_role("spinbutton", name="Days").fill("3")
        moderator.page.get_by_label("Reason").fill(f"Be kind to people who lose ({act}).")
        moderator.page.get_by_role("button", name="Apply").click()
        moderator.page.wait_for_load_state()
    moderator.picture("moderation-acted")

    # The message disappears without a reload.
    expect(victim.chat_message("sleepy tortoise")).to_have_count(0)
    # A suspended player can finish games but not start new ones.
    rude.open("/accounts/")
    rude.says("suspended")
    rude.check_accessibility()
    rude.page.get_by_role("link", name="Moderators’ decisions about you").first.click()
    rude.says("Be kind to people who lose (suspend).")
    rude.check_accessibility()
    rude.picture("suspended-why")
    rude.expect_errors("40[039]")
    rude.open(address)
    rude.open_chat()
    rude.chat_field.fill("hello?")
    rude.chat_field.press("Enter")
    expect(rude.page.locator(".chat .refusal")).to_contain_text("suspended")
    expect(rude.chat_field).to_have_value("hello?")
    rude.start_game("hex", "anybody", **SMALL.options)
    expect(rude.page.get_by_role("alert").first).to_contain_text("suspended")
