"""Tactics of Antipalos within two turns: wins at once, and threats that must be answered.

All results are exact. A colour threatens to win with a placement when the chains at its two ends
and the borders there reach two opposite borders together. In Phase Two there must also be a rod to
spare; and a rod that turns within its square cannot be stopped by occupying a square.
"""

from __future__ import annotations

from antipodes.games.kernels.antipalos import (
    BOTTOM,
    COLORS,
    KEYS,
    LEFT,
    LIMIT,
    MAIL,
    RIGHT,
    SEATS,
    SIZE,
    TOP,
    borders_at,
    rod_key,
    touched,
    wins,
)
from antipodes.games.kernels.header import (
    COLOR,
    HEADER,
    HISTORY,
    KEY,
    PHASE,
    PHASE_PLIES,
    SEAT,
    SWAPPED,
)
from antipodes.games.kernels.registry import kernel

# Results of ``find_tactics``.
WIN = 0  # a move that wins at once for the colour to move, or -1
THREATS = 1  # squares where the next colour would win: 0, 1, or 2 for more or one out of reach
BLOCK = 2  # the square of the only threat
ESCAPE = 3  # under threat: a move that draws by repetition or by the limit of turns, or -1
TACTICS = 4

_BORDERS = BOTTOM | TOP | LEFT | RIGHT


@kernel("i8(i8[::1], i8[::1])")
def next_color(tables, state):
    """Return the colour that moves after the one to move."""
    seat = (state[SEAT] + 1) % tables[SEATS]
    return (seat + state[SWAPPED]) % tables[COLORS]


@kernel("i8(i8[::1], i8[::1], i8)")
def is_moving(tables, state, color):
    """Return 1 if a colour's next turn moves a rod, 0 if it places one."""
    if tables[MAIL] == 1 or state[PHASE] == 1:
        return state[PHASE]
    return 1 if state[HEADER + tables[SIZE] * tables[SIZE] + color] == 0 else 0


@kernel("i8(i8[::1], i8[::1], i8, i8[::1])")
def reach_borders(tables, state, color, reach):
    """Write for each grid point which borders a colour's chain through it touches, as bits."""
    size = tables[SIZE]
    points = size + 1
    for y in range(points):
        for x in range(points):
            reach[y * points + x] = borders_at(size, x, y) & _BORDERS
    rods = points * points  # a list of their lower ends and of the ways to their upper ones
    end = rods
    for square in range(size * size):
        diagonal = state[HEADER + square] - 1 - 2 * color
        if 0 <= diagonal <= 1:
            reach[end] = square // size * points + square % size + diagonal
            reach[end + 1] = points + 1 - 2 * diagonal
            end += 2
    changed = 1
    while changed != 0:
        changed = 0
        for rod in range(rods, end, 2):
            low = reach[rod]
            high = low + reach[rod + 1]
            if reach[low] != reach[high]:
                reach[low] |= reach[high]
                reach[high] = reach[low]
                changed = 1
    return 0


@kernel("i8(i8[::1], i8[::1], i8, i8, i8[::1], i8[::1])")
def joining_placements(tables, state, color, moving, reach, out):
    """Write the placements that would join opposite borders; return their number.

    With ``moving`` also those that turn an own rod, and without asking which rod to move.
    """
    size = tables[SIZE]
    points = size + 1
    reach_borders(tables, state, color, reach)
    count = 0
    for square in range(size * size):
        rod = state[HEADER + square]
        for diagonal in range(2):
            turns = moving == 1 and rod == 2 + 2 * color - diagonal
            if rod == 0 or turns:
                low = square // size * points + square % size + diagonal
                bits = reach[low] | reach[low + points + 1 - 2 * diagonal]
                if wins(tables, color, bits) == 1:
                    out[count] = 2 * square + diagonal
                    count += 1
    return count


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8)")
def spare_rod(tables, state, work, color, placement):
    """Return the square of a rod that wins when it moves to a placement, or -1."""
    size = tables[SIZE]
    target = placement // 2
    turned = state[HEADER + target]
    square_of_spare = -1
    for square in range(size * size):
        rod = state[HEADER + square]
        if rod == 0 or (rod - 1) // 2 != color or (turned != 0 and square != target):
            continue
        state[HEADER + square] = 0
        state[HEADER + target] = 1 + 2 * color + (placement & 1)
        won = wins(tables, color, touched(tables, state, work, target))
        state[HEADER + target] = turned
        state[HEADER + square] = rod
        if won == 1:
            square_of_spare = square
            break
    return square_of_spare


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8[::1], i8[::1])")
def winning_move(tables, state, work, moving, reach, out):
    """Return a move that wins at once for the colour to move, or -1."""
    color = state[COLOR]
    count = joining_placements(tables, state, color, moving, reach, out)
    if moving == 0:
        return out[0] if count > 0 else -1
    for i in range(count):
        origin = spare_rod(tables, state, work, color, out[i])
        if origin >= 0:
            return 2 * tables[SIZE] * tables[SIZE] * (1 + origin) + out[i]
    return -1


@kernel("i8(i8[::1], i8[::1])")
def repeating_move(tables, state):
    """Return a move of Phase Two that ends the game as a draw by repetition, or -1."""
    size = tables[SIZE]
    placements = 2 * size * size
    first = HEADER + size * size + 4
    color = state[COLOR]
    turns = tables[KEYS] + 8 * size * size
    # Without the rod that moves, and with the turn of the next colour.
    bare = state[KEY] ^ tables[turns + color] ^ tables[turns + next_color(tables, state)]
    for i in range(first, first + state[HISTORY]):
        seen = 0
        for j in range(first, i):
            if state[j] == state[i]:
                seen += 1
        # The second occurrence of a position: the next would be the third, and a draw.
        if seen != 1:
            continue
        # Keys are exclusive-ors of their rods' keys. So the lifted rod and the laid one must make
        # up the difference between the two positions, and no move need be played to see it.
        wanted = state[i] ^ bare
        for origin in range(size * size):
            rod = state[HEADER + origin]
            if rod == 0 or (rod - 1) // 2 != color:
                continue
            lifted = wanted ^ rod_key(tables, origin, rod)
            for placement in range(placements):
                target = placement // 2
                laid = 1 + 2 * color + (placement & 1)
                free = state[HEADER + target] == 0 or (target == origin and laid != rod)
                if free and rod_key(tables, target, laid) == lifted:
                    return placements * (1 + origin) + placement
    return -1


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8[::1], i8[::1], i8[::1])")
def find_threats(tables, state, work, color, reach, out, tactics):
    """Write how many squares the next colour, ``color``, threatens to win on."""
    moving = is_moving(tables, state, color)
    count = joining_placements(tables, state, color, moving, reach, out)
    for i in range(count):
        square = out[i] // 2
        if moving == 1 and spare_rod(tables, state, work, color, out[i]) < 0:
            continue
        if state[HEADER + square] != 0:
            tactics[THREATS] = 2
        elif tactics[THREATS] == 0:
            tactics[THREATS] = 1
            tactics[BLOCK] = square
        elif square != tactics[BLOCK]:
            tactics[THREATS] = 2
        if tactics[THREATS] == 2:
            break
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1])")
def find_tactics(tables, state, work, reach, out, tactics):
    """Write into ``tactics`` what is decided in a position where the game goes on."""
    tactics[THREATS] = 0
    tactics[BLOCK] = -1
    tactics[ESCAPE] = -1
    tactics[WIN] = winning_move(tables, state, work, state[PHASE], reach, out)
    last = tables[LIMIT] * tables[COLORS]
    if state[PHASE] == 1 and last > 0 and state[PHASE_PLIES] + 1 >= last:
        return 0  # whatever is moved ends the game
    if tactics[WIN] < 0:
        find_threats(tables, state, work, next_color(tables, state), reach, out, tactics)
        if tactics[THREATS] > 0 and state[PHASE] == 1:
            tactics[ESCAPE] = repeating_move(tables, state)
    return 0
