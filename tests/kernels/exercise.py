"""A program for subprocesses: run every kernel of every game and say what was compiled.

It prints one JSON object: whether kernels were compiled at all, how many were loaded from the cache
and the names of those that had to be compiled.
"""

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from antipodes.games.conformance import check_game
from antipodes.games.kernels import compiled_rules, jit, warm_up
from antipodes.games.kernels.registry import KERNELS
from antipodes.games.registry import make_game
from antipodes.search.connection import connection_knowledge
from antipodes.search.interface import Limits
from antipodes.search.tree import TreeSearch
from tests.thorough import repetitions

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("antipod", {"side": 2, "handicap": "none", "swap": "on"}),
    ("antipod", {"side": 4, "swap": "on"}),
    ("hex", {"size": 4}),
    ("hex", {"size": 3, "swap": "sides"}),
    ("cylindrical-hex", {"rows": 4, "columns": 3}),
    ("cylindrical-hex", {"rows": 2, "columns": 6, "first": "white"}),
    ("antipode", {}),
    ("antipode", {"full_board": "loss"}),
    ("antipalos", {"size": 12, "rods": 2, "phase_two_limit": 4}),
    ("antipalos", {"size": 12, "seats": "team", "phase_two_limit": 3}),
    ("antipalos", {"size": 12, "seats": "cutthroat4", "rods": 3, "phase_two_limit": 3}),
    ("antipalos", {"ruleset": "mail", "size": 4}),
]


def search(game):
    """Let the computer think a little at the start and late in a game."""
    position = game.initial()
    knowledge = connection_knowledge(position)
    while position.outcome is None:
        if knowledge is not None:
            knowledge.query(position.state)
        tree = TreeSearch(position, seed=1)
        tree.run(Limits(visits=repetitions(10, 50)))
        move = tree.candidates()[0].move
        for _ in range(max(1, game.max_plies // 4)):
            if position.outcome is None:
                legal = position.legal_moves.array()
                position = position.play(move if move in position.legal_moves else int(legal[-1]))


def bounds_hold():
    """Tell whether a kernel that is given too short an array raises instead of writing on."""
    if jit.enabled() and os.environ.get("NUMBA_BOUNDSCHECK") != "1":
        return False  # do not try
    game = make_game("hex", {"size": 4})
    out = np.zeros(3, np.int64)
    try:
        compiled_rules(game.family).moves(
            game.tables, game.initial().kernel_state, game.work(), out
        )
    except IndexError:
        return True
    return False


def main(games):
    """Play ``games`` games of each kind through the test kit, and search."""
    warm_up()
    for game_id, options in GAMES:
        game = make_game(game_id, options)
        check_game(game, games=games, positions=repetitions(1, 4), moves=20, plies=300)
        assert game.perft(2) > 0 or game.initial().outcome is not None
        search(game)
    loaded = 0
    compiled: list[str] = []
    if jit.enabled():
        for module in KERNELS:
            functions: Mapping[str, Any] = jit.compiled(module)
            for name, function in functions.items():
                loaded += sum(function.stats.cache_hits.values())
                if function.stats.cache_misses:
                    compiled.append(f"{module}.{name}")
    said = {"jit": jit.enabled(), "loaded": loaded, "compiled": compiled, "bounds": bounds_hold()}
    print(json.dumps(said))


if __name__ == "__main__":
    main(int(sys.argv[1]))
