"""Two-factor authentication, sessions, data export and account deletion."""

import base64
import hashlib
import hmac
import json
import struct
import time

from playwright.sync_api import expect

from tests.browser.accounts import (
    PASSWORD,
    confirm_address,
    download,
    fill,
    sign_in,
    sign_up,
    slug_of,
    submit,
)
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())
_PERIOD = 30  # seconds for which a code is valid


def code_of(secret, at):
    """Return an authenticator app's code at a time, by RFC 6238."""
    key = base64.b32decode(secret)
    digest = hmac.new(key, struct.pack(">Q", int(at) // _PERIOD), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 10**6:06}"


def reauthenticate(player):
    """Enter the password again before a sensitive change."""
    player.page.wait_for_url("**/reauthenticate/**")
    player.check_accessibility()
    fill(player, password=PASSWORD)
    submit(player)
    player.page.wait_for_url(lambda url: "reauthenticate" not in url)


def test_two_factor_authentication_and_signing_out_other_sessions(window, site):
    assert code_of(base64.b32encode(b"12345678901234567890"), 59) == "287082"  # the RFC's example
    player, elsewhere = window(site), window(site, "phone")
    sign_up(player, "mina")
    confirm_address(player, "mina")
    player.open("/accounts/2fa/")
    player.page.get_by_role("link", name="Set up app").click()
    reauthenticate(player)
    player.check_accessibility()
    player.picture("two-factor")
    secret = player.page.locator("main code").inner_text()
    used = time.time()
    fill(player, code=code_of(secret, used))
    submit(player)
    player.open("/accounts/2fa/")
    player.says("An authenticator app is set up")
    player.check_accessibility()
    player.page.get_by_role("link", name="Show codes").or_(
        player.page.get_by_role("link", name="New codes")
    ).first.click()
    player.check_accessibility()
    recovery = player.page.locator(".codes code").first.inner_text()

    elsewhere.expect_errors("400")
    sign_in(elsewhere, "mina")
    elsewhere.says("Two-factor authentication")
    elsewhere.check_accessibility()
    elsewhere.picture("two-factor-code")
    fill(elsewhere, code="000000" if code_of(secret, time.time()) != "000000" else "000001")
    submit(elsewhere)
    expect(elsewhere.page.locator("main .errorlist")).to_be_visible()
    # A code can be used once: wait for the next one.
    while int(time.time()) // _PERIOD == int(used) // _PERIOD:
        elsewhere.page.wait_for_timeout(500)
    fill(elsewhere, code=code_of(secret, time.time()))
    submit(elsewhere)
    elsewhere.page.wait_for_url(lambda url: "2fa" not in url)
    expect(elsewhere.page.locator(".who .name")).to_have_text("mina")

    third = window(site)
    sign_in(third, "mina")
    fill(third, code=recovery)
    submit(third)
    third.page.wait_for_url(lambda url: "2fa" not in url)

    player.open("/accounts/sessions/")
    expect(player.page.locator(".sessions li")).to_have_count(3)
    player.check_accessibility()
    player.picture("sessions")
    player.press("Sign out everywhere else")
    player.says("You are not signed in anywhere else")
    for gone in (elsewhere, third):
        gone.open("/accounts/notices/")
        gone.page.wait_for_url("**/login/**")


def test_the_data_export_has_account_and_matches(window, site, tmp_path, table):
    player, other = window(site), window(site)
    sign_up(player, "dana")
    other.join(player.challenge("hex", seat=0, **SMALL.options))
    player.wait_for_match()
    address = slug_of(player)
    player.play(SMALL.start(), "b3")
    player.open("/accounts/")
    path = download(player, "Export your data", tmp_path)
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["format"] == "antipodes-own-data/1"
    assert "dana@example.org" in path.read_text(encoding="utf-8")
    (match,) = data["matches"]
    assert address in json.dumps(match)
    assert match["moves"] == ["b3"]


def test_deleting_an_account_resigns_its_games(window, site):
    player, other = window(site), window(site)
    sign_up(player, "gunda")
    other.join(player.challenge("hex", seat=0, **SMALL.options))
    for one in (player, other):
        one.wait_for_match()
    after = player.play(SMALL.start(), "a1")
    other.shows(after)
    after = other.play(after, "b2")
    player.shows(after)
    after = player.play(after, "c3")
    other.shows(after)
    player.expect_errors("400|404")
    player.open("/accounts/")
    player.page.get_by_role("link", name="Delete account").click()
    reauthenticate(player)
    player.check_accessibility()
    fill(player, name="gundula")
    player.press("Delete account")
    player.says("You typed “gundula”, but your name is “gunda”. Nothing was deleted.")
    player.check_accessibility()
    player.picture("leaving")
    fill(player, name="gunda")
    player.press("Delete account")
    player.page.wait_for_url(lambda url: "/accounts/" not in url)
    player.picture("left")
    expect(player.page.locator(".who")).to_contain_text("Sign in")
    expect(other.page.locator(".status")).to_contain_text("White wins by resignation")
    other.page.reload()
    assert "gunda" not in other.page.locator("main").inner_text()
    assert player.page.request.get(site.url("/people/gunda/")).status == 404
    sign_in(player, "gunda")
    player.page.locator("main [role=alert]").wait_for()
