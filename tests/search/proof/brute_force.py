"""Who wins a small position, by trying everything with the rules' own kernels."""

import random

from antipodes.games.kernels import header, rules_of
from antipodes.games.placement import PlacementGame
from antipodes.games.registry import make_game

BOARDS = [
    ("hex", {"size": 4, "swap": "off"}, 9),
    ("antipod", {"side": 2, "handicap": "none"}, 8),
    ("antipod", {"side": 3}, 9),
    ("antipod", {"side": 3, "handicap": "two"}, 10),
    ("cylindrical-hex", {"rows": 3, "columns": 4}, 9),
    ("cylindrical-hex", {"rows": 4, "columns": 3}, 9),
    ("hex", {"size": 5, "swap": "off"}, 10),
]


def game_of(game_id, options):
    """Return a placement game."""
    game = make_game(game_id, options)
    assert isinstance(game, PlacementGame)
    return game


def winner_of(game, state, known):
    """Return 1 if Black wins a state with best play, 2 if White does; ``known`` is a cache."""
    if state[header.WINNER]:
        return int(state[header.WINNER])
    owners = state[header.HEADER : header.HEADER + game.topology.cell_count]
    mover = int(state[header.COLOR]) + 1
    key = owners.tobytes(), mover
    if key not in known:
        known[key] = 3 - mover
        for cell, owner in enumerate(owners.tolist()):
            if not owner and winner_of(game, after(game, state, cell), known) == mover:
                known[key] = mover
                break
    return known[key]


def after(game, state, move):
    child = state.copy()
    rules_of(game.family).play(game.tables, child, game.work(), move)
    return child


def endings(game, empty, count, seed=1):
    """Yield states with about so many empty cells, either side to move, from random games."""
    lots = random.Random(seed)
    for _ in range(count):
        position = game.initial()
        while position.outcome is None and len(position.legal_moves) > empty:
            position = position.play(lots.choice(position.legal_moves))
        if position.outcome is None:
            for color in (0, 1):
                state = position.kernel_state.copy()
                state[header.COLOR] = color
                yield state
