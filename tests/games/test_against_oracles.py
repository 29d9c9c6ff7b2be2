"""Library and oracles, written separately, see the same in thousands of random games."""

import itertools
import random

import pytest

from tests.thorough import THOROUGH, repetitions

from .oracle_games import agree, play_both, random_game, random_setup

# Game, options, random games, random setups, share of positions whose legal moves are compared.
# `make test` plays every 20th of the games, and leaves out the slowest boards.
SLOW = ({"ruleset": "mail", "size": 25}, {"size": 26})
HANDICAPS = ("six", "two", "none")
CASES = [
    *(
        ("antipod", {"side": 2, "handicap": h, "first": f, "swap": s}, 40, 60, 1)
        for h, f, s in itertools.product(HANDICAPS, ("white", "black"), ("off", "on"))
    ),
    *(
        ("antipod", {"side": 3, "handicap": h, "first": f, "swap": s}, 15, 25, 1)
        for h, f, s in itertools.product(HANDICAPS, ("white", "black"), ("off", "on"))
    ),
    ("antipod", {"side": 4}, 15, 40, 0.3),
    ("antipod", {}, 3, 10, 0.1),
    *(
        ("antipod", {"side": 4, "handicap": h, "extra_stones": e}, 6, 6, 0.3)
        for h, e in (("six", 1), ("six", 5), ("six", 8), ("two", 3), ("two", 9))
    ),
    ("antipod", {"side": 10, "handicap": "none"}, 1, 4, 0.02),
    *(
        ("hex", {"size": size, "swap": swap}, 100, 100, 1)
        for size in (2, 3, 4, 5)
        for swap in ("pieces", "sides", "off")
    ),
    ("hex", {}, 5, 20, 0.2),
    ("hex", {"size": 26}, 1, 3, 0.02),
    *(
        ("cylindrical-hex", {"rows": rows, "columns": columns, "first": first}, 60, 100, 1)
        for rows, columns in ((2, 3), (3, 3), (2, 5), (4, 4), (5, 3))
        for first in ("black", "white")
    ),
    ("cylindrical-hex", {"rows": 8, "columns": 9}, 10, 40, 0.2),
    ("cylindrical-hex", {"rows": 26, "columns": 3}, 4, 10, 0.2),
    ("cylindrical-hex", {"rows": 3, "columns": 26}, 4, 10, 0.2),
    ("antipode", {}, 80, 60, 1),
    ("antipode", {"full_board": "loss"}, 30, 60, 1),
    *(("antipalos", {"ruleset": "mail", "size": size}, 100, 150, 1) for size in (3, 4, 5)),
    ("antipalos", {"ruleset": "mail", "size": 4, "swap": "off"}, 50, 50, 1),
    ("antipalos", {"ruleset": "mail", "size": 10}, 5, 40, 0.2),
    ("antipalos", {"ruleset": "mail", "size": 25}, 1, 4, 0.02),
    ("antipalos", {"size": 12, "rods": 1, "phase_two_limit": 12}, 20, 0, 0.3),
    ("antipalos", {"size": 12, "rods": 2, "phase_two_limit": 6}, 20, 30, 0.3),
    ("antipalos", {"size": 12, "rods": 2, "seats": "team", "phase_two_limit": 3}, 20, 0, 0.3),
    *(
        ("antipalos", {"size": 12, "seats": seats, "phase_two_limit": 3}, 4, 40, 0.1)
        for seats in ("two", "cutthroat3", "cutthroat4")
    ),
    ("antipalos", {"size": 16, "phase_two_limit": 5}, 2, 20, 0.05),
    ("antipalos", {"size": 20, "phase_two_limit": 2}, 1, 10, 0.05),
]


TRIED = [case for case in CASES if THOROUGH or case[1] not in SLOW]
# The oracle looks at the whole board at every ply; setups of this one are quick.
LONG = {"side": 10, "handicap": "none"}


def some(count):
    return range(0, count, repetitions(20, 1))


def case_id(case):
    return "-".join([case[0], *(f"{name}={value}" for name, value in case[1].items())])


def test_there_are_thousands_of_games():
    assert sum(case[2] for case in CASES) > 3_000
    assert sum(case[3] for case in CASES) > 4_000


@pytest.mark.parametrize(
    "case", [case for case in TRIED if THOROUGH or case[1] != LONG], ids=case_id
)
def test_random_games_agree(case):
    game_id, options, games, _, share = case
    for seed in some(games):
        random_game(game_id, options, seed, share)


@pytest.mark.parametrize("case", [case for case in TRIED if case[3]], ids=case_id)
def test_random_setups_agree(case):
    game_id, options, _, setups, _ = case
    won = 0
    for seed in some(setups):
        position, oracle = random_setup(game_id, options, seed)
        if position is not None:
            agree(position, oracle, f"{case_id(case)} setup {seed}")
            won += position.outcome is not None
    too_few = options.get("rods", 99) < options.get("size", 0)
    assert won or too_few or not THOROUGH, "some setups are ends of games"


@pytest.mark.parametrize("case", [case for case in TRIED if case[2] >= 40], ids=case_id)
def test_random_games_from_setups_agree(case):
    game_id, options, *_ = case
    for seed in some(10):
        position, oracle = random_setup(game_id, options, 1000 + seed)
        if position is not None:
            play_both(position, oracle, random.Random(seed), f"{case_id(case)} setup {seed}", 0.3)
