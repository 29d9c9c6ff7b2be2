"""A player who leaves a live game: the opponent sees the seconds, and claims the win."""

import pytest
from playwright.sync_api import expect

from tests.browser.scripts import Script

HEX = Script("hex", {"size": 5, "swap": "off"}, ())


def test_a_player_who_returns_learns_what_the_opponent_may_claim(table):
    ann, bob = table(HEX, control="5m+5s")
    address = ann.page.url
    ann.open("/rules/")
    expect(bob.page.locator(".absence")).to_be_visible(timeout=20_000)
    ann.page.goto(address)
    notice = ann.page.locator(".absence")
    expect(notice).to_contain_text("You were away.")
    expect(bob.page.locator(".absence")).to_be_hidden()
    ann.check_accessibility()
    ann.picture("absence-return")
    ann.cell(12).click()
    expect(notice).to_be_hidden()


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_a_win_is_claimed_when_the_opponent_has_left(table, kind):
    ann, bob = table(HEX, kinds=("desktop", kind), control="5m+5s")
    position = HEX.start()
    for player, cell in ((ann, 12), (bob, 18)):
        player.cell(cell).click()
        position = position.play(cell)
        bob.shows(position)
    ann.page.close()
    notice = bob.page.locator(".absence")
    expect(notice).to_contain_text("You can claim the win in", timeout=20_000)
    bob.picture(f"absence-{kind}")
    bob.check_accessibility()
    expect(notice.get_by_role("button", name="Claim win")).to_be_visible(timeout=80_000)
    bob.picture(f"absence-claim-{kind}")
    notice.get_by_role("button", name="Claim win").click()
    expect(bob.page.locator("main")).to_contain_text("forfeit")
