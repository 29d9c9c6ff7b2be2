"""The advantage of a colour in rating points, as far as games between equal players show it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from antipodes.core import Color
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.lab.measured_balance import measured_balance
from antipodes.lab.tasks import options_text

# Levels about as strong as people who know the game.
_JUDGES = frozenset({"computer:3", "computer:5"})
_FEWEST = 30  # games of a level that counts
_FAVOURED = 0.55  # least share


def seat_advantages(game: Game) -> tuple[float, ...]:
    """Return the advantage of each colour in rating points, in turn order; their sum is 0.

    The difference of two colours is what the one is worth against the other. All are 0 without
    measurements, and with a swap, where the players share out the chances themselves.
    """
    known = _measured().get((game.id, options_text(game)))
    return known or (0.0,) * len(game.colors)


def favourite(game: Game) -> tuple[Color, float] | None:
    """Return the colour that is favoured, and its share against one with no more than the others.

    There is none if the share is below 55 %.
    """
    advantages = seat_advantages(game)
    best = max(advantages)
    share = 1.0 / (1.0 + 10.0 ** ((min(advantages) - best) / 400.0))
    return None if share < _FAVOURED else (game.colors[advantages.index(best)], share)


@cache  # it has no arguments
def _measured() -> Mapping[tuple[str, str], tuple[float, ...]]:
    """Return the advantages in all settings that have any."""
    settings: dict[tuple[str, str], tuple[Game, list[Mapping[str, Any]]]] = {}
    for item in measured_balance()["balance"]:
        has_swap = item["options"].get("swap", "off") != "off"
        if item["player"] in _JUDGES and item["games"] >= _FEWEST and not has_swap:
            game = make_game(item["game"], item["options"])
            key = (game.id, options_text(game))
            settings.setdefault(key, (game, []))[1].append(item["shares"])
    advantages = {key: _advantages(game, shares) for key, (game, shares) in settings.items()}
    return MappingProxyType({key: some for key, some in advantages.items() if any(some)})


def _advantages(game: Game, levels: list[Mapping[str, Any]]) -> tuple[float, ...]:
    even = 1.0 / len(game.colors)
    logarithms = [
        math.log10(_certain_share([one[color.value] for one in levels], even))
        for color in game.colors
    ]
    mean = math.fsum(logarithms) / len(logarithms)
    return tuple(round(400.0 * (one - mean), 1) for one in logarithms)


def _certain_share(levels: list[Mapping[str, float]], even: float) -> float:
    """Return the share nearest to even that the intervals of all levels allow.

    So few games, and levels that contradict each other, show no advantage.
    """
    low = max(even, min(one["low"] for one in levels))
    return low if low > even else min(even, max(one["high"] for one in levels))
