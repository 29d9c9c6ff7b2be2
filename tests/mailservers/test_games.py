"""Whole games between two mailboxes."""

import random

import pytest

from antipodes.games.registry import make_game


def whole_game(game_id, options, seed):
    """Return seats and moves of a random game."""
    chance = random.Random(seed)
    position = make_game(game_id, options).initial()
    moves = []
    while position.outcome is None:
        move = chance.choice(list(position.legal_moves))
        moves.append((position.seat_to_move, position.format_move(move)))
        position = position.play(move)
    return moves


@pytest.mark.parametrize(
    ("game_id", "options", "seed"),
    [
        ("antipod", {"side": 3}, 19),
        ("antipalos", {"ruleset": "mail", "size": 4}, 29),
        ("antipode", {}, 8),
    ],
)
def test_two_mailboxes_play_a_whole_game(site, person, game_id, options, seed):
    names = [f"{game_id}-one", f"{game_id}-two"]
    site.people(*names)
    board = site.begin(game_id, options, names)["number"]
    players = [person(name) for name in names]
    moves = whole_game(game_id, options, seed)
    for ply, (seat, text) in enumerate(moves):
        mail = players[seat].wait_for_turn(board, ply)
        assert mail["Reply-To"], "the mail has no reply address"
        players[seat].reply(mail, text)
    for player in players:
        player.wait_for(
            lambda one: (
                f"Board {board}" in one["Subject"]
                and "State: over" in one.get_body(("plain",)).get_content()
            ),
            f"the result of board {board}",
        )
    assert site.moves(board) == {"moves": [text for _, text in moves], "over": True}
