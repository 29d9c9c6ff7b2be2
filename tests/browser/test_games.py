"""Every game is played to its end: by two or more players, and against the computer."""

import pytest

from antipodes.games.registry import make_game
from antipodes.search.players import make_player
from tests.browser.scripts import random_script, script

TWO = {
    "antipod": "antipod-side-4-two",
    "antipode": "antipode",
    "antipalos": "antipalos-12-ladder-f",
    "antipalos by mail": "antipalos-mail-4-swap",
    "hex": "hex-size-4-swap-sides",
    "cylindrical hex": "cylindrical-hex-4-by-6-white",
}


def play_out(script, players):
    """Play a script; after each move, every window shows the same position."""
    position = script.start()
    owner = {seat: player for player in players for seat in player.match["own"]}
    for text in script.moves:
        position = owner[position.seat_to_move].play(position, text)
        for player in players:
            player.shows(position)
    assert position.outcome is not None
    for player in players:
        player.says(str(position.outcome))
    return position


@pytest.mark.parametrize("name", TWO.values(), ids=TWO.keys())
def test_two_players_play_a_whole_game(table, name):
    played = script(name)
    players = table(played)
    play_out(played, players)
    players[0].picture(f"finished-{name}")


def test_phase_two_of_antipalos_is_played(table):
    played = script("antipalos-12-ladder-phase-two")
    players = table(played)
    position = play_out(played, players)
    assert position.phase == 2
    players[0].picture("finished-phase-two")


@pytest.mark.parametrize(
    ("size", "seats", "rods", "seed"),
    [
        (12, "team", 18, "ladder 3"),
        (14, "cutthroat3", 1, "three"),
        (20, "cutthroat4", 1, "four"),
    ],
)
def test_three_or_four_players_play_a_whole_game_of_antipalos(table, size, seats, rods, seed):
    played = random_script("antipalos", seed, size=size, seats=seats, rods=rods, phase_two_limit=1)
    players = table(played)
    position = play_out(played, players)
    assert (position.outcome.winner is not None) == ("ladder" in seed)
    for number, player in enumerate(players):
        player.picture(f"finished-{seats}-{number}")


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("antipod", {"side": 4}),
        ("antipode", {}),
        ("antipalos", {"size": 12}),
        ("hex", {"size": 4}),
        ("cylindrical-hex", {"rows": 4, "columns": 4}),
    ],
)
def test_a_whole_game_is_played_against_the_computer(window, site, game_id, options):
    game = make_game(game_id, options)
    own_engine = make_player("computer:3", 1)
    player = window(site)
    player.play_computer(game_id, level=1, seat=0, **options)
    position = game.initial()
    while position.outcome is None:
        if position.seat_to_move == 0:
            move = own_engine.choose(position)
            position = player.move(position, position.format_move(move))
        else:
            position = player.after_answer(position)
    player.shows(position)
    player.says(str(position.outcome))
