"""Wins at once and threats are seen exactly: held against playing all moves."""

import random

import numpy as np
import pytest

from antipodes.errors import InvalidPositionError
from antipodes.games.kernels import edition
from antipodes.games.kernels.antipalos import SIZE
from antipodes.search.kernels import antipalos_threats as threats
from tests.search.antipalos.positions import (
    composed,
    straight_chain,
    wins_at_once,
    wins_of_the_other,
)
from tests.thorough import repetitions


def seen(position):
    """Return what the kernel sees in a position."""
    game = position.game
    size = int(game.tables[SIZE])
    tactics = np.zeros(threats.TACTICS, np.int64)
    edition(threats, "find_tactics")(
        game.tables,
        position.kernel_state.copy(),
        game.work(),
        np.zeros(3 * (size + 1) ** 2, np.int64),
        np.zeros(2 * size * size, np.int64),
        tactics,
    )
    return tactics


def a_chain(rng, upright):
    """Return the rods of a random chain between two borders, as (column, row, diagonal)."""
    rods: list[tuple[int, int, str]] = []
    at = rng.randrange(3, 9)
    for i in range(12):
        more = at == 0 or (at < 12 and rng.random() < 0.5)
        beside = at if more else at - 1
        x, y = (beside, i) if upright else (i, beside)
        rods.append((x, y, "/" if more else "\\"))
        at += 1 if more else -1
    return rods


def nearly_won(seed, phase):
    """Return a position where chains of both colours lack a rod or two, or ``None``."""
    rng = random.Random(seed)
    rods: dict[tuple[int, int], tuple[str, str]] = {}
    for color, upright in (("white", True), ("black", False)):
        chain = a_chain(rng, upright)
        for _ in range(rng.choice((1, 2, 2) if upright else (1, 1, 2))):
            # At the end of a chain there are two ways to the border.
            chain.pop(rng.choice((0, rng.randrange(len(chain)))))
        for x, y, diagonal in [*chain, *(a_chain(rng, upright)[:2] if phase == 2 else [])]:
            rods.setdefault((x, y), (color, diagonal))
    stones: dict[str, list[str]] = {"white": [], "black": []}
    for (x, y), (color, diagonal) in rods.items():
        name = f"{'ABCDEFGHIJKL'[x]}{y + 1}"
        stones[color].append(f"{name}*" if diagonal == "/" else f"*{name}")
    try:
        left = 0 if phase == 2 else 4
        return composed(" ".join(stones["white"]), " ".join(stones["black"]), left=left)
    except InvalidPositionError:  # both have won
        return None


@pytest.mark.parametrize("phase", [1, 2])
def test_wins_and_threats_are_seen_exactly(phase):
    counts = {0: 0, 1: 0, 2: 0, "win": 0}
    for seed in range(repetitions(25, 50) if phase == 1 else repetitions(15, 30)):
        position = nearly_won(seed, phase)
        if position is None or position.outcome is not None:
            continue
        tactics = seen(position)
        wins = wins_at_once(position)
        assert (tactics[threats.WIN] >= 0) == bool(wins)
        if wins:
            counts["win"] += 1
            assert tactics[threats.WIN] in wins
            continue
        placements = position.game.placements
        targets = {move % placements // 2 for move in wins_of_the_other(position)}
        turns = any(square in position.rods() for square in targets)
        expected = 2 if turns else min(len(targets), 2)
        assert tactics[threats.THREATS] == expected
        if expected == 1:
            assert targets == {tactics[threats.BLOCK]}
        counts[expected] += 1
    assert all(counts.values()), counts


def test_a_chain_of_which_no_rod_can_be_spared_wins_nothing():
    position = composed(straight_chain(*range(2, 13)), "*H4 H6* *I7", left=0)
    assert not wins_at_once(position)
    assert seen(position)[threats.WIN] < 0
