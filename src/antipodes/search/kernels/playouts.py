"""Random games of the placement games, one at a time.

A random game's winner is that of a random filling of the empty cells (see
:mod:`antipodes.search.kernels.batch`), so the moves need not be played: ``playout`` floods from
Black's first terminal over black cells until it reaches the second, and draws the colour of an
empty cell when it is first reached. With ``b`` black stones left for ``n`` cells without a colour,
the next one is black with probability ``b / n``: the distribution of a random filling.

``random_game`` draws the order of all moves and finds the one that wins.
"""

from __future__ import annotations

from antipodes.games.kernels.bits import step
from antipodes.games.kernels.header import COLOR, HEADER, SEAT, WINNER
from antipodes.games.kernels.placement import (
    CELLS,
    DEGREE,
    GATE_COUNT,
    GATES,
    NEIGHBOURS,
    NODES,
    SOURCE,
    TARGET,
)
from antipodes.games.kernels.registry import LISTING, kernel
from antipodes.search.kernels.batch import LOW, PLACE

SEEN = 1 << 20  # more than any index in an order


@kernel("i8(i8[::1], i8[::1])")
def count_empty(tables, state):
    """Return the number of empty cells."""
    count = 0
    for cell in range(tables[CELLS]):
        if state[HEADER + cell] == 0:
            count += 1
    return count


@kernel(LISTING)
def playout(tables, state, work, rng):
    """Play a random game from a position that is not over; return 1 + the colour that wins.

    Afterwards the winner, the colour to move and its seat are those of the full board; the rest of
    the state is undefined. A swap that is open is not played.
    """
    left = count_empty(tables, state)
    color = state[COLOR]
    if left % 2 == 1:
        state[COLOR] = 1 - color
        state[SEAT] = 1 - state[SEAT]
    # Colours alternate, so the one to move places the odd stone.
    black = (left + 1 - color) // 2
    target = tables[TARGET]
    degree = tables[DEGREE]
    # Visited cells are marked as White's, so that none is visited twice. The stack of the flood
    # overwrites the chains.
    state[HEADER + tables[SOURCE]] = 2
    stack = HEADER + tables[NODES]
    waiting = 0
    first = tables[GATES]
    last = first + tables[GATE_COUNT]
    x = rng[0]
    while True:
        for i in range(first, last):
            node = tables[i]
            if node == target:
                state[WINNER] = 1
                rng[0] = x
                return 1
            if node >= 0:
                owner = state[HEADER + node]
                if owner == 0:
                    x = step(x)
                    owner = 1 if (((x >> 32) & LOW) * left) >> 32 < black else 2
                    left -= 1
                    black -= owner & 1
                state[HEADER + node] = 2
                # Always written, and kept if black: faster than a mispredicted branch.
                state[stack + waiting] = node
                waiting += owner & 1
        if waiting == 0:
            state[WINNER] = 2
            rng[0] = x
            return 2
        waiting -= 1
        first = tables[NEIGHBOURS] + state[stack + waiting] * degree
        last = first + degree


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1])")
def shuffle(tables, state, rng, order):
    """Write the empty cells in random order; return their number."""
    count = 0
    for cell in range(tables[CELLS]):
        # Always written, and kept if empty: faster than a mispredicted branch.
        order[count] = cell
        count += 1 if state[HEADER + cell] == 0 else 0
    x = rng[0]
    left = count
    while left > 1:
        # One random number is used for two draws.
        x = step(x)
        i = ((x & LOW) * left) >> 32
        left -= 1
        cell = order[i & PLACE]
        order[i & PLACE] = order[left]
        order[left] = cell
        i = (((x >> 32) & LOW) * left) >> 32
        left -= 1
        cell = order[i & PLACE]
        order[i & PLACE] = order[left]
        order[left] = cell
    rng[0] = x
    return count


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8[::1])")
def deciding_place(tables, state, order, count, room):
    """Return the index in ``order`` of the cell that decides a game.

    If the cells of ``order`` turn black one after the other, the returned one joins Black's
    terminals. The flood spreads over the cells that have turned, and when it stops, the next cells
    turn until one of them touches it: invasion percolation (Wilkinson and Willemsen, Journal of
    Physics A 16, 1983). ``room`` is scratch, two numbers for each node.
    """
    nodes = tables[NODES]
    degree = tables[DEGREE]
    target = tables[TARGET]
    # The time at which each cell turns, from 1 on; visited cells and White's never turn.
    for node in range(nodes):
        room[node] = 0 if state[HEADER + node] == 1 else SEEN
    for i in range(count):
        room[order[i] & PLACE] = i + 1
    room[tables[SOURCE] & PLACE] = SEEN
    turned = 0
    waiting = nodes
    first = tables[GATES]
    last = first + tables[GATE_COUNT]
    while True:
        for i in range(first, last):
            node = tables[i]
            if node == target:
                return turned - 1
            if node >= 0:
                turns = room[node]
                room[node] = turns | SEEN
                room[waiting & PLACE] = node
                waiting += 1 if turns <= turned else 0
        if waiting == nodes:
            node = order[turned & PLACE]
            turned += 1
            while room[node & PLACE] < SEEN:
                node = order[turned & PLACE]
                turned += 1
        else:
            waiting -= 1
            node = room[waiting & PLACE]
        first = tables[NEIGHBOURS] + node * degree
        last = first + degree


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1])")
def random_game(tables, state, rng, order, room, moves):
    """Write the moves of a random game up to the winning one; return their number.

    A game is an order of all empty cells: Black takes them from the front, White from the back. Let
    cells turn black from the front on: the cell that joins Black's terminals wins the game for the
    colour that takes it, since without White's cells Black has no other path.

    ``order`` has a number for each cell, ``room`` two for each node; both are scratch. The state is
    not changed. A swap that is open is not played.
    """
    count = shuffle(tables, state, rng, order)
    black = (count + 1 - state[COLOR]) // 2
    place = deciding_place(tables, state, order, count, room)
    if place < black:
        plies = 2 * place + 1 + state[COLOR]
    else:
        plies = 2 * (count - 1 - place) + 2 - state[COLOR]
    for i in range((plies + 1) // 2):
        moves[2 * i + state[COLOR]] = order[i]
        moves[2 * i + 1 - state[COLOR]] = order[count - 1 - i]
    return plies


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8)")
def random_games(tables, state, rng, order, room, moves, wins, games):
    """Play random games; add each colour's wins to ``wins``, return the number of moves."""
    total = 0
    for _ in range(games):
        plies = random_game(tables, state, rng, order, room, moves)
        total += plies
        wins[(state[COLOR] + plies + 1) % 2] += 1
    return total
