"""Forced wins in few turns: an exhaustive search of two-sided games whose wins at once are known.

The attacker wins within ``turns`` of its own turns if it has a move after which, whatever the
defender replies, it wins within one turn less. Nothing is pruned, so a negative answer is exact as
well; the test for wins at once makes the last two plies cheap, and the reply that refuted the last
attack is tried first.
"""

from __future__ import annotations

from typing import NamedTuple

from antipodes.games.kernels.antipalos import SIZE
from antipodes.games.kernels.antipode import PAWNS, TOKENS
from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import COLOR, PHASE, WINNER
from antipodes.games.kernels.registry import I8, I8_2, LISTING, Int, Listing, Playing, kernel
from antipodes.search.kernels.antipalos_threats import winning_move
from antipodes.search.kernels.antipode_wins import wins_at_once

# Columns of ``places``, which has a row for each level.
NEXT = 0  # index of the next move in the level's list
COUNT = 1  # moves in the list
KILLER = 2  # the last move that decided the level
PLACES = 3

UNDECIDED = -1


class Levels(NamedTuple):
    """The stack of the search, with a row for each level: position, list of moves, progress."""

    states: I8_2
    lists: I8_2
    places: I8_2


@kernel(LISTING)
def antipode_win(tables, state, work, scratch):
    """Return 1 if the mover of Antipode can join its corners at once, else 0."""
    color = state[COLOR]
    return wins_at_once(
        tables,
        state[TOKENS + color],
        state[TOKENS + 1 - color],
        state[PAWNS + color],
        state[PAWNS + 1 - color],
        scratch,
        0,
    )


@kernel(LISTING)
def antipalos_win(tables, state, work, scratch):
    """Return 1 if the mover of Antipalos can join its borders at once, else 0.

    ``scratch`` needs a number for each grid point and four for each square.
    """
    points = (tables[SIZE] + 1) * (tables[SIZE] + 1)
    squares = tables[SIZE] * tables[SIZE]
    reach = scratch[: points + 2 * squares]
    out = scratch[points + 2 * squares :]
    return 1 if winning_move(tables, state, work, state[PHASE], reach, out) >= 0 else 0


@kernel(LISTING)
def no_win(tables, state, work, scratch):
    """Return 0: wins at once are found by playing."""
    return 0


@kernel("i8(i8[::1], i8[:,::1], i8)")
def put_first(moves, places, level):
    """Move the level's killer to the front of its list if it is there."""
    for i in range(places[level, COUNT]):
        if moves[i] == places[level, KILLER]:
            moves[i] = moves[0]
            moves[0] = places[level, KILLER]
            return 0
    return 0


@kernel()
def attack_wins(
    moves: Listing,
    play: Playing,
    wins: Listing,
    tables: I8,
    levels: Levels,
    work: I8,
    scratch: I8,
    effort: I8,
    defending: Int,
    turns: Int,
) -> Int:
    """Return 1 if the attacker wins within so many own turns, 0 if not, or UNDECIDED.

    The position of level 0 is the root, at which the attacker moves, or with ``defending`` 1 the
    defender. ``effort[0]`` is the number of positions that may be visited, and counts down.
    Afterwards the killer of level 0 is the winning or refuting move at the root, unless a win at
    once decided.
    """
    states = levels.states
    lists = levels.lists
    places = levels.places
    attacker = states[0, COLOR]
    if defending == 1:
        attacker = 1 - attacker
    # One loop goes down and up the levels, since a kernel cannot call itself.
    level = 0
    entering = 1
    value = 0
    while True:
        attacking = 1 if (level + defending) % 2 == 0 else 0
        done = 0
        if entering == 1:
            effort[0] -= 1
            if effort[0] < 0:
                return UNDECIDED
            if states[level, WINNER] != 0:
                value = 1 if states[level, WINNER] == 1 + attacker else 0
                done = 1
            elif wins(tables, states[level], work, scratch) == 1:
                value = attacking
                done = 1
            # No turn of the attacker is left, or its last one, which the test before has just
            # answered.
            elif turns - level // 2 <= attacking:
                value = 0
                done = 1
            else:
                places[level, NEXT] = 0
                places[level, COUNT] = moves(tables, states[level], work, lists[level])
                put_first(lists[level], places, level)
        elif value == attacking:
            places[level, KILLER] = lists[level, places[level, NEXT] - 1]
            done = 1
        elif places[level, NEXT] == places[level, COUNT]:
            value = 1 - attacking
            done = 1
        if done == 1:
            if level == 0:
                return value
            level -= 1
            entering = 0
            continue
        move = lists[level, places[level, NEXT]]
        places[level, NEXT] += 1
        copy(states[level], states[level + 1])
        play(tables, states[level + 1], work, move)
        level += 1
        entering = 1


@kernel()
def refuting_move(
    moves: Listing,
    play: Playing,
    wins: Listing,
    tables: I8,
    root: I8,
    levels: Levels,
    work: I8,
    scratch: I8,
    effort: I8,
    turns: Int,
) -> Int:
    """Return a move at the root after which the other side cannot win within so many own turns.

    Return -1 if there is none, or the effort is spent, which then is negative.
    """
    states = levels.states
    places = levels.places
    copy(root, states[0])
    places[0, NEXT] = -1
    if attack_wins(moves, play, wins, tables, levels, work, scratch, effort, 1, turns) != 0:
        return -1
    if places[0, NEXT] >= 0:
        return places[0, KILLER]
    # Decided without a list of moves: by a win at once, or because no turn is left.
    first = levels.lists[0]
    for i in range(moves(tables, states[0], work, first)):
        copy(root, states[1])
        play(tables, states[1], work, first[i])
        if states[1, WINNER] == 1 + root[COLOR]:
            return first[i]
    return first[0]
