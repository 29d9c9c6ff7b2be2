"""Count in Chromium what players need for what they come for; run it on an idle machine.

python bench/journeys.py                clicks and seconds of four journeys, then the first page
python bench/journeys.py strangers      one of: newcomer, strangers, regular, reviewer, page

Clicks come as soon as the page can take them: players need no time to think.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator

sys.path.insert(0, str(Path(__file__).parents[1]))
from antipodes.games.registry import make_game
from antipodes.search.players import make_player
from tests.browser.accessibility import violations
from tests.browser.accounts import sign_up
from tests.browser.fixtures import site_and_browser
from tests.browser.player import Player
from tests.browser.scripts import random_script
from tests.live.site import Site

WAIT = 180_000  # milliseconds at most, until a page answers
LEVEL = "computer:7"  # whose moves the newcomer plays
MISTAKES = random_script("hex", "113", size=4, swap="sides")  # a game with turning points

# A correspondence game with one move, in which it is the player's turn.
BEGIN = """
from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Play, Terms
from antipodes.web.accounts.models import User
from antipodes.web.matches.services import begin_match, carry_out

users = [User.objects.create(username="opponent"), User.objects.get(username=name)]
players = tuple(str(one.pk) for one in users)
terms = Terms(game=make_game("antipode"), players=players, control=read_control("3d/move+10d"))
row = begin_match(terms, users)
move = terms.game.initial().legal_moves[0]
carry_out(row.slug, Play(seat=0, ply=0, key="first", move=move))
report(row.slug)
"""
WATCH_SHIFTS = """window.shifts = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value;
}).observe({ type: "layout-shift", buffered: true });"""


class Visitor(Player):
    """A player whose clicks are counted from the moment at which a page is opened."""

    def __init__(self, browser: Browser, site: Site, folder: Path) -> None:
        """Open a window with cookies of its own."""
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(WAIT)
        super().__init__(context.new_page(), site, folder)
        self.clicks = 0

    def start(self, path: str) -> float:
        """Open a page, and return the time before."""
        began = time.monotonic()
        self.open(path)
        return began

    def click(self, place: Locator) -> None:
        """Click a place, and count it."""
        place.click()
        self.clicks += 1

    def choose(self, position: Any, move: int) -> Any:
        """Play a move on the board, and return the position after it."""
        steps = position.steps(move)
        for cell in steps:
            self.click(self.cell(cell))
        confirm = self.page.locator("antipodes-board .confirm").filter(visible=True).first
        if confirm.is_visible():
            self.click(confirm)
        return position.play(move)


Open = Callable[[], Visitor]


def newcomer(open_window: Open) -> tuple[int, float]:
    """From the first page to a win, in the game of its board at its level."""
    player = open_window()
    began = player.start("/")
    form = player.page.locator("#first")
    fields = form.locator("[name^='option-']").evaluate_all(
        "all => all.map(one => [one.name.slice(7), one.value])"
    )
    game = make_game(str(form.get_attribute("action")).split("/")[-2], dict(fields))
    strong, position = make_player(LEVEL, seed=1), game.initial()
    player.shows(position)
    thought = 0.0
    while position.outcome is None:
        asked = time.monotonic()
        move = int(strong.choose(position))
        thought += time.monotonic() - asked
        position = player.choose(position, move)
        player.page.wait_for_url("**/m/*/")
        if position.outcome is None:
            position = player.after_answer(position)
    player.says("You won")
    return player.clicks, time.monotonic() - began - thought


def strangers(open_window: Open) -> tuple[int, float]:
    """From the lobby to the first move of each, with one search that the other one accepts."""
    first, second = open_window(), open_window()
    began = first.start("/lobby/")
    first.click(first.button("Find an opponent"))
    first.page.wait_for_url("**/pair/*/")
    second.start("/lobby/")
    second.click(second.page.locator("#players + .challenges button").first)
    for player in (first, second):
        player.page.wait_for_url("**/m/*/")
    match = first.match
    position = make_game(match["game"], match["options"]).initial()
    seats = {player.match["own"][0]: player for player in (first, second)}
    for seat in range(2):
        position = seats[seat].choose(position, int(position.legal_moves[7]))
        seats[1 - seat].shows(position)
    return first.clicks + second.clicks, time.monotonic() - began


def regular(open_window: Open) -> tuple[int, float]:
    """From the home page to a move in the first of the games that wait."""
    player = open_window()
    sign_up(player, "regular")
    slug = player.site.ask(BEGIN, name="regular")
    began = player.start("/")
    player.click(player.page.locator(f"a[href='/m/{slug}/']").first)
    player.page.wait_for_url("**/m/*/")
    game = make_game("antipode")
    position = game.initial().play(game.initial().legal_moves[0])
    player.shows(position)
    after = player.choose(position, int(position.legal_moves[0]))
    while len(player.match["moves"]) < after.ply:
        player.page.wait_for_timeout(20)
    return player.clicks, time.monotonic() - began


def reviewer(open_window: Open) -> tuple[int, float]:
    """From the end of a game to the better line of a turning point, played on the board."""
    players = [open_window(), open_window()]
    link = players[0].challenge(MISTAKES.game_id, seat=0, **MISTAKES.options)
    players[1].join(link)
    for player in players:
        player.wait_for_match()
    position = MISTAKES.start()
    for text in MISTAKES.moves:
        position = players[position.seat_to_move].play(position, text)
        for player in players:
            player.shows(position)
    reader = players[0]
    began = time.monotonic()
    turn = reader.page.locator(".turns li button").first
    turn.wait_for()
    reader.click(turn)
    better = reader.page.get_by_role("group", name="Better")
    better.wait_for()
    reader.click(reader.button("Next move (right arrow)"))
    return reader.clicks, time.monotonic() - began


def page(open_window: Open) -> None:
    """Print weight and shifts of the first page, when its board answers, and axe's findings."""
    player = open_window()
    player.page.add_init_script(WATCH_SHIFTS)
    sent: list[float] = []
    session = player.page.context.new_cdp_session(player.page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    began = player.start("/")
    player.page.locator("#first-board .cell.legal").first.wait_for(state="attached")
    seconds, weight = time.monotonic() - began, sum(sent)
    player.page.wait_for_load_state("networkidle")
    shift = player.page.evaluate("shifts")
    print(f"first page   {weight / 1_000:.0f} kB to a board that can be played, {seconds:.2f} s")
    print(f"             {shift:.3f} layout shift, {len(violations(player.page))} findings of axe")


JOURNEYS: dict[str, Callable[[Open], tuple[int, float]]] = {
    "newcomer": newcomer,
    "strangers": strangers,
    "regular": regular,
    "reviewer": reviewer,
}


def main() -> None:
    """Start a site and a browser, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    names = [*JOURNEYS, "page"]
    parser.add_argument("journeys", nargs="*", default=names, metavar="JOURNEY")
    chosen = parser.parse_args()
    with site_and_browser() as (site, browser, folder):
        for name in chosen.journeys:
            windows: list[Visitor] = []

            def open_window(opened: list[Visitor] = windows) -> Visitor:
                opened.append(Visitor(browser, site, folder))
                return opened[-1]

            if name == "page":
                page(open_window)
            else:
                clicks, seconds = JOURNEYS[name](open_window)
                print(f"{name:12} {clicks:3} clicks {seconds:7.1f} s", flush=True)
            for one in windows:
                one.page.context.close()


if __name__ == "__main__":
    main()
