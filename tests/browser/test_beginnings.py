"""A live game takes its players to the board, and no clock runs before their first moves."""

import re
from typing import Any

from playwright.sync_api import expect

from antipodes.games.registry import make_game
from tests.browser.accounts import sign_up, slug_of
from tests.browser.scripts import Script

SMALL = Script("hex", {"size": 4, "swap": "off"}, ())
BOARD = re.compile(r"/m/[^/]+/$")
BANK = 300_000  # milliseconds
_TIMEOUT = 20_000  # milliseconds, on a busy machine
_EVENT_TIMEOUT = 60_000


def _first_at_board(tabs):
    """Return the only tab that goes to the board."""
    for _ in range(_TIMEOUT // 200):
        if any(BOARD.search(tab.url) for tab in tabs):
            break
        tabs[0].wait_for_timeout(200)
    tabs[0].wait_for_timeout(1_500)
    [found] = [tab for tab in tabs if BOARD.search(tab.url)]
    return found


def test_two_strangers_come_from_a_challenge_to_both_first_moves(window, site):
    author, guest = window(site), window(site, "phone")
    link = author.challenge("hex", size=4, swap="off", seat=0, control="5m+5s")
    author.open("/lobby/")
    tabs = [author.page, author.page.context.new_page()]
    tabs[1].goto(site.url("/lobby/"))
    for tab in tabs:
        tab.wait_for_load_state("networkidle")
    guest.join(link)
    guest.wait_for_match()
    author.page = _first_at_board(tabs)
    author.says("No clock runs before the first moves")
    after = author.play(SMALL.start(), "a1")
    guest.shows(after)
    assert guest.match["clock"]["left"][1] == BANK
    guest.play(after, "b2")
    author.shows(after.play(after.parse_move("b2")))
    assert [left >= BANK for left in author.match["clock"]["left"]] == [True, True]


def test_a_player_who_reads_another_page_is_told_where_the_game_is(window, site):
    author, guest = window(site), window(site)
    link = author.challenge("hex", size=4, swap="off", seat=0, control="5m+5s")
    author.open("/rules/hex/")
    author.page.wait_for_load_state("networkidle")
    guest.join(link)
    toast = author.page.get_by_role("alert").filter(has_text="Your game of Hex")
    expect(toast).to_be_visible(timeout=_TIMEOUT)
    expect(author.page).to_have_title(re.compile("▶ Your game of Hex"), timeout=_TIMEOUT)
    author.check_accessibility()
    author.picture("game-begins", whole=False)
    toast.get_by_role("link", name="Go to game").click()
    expect(author.page).to_have_url(BOARD)
    author.open("/lobby/")
    author.page.wait_for_load_state("networkidle")
    author.page.wait_for_timeout(1_500)
    assert author.page.url.endswith("/lobby/"), "who has been there may leave again"


def test_a_rematch_takes_both_players_to_its_board(table):
    black, white = table(SMALL, control="5m+5s")
    first = black.page.url
    after = black.play(SMALL.start(), "a1")
    white.shows(after)
    white.play(after, "b2")
    black.press("Resign")
    black.press("Resign now")
    white.says("You won")
    white.press("Offer rematch")
    black.press("Accept")
    for player in (black, white):
        player.page.wait_for_url(lambda url: url != first and BOARD.search(url) is not None)
    assert black.page.url == white.page.url


def test_four_players_come_through_an_event_from_its_form_to_its_podium(window, site, worker_id):
    names = [f"{name}-{worker_id}" for name in ("kim", "lea", "mia", "noa")]
    players = [window(site, kind) for kind in ("desktop", "phone", "dark", "desktop")]
    for name, player in zip(names, players, strict=True):
        sign_up(player, name)
    host = players[0]
    address = event_by_form(host, "round-robin")
    join(players, address)
    host.press("Start now")
    for number in (1, 2, 3):
        for player in players:
            expect(player.page).to_have_url(BOARD, timeout=_EVENT_TIMEOUT)
        for winner, loser in [played(*pair) for pair in pairs_at_boards(players)]:
            # Some wait at their board for the next round, others on the page of the event.
            loser.page.get_by_role("link", name="Back to tournament").click()
            loser.page.wait_for_url(f"**{address}")
            if number < 3:
                go_on(winner)
    for player in players:
        player.open(address)
        player.page.get_by_text("finished", exact=True).wait_for(timeout=_EVENT_TIMEOUT)
        ranked = player.page.get_by_role("region", name="Standings").locator("tbody tr")
        expect(ranked).to_have_count(len(players))
        player.check_accessibility()
        player.picture(f"event-over-{players.index(player)}")


def test_the_pairings_of_an_arena_take_its_players_to_the_board(window, site, worker_id):
    players = [window(site), window(site, "phone")]
    for name, player in zip((f"pia-{worker_id}", f"rob-{worker_id}"), players, strict=True):
        sign_up(player, name)
    host = players[0]
    address = event_by_form(host, "arena")
    join(players, address)
    host.press("Start now")
    boards = []
    for _game in range(2):
        for player in players:
            expect(player.page).to_have_url(BOARD, timeout=_EVENT_TIMEOUT)
        [pair] = pairs_at_boards(players)
        boards.append(slug_of(host))
        for player in played(*pair):
            player.page.get_by_role("link", name="Back to tournament").click()
    assert len(set(boards)) == 2


def event_by_form(host, form):
    """Make a live event of the smallest boards with the form; return its path."""
    host.open(f"/tournaments/new/?format={form}&game=hex")
    for details in host.page.locator("main details").all():
        details.evaluate("element => { element.open = true; }")
    fields = {"title": f"Friends of {form}", "control": "5m+5s"}
    if form != "arena":
        fields["games"] = "single"
    for name, value in {**fields, "option-size": 3, "option-swap": "off"}.items():
        host.fill(name, value)
    host.press("Make tournament")
    host.page.wait_for_url("**/tournament/*/")
    return slug_of(host)


def join(players, address):
    """Join an event with its button, and wait on its page."""
    for player in players:
        player.open(address)
        player.press("Join")
        player.says("You have joined the tournament.")
        player.page.wait_for_load_state("networkidle")


def pairs_at_boards(players):
    """Return the pairs of players who are at the same board."""
    boards: dict[str, list[Any]] = {}
    for player in players:
        boards.setdefault(player.page.url, []).append(player)
    return list(boards.values())


def played(*pair):
    """Play the first moves, without a loss of time, and resign; return the winner and the loser."""
    black, white = sorted(pair, key=lambda player: player.match["own"][0])
    assert black.match["clock"]["left"] == [BANK, BANK]
    start = make_game("hex", {"size": 3, "swap": "off"}).initial()
    after = black.play(start, "a1")
    white.shows(after)
    assert white.match["clock"]["left"] == [BANK + 5_000, BANK]
    black.shows(white.play(after, "b2"))
    assert black.match["clock"]["left"] == [BANK + 5_000, BANK + 5_000]
    black.press("Resign")
    black.press("Resign now")
    white.says("You won")
    for player in pair:
        buttons = player.page.locator(".actions > .buttons").locator("a, button")
        expect(buttons.locator("visible=true").first).to_have_text("Back to tournament")
        expect(player.button("Offer rematch")).to_be_hidden()
    return white, black


def go_on(player):
    """Go to the next game by the link that comes by itself."""
    board = player.page.url
    player.page.get_by_role("link", name="Next game", exact=True).click(timeout=_EVENT_TIMEOUT)
    player.page.wait_for_url(lambda url: url != board and BOARD.search(url) is not None)
