"""Option sets: every value of every option of every game, and some combinations."""

from typing import Any

from antipodes.errors import InvalidOptionsError
from antipodes.games.registry import game_class, game_ids, make_game
from tests.thorough import sample

Case = tuple[str, dict[str, Any]]

# Numbers of which not every value is a case of its own.
SPARSE = {
    ("antipalos", "phase_two_limit"): (0, 1, 2, 100, 10_000),
    ("antipod", "extra_stones"): (0, 1, 6, 13, 47),
}

# Options that a value needs where the defaults conflict with it.
TOGETHER: dict[tuple[str, str], dict[str, Any]] = {
    ("antipalos", "rods"): {"size": 20},
    ("antipalos", "swap"): {"ruleset": "mail", "size": 4},
    ("antipod", "extra_stones"): {"side": 10},
}

COMBINATIONS: list[Case] = [
    *(("antipalos", {"ruleset": "mail", "size": size}) for size in range(3, 27)),
    *(("antipalos", {"seats": s, "size": 12, "rods": 2}) for s in ("team", "cutthroat3")),
    ("antipalos", {"seats": "cutthroat4", "size": 12, "rods": 1, "phase_two_limit": 5}),
    ("antipalos", {"seats": "cutthroat4", "size": 20, "phase_two_limit": 3}),
    ("antipalos", {"size": 12, "rods": 1, "phase_two_limit": 0}),
    ("antipod", {"side": 2, "handicap": "none", "swap": "on"}),
    ("antipod", {"side": 4, "extra_stones": 4}),
    ("antipod", {"side": 3, "handicap": "two", "first": "black", "swap": "on"}),
    ("cylindrical-hex", {"rows": 2, "columns": 3}),
    ("cylindrical-hex", {"rows": 26, "columns": 26}),
    *(("hex", {"size": size, "swap": swap}) for size in (2, 3) for swap in ("sides", "off")),
    ("hex", {"size": 26, "swap": "sides"}),
]


def is_sparse(game_id, info):
    """Tell whether only some values of an option are cases of their own."""
    return (game_id, info.name) in SPARSE


def values_of(game_id, info):
    """Return the values of an option that are tried."""
    return SPARSE.get((game_id, info.name)) or info.values or range(info.low, info.high + 1)


def some_values_of(game_id, info):
    """Return a few of the values; of words all, and of numbers the ends of their range."""
    values = values_of(game_id, info)
    return values if info.values else sample(values, 3)


def every_value(values=values_of) -> list[Case]:
    """Return a case for each value of each option, those that the rules refuse left out."""
    cases: list[Case] = []
    for game_id in game_ids():
        cases.append((game_id, {}))
        for info in game_class(game_id).option_table():
            for value in values(game_id, info):
                options = {**TOGETHER.get((game_id, info.name), {}), info.name: value}
                if allowed(game_id, options):
                    cases.append((game_id, options))
    return cases


def allowed(game_id, options):
    """Tell whether the option set is one that the game accepts."""
    try:
        make_game(game_id, options)
    except InvalidOptionsError as error:
        # A value may go against another option, but never against its own bounds.
        if {fault.code for fault in error.faults} != {"option/conflict"}:
            raise
        return False
    return True


def every_case() -> list[Case]:
    """Return all cases, each once."""
    return unique([*every_value(), *COMBINATIONS])


def some_cases() -> list[Case]:
    """Return fewer cases in `make test`, and all in `make test-all`; each once."""
    return unique([*every_value(some_values_of), *sample(COMBINATIONS, 10)])


def unique(cases) -> list[Case]:
    """Return the first case of each game."""
    found: dict[object, Case] = {}
    for game_id, options in cases:
        found.setdefault(make_game(game_id, options), (game_id, options))
    return list(found.values())


def case_id(case):
    """Return a case as the name of a test."""
    game_id, options = case
    return "-".join([game_id, *(f"{name}={value}" for name, value in options.items())])
