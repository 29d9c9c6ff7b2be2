"""Positions of all games that the tests of drawing share."""

import random
from functools import cache

from antipodes.games.registry import make_game

GAMES: dict[str, tuple[str, dict[str, object]]] = {
    "antipod": ("antipod", {}),
    "antipod-2": ("antipod", {"side": 2, "handicap": "none"}),
    "antipod-10": ("antipod", {"side": 10}),
    "antipalos": ("antipalos", {"size": 12}),
    "antipalos-four": ("antipalos", {"size": 12, "seats": "cutthroat4"}),
    "antipalos-20": ("antipalos", {"size": 20}),
    "antipalos-mail": ("antipalos", {"ruleset": "mail", "size": 8}),
    "antipalos-mail-26": ("antipalos", {"ruleset": "mail", "size": 26}),
    "antipode": ("antipode", {}),
    "hex": ("hex", {}),
    "hex-2": ("hex", {"size": 2}),
    "hex-26": ("hex", {"size": 26}),
    "cylinder": ("cylindrical-hex", {"rows": 5, "columns": 7}),
    "cylinder-3": ("cylindrical-hex", {"rows": 2, "columns": 3}),
}


@cache
def played(name, plies, seed=1):
    """Return a position after some random moves, and cell -> number of the move that filled it."""
    game_id, options = GAMES[name]
    position = make_game(game_id, options).initial()
    chance = random.Random(seed)
    numbers = {}
    # Antipalos ends with its limit of turns only, and listing its moves takes long.
    most = 80 if name.startswith("antipalos") else plies
    for ply in range(min(plies, most)):
        if position.outcome is not None:
            break
        position = position.play(chance.choice(list(position.legal_moves)))
        if position.last_cell is not None:
            numbers[position.last_cell] = ply + 1
    return position, numbers


def after(game_id, options, moves):
    """Return the position after moves given as text."""
    position = make_game(game_id, options).initial()
    for move in moves.split():
        position = position.play(position.parse_move(move))
    return position
