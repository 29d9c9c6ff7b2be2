"""The match page: history, trying moves, conditional moves, notes, chat and downloads."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import download
from tests.browser.menus import menu_faults
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())


@pytest.fixture
def two(table):
    """Two players on a small board of Hex; the first one is black and moves first."""
    return table(SMALL)


def play(players, *texts):
    """Play moves in turn; every window shows each of them."""
    position = SMALL.start()
    for text in texts:
        position = players[position.seat_to_move].play(position, text)
        for player in players:
            player.shows(position)
    return position


def after(*texts):
    position = SMALL.start()
    for text in texts:
        position = position.play(position.parse_move(text))
    return position


def try_moves(player, *cells):
    """Play stones on the separate board."""
    board = player.page.locator("antipodes-analysis-board")
    for cell in cells:
        board.locator(f"[data-cell='{cell}']").click()
        name = re.compile(rf"\d+: \w+ {SMALL.start().format_move(cell)}$")
        board.get_by_role("button", name=name).wait_for()


def leave_board(player):
    """Take the focus from the board, where arrow keys move between cells."""
    player.page.locator("h1").click()


def test_keys_step_through_the_moves_while_the_game_continues(two):
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
    # On the board, arrow keys move between cells and these keys step.
    black.cell(15).focus()
    keys.press(",")
    black.shows(after("a1", "b2", "c3"))
    keys.press(".")
    black.shows(present)
    assert len(black.match["moves"]) == 4


def test_no_move_can_be_played_in_an_earlier_position(two):
    black, _ = two
    play(two, "a1", "b2")
    black.page.keyboard.press(",")
    black.shows(after("a1"))
    black.cell(10).click(force=True)
    leave_board(black)
    black.page.keyboard.press("End")
    black.shows(after("a1", "b2"))
    assert len(black.match["moves"]) == 2


def test_a_link_to_a_move_shows_its_position(two, window, site):
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


def test_a_returning_player_sees_the_moves_since_the_last_visit(two):
    black, white = two
    position = play(two, "a1")
    address = black.page.url
    black.open("/")
    white.play(position, "b2")
    black.open(address)
    black.says("1 move since your last visit: b2")
    black.press("Replay")
    black.shows(after("a1"))
    black.page.keyboard.press(".")
    black.play(after("a1", "b2"), "c3")
    expect(black.page.locator(".since")).to_be_hidden()


def test_tried_moves_are_not_played(two):
    black, white = two
    position = play(two, "a1")
    white.press("Try moves")
    white.says("You are trying moves. They are not played.")
    try_moves(white, 5, 6, 9)
    white.picture("trying-moves")
    assert len(white.match["moves"]) == 1
    white.press("Back to game")
    white.shows(position)
    white.play(position, "b2")
    black.shows(after("a1", "b2"))


def test_conditional_moves_are_saved_and_played(two):
    black, white = two
    position = play(two, "a1")
    black.press("Try moves")
    try_moves(black, 5, 6)
    expect(black.page.get_by_role("button", name="Add to conditional moves")).to_be_enabled()
    black.press("Add to conditional moves")
    black.says("Saved. These moves are played automatically.")
    assert black.match["conditionalMoves"]["0"]
    assert white.match["conditionalMoves"] == {"1": []}
    black.press("Back to game")
    assert black.match["ply"] == 1
    expected = SMALL.start().format_move(5)
    white.click_steps(position, position.steps(position.parse_move(expected)))
    answered = after("a1", expected, SMALL.start().format_move(6))
    for player in two:
        player.shows(answered)
        expect(player.page.locator("ol.moves li").last).to_contain_text("auto")


def test_a_resignation_on_the_next_turn_can_be_cancelled(two):
    black, white = two
    position = play(two, "a1", "b2", "c3")
    black.press("Resign")
    black.page.keyboard.press("Escape")
    assert black.match["resigning"] == []
    black.press("Resign")
    black.press("Resign on my next turn")
    black.says("You will resign on your next turn.")
    black.page.locator(".actions .notice").get_by_role("button", name="Cancel").click()
    black.page.get_by_text("You will resign on your next turn.").wait_for(state="hidden")
    black.press("Resign")
    black.press("Resign on my next turn")
    black.says("You will resign on your next turn.")
    assert white.match["result"] is None
    white.click_steps(position, position.steps(position.parse_move("d1")))
    for player in two:
        player.says("White wins by resignation")


def test_notes_are_saved_and_private(two):
    black, white = two
    for player in two:
        player.page.get_by_role("tab", name="Notes").click()
    black.page.get_by_label("Private notes").fill("mind the corner")
    black.says("Saved.")
    black.page.reload()
    black.page.get_by_role("tab", name="Notes").click()
    expect(black.page.get_by_label("Private notes")).to_have_value("mind the corner")
    white.page.reload()
    white.page.get_by_role("tab", name="Notes").click()
    expect(white.page.get_by_label("Private notes")).to_have_value("")


def test_title_and_live_region_show_whose_turn_it_is(two):
    black, white = two
    expect(black.page).to_have_title(re.compile("Your turn"))
    expect(white.page).not_to_have_title(re.compile("Your turn"))
    play(two, "a1")
    expect(white.page).to_have_title(re.compile("Your turn"))
    expect(live_region(white)).to_have_text(re.compile(r" played a1\. Your turn\."))
    expect(live_region(black)).to_have_text("You played a1.")


def live_region(player):
    """Return what screen readers announce."""
    return player.page.locator("antipodes-match > [aria-live]")


def test_unread_messages_are_counted_until_the_chat_is_opened(two):
    black, white = two
    black.open_chat()
    black.chat_field.fill("good luck")
    black.chat_field.press("Enter")
    tab = white.page.get_by_role("tab", name="Chat")
    expect(tab).to_have_text("Chat1")
    # The tab with the moves is open at first; arrow keys lead to the next one.
    moves = white.page.get_by_role("tab", name="Moves", exact=True)
    expect(moves).to_have_attribute("aria-selected", "true")
    expect(white.page.get_by_role("tabpanel", name="Moves", exact=True)).to_be_visible()
    moves.focus()
    white.page.keyboard.press("ArrowRight")
    expect(white.page.get_by_role("tabpanel", name="Chat")).to_be_visible()
    white.page.keyboard.press("ArrowLeft")
    tab.click()
    expect(tab).to_have_text("Chat")
    white.says("good luck")


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_more_opens_below_the_whole_bar(table, kind):
    player = table(SMALL, (kind, "desktop"))[0]
    player.page.locator(".more summary").click()
    bar, content = (
        player.page.locator(one).bounding_box() for one in (".icon-bar", ".more-content")
    )
    assert content["width"] > 0.9 * bar["width"]
    assert menu_faults(player.page) == []
    player.picture(f"match-more-{kind}")


def test_a_rematch_starts_with_exchanged_seats(two):
    black, white = two
    play(two, "a1")
    address = black.page.url
    white.press("Abort game")
    black.press("Offer rematch")
    white.says("offered a rematch")
    white.press("Accept")
    for player in two:
        player.page.wait_for_url(lambda url: url != address)
    assert black.match["own"] == [1]
    assert white.match["own"] == [0]


def test_players_are_taken_to_the_agreed_next_game_of_a_series(table):
    black, white = table(Script("antipalos", {}, ()), points=15)
    address = black.page.url
    white.press("Abort game")
    black.press("Offer next game")
    white.says("offered a rematch")
    white.press("Accept")
    for player in (black, white):
        player.page.wait_for_url(lambda url: url != address)
    assert black.match["series"] == white.match["series"]


def test_the_end_leads_to_the_analysis_and_to_a_review_if_there_is_one(two):
    black, white = two
    play(two, "a1", "b2", "c3")
    white.press("Resign")
    white.press("Resign now")
    black.says("You won")
    expect(black.page.get_by_role("tab", name="Review")).to_be_hidden()
    black.page.get_by_role("link", name="Analyse", exact=True).click()
    black.shows(after("a1", "b2", "c3"))
    white.page.get_by_role("link", name="New opponent").click()
    expect(white.page.get_by_role("button", name="Find an opponent")).to_be_visible()


def test_after_a_move_the_next_game_that_waits_is_one_click_away(two):
    black, _ = two
    address = black.page.url
    black.play_computer("hex", size=4, seat=0)
    waits = black.page.url
    black.open(address)
    expect(black.page.get_by_role("link", name="Next game")).to_be_hidden()
    play(two, "a1")
    black.page.get_by_role("link", name="Next game (1)").click()
    expect(black.page).to_have_url(waits)


def test_records_and_pictures_can_be_downloaded(two, tmp_path):
    play(two, "a1", "b2")
    two[0].page.get_by_role("tab", name="Share").click()
    for name, content in (
        ("Record (JSON)", '"moves"'),
        ("Record (SGF)", "GM[11]"),
        ("Picture (SVG)", "<svg"),
    ):
        file = download(two[0], name, tmp_path)
        assert content in file.read_text(encoding="utf-8"), name
    assert download(two[0], "Picture (PNG)", tmp_path).read_bytes().startswith(b"\x89PNG")
