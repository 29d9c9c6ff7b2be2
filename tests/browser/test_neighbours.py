"""What people do about each other: follow, block, report; and what moderators make of it."""

from playwright.sync_api import expect

from tests.browser.accounts import make_moderator, sign_in, sign_up, slug_of
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())
_LONG = 60_000  # milliseconds until rounds have come by on a busy machine


def test_whoever_follows_somebody_sees_and_is_told_what_they_play(window, site, table):
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
    expect(fan.page.locator(".bell-link")).to_contain_text("1 new", timeout=_LONG)
    fan.open("/following/")
    fan.breaks_nothing_for_anybody()
    fan.picture("following-somebody")
    address = slug_of(star)
    fan.page.locator(f"#going-on ~ ul a[href='{address}']").first.click()
    fan.shows(SMALL.start())

    # A match can be followed by itself.
    fan.page.get_by_text("Follow or report").click()
    fan.press("Notify me of each move")
    expect(fan.page.get_by_text("You follow this match")).to_be_visible()
    fan.breaks_nothing_for_anybody()
    fan.open("/following/")
    fan.says("You are told of each move")
    star.play(SMALL.start(), "a1")
    expect(fan.page.locator(".bell-link")).to_contain_text("1 new", timeout=_LONG)
    fan.page.locator("#people ~ ul").get_by_role("button", name="Unfollow stella").click()
    expect(fan.page.locator("#people")).to_have_count(0)


def test_those_who_block_each_other_do_not_read_each_other(window, site):
    first, second = window(site), window(site)
    sign_up(first, "bruno")
    sign_up(second, "berta")
    link = first.challenge("hex", seat=0, **SMALL.options)
    second.join(link)
    for player in (first, second):
        player.wait_for_match()
    address = slug_of(first)
    second.say("good luck to you")
    first.talk()
    expect(first.heard("good luck to you")).to_be_visible()
    first.open("/people/berta/")
    first.press("Block")
    expect(first.button("Unblock")).to_be_visible()
    first.breaks_nothing_for_anybody()
    first.open(address)
    first.shows(SMALL.start())
    second.say("are you still there")
    first.say("hello, is there anybody")
    second.talk()
    for player, words in ((first, "are you still there"), (second, "hello, is there anybody")):
        player.page.reload()
        player.talk()
        expect(player.page.locator(".chat-lines li.own").first).to_be_visible()
        assert not player.heard(words).count()

    # The game goes on; challenges are not for each other; both are told the same words.
    second.shows(first.play(SMALL.start(), "a1"))
    first.begin("hex", "anybody", **SMALL.options)
    first.page.wait_for_url("**/c/*/")
    challenge = slug_of(first)
    second.open("/lobby/")
    assert not second.page.locator(f"a[href='{challenge}']").count()
    first.open("/blocked/")
    first.breaks_nothing_for_anybody()
    first.press("Unblock")
    first.says("You have blocked nobody")
    first.open(address)
    first.talk()
    expect(first.heard("are you still there")).to_be_visible()


def test_a_reported_line_is_deleted_and_its_author_suspended_and_told_why(window, site):
    victim, rude = window(site), window(site, "phone")
    sign_up(victim, "vera")
    sign_up(rude, "rudi")
    link = victim.challenge("hex", seat=0, **SMALL.options)
    rude.join(link)
    for player in (victim, rude):
        player.wait_for_match()
    address = slug_of(victim)
    rude.say("you play like a sleepy tortoise")
    victim.talk()
    line = victim.heard("sleepy tortoise")
    line.get_by_role("link", name="Report what rudi said: you play like a sleepy tortoise").click()
    victim.page.wait_for_url("**/chat/*/report/")
    victim.says("sleepy tortoise")
    victim.page.get_by_label("Insults").check()
    victim.breaks_nothing_for_anybody()
    victim.picture("report-of-a-line")
    victim.press("Report")
    victim.says("Thank you")
    victim.breaks_nothing_for_anybody()
    victim.open(address)
    victim.talk()
    assert not rude.heard("sleepy tortoise").get_by_role("link").count()  # one's own line

    make_moderator(site, "warden")
    moderator = window(site)
    sign_in(moderator, "warden")
    for act in ("hide", "suspend"):
        moderator.open("/accounts/")
        moderator.page.get_by_role("link", name="Reports that wait for moderators").click()
        if act == "suspend":
            moderator.open("/admin/community/reportrow/?state=all")
        moderator.page.locator("#result_list tbody th a").first.click()
        moderator.page.locator(f"[name='act'][value='{act}']").check()
        if act == "suspend":
            moderator.page.get_by_role("spinbutton", name="Days").fill("3")
        moderator.page.get_by_label("Reason").fill(f"Be kind to people who lose ({act}).")
        moderator.page.get_by_role("button", name="Act").click()
        moderator.page.wait_for_load_state()
    moderator.picture("moderation-acted")

    # The line goes from the open page of the one, without a reload.
    expect(victim.heard("sleepy tortoise")).to_have_count(0)
    # The other may go on with this game, and begin no other.
    rude.open("/accounts/")
    rude.says("suspended")
    rude.breaks_nothing_for_anybody()
    rude.page.get_by_role("link", name="All that the moderators have decided about you").click()
    rude.says("Be kind to people who lose (suspend).")
    rude.breaks_nothing_for_anybody()
    rude.picture("suspended-why")
    rude.forgive("40[039]")
    rude.open(address)
    rude.talk()
    rude.page.get_by_label("Say something").fill("hello?")
    rude.page.get_by_label("Say something").press("Enter")
    expect(rude.page.locator(".chat .refusal")).to_contain_text("suspended")
    expect(rude.page.get_by_label("Say something")).to_have_value("hello?")
    rude.begin("hex", "anybody", **SMALL.options)
    expect(rude.page.get_by_role("alert").first).to_contain_text("suspended")
