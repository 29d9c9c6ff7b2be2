"""Wins on large boards, and the sounds of a match, on desktop and phone."""

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import make_game
from tests.browser.scripts import Script, script

# Plays moves of both players on the server.
_PLAY = """
from antipodes.match import Play
from antipodes.web.matches.services import carry_out
for ply, move in enumerate(moves):
    carry_out(slug, Play(seat=ply % 2, ply=ply, key=f"move {ply}", move=move))
report(True)
"""
# Records the pitches of the tones that the page starts; a knock has its noise too.
_RECORD_SOUNDS = """
  window.tones = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) {
    window.tones.push(this.frequency.value);
    return start.apply(this, at);
  };
  undefined;
"""
_KNOCK, _FLIP, _LOW = 190, 330, 880


def column_of_hex():
    """Black joins top and bottom of a board of 19 rows."""
    moves = [text for row in range(1, 20) for text in (f"k{row}", f"a{row}")]
    return Script("hex", {"size": 19, "swap": "off"}, tuple(moves[:-1]))


def zigzag_of_antipalos():
    """Vert joins bottom and top of a board of 26 rows."""
    moves = []
    for row in range(1, 27):
        low, high = (row, row + 1) if row % 2 else (row + 1, row)
        moves += [f"f{low}-g{high}", f"t{low}-u{high}"]
    options = {"ruleset": "mail", "size": 26, "swap": "off"}
    return Script("antipalos", options, tuple(moves[:-1]))


def ring_of_antipod():
    """White closes the ring along the rims of both boards."""
    options = {"side": 10, "first": "white"}
    start = make_game("antipod", options).initial()
    names = start.game.topology.names
    free = [cell for cell in range(len(names)) if cell not in start.scene().stones]
    rim = [cell for cell in free if len(names[cell]) > 1]
    inside = [cell for cell in free if len(names[cell]) == 1][::3]
    moves = [names[cell][0] for both in zip(rim, inside, strict=False) for cell in both]
    return Script("antipod", options, tuple(moves[:-1]))


_WINS = {
    "hex-19": column_of_hex,
    "antipalos-26": zigzag_of_antipalos,
    "antipod-10": ring_of_antipod,
}


@pytest.mark.parametrize("name", _WINS)
def test_a_win_on_a_large_board_is_shown_to_both_players(table, name):
    """The winning chain has its halo, and the page says who won and how, beside the board."""
    played = _WINS[name]()
    players = table(played, kinds=("desktop", "phone"))
    winner, loser = players
    position = played.start()
    moves = []
    for text in played.moves[:-1]:
        move = position.parse_move(text)
        moves.append(int(move))
        position = position.play(move)
    slug = winner.page.url.rstrip("/").rsplit("/", 1)[-1]
    assert winner.site.ask(_PLAY, slug=slug, moves=moves)
    for player in players:
        player.page.add_init_script(_RECORD_SOUNDS)
        player.page.reload()
        player.shows(position)
        player.button("Sounds").click()
    over = winner.play(position, played.moves[-1])
    assert over.outcome is not None
    winner.says("You won")
    loser.says("You lost")
    for player, tones in ((winner, [523, 659, 784]), (loser, [392, 330])):
        player.shows(over)
        expect(player.page.locator("antipodes-board .band").first).to_be_visible()
        player.page.wait_for_function(
            "tones => tones.every((one) => window.tones.includes(one))", arg=tones
        )
        player.page.evaluate("scrollTo(0, 0)")
        player.picture(f"win-{name}-{player.page.viewport_size['width']}", whole=False)
        player.check_accessibility()


def listen(players):
    """Switch the sounds of players on, and record them from then on."""
    for player in players:
        player.page.evaluate(_RECORD_SOUNDS)
        player.button("Sounds").click()
        hears(player, _KNOCK)


def hears(player, *tones):
    """Wait until a player's page has played some tones, and no others; forget them."""
    player.page.wait_for_function(
        "tones => window.tones.join() === tones.join()", arg=[float(one) for one in tones]
    )
    player.page.evaluate("window.tones = []")


def test_flips_of_antipode_sound_unlike_other_moves(table):
    played = script("antipode")
    players = table(played)
    listen(players)
    position, kinds = played.start(), set()
    for text in played.moves[:8]:
        before, mover = position.scene().stones, position.seat_to_move
        position = players[mover].play(position, text)
        after = position.scene().stones
        has_flips = any(after[cell] != color for cell, color in before.items())
        kinds.add(has_flips)
        for player in players:
            player.shows(position)
            hears(player, *([_KNOCK, _FLIP] if has_flips else [_KNOCK]))
    assert kinds == {True, False}


def test_a_stone_on_both_boards_of_antipod_knocks_twice(table):
    small = Script("antipod", {"side": 4, "first": "white"}, ())
    players = table(small)
    listen(players)
    position = small.start()
    for knocks in (2, 1):
        names = position.game.topology.names
        move = next(one for one in position.legal_moves if len(names[one]) == knocks)
        text = position.format_move(move)
        position = players[position.seat_to_move].play(position, text)
        for player in players:
            player.shows(position)
            hears(player, *[_KNOCK] * knocks)


def test_little_time_sounds_once_for_the_player_to_move(table):
    small = Script("hex", {"size": 4, "swap": "off"}, ())
    black, white = table(small, control="other", control_text="25s+1s")
    listen((black, white))
    position = black.play(small.start(), "a1")
    white.shows(position)
    position = white.play(position, "b2")
    black.shows(position)
    for player in (black, white):
        hears(player, _KNOCK, _KNOCK)  # of both moves
    hears(black, _LOW, _LOW)
    expect(black.page.locator(".clock.low")).to_have_count(1)
    assert white.page.evaluate("window.tones") == []
