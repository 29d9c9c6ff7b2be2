"""A live game takes its players to the board, and no clock runs before their first moves."""

import re
from typing import Any

from playwright.sync_api import expect

from antipodes.games.registry import make_game
from tests.browser.accounts import sign_up
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


# A live knockout for accounts that have signed up, with first moves and resignations.
CUP = """
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments import make_format
from antipodes.web.accounts.models import User
from antipodes.web.tournaments import services
from antipodes.web.tournaments.plans import Plan

host = User.objects.create(username=f"host-of-{names[0]}")
plan = Plan(title="Cup of four", format=make_format("knockout"),
            game=make_game("hex", {"size": 3, "swap": "off"}), control=read_control("5m+5s"))
row = services.create_tournament(host, plan)
for name in names:
    services.join(row.pk, User.objects.get(username=name))
report([host.pk, row.pk, row.slug])
"""
START = """
from antipodes.web.accounts.models import User
from antipodes.web.tournaments import directing

directing.start(cup, User.objects.get(pk=host))
report(None)
"""


def test_four_players_are_taken_to_each_game_of_an_event_until_its_end(window, site, worker_id):
    names = [f"{name}-{worker_id}" for name in ("kim", "lea", "mia", "noa")]
    players = {name: window(site) for name in names}
    for name, player in players.items():
        sign_up(player, name)
    host, cup, slug = site.ask(CUP, names=names)
    for player in players.values():
        player.open(f"/tournament/{slug}/")
        player.page.wait_for_load_state("networkidle")
    site.ask(START, cup=cup, host=host)
    playing = list(players.values())
    while len(playing) > 1:
        for player in playing:
            expect(player.page).to_have_url(BOARD, timeout=_EVENT_TIMEOUT)
        playing = [winner_of(game) for game in games_of(playing)]
        for player in players.values():
            player.open(f"/tournament/{slug}/")
    playing[0].page.get_by_text("finished", exact=True).wait_for(timeout=_EVENT_TIMEOUT)
    won = playing[0].page.locator(".bracket .slot.won")
    expect(won.last).to_contain_text(re.compile("|".join(names)))


def games_of(players):
    """Return the pairs of players who are at the same board."""
    found: dict[str, list[Any]] = {}
    for player in players:
        found.setdefault(player.page.url, []).append(player)
    return list(found.values())


def winner_of(pair):
    """Play the first moves, without a loss of time, and resign; return the winner."""
    black, white = sorted(pair, key=lambda player: player.match["own"][0])
    start = make_game("hex", {"size": 3, "swap": "off"}).initial()
    after = black.play(start, "a1")
    white.shows(after)
    assert white.match["clock"]["left"] == [BANK + 5_000, BANK]
    black.shows(white.play(after, "b2"))
    black.press("Resign")
    black.press("Resign now")
    white.says("You won")
    return white
