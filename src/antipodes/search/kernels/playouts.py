"""Random games of the placement games, one at a time.

A random game's winner is that of a random filling of the empty cells (see
:mod:`antipodes.search.kernels.batch`), so nobody need play the moves to know it: ``playout``
spreads from Black's first terminal over black cells until it meets the second, and draws the colour
of an empty cell when it first looks at it. With ``b`` black stones left for ``n`` cells that nobody
has looked at, the next one is black with probability ``b / n``: the law of a random filling.

``random_game`` plays to the win: it draws the order of all moves and finds the one that wins.
"""

from __future__ import annotations

from antipodes.games.kernels.bits import below, step
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

SEEN = 1 << 20  # more than any place in an order


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
    """Decide a random game from a position that goes on; return 1 + the colour that wins.

    Afterwards the winner, the colour to move and its seat are those of the full board; the rest of
    the state is scratch. A swap that is open is not played.
    """
    left = count_empty(tables, state)
    color = state[COLOR]
    if left % 2 == 1:
        state[COLOR] = 1 - color
        state[SEAT] = 1 - state[SEAT]
    black = (left + 1 - color) // 2
    target = tables[TARGET]
    degree = tables[DEGREE]
    # What has been looked at is marked as White's, so that nothing is looked at twice. The cells
    # that wait to be left are kept where the chains were.
    state[HEADER + tables[SOURCE]] = 2
    stack = HEADER + tables[NODES]
    waiting = 0
    first = tables[GATES]
    last = first + tables[GATE_COUNT]
    while True:
        for i in range(first, last):
            node = tables[i]
            if node == target:
                state[WINNER] = 1
                return 1
            if node >= 0:
                owner = state[HEADER + node]
                if owner == 0:
                    owner = 1 if below(rng, left) < black else 2
                    left -= 1
                    black -= owner & 1
                state[HEADER + node] = 2
                # Written in any case and kept if black: quicker than a jump that nobody foresees.
                state[stack + waiting] = node
                waiting += owner & 1
        if waiting == 0:
            state[WINNER] = 2
            return 2
        waiting -= 1
        first = tables[NEIGHBOURS] + state[stack + waiting] * degree
        last = first + degree


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1])")
def shuffle(tables, state, rng, order):
    """Write the empty cells in random order; return their number."""
    count = 0
    for cell in range(tables[CELLS]):
        # Written in any case and kept if empty: quicker than a jump that nobody foresees.
        order[count] = cell
        count += 1 if state[HEADER + cell] == 0 else 0
    x = rng[0]
    left = count
    while left > 1:
        # One random number serves two draws.
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
    """Return the place in ``order`` of the cell that decides a game.

    Let the cells of ``order`` turn black one after the other, and all black cells stay: the cell
    returned is the one that joins Black's terminals. The search spreads over the cells that have
    turned, and when it can spread no more the next cells turn until one of them touches it: an
    invasion (Wilkinson and Willemsen, Journal of Physics A 16, 1983). ``room`` is scratch, two
    numbers for each node.
    """
    nodes = tables[NODES]
    degree = tables[DEGREE]
    target = tables[TARGET]
    # When each cell turns, from 1 on; what was looked at, or is White's, turns no more.
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
    """Write the moves of a random game from a position up to the one that wins; return how many.

    A game is an order of all empty cells: Black takes them from the front, White from the back. So
    White's last cell would be Black's next one, and the cell that joins Black's terminals when
    cells turn black from the front on decides the game: if it is one of Black's he wins with it,
    if it is one of White's she wins with it, for then no way is left without her cells.

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
    """Play random games to the win; add each colour's wins to ``wins``, return the moves made."""
    total = 0
    for _ in range(games):
        plies = random_game(tables, state, rng, order, room, moves)
        total += plies
        wins[(state[COLOR] + plies + 1) % 2] += 1
    return total
