"""Tree search with rapid action value estimates for the placement games.

A move that wins late in a random game would mostly have won at once too, since stones stay: so each
leaf's batch of random games says something about every empty cell, not only about the moves that
led to it (Gelly and Silver, "Combining online and offline knowledge in UCT", 2007). The tree is
that of :mod:`antipodes.search.kernels.uct` with two more numbers for each node: how many games had
its move at any time, and how many of them its mover won. A visit is a batch of 64 games.
"""

from __future__ import annotations

import math

from antipodes.games.kernels.header import COLOR, SEAT, WINNER
from antipodes.games.kernels.placement import CELLS
from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.batch import LANES, count_ones, fill, flood
from antipodes.search.kernels.uct import (
    CHILDREN,
    COLORS,
    FIRST_CHILD,
    MOVE,
    MOVER,
    THRESHOLD,
    VISITS,
    expand,
    final_rewards,
)

GAMES = 0  # columns of the estimates
WINS = 1
COLUMNS = 2

_PLAY = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8))"
_LIST = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8[::1]))"


@kernel("f8(i8[:,::1], f8[::1], f8[:,::1], i8, f8)")
def blended(links, values, estimates, child, trust):
    """Return what a move is worth: its visits and its estimate, weighed by how many visits are."""
    visits = links[child, VISITS]
    games = estimates[child, GAMES]
    if games == 0.0:
        # Nothing is known of a swap until it is tried: then it is worth trying.
        return values[child] / visits if visits > 0 else 1.0
    guess = estimates[child, WINS] / games
    if visits == 0:
        return guess
    share = trust / (trust + visits)
    return (1.0 - share) * values[child] / visits + share * guess


@kernel("i8(i8[:,::1], f8[::1], f8[:,::1], i8, f8, f8)")
def select(links, values, estimates, node, exploration, trust):
    """Return the child that is worth most, with a bonus for those that were visited little."""
    first = links[node, FIRST_CHILD]
    best = first
    best_bound = -1.0
    scale = exploration * math.sqrt(math.log(2.0 + links[node, VISITS]))
    for child in range(first, first + links[node, CHILDREN]):
        bound = blended(links, values, estimates, child, trust)
        bound += scale / math.sqrt(1.0 + links[child, VISITS])
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@kernel("i8(i8[::1], i8[::1], i8, i8[::1])")
def tally(slots, black, won, counts):
    """Write for each cell how many lanes Black holds, and in how many of them Black has won."""
    for cell in range(len(slots)):
        word = black[slots[cell]]
        counts[2 * cell] = count_ones(word)
        counts[2 * cell + 1] = count_ones(word & won)
    return 0


@kernel("i8(i8[::1], i8[:,::1], f8[:,::1], i8[::1], i8, i8, i8)")
def learn(tables, links, estimates, counts, node, color, black_wins):
    """Add a batch to the estimates of a node's children, which a colour has played."""
    first = links[node, FIRST_CHILD]
    for child in range(first, first + links[node, CHILDREN]):
        cell = links[child, MOVE]
        if cell < tables[CELLS]:
            held = counts[2 * cell]
            won = counts[2 * cell + 1]
            if color == 1:
                # White's lanes are the others; White wins those that Black does not.
                won = LANES - held - black_wins + won
                held = LANES - held
            estimates[child, GAMES] += held
            estimates[child, WINS] += won
    return 0


@kernel(
    f"i8({_LIST}, {_PLAY}, i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[:,::1],"
    " f8[::1], f8[:,::1], i8[::1], i8[::1], i8[::1], i8[::1], u4[::1], u4[::1], i8[::1], i8[::1],"
    " i8[:,::1], f8[::1], f8, f8, i8)"
)
def simulate(
    moves,
    play,
    tables,
    root,
    state,
    work,
    rng,
    out,
    links,
    values,
    estimates,
    settings,
    path,
    mover,
    slots,
    ahead,
    behind,
    sources,
    targets,
    lanes,
    rewards,
    exploration,
    trust,
    visits,
):
    """Add visits to a tree; return how many were made.

    ``path`` and ``mover`` hold the nodes of the way down and the colours that moved from them;
    ``slots`` to ``targets`` are the layout for the flood; ``lanes`` has three rows for words.
    """
    colors = settings[COLORS]
    for _ in range(visits):
        state[:] = root
        node = 0
        depth = 0
        path[0] = 0
        while state[WINNER] == 0 and depth < len(path) - 1:
            if links[node, CHILDREN] == 0:
                if node == 0 or links[node, VISITS] >= settings[THRESHOLD]:
                    # The children learn from this visit's games, and are chosen from the next on.
                    expand(moves, tables, state, work, rng, out, links, values, settings, node)
                break
            mover[depth] = state[COLOR]
            node = select(links, values, estimates, node, exploration, trust)
            play(tables, state, work, links[node, MOVE])
            depth += 1
            path[depth] = node
        shift = (state[COLOR] - state[SEAT]) % colors
        if state[WINNER] != 0:
            final_rewards(state, colors, rewards)
        else:
            fill(tables, state, slots, rng, out, lanes[0])
            won = flood(ahead, behind, sources, targets, lanes[0], lanes[1])
            black_wins = count_ones(won)
            rewards[0] = black_wins / LANES
            rewards[1] = 1.0 - rewards[0]
            tally(slots, lanes[0], won, lanes[2])
            for i in range(depth):
                # Before a swap of seats a stone's colour was the other player's; nothing is learnt.
                if (links[path[i + 1], MOVER] + shift) % colors == mover[i]:
                    learn(tables, links, estimates, lanes[2], path[i], mover[i], black_wins)
            if links[node, CHILDREN] != 0:
                learn(tables, links, estimates, lanes[2], node, state[COLOR], black_wins)
        for i in range(depth + 1):
            links[path[i], VISITS] += 1
            values[path[i]] += rewards[(links[path[i], MOVER] + shift) % colors]
    return visits
