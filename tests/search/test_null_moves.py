"""The null move of kernels, by which pages search for threats."""

import random
from importlib import import_module

import pytest

from antipodes.games.registry import make_game
from antipodes.search.threats import null_move


@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("hex", {"size": 5}),
        ("antipod", {"side": 4}),
        ("cylindrical-hex", {"rows": 4, "columns": 6}),
        ("antipode", {}),
        ("antipalos", {"size": 12}),
        ("antipalos", {"size": 12, "rods": 3, "seats": "team"}),
        ("antipalos", {"size": 12, "seats": "cutthroat3"}),
        ("antipalos", {"ruleset": "mail", "size": 4}),
    ],
    ids=str,
)
def test_the_kernel_passes_the_turn_like_a_setup(game_id, options):
    game = make_game(game_id, options)
    kernel = vars(import_module(f"antipodes.games.kernels.{game.family}"))["null_move"]
    chance, position = random.Random(4), game.initial()
    for _ in range(60):
        passed = null_move(position)
        state = position.searchable_state(1)
        assert kernel(game.tables, state, game.work()) == (passed is not None)
        if passed is not None:
            after = type(position)(game, state)
            assert list(after.legal_moves) == list(passed.legal_moves)
            facts = ("to_move", "seat_to_move", "ply", "phase", "outcome")
            assert [getattr(after, fact) for fact in facts] == [
                getattr(passed, fact) for fact in facts
            ]
        position = position.play(chance.choice(list(position.legal_moves)))
        if position.outcome is not None:
            position = game.initial()
