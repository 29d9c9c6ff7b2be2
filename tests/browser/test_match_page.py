"""The match page: looking back, trying moves out, plans, notes, and what the page says."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import download
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())


@pytest.fixture
def two(table):
    """Two people at a small board of Hex; the first one is black and begins."""
    return table(SMALL)


def play(players, *texts):
    """Make moves in turn; every window shows each of them."""
    position = SMALL.start()
    for text in texts:
        position = players[position.seat_to_move].play(position, text)
        for player in players:
            player.shows(position)
    return position


def after(*texts):
    """Return the position after some moves."""
    position = SMALL.start()
    for text in texts:
        position = position.play(position.parse_move(text))
    return position


def try_out(player, *cells):
    """Put stones on cells of the board where moves are tried out."""
    study = player.page.locator("antipodes-study")
    for cell in cells:
        study.locator(f"[data-cell='{cell}']").click()
        made = re.compile(rf"\d+: \w+ {SMALL.start().format_move(cell)}$")
        study.get_by_role("button", name=made).wait_for()


def leave_board(player):
    """Take the focus from the board, where arrow keys walk the cells."""
    player.page.locator("h1").click()


def test_one_steps_through_the_moves_by_keys_while_the_game_goes_on(two):
    black, white = two
    present = play(two, "a1", "b2", "c3")
    keys = black.page.keyboard
    leave_board(black)
    keys.press("ArrowLeft")
    black.shows(after("a1", "b2"))
    keys.press("Home")
    black.shows(SMALL.start())
    black.says("Position after 0 of 3 moves")
    present = white.play(present, "d1")
    black.says("0 / 4")
    black.shows(SMALL.start())
    keys.press("ArrowRight")
    black.shows(after("a1"))
    keys.press("End")
    black.shows(present)
    # On the board the arrows walk the cells, and these keys step.
    black.cell(15).focus()
    keys.press(",")
    black.shows(after("a1", "b2", "c3"))
    keys.press(".")
    black.shows(present)
    assert len(black.match["moves"]) == 4


def test_nothing_is_played_on_a_position_of_the_past(two):
    black, _ = two
    play(two, "a1", "b2")
    black.page.keyboard.press(",")
    black.shows(after("a1"))
    black.cell(10).click(force=True)
    leave_board(black)
    black.page.keyboard.press("End")
    black.shows(after("a1", "b2"))
    assert len(black.match["moves"]) == 2


def test_a_link_to_a_move_opens_there(two, window, site):
    black, _ = two
    play(two, "a1", "b2", "c3")
    black.page.get_by_role("list").get_by_role("button", name=re.compile("b2")).click()
    black.page.get_by_role("tab", name="Share").click()
    link = black.page.get_by_label("Link to move 2").input_value()
    guest = window(site)
    guest.open(link)
    guest.shows(after("a1", "b2"))
    guest.page.keyboard.press("End")
    guest.shows(after("a1", "b2", "c3"))


def test_whoever_comes_back_is_told_what_happened_meanwhile(two):
    black, white = two
    position = play(two, "a1")
    address = black.page.url
    black.open("/")
    white.play(position, "b2")
    black.open(address)
    black.says("1 move since you were here: b2")
    black.press("Step through")
    black.shows(after("a1"))


def test_moves_that_are_tried_out_are_not_played(two):
    black, white = two
    position = play(two, "a1")
    white.press("Try moves out")
    white.says("You are trying moves out: nothing is played.")
    try_out(white, 5, 6, 9)
    white.picture("trying-moves-out")
    assert len(white.match["moves"]) == 1
    white.press("Back to the game")
    white.shows(position)
    white.play(position, "b2")
    black.shows(after("a1", "b2"))


def test_keeping_a_line_as_plan_saves_it_and_it_is_played(two):
    black, white = two
    position = play(two, "a1")
    black.press("Try moves out")
    try_out(black, 5, 6)
    expect(black.page.get_by_role("button", name="Keep as plan")).to_be_enabled()
    black.press("Keep as plan")
    black.says("Saved: this is played by itself.")
    assert black.match["plans"]["0"]
    assert white.match["plans"] == {"1": []}
    black.press("Back to the game")
    assert black.match["ply"] == 1
    expected = SMALL.start().format_move(5)
    white.point(position, position.steps(position.parse_move(expected)))
    answered = after("a1", expected, SMALL.start().format_move(6))
    for player in two:
        player.shows(answered)
        expect(player.page.locator("ol.moves li").last).to_contain_text("plan")


def test_a_resignation_waits_for_ones_turn_and_can_be_thought_better_of(two):
    black, white = two
    position = play(two, "a1", "b2", "c3")
    black.press("Resign")
    black.page.keyboard.press("Escape")
    assert black.match["resigning"] == []
    black.press("Resign")
    black.press("Resign when my turn comes")
    black.says("You resign when your turn comes.")
    black.press("Play on")
    black.page.get_by_text("You resign when your turn comes.").wait_for(state="hidden")
    black.press("Resign")
    black.press("Resign when my turn comes")
    black.says("You resign when your turn comes.")
    assert white.match["result"] is None
    white.point(position, position.steps(position.parse_move("d1")))
    for player in two:
        player.says("White wins by resignation")


def test_notes_are_kept_and_private(two):
    black, white = two
    for player in two:
        player.page.get_by_role("tab", name="Notes").click()
    black.page.get_by_label("Your notes").fill("mind the corner")
    black.says("Kept.")
    black.page.reload()
    black.page.get_by_role("tab", name="Notes").click()
    expect(black.page.get_by_label("Your notes")).to_have_value("mind the corner")
    white.page.reload()
    white.page.get_by_role("tab", name="Notes").click()
    expect(white.page.get_by_label("Your notes")).to_have_value("")


def test_the_title_and_the_live_region_tell_whose_turn_it_is(two):
    black, white = two
    expect(black.page).to_have_title(re.compile("Your turn"))
    expect(white.page).not_to_have_title(re.compile("Your turn"))
    play(two, "a1")
    expect(white.page).to_have_title(re.compile("Your turn"))
    said = white.page.locator("antipodes-match > [aria-live]")
    expect(said).to_contain_text(re.compile(r"played a1\. Your turn\."))


def test_an_unread_line_is_counted_until_the_chat_is_opened(two):
    black, white = two
    white.page.get_by_role("tab", name="Share").click()
    field = black.page.get_by_label("Say something")
    field.fill("good luck")
    field.press("Enter")
    tab = white.page.get_by_role("tab", name="Chat")
    expect(tab).to_have_text("Chat1")
    tab.click()
    expect(tab).to_have_text("Chat")
    white.says("good luck")


def test_a_rematch_that_both_want_begins_with_seats_exchanged(two):
    black, white = two
    play(two, "a1")
    address = black.page.url
    white.press("Call it off")
    black.press("Offer a rematch")
    white.says("offers a rematch")
    white.press("Accept")
    for player in two:
        player.page.wait_for_url(lambda url: url != address)
    assert black.match["own"] == [1]
    assert white.match["own"] == [0]


def test_records_and_pictures_are_downloaded_by_pointing_at_them(two, tmp_path):
    play(two, "a1", "b2")
    two[0].page.get_by_role("tab", name="Share").click()
    for name, wanted in (
        ("Record (JSON)", '"moves"'),
        ("Record (SGF)", "GM[11]"),
        ("Picture (SVG)", "<svg"),
    ):
        file = download(two[0], name, tmp_path)
        assert wanted in file.read_text(encoding="utf-8"), name
    assert download(two[0], "Picture (PNG)", tmp_path).read_bytes().startswith(b"\x89PNG")
