"""Evaluation of positions of Antipalos and of all their moves by circuits.

A colour's *standing* is the logarithm of its current over all lanes; the differences of standings
give the win probabilities. The currents after a placement are exact, since each lane changes in one
place. The score of a move of Phase Two is the gain of the placed rod less the cost of the removed
one.
"""

from __future__ import annotations

from typing import NamedTuple

from antipodes.games.kernels.antipalos import COLORS, MAIL, SIZE
from antipodes.games.kernels.header import COLOR, HEADER
from antipodes.games.kernels.registry import F8, F8_2, I8, Float, Int, kernel
from antipodes.search.kernels.antipalos_circuit import (
    ACROSS,
    WIRE,
    Circuits,
    Scratch,
    changed,
    measure,
)
from antipodes.search.kernels.antipalos_threats import next_color
from antipodes.search.kernels.banded import LANES
from antipodes.search.kernels.exponentials import exp, log

# Parameters in ``tuning``, found by experiment.
STEEPNESS = 0  # log odds for a difference of standings
TEMPO = 1  # log odds for the right to move
SHARPNESS = 2  # factor from scores to log priors
EXPLORATION = 3  # factor of the exploration term
PAIRED = 4  # what free diagonals conduct that join the same chains in two squares; others 1
NOISE = 5  # share by which the prior of a move may grow at random
TUNING = 6

# Columns of ``scores``, a row for each square.
TAKEN = 2  # cost of removing the own rod, in log odds; 0 and 1 are for placed rods
SCORES = 3


@kernel("i8(i8[::1], i8, i8)")
def counts(tables, color, lane):
    """Return 1 if a lane can win for a colour."""
    return 1 if tables[MAIL] == 0 or lane // ACROSS == color else 0


@kernel("f8(f8)")
def standing(squared):
    """Return a standing from the sum of the squares of its lanes' currents."""
    return 0.5 * log(squared + 1e-12)


@kernel()
def evaluate_position(
    tables: I8, state: I8, tuning: F8, scratch: Scratch, circuits: Circuits
) -> Int:
    """Measure the circuits of all colours and write their standings."""
    currents = circuits.currents
    for color in range(tables[COLORS]):
        measure(tables, state, color, tuning[PAIRED], scratch, circuits)
        squared = 0.0
        for lane in range(LANES):
            if counts(tables, color, lane) == 1:
                squared += currents[color, lane] * currents[color, lane]
        circuits.standings[color] = standing(squared)
    return 0


@kernel(inline=True)
def standing_after(
    tables: I8, color: Int, row: Int, lattice: Int, to: Float, other: Float, circuits: Circuits
) -> Float:
    """Return a colour's standing when the two diagonals of a square conduct differently.

    That of one lattice conducts ``to`` then, and that of the other lattice ``other``.
    """
    squared = 0.0
    for lane in range(LANES):
        if counts(tables, color, lane) == 1:
            by = (to if lane % ACROSS == lattice else other) - circuits.conductances[row, lane]
            drop = circuits.drops[row, lane]
            new = changed(circuits.currents[color, lane], drop, circuits.ties[row, lane], by)
            squared += new * new
    return standing(squared)


@kernel(inline=True)
def odds(
    tables: I8, state: I8, square: Int, mine: Float, free: Float, tuning: F8, circuits: Circuits
) -> Float:
    """Return the log odds of the colour to move after its turn, with ``mine`` as its standing.

    For the others both diagonals of the square conduct ``free`` then; if that is negative, nothing
    changes for them.
    """
    squares = tables[SIZE] * tables[SIZE]
    me = state[COLOR]
    following = next_color(tables, state)
    rivals = 0.0
    for color in range(tables[COLORS]):
        if color != me:
            theirs = circuits.standings[color]
            if free >= 0.0:
                row = color * squares + square
                theirs = standing_after(tables, color, row, 0, free, free, circuits)
            lead = tuning[STEEPNESS] * theirs + (tuning[TEMPO] if color == following else 0.0)
            if tables[COLORS] == 2:  # the sum over one rival: no exponential and no logarithm
                return tuning[STEEPNESS] * mine - lead
            rivals += exp(max(lead, -300.0))
    return tuning[STEEPNESS] * mine - log(rivals)


@kernel()
def score_squares(tables: I8, state: I8, tuning: F8, circuits: Circuits, scores: F8_2) -> Int:
    """Write the log odds of the colour to move after placing each rod: see ``SCORES``.

    On a square with an own rod one column is for turning it.
    """
    size = tables[SIZE]
    squares = size * size
    me = state[COLOR]
    steep = tuning[STEEPNESS]
    standing_now = circuits.standings[me]
    still = odds(tables, state, 0, standing_now, -1.0, tuning, circuits)
    for square in range(squares):
        rod = state[HEADER + square]
        row = me * squares + square
        corner = (square % size + square // size) & 1
        if rod == 0:
            # The other colours lose both diagonals of the square.
            without = odds(tables, state, square, 0.0, 0.0, tuning, circuits)
            for diagonal in range(2):
                lattice = corner ^ diagonal
                mine = standing_after(tables, me, row, lattice, WIRE, 0.0, circuits)
                scores[square, diagonal] = steep * mine + without
            scores[square, TAKEN] = 0.0
        elif (rod - 1) // 2 == me:
            diagonal = (rod - 1) & 1
            lattice = corner ^ diagonal
            mine = standing_after(tables, me, row, lattice, 0.0, WIRE, circuits)
            scores[square, diagonal] = still
            scores[square, 1 - diagonal] = still + steep * (mine - standing_now)
            # The removed rod leaves both diagonals free for every colour.
            mine = standing_after(tables, me, row, lattice, 1.0, 1.0, circuits)
            left = odds(tables, state, square, mine, 1.0, tuning, circuits)
            scores[square, TAKEN] = still - left
    return 0


@kernel()
def write_win_chances(
    tables: I8,
    state: I8,
    tuning: F8,
    scratch: Scratch,
    circuits: Circuits,
    scores: F8_2,
    chances: F8,
) -> Int:
    """Write the win probability of the colour to move with its best rod on each square.

    The tempo is not counted.
    """
    tempo = tuning[TEMPO]
    tuning[TEMPO] = 0.0
    evaluate_position(tables, state, tuning, scratch, circuits)
    score_squares(tables, state, tuning, circuits, scores)
    tuning[TEMPO] = tempo
    for square in range(len(chances)):
        best = max(scores[square, 0], scores[square, 1])
        chances[square] = 1.0 / (1.0 + exp(-min(max(best, -40.0), 40.0)))
    return 0


class Lists(NamedTuple):
    """The moves of a position with their log odds, the best first, and their priors.

    ``targets`` and ``rod_scores`` are scratch for placements and rods.
    """

    moves: I8
    odds: F8
    priors: F8
    targets: I8
    rod_scores: F8


@kernel("i8(i8, f8, i8[::1], f8[::1], i8, i8)")
def keep(move, score, moves, priors, count, room):
    """Insert a move into a list of at most ``room`` moves, the best first; return its length."""
    if count == room:
        if priors[count - 1] >= score:
            return count
        count -= 1
    place = count
    while place > 0 and priors[place - 1] < score:
        moves[place] = moves[place - 1]
        priors[place] = priors[place - 1]
        place -= 1
    moves[place] = move
    priors[place] = score
    return count + 1


@kernel("i8(i8[::1], i8[::1], f8[:,::1], i8, i8, i8[::1], f8[::1])")
def list_placements(tables, state, scores, only, room, moves, priors):
    """List the best placements, on square ``only`` if that is not negative; return their number."""
    count = 0
    for square in range(tables[SIZE] * tables[SIZE]):
        if state[HEADER + square] == 0 and (only < 0 or square == only):
            for diagonal in range(2):
                score = scores[square, diagonal]
                count = keep(2 * square + diagonal, score, moves, priors, count, room)
    return count


@kernel()
def list_repositions(
    tables: I8, state: I8, scores: F8_2, only: Int, rods: Int, room: Int, lists: Lists
) -> Int:
    """List the best moves of Phase Two, those of the ``rods`` rods with the least cost."""
    targets = lists.targets
    rod_scores = lists.rod_scores
    squares = tables[SIZE] * tables[SIZE]
    half = len(targets) // 2
    placements = list_placements(tables, state, scores, only, half, targets, rod_scores)
    end = half
    count = 0
    for origin in range(squares):
        rod = state[HEADER + origin]
        if rod == 0 or (rod - 1) // 2 != state[COLOR]:
            continue
        cost = scores[origin, TAKEN]
        place = end
        while place > half and rod_scores[place - 1] > cost:
            targets[place] = targets[place - 1]
            rod_scores[place] = rod_scores[place - 1]
            place -= 1
        targets[place] = origin
        rod_scores[place] = cost
        end += 1
        if only < 0:
            turned = 2 * origin + 1 - ((rod - 1) & 1)
            score = scores[origin, turned & 1]
            move = 2 * squares * (1 + origin) + turned
            count = keep(move, score, lists.moves, lists.odds, count, room)
    for i in range(half, min(end, half + rods)):
        for j in range(placements):
            move = 2 * squares * (1 + targets[i]) + targets[j]
            score = rod_scores[j] - rod_scores[i]
            count = keep(move, score, lists.moves, lists.odds, count, room)
    return count
