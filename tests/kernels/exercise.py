"""A program for subprocesses: run every kernel of every game and print the edition in use.

Its arguments are the number of games, and perhaps another build of the native edition. Without
games a kernel writes beyond its array.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import numpy as np

from antipodes.games.conformance import check_game
from antipodes.games.kernels import native, rules_of
from antipodes.games.registry import make_game
from antipodes.search.interface import Limits
from antipodes.search.proof.knowledge import solver_knowledge
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
    knowledge = solver_knowledge(position, effort=0)
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


def write_too_far():
    """Give a kernel too short an array."""
    game = make_game("hex", {"size": 4})
    state, out = game.initial().kernel_state, np.zeros(3, np.int64)
    rules_of(game.family).moves(game.tables, state, game.work(), out)


def use(path):
    """Use another build of the native edition."""
    spec: Any = spec_from_file_location("_kernels", path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules["antipodes._kernels"] = module


def main(games, path=None):
    """Play ``games`` games of each kind through the test kit, and search."""
    if path is not None:
        use(path)
    if int(games) == 0:
        write_too_far()
        return
    for game_id, options in GAMES:
        game = make_game(game_id, options)
        check_game(game, games=int(games), positions=repetitions(1, 4), moves=20, plies=300)
        assert game.perft(2) > 0 or game.initial().outcome is not None
        search(game)
    print("native" if native.enabled() else "plain")


if __name__ == "__main__":
    main(*sys.argv[1:])
