"""How a computer player chooses its move: what it notices, how long it searches, what it plays.

The site's engines, programs and the engine in a visitor's page call the same kernels, so that a
level plays everywhere alike, and a seed gives the same move.
"""

from __future__ import annotations

from typing import NamedTuple

from antipodes.games.kernels.bits import advance, below, copy
from antipodes.games.kernels.header import COLOR, WINNER
from antipodes.games.kernels.registry import F8, I8, Float, Int, Listing, Playing, kernel
from antipodes.search.kernels.nodes import Walk

# Numbers of a skill.
VISITS = 0  # limit of the search; 0 for none
HASTE = 1  # probability of a hasty move
GLANCE = 2  # visits of the search for a hasty move
SIGHT = 3  # probability of noticing a win at once
KNOWS = 4  # 1 if the search uses knowledge
SURE = 5  # 1 if a move that is known to win needs no search
SKILL = 6

# Numbers of a choice.
WINS = 0  # moves that win at once
HASTY = 1  # 1 if the move is searched briefly and without knowledge
GOAL = 2  # visits of the search
NUMBERS = 3

LEAST = 2  # visits of a search, since the first one may only expand the root

_FRACTIONS = 1 << 30  # random fractions


class Choice(NamedTuple):
    """A player's skill and random generator, the wins that it may overlook, and numbers."""

    skill: F8
    rng: I8
    wins: I8
    numbers: I8


@kernel()
def generator_state(seed: Int) -> Int:
    """Return the state of a random generator, never 0, that differs much between close seeds."""
    # The factor is 0x9E3779B97F4A7C15 as a signed number.
    mixed = (int(seed) * -7046029254386353131 + 0x5851F42D4C957F2D) & 0x7FFFFFFFFFFFFFFF
    return mixed if mixed != 0 else 1


@kernel()
def draw_fraction(rng: I8) -> Float:
    """Return a random fraction of at least 0 and less than 1."""
    return below(rng, _FRACTIONS) / _FRACTIONS


@kernel()
def draw_seed(rng: I8) -> Int:
    """Return a random seed of 48 bits."""
    return advance(rng) & 0xFFFFFFFFFFFF


@kernel()
def begin_choice(moves: Listing, play: Playing, walk: Walk, choice: Choice) -> Int:
    """Return the move that needs no search: the only one, or a win at once that is noticed.

    Otherwise return -1, and write what the search has to know.
    """
    numbers = choice.numbers
    numbers[WINS] = 0
    count = moves(walk.tables, walk.root, walk.work, walk.out)
    if count == 1:
        return walk.out[0]
    for i in range(count):
        copy(walk.root, walk.state)
        play(walk.tables, walk.state, walk.work, walk.out[i])
        if walk.state[WINNER] == 1 + walk.root[COLOR]:
            choice.wins[numbers[WINS]] = walk.out[i]
            numbers[WINS] += 1
    if numbers[WINS] > 0 and draw_fraction(choice.rng) < choice.skill[SIGHT]:
        return choice.wins[0]
    numbers[HASTY] = 1 if draw_fraction(choice.rng) < choice.skill[HASTE] else 0
    numbers[GOAL] = int(choice.skill[GLANCE if numbers[HASTY] == 1 else VISITS])
    return -1


@kernel()
def pick(ranked: I8, count: Int, choice: Choice) -> Int:
    """Return the best of some ranked moves; a win that was not noticed is not played by chance."""
    for i in range(count):
        noticed = 1
        for j in range(choice.numbers[WINS]):
            if choice.wins[j] == ranked[i]:
                noticed = 0
        if noticed == 1:
            return ranked[i]
    return ranked[0]
