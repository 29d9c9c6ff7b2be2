"""Reduction of positions of the placement games: fill-in and inferior moves.

A position is a Shannon switching game on vertices: the empty cells and Black's two terminals. Two
of them are adjacent if they are neighbours or touch the same black chain; white cells are left out.
Black wins by joining the terminals. In this graph

- a cell is *dead* if its neighbours are pairwise adjacent: no shortest path needs it;
- a player *kills* a cell by a move that makes it dead;
- a pair is *captured* by a player who kills either by playing the other;
- a cell is *dominated* by another one that reaches all its neighbours.

After Y. Björnsson, R. Hayward, M. Johanson, J. van Rijswijck, "Dead cell analysis in Hex and the
Shannon game" (2006).

A row of the graph is a set of bits in words of ``BITS`` bits: the cells, then the two terminals.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels.bits import copy, step
from antipodes.games.kernels.header import COLOR, HEADER, WINNER
from antipodes.games.kernels.placement import (
    CELLS,
    DEGREE,
    NEIGHBOURS,
    NODES,
    SOURCE,
    TARGET,
    root_of,
    settle,
)
from antipodes.games.kernels.registry import I8, I8_2, Int, kernel

BITS = 62  # in a word, so that plain and compiled numbers agree

BLACK = 0  # players
WHITE = 1

# What `look_ahead` writes.
AHEAD_WINNER = 0
AHEAD_KEY = 1
AHEAD_SYMMETRY = 2
AHEAD = 3  # numbers before the sets of cells

I8_3 = Annotated[npt.NDArray[np.int64], "i8[:,:,::1]"]


class Graph(NamedTuple):
    """A reduced graph, and scratch to make it.

    Attributes:
        rows: of the vertices: cells + 2.
        killers: for each cell and player the moves that kill the cell.
        chains: scratch, a row for each node.
        scratch: three rows and more.
    """

    rows: I8_2
    killers: I8_3
    chains: I8_2
    scratch: I8_2


class Symmetries(NamedTuple):
    """The symmetries of a board, for :func:`graph_key`.

    Attributes:
        images: a row for each symmetry: where it takes each vertex.
        keys: a random number for each pair of vertices.
        edges: scratch for all pairs.
    """

    images: I8_2
    keys: I8
    edges: I8


@kernel()
def draw_keys(symmetries: Symmetries) -> Int:
    """Draw the keys of the edges, the same in both directions, unless there are some."""
    keys = symmetries.keys
    vertices = symmetries.images.shape[1]
    if keys[1] != 0:
        return 0
    key = 1
    for a in range(vertices):
        for b in range(a + 1, vertices):
            key = step(key)
            keys[a * vertices + b] = key
            keys[b * vertices + a] = key
    return 1


@kernel("i8(i8)")
def trailing(x):
    """Return the index of the lowest bit of ``x`` > 0."""
    place = 0
    if x & 0xFFFFFFFF == 0:
        place = 32
        x >>= 32
    if x & 0xFFFF == 0:
        place += 16
        x >>= 16
    if x & 0xFF == 0:
        place += 8
        x >>= 8
    if x & 0xF == 0:
        place += 4
        x >>= 4
    if x & 0x3 == 0:
        place += 2
        x >>= 2
    return place + 1 - (x & 1)


@kernel("i8(i8[:, ::1], i8, i8)")
def linked(rows, a, b):
    """Return 1 if two vertices are adjacent, else 0."""
    return (rows[a, b // BITS] >> (b % BITS)) & 1


@kernel("i8(i8[::1], i8[::1], i8[:, ::1], i8[:, ::1])")
def build(tables, state, rows, chains):
    """Write the rows of all vertices of the reduced graph; return how many cells are empty.

    ``chains`` has a row of scratch for each node.
    """
    cells = tables[CELLS]
    nodes = tables[NODES]
    words = rows.shape[1]
    near = tables[NEIGHBOURS]
    degree = tables[DEGREE]
    for i in range(cells + 2):
        for w in range(words):
            rows[i, w] = 0
    for i in range(nodes):
        for w in range(words):
            chains[i, w] = 0
    source = root_of(tables, state, tables[SOURCE])
    target = root_of(tables, state, tables[TARGET])
    chains[source, cells // BITS] |= 1 << (cells % BITS)
    chains[target, (cells + 1) // BITS] |= 1 << ((cells + 1) % BITS)
    empty = 0
    for cell in range(cells):
        if state[HEADER + cell] != 0:
            continue
        empty += 1
        for i in range(near + cell * degree, near + (cell + 1) * degree):
            node = tables[i]
            if node < 0:
                continue
            if state[HEADER + node] == 0:
                rows[cell, node // BITS] |= 1 << (node % BITS)
            elif state[HEADER + node] == 1:
                root = root_of(tables, state, node)
                chains[root, cell // BITS] |= 1 << (cell % BITS)
    for cell in range(cells):
        if state[HEADER + cell] != 0:
            continue
        for i in range(near + cell * degree, near + (cell + 1) * degree):
            # A chain is no vertex of its own: all cells that touch it become adjacent to each
            # other.
            node = tables[i]
            if node >= 0 and state[HEADER + node] == 1:
                root = root_of(tables, state, node)
                for w in range(words):
                    rows[cell, w] |= chains[root, w]
        rows[cell, cell // BITS] &= ~(1 << (cell % BITS))
    for w in range(words):
        rows[cells, w] = chains[source, w]
        rows[cells + 1, w] = chains[target, w]
    rows[cells, cells // BITS] &= ~(1 << (cells % BITS))
    rows[cells + 1, (cells + 1) // BITS] &= ~(1 << ((cells + 1) % BITS))
    return empty


@kernel("i8(i8[:, ::1], i8[::1], i8[::1])")
def gap(rows, members, pair):
    """Find two members of a set of vertices that are not adjacent.

    Writes them to ``pair`` and returns 1; returns 0 if all members are pairwise adjacent.
    """
    words = rows.shape[1]
    for w in range(words):
        remaining = members[w]
        while remaining != 0:
            low = remaining & -remaining
            remaining ^= low
            a = w * BITS + trailing(low)
            for v in range(words):
                missing = members[v] & ~rows[a, v]
                if v == w:
                    missing &= ~low
                if missing != 0:
                    pair[0] = a
                    pair[1] = v * BITS + trailing(missing)
                    return 1
    return 0


@kernel("i8(i8[:, ::1], i8, i8, i8, i8[::1], i8[::1])")
def kills(rows, player, move, cell, members, pair):
    """Return 1 if a move of ``player`` makes another empty cell dead, else 0."""
    words = rows.shape[1]
    touching = linked(rows, cell, move)
    if player == BLACK and touching == 1:
        for w in range(words):
            members[w] = rows[cell, w] | rows[move, w]
    else:
        for w in range(words):
            members[w] = rows[cell, w]
    members[cell // BITS] &= ~(1 << (cell % BITS))
    members[move // BITS] &= ~(1 << (move % BITS))
    if player == WHITE:
        return 1 - gap(rows, members, pair)
    # Black's stone makes its neighbours pairwise adjacent: only the others are checked.
    for w in range(words):
        remaining = members[w] & ~rows[move, w]
        while remaining != 0:
            low = remaining & -remaining
            remaining ^= low
            a = w * BITS + trailing(low)
            for v in range(words):
                missing = members[v] & ~rows[a, v]
                if v == w:
                    missing &= ~low
                if missing != 0:
                    return 0
    return 1


@kernel("i8(i8[:, ::1], i8, i8, i8[::1], i8[::1], i8[::1], i8[:, ::1])")
def find_killers(rows, cells, cell, members, pair, candidates, killers):
    """Write to ``killers[player]`` the moves that kill a cell; return 1 if it is dead already.

    A killer must close each gap between two neighbours: be one of them, or for Black touch both.
    """
    words = rows.shape[1]
    for w in range(words):
        members[w] = rows[cell, w]
        killers[BLACK, w] = 0
        killers[WHITE, w] = 0
    if gap(rows, members, pair) == 0:
        return 1
    a = pair[0]
    b = pair[1]
    for w in range(words):
        candidates[w] = rows[a, w] & rows[b, w]
    candidates[a // BITS] |= 1 << (a % BITS)
    candidates[b // BITS] |= 1 << (b % BITS)
    candidates[cell // BITS] &= ~(1 << (cell % BITS))
    for w in range(words):
        remaining = candidates[w]
        while remaining != 0:
            low = remaining & -remaining
            remaining ^= low
            move = w * BITS + trailing(low)
            if move >= cells:
                continue
            if kills(rows, BLACK, move, cell, members, pair) == 1:
                killers[BLACK, w] |= low
            if move in (a, b) and kills(rows, WHITE, move, cell, members, pair) == 1:
                killers[WHITE, w] |= low
    return 0


@kernel()
def fill(tables: I8, state: I8, graph: Graph) -> Int:
    """Fill in dead cells (white) and captured pairs until there are none; count the empty cells.

    ``state`` is changed in place, its header but for the winner left as it is. Afterwards ``graph``
    is the reduced graph.
    """
    rows = graph.rows
    chains = graph.chains
    killers = graph.killers
    cells = tables[CELLS]
    words = rows.shape[1]
    members = graph.scratch[0]
    pair = graph.scratch[1]
    candidates = graph.scratch[2]
    empty = build(tables, state, rows, chains)
    changed = 1
    while changed == 1 and state[WINNER] == 0:
        changed = 0
        for cell in range(cells):
            if state[HEADER + cell] != 0:
                continue
            dead = find_killers(rows, cells, cell, members, pair, candidates, killers[cell])
            if dead == 1:
                # A dead cell helps neither player. As White's it leaves the graph.
                changed = 1
                settle(tables, state, cell, WHITE)
        for cell in range(cells):
            # The first change makes the killers of the other cells out of date, so the graph is
            # built again before the next pair.
            if state[HEADER + cell] != 0 or changed == 1:
                continue
            for player in range(2):
                for w in range(words):
                    remaining = killers[cell, player, w]
                    while remaining != 0 and state[HEADER + cell] == 0:
                        low = remaining & -remaining
                        remaining ^= low
                        other = w * BITS + trailing(low)
                        mutual = linked(killers[other], player, cell)
                        if mutual == 1 and state[HEADER + other] == 0:
                            changed = 1
                            settle(tables, state, cell, player)
                            settle(tables, state, other, player)
        if changed == 1:
            empty = build(tables, state, rows, chains)
    return empty


@kernel("i8(i8[::1], i8[::1], i8[:, ::1], i8[:, :, ::1], i8, i8[::1])")
def find_undominated(tables, state, rows, killers, player, out):
    """Write 1 for the empty cells that no other move of ``player`` dominates; count them.

    A move is dominated if another one kills it, or reaches all its neighbours; of moves that
    dominate each other one is kept. Cells that dominate another by reach have a 2 added.
    """
    cells = tables[CELLS]
    words = rows.shape[1]
    count = 0
    for cell in range(cells):
        out[cell] = 1 if state[HEADER + cell] == 0 else 0
        count += out[cell]
    for cell in range(cells):
        for other in range(cells):
            if out[cell] & 1 == 0 or out[other] & 1 == 0 or other == cell:
                continue
            better = linked(killers[cell], player, other)
            reaches = 1 - better
            if better == 0:
                better = 1
                for w in range(words):
                    missing = rows[cell, w] & ~rows[other, w]
                    if w == other // BITS:
                        missing &= ~(1 << (other % BITS))
                    if missing != 0:
                        better = 0
                        break
            if better == 1:
                # A cell loses its first bit when it is dominated, and can dominate no other then:
                # so of cells that dominate each other in a circle one stays.
                out[cell] &= 2
                out[other] |= 2 * reaches
                count -= 1
    return count


@kernel()
def graph_key(rows: I8_2, symmetries: Symmetries) -> Int:
    """Return a hash key of the reduced graph, the same for all images under symmetries.

    It is the smallest of their keys. Leaves the number of the symmetry in ``edges[0]``.
    """
    images = symmetries.images
    keys = symmetries.keys
    edges = symmetries.edges
    vertices = images.shape[1]
    words = rows.shape[1]
    count = 0
    for a in range(vertices):
        for w in range(words):
            remaining = rows[a, w]
            while remaining != 0:
                low = remaining & -remaining
                remaining ^= low
                b = w * BITS + trailing(low)
                if b > a:
                    edges[count] = a
                    edges[count + 1] = b
                    count += 2
    best = 0
    chosen = 0
    for s in range(images.shape[0]):
        key = 0
        for i in range(0, count, 2):
            a = images[s, edges[i]]
            b = images[s, edges[i + 1]]
            key ^= keys[a * vertices + b]
        # The least key is the same from whichever image of the graph one starts.
        if s == 0 or key < best:
            best = key
            chosen = s
    edges[0] = chosen
    return best


@kernel()
def key_of_turn(key: Int, color: Int) -> Int:
    """Return the key of a reduced graph with a colour to move; a positive number."""
    return ((key & 0x3FFFFFFFFFFFFFFF) << 1) | color


@kernel()
def look_ahead(
    tables: I8, state: I8, graph: Graph, symmetries: Symmetries, move: Int, child: I8, out: I8
) -> Int:
    """Play a move, fill in, and write the result.

    It has the winner (1 Black, 2 White, 0 none yet), the key of the reduced graph and the turn, the
    symmetry that gave the key, and the cells that were filled in with Black and with White, in as
    many words as the graph has.
    ``child`` is scratch, like ``state``.
    """
    words = graph.rows.shape[1]
    copy(state, child)
    settle(tables, child, move, child[COLOR])
    child[COLOR] = 1 - child[COLOR]
    fill(tables, child, graph)
    for w in range(AHEAD + 2 * words):
        out[w] = 0
    out[AHEAD_WINNER] = child[WINNER]
    if child[WINNER] == 0:
        out[AHEAD_KEY] = key_of_turn(graph_key(graph.rows, symmetries), child[COLOR])
        out[AHEAD_SYMMETRY] = symmetries.edges[0]
    for cell in range(tables[CELLS]):
        owner = child[HEADER + cell]
        if owner != 0 and state[HEADER + cell] == 0 and cell != move:
            out[AHEAD + (owner - 1) * words + cell // BITS] |= 1 << (cell % BITS)
    return out[AHEAD_WINNER]
