"""Phones: touch, confirmation of moves, and small screens."""

import pytest

from antipodes.games.registry import game_ids, make_game
from tests.browser.scripts import script

SMALL = {
    "antipod": {"side": 4},
    "antipalos": {"size": 12},
    "antipode": {},
    "hex": {},
    "cylindrical-hex": {},
}


@pytest.mark.parametrize(
    "name",
    ["hex-size-4-swap-sides", "antipod-side-4-two", "antipalos-12-few-rods", "antipode"],
)
def test_a_game_is_played_by_touch_on_two_phones(table, name):
    played = script(name)
    players = table(played, kinds=("phone",))
    position = played.start()
    for text in played.moves[:6]:
        position = players[position.seat_to_move].play(position, text)
        for player in players:
            player.shows(position)
    players[0].picture(f"phone-{name}")


def test_a_touched_move_is_played_after_confirmation_where_the_game_is_slow(table):
    played = script("hex-size-4-swap-sides")
    player, _ = table(played, kinds=("phone",), control="1d/move")
    player.cell(5).tap()
    player.page.locator("antipodes-board .confirm").wait_for()
    assert player.match["moves"] == []
    player.cell(6).tap()
    player.page.locator("antipodes-board .confirm").tap()
    start = played.start()
    player.shows(start.play(start.parse_move(start.format_move(6))))


@pytest.mark.parametrize("kind", ["phone", "narrow"])
@pytest.mark.parametrize("game_id", game_ids())
def test_a_board_fits_on_a_small_screen(window, site, game_id, kind):
    player = window(site, kind)
    player.play_computer(game_id, seat=0)
    player.shows(make_game(game_id, {}).initial())
    player.picture(f"{kind}-{game_id}")
    player.check_accessibility()
