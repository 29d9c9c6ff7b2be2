"""Takebacks, draws, resignations, claims on time and swaps."""

import contextlib
import re

import pytest
from playwright.sync_api import Error

from antipodes.games.registry import make_game
from tests.browser.scripts import Script, script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())


@pytest.fixture
def two(table):
    """Two players on a small board of Hex; the first one is black and moves first."""
    return table(SMALL)


def test_a_takeback_needs_the_opponents_consent(two):
    black, white = two
    start = SMALL.start()
    black.play(start, "a1")
    black.press("Take back")
    white.says("asked to take back move 1")
    white.press("Accept")
    for player in two:
        player.shows(start)
    black.play(start, "b2")


def test_a_declined_takeback_changes_nothing(two):
    black, white = two
    after = black.play(SMALL.start(), "a1")
    black.press("Take back")
    white.press("Decline")
    white.button("Accept").wait_for(state="hidden")
    for player in two:
        player.shows(after)
    black.says("declined the takeback")
    assert black.button("Offer draw").is_hidden(), "Hex has no draws"


def test_players_can_agree_to_a_draw(table):
    blue, red = players = table(Script("antipode", {}, ()))
    red.press("Offer draw")
    blue.says("offered a draw")
    blue.press("Accept")
    for player in players:
        player.says("draw")
    assert blue.match["winner"] is None
    assert blue.match["result"] is not None


def test_a_resignation_is_confirmed_and_ends_the_game(two):
    black, white = two
    after = black.play(SMALL.start(), "a1")
    white.shows(after)
    white.play(after, "b2")
    black.press("Resign")
    black.press("Cancel")
    assert black.match["result"] is None
    black.press("Resign")
    black.press("Resign now")
    for player in two:
        player.says(re.compile("white wins by resignation", re.IGNORECASE))


def test_a_fallen_flag_ends_the_game_with_or_without_a_claim(window, site):
    black, white = window(site), window(site)
    link = black.challenge("hex", size=4, swap="off", control="other", control_text="5s/move")
    white.join(link)
    black.wait_for_match()
    after = black.play(SMALL.start(), "a1")
    white.shows(after)
    white.play(after, "b2")
    claim, over = white.button("Claim"), white.page.locator(".status.over")
    claim.or_(over).first.wait_for()
    if claim.is_visible():
        # The scheduler claims expired clocks too, and can be quicker than the click.
        with contextlib.suppress(Error):
            claim.click(timeout=2_000)
    for player in (black, white):
        player.says("white wins")
        player.says("time")


def test_the_second_player_can_swap(table):
    played = script("hex-size-3-swap-pieces")
    first, second = table(played)
    after = first.play(played.start(), played.moves[0])
    second.shows(after)
    second.says("You can take over the first stone")
    first.says("Your opponent can take over the first stone")
    swapped = second.play(after, "swap")
    first.shows(swapped)
    first.says("took over the first stone")
    second.says("You took over the first stone")


def test_the_page_shows_each_players_goal_and_result(two):
    black, white = two
    black.says("You are Black: join the top and the bottom edge.")
    white.says("You are White: join the left and the right edge.")
    after = black.play(SMALL.start(), "a1")
    white.shows(after)
    white.play(after, "b2")
    black.press("Resign")
    black.press("Resign now")
    black.says("You lost")
    white.says("You won")
    white.says("White wins by resignation")


def test_a_double_click_plays_one_move(two):
    black, white = two
    start = SMALL.start()
    black.cell(5).dblclick()
    after = start.play(start.parse_move(start.format_move(5)))
    for player in two:
        player.shows(after)
    assert len(white.match["moves"]) == 1


def test_the_computer_is_offered_no_draw_and_plays_again_at_once(window, site):
    player = window(site)
    player.start_game("antipode", "computer", control="unlimited")
    player.wait_for_match()
    start = make_game("antipode", {}).initial()
    player.after_answer(player.move(start, start.format_move(next(iter(start.legal_moves)))))
    assert player.button("Offer draw").is_hidden()
    address = player.page.url
    player.press("Resign")
    player.press("Resign now")
    player.press("Rematch")
    player.page.wait_for_url(lambda url: url != address)


@pytest.mark.parametrize(("control", "asks"), [("1d/move", True), ("5m+5s", False)])
@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_moves_of_correspondence_games_are_confirmed_and_live_ones_are_not(
    table, kind, control, asks
):
    black, _white = table(SMALL, kinds=(kind, "desktop"), control=control)
    black.cell(0).click()
    confirm = black.page.locator("antipodes-board .confirm")
    assert confirm.is_visible() == asks
    if asks:
        confirm.click()
    black.shows(SMALL.start().play(0))
