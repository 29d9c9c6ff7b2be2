"""Equal positions behave alike, and keys tell positions apart."""

import random
from typing import Any

import pytest

from antipodes.games.registry import make_game
from tests.thorough import repetitions

CASES: list[tuple[str, dict[str, Any]]] = [
    ("antipod", {"side": 3, "handicap": "two"}),
    ("antipod", {"side": 3, "swap": "on"}),
    ("hex", {"size": 3, "swap": "off"}),
    ("hex", {"size": 3}),
    ("hex", {"size": 3, "swap": "sides"}),
    ("cylindrical-hex", {"rows": 3, "columns": 3}),
    ("antipode", {}),
    ("antipalos", {"ruleset": "mail", "size": 3}),
    ("antipalos", {"size": 12, "rods": 1, "phase_two_limit": 4}),
    ("antipalos", {"size": 12, "rods": 2, "seats": "team", "phase_two_limit": 4}),
]
every_game = pytest.mark.parametrize("game", [make_game(*case) for case in CASES], ids=repr)


def wander(game, seed, count):
    """Return the positions of random games."""
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        position = game.initial()
        found.append(position)
        while position.outcome is None:
            legal = position.legal_moves.array()
            position = position.play(int(legal[rng.randrange(len(legal))]))
            found.append(position)
    return found


@every_game
def test_equal_positions_have_equal_outcomes_turns_moves_and_keys(game):
    known: dict[Any, Any] = {}
    meetings = 0
    for position in wander(game, 1, repetitions(400, 3_000)):
        other = known.setdefault(position, position)
        meetings += other is not position
        assert other == position
        assert (other.key, other.outcome) == (position.key, position.outcome)
        assert (other.to_move, other.seat_to_move) == (position.to_move, position.seat_to_move)
        assert list(other.legal_moves) == list(position.legal_moves)
        assert other.to_setup().stones == position.to_setup().stones
    assert meetings


@every_game
def test_different_positions_have_different_keys(game):
    """But for seats, which a key does not tell apart, and what ended a game."""
    by_key: dict[int, Any] = {}
    for position in wander(game, 2, repetitions(400, 3_000)):
        seen = (position.to_setup().stones, position.to_setup().pawns, position.to_move)
        assert by_key.setdefault(position.key, seen) == seen


@every_game
def test_positions_of_other_options_are_never_equal(game):
    for case in CASES:
        other = make_game(*case)
        assert (other.initial() == game.initial()) == (other == game)


@every_game
def test_transposed_moves_lead_to_equal_positions(game):
    """Two placements of each side in another order give the same position."""
    if game.id == "antipode":
        pytest.skip("in Antipode the order of turns matters")
    rng = random.Random(3)
    found = 0
    for _ in range(repetitions(25, 200)):
        position = game.initial()
        line: list[int] = []
        while position.outcome is None and len(line) < 5:
            legal = [m for m in position.legal_moves if position.format_move(m) != "swap"]
            line.append(rng.choice(legal))
            position = position.play(line[-1])
        if position.outcome is not None or len(line) < 5:
            continue
        other = game.initial()
        for index in (0, 3, 2, 1, 4):
            if line[index] not in other.legal_moves:
                break
            other = other.play(line[index])
        else:
            found += 1
            assert other == position
            assert other.key == position.key
    assert found or game.max_plies < 10 or game.options.as_dict().get("rods") in (1, 2)
