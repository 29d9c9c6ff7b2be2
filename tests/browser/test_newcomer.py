"""Loading time and transferred data until a new visitor's first move, printed for comparison."""

import time

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import make_game
from tests.browser.accounts import sign_up

_MOST_BYTES = 100_000  # of the first page, compressed, as far as its board needs it


def test_a_new_visitor_plays_a_first_move_within_seconds(window, site, capsys):
    player = window(site)
    sent = []
    session = player.page.context.new_cdp_session(player.page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    began = time.monotonic()
    player.open("/")
    form = player.page.locator("#first")
    fields = form.locator("[name^='option-']").evaluate_all(
        "all => all.map(o => [o.name, o.value])"
    )
    options = {name.removeprefix("option-"): value for name, value in fields}
    position = make_game(form.get_attribute("action").split("/")[-2], options).initial()
    player.shows(position)
    playable = time.monotonic()
    first = sum(sent)
    move = list(position.legal_moves)[30]
    player.cell(position.steps(move)[0]).click()
    player.wait_for_match()
    after = position.play(move)
    moved = time.monotonic()
    player.after_answer(after)
    answered = time.monotonic()
    whole = sum(sent)
    with capsys.disabled():
        print(
            f"\n    playable board {playable - began:.2f} s after opening, {first / 1024:.0f} KiB;"
            f" first move after {moved - began:.2f} s, answered {answered - moved:.2f} s later;"
            f" {whole / 1024:.0f} KiB in all"
        )
    assert first <= _MOST_BYTES
    assert moved - began < 60


def test_the_first_board_shows_the_stone_that_a_click_would_put(window, site):
    player = window(site)
    player.open("/")
    player.page.locator("#first-board .cell.legal").nth(7).hover()
    expect(player.page.locator("#first-board .ghost.black")).not_to_have_count(0)


@pytest.mark.parametrize("kind", ["desktop", "phone", "dark"])
def test_the_home_page_of_a_regular_has_what_waits_for_them(window, site, kind):
    player = window(site, kind)
    sign_up(player, f"regular-{kind}")
    player.open("/")
    player.page.locator("#antipode button").first.click()
    player.wait_for_match()
    player.open("/")
    player.says("Your games")
    assert not player.page.locator("#first-board").count()
    player.picture(f"home-regular-{kind}")
    player.check_accessibility()
