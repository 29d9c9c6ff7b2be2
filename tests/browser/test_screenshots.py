"""Screenshots of every view and theme of every board."""

import pytest

from antipodes.games.registry import game_ids, make_game
from tests.browser.scripts import script

_CHOICES = """name => document.querySelector("antipodes-board").settings()
  .find((one) => one.name === name)?.choices.map(([value]) => value) ?? []"""
_CHOOSE = """([name, value]) => document.querySelector("antipodes-board").settings()
  .find((one) => one.name === name).choose(value)"""

GAMES = {
    "antipod": "antipod",
    "antipalos": "antipalos",
    "antipode": "antipode",
    "hex": "hex",
    "cylindrical-hex": "cylindrical-hex",
}


@pytest.mark.parametrize("kind", ["desktop", "dark"])
@pytest.mark.parametrize("game_id", game_ids())
def test_every_view_of_a_board_is_accessible(window, site, game_id, kind):
    player = window(site, kind)
    moves = script(GAMES[game_id]).moves[:24]
    position = make_game(game_id, {}).initial()
    numbers = []
    for text in moves:
        move = position.parse_move(text)
        numbers.append(str(int(move)))
        position = position.play(move)
    player.open(f"/analysis/{game_id}/?moves={','.join(numbers)}")
    player.shows(position)
    views = player.page.evaluate(_CHOICES, "view") or ["flat"]
    for view in views:
        if len(views) > 1:
            player.page.evaluate(_CHOOSE, ["view", view])
        board = player.page.locator("antipodes-board").first
        board.scroll_into_view_if_needed()
        player.picture(f"view-{game_id}-{view}-{kind}", whole=False)
        player.check_accessibility()
    for theme in player.page.evaluate(_CHOICES, "theme"):
        player.page.evaluate(_CHOOSE, ["theme", theme])
        if kind == "desktop":
            player.picture(f"theme-{game_id}-{theme}", whole=False)
