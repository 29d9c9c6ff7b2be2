"""Perft with an estimate of its duration, so that no client waits for years."""

from __future__ import annotations

import random

from antipodes.core.numbers import read_number
from antipodes.engine.wire import GtpError
from antipodes.games.position import Position
from antipodes.notation.text import shorten

MAX_DEPTH = 99
# The native kernels count this many in seconds, or minutes at worst.
MAX_COUNT = 10**10
_PROBES = 16


def count_positions(position: Position, depth: int) -> int:
    """Return the number of lines of exactly ``depth`` plies.

    Each first move is counted separately, so that an interrupt is noticed between them.

    Raises:
        GtpError: there are more than ``MAX_COUNT`` by an estimate.
    """
    expected = estimate(position, depth)
    if expected > MAX_COUNT:
        message = (
            f"perft {depth} would count about {expected:.0e} positions; {MAX_COUNT:.0e} at most"
        )
        raise GtpError(message)
    if depth <= 1:
        return len(position.legal_moves) if depth else 1
    count = position.game.perft
    return sum(count(depth - 1, position.play(move)) for move in position.legal_moves)


def estimate(position: Position, depth: int) -> float:
    """Return an estimate of the number of lines of ``depth`` plies from a few random lines.

    The product of the numbers of moves along a random line has the right mean (Knuth, 1975). The
    lines are the same in each call.
    """
    chance = random.Random(0)
    return sum(_probe(position, depth, chance) for _ in range(_PROBES)) / _PROBES


def _probe(position: Position, depth: int, chance: random.Random) -> float:
    product = 1.0
    for ply in range(depth):
        moves = position.legal_moves.array().tolist()
        if not moves:
            return 0.0
        product *= len(moves)
        # The estimate exceeds the maximum already.
        if ply + 1 == depth or product > MAX_COUNT * _PROBES:
            break
        position = position.play(chance.choice(moves))
    return product


def read_depth(text: str) -> int:
    """Read a depth.

    Raises:
        GtpError: it is not a whole number, or more than ``MAX_DEPTH``.
    """
    depth = read_number(text, MAX_DEPTH)
    if depth is not None:
        return depth
    raise GtpError(f"the depth is {shorten(text)}, but must be 0..{MAX_DEPTH}")
