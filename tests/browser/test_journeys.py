"""How many clicks people need for what they come for; the seconds are printed for comparison."""

import time

from antipodes import make_player
from antipodes.games.registry import make_game
from tests.browser.accounts import sign_up
from tests.browser.scripts import Script

# Counts the clicks of a visitor over all pages of a tab.
_COUNT = """addEventListener("click", (event) => {
  if (event.isTrusted && event.detail)
    sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true)"""
_MOST_MOVES = 40
_WAIT = 60_000  # milliseconds, on a busy machine


class Journey:
    """The clicks and seconds of one visitor since the journey began."""

    def __init__(self, player):
        self.player = player
        player.page.add_init_script(_COUNT)
        self.began = time.monotonic()

    def begin(self):
        """Count from here."""
        self.player.page.evaluate("sessionStorage.clicks = 0")
        self.began = time.monotonic()

    @property
    def clicks(self):
        return int(self.player.page.evaluate("sessionStorage.clicks ?? 0"))

    def tell(self, capsys, name):
        with capsys.disabled():
            print(f"\n    {name}: {self.clicks} clicks, {time.monotonic() - self.began:.1f} s")


def test_a_newcomer_wins_with_one_click_for_each_move(window, site, capsys):
    player = window(site)
    journey = Journey(player)
    player.open("/")
    options = player.page.locator("#first [name^='option-']").evaluate_all(
        "all => all.map(o => [o.name.slice('option-'.length), o.value])"
    )
    position = make_game("antipod", dict(options)).initial()
    adviser = make_player("search:visits=3000", seed=1)
    for _ in range(_MOST_MOVES):
        move = adviser.choose(position)
        player.click_steps(position, position.steps(move))
        position = position.play(move)
        player.wait_for_match()
        if position.outcome is not None:
            break
        position = player.after_answer(position)
    player.says("You won")
    journey.tell(capsys, "a newcomer to the first win")
    assert journey.clicks == (position.ply + 1) // 2


def test_two_strangers_have_moved_after_two_clicks_each(window, site, capsys):
    first, second = window(site), window(site, "phone")
    journeys = [Journey(player) for player in (first, second)]
    first.open("/lobby/")
    journeys[0].begin()
    first.page.locator(".quick button").click()
    first.page.wait_for_url("**/pair/**")
    second.open("/lobby/")
    journeys[1].begin()
    second.page.locator("#players + .challenges button").first.click()
    for player in (first, second):
        player.page.wait_for_url("**/m/*/", timeout=_WAIT)
    position = make_game(first.match["game"], first.match["options"]).initial()
    for player in sorted((first, second), key=lambda player: player.match["own"][0]):
        move = list(position.legal_moves)[5]
        player.click_steps(position, position.steps(move))
        position = position.play(move)
        for other in (first, second):
            other.shows(position)
    for journey, name in zip(journeys, ("who seeks", "who joins"), strict=True):
        journey.tell(capsys, f"two strangers from the lobby to their first moves, {name}")
        assert journey.clicks == 2


def test_a_regular_makes_the_next_correspondence_move_with_three_clicks(
    window, site, worker_id, capsys
):
    host, regular = window(site), window(site)
    for name, player in (("ada", host), ("bo", regular)):
        sign_up(player, f"{name}-{worker_id}")
    start = Script("hex", {"size": 5, "swap": "off"}, ()).start()
    regular.join(host.challenge("hex", size=5, swap="off", control="1d/move", seat=0))
    host.wait_for_match()
    position = host.play(start, "c3")
    journey = Journey(regular)
    regular.open("/")
    journey.begin()
    regular.page.locator(".match.to-move a").first.click()
    regular.wait_for_match()
    regular.shows(position)
    regular.play(position, "b2")
    journey.tell(capsys, "a regular from the first page to the next correspondence move")
    assert journey.clicks == 3  # the game, the cell, the confirmation
