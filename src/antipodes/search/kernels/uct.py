"""Upper confidence bounds applied to trees (Kocsis and Szepesvári 2006), over any game.

The tree is that of :mod:`antipodes.search.kernels.nodes`. A visit walks down to a leaf, plays one
random game or asks an estimate there, and adds what came of it to the nodes on its way. A child
that was never tried comes before all that were.
"""

from __future__ import annotations

import math

from antipodes.games.kernels.bits import below
from antipodes.games.kernels.header import COLOR, SEAT, WINNER
from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.nodes import (
    COPIED,
    EVEN,
    EXPLORATION,
    FIRST,
    LIGHT,
    LIST,
    LIVE,
    MOVE,
    PLAY,
    PLIES,
    SIDES,
    TREE,
    TRIED,
    USE_ESTIMATE,
    VERDICT,
    VISITS,
    WIDTH,
    WORTH,
    conclude,
    expand,
    is_ripe,
    replay,
    select,
)

ESTIMATE = "FunctionType(i8(i8[::1], i8[::1], i8[::1], f8[::1]))"


@kernel("i8(u4[:,::1], i8[::1], i8)")
def try_another(links, rng, node):
    """Count a child that was never tried among the tried ones, and return it.

    It is drawn here and not when the children are made, since most are never tried.
    """
    tried = 0
    tried += links[TRIED, node]
    child = tried
    child += links[FIRST, node]
    other = child + below(rng, links[LIVE, node] - tried)
    links[MOVE, child], links[MOVE, other] = links[MOVE, other], links[MOVE, child]
    links[TRIED, node] = tried + 1
    return child


@kernel("i8(u4[:,::1], f4[:,::1], f8[::1], i8, f8)")
def count_visit(links, stats, totals, node, reward):
    """Add a visit to a node, and renew what its move is worth and the bonus for few visits."""
    links[VISITS, node] += 1
    totals[node] += reward
    visits = links[VISITS, node]
    stats[WORTH, node] = totals[node] / visits
    stats[WIDTH, node] = 1.0 / math.sqrt(visits)
    return 0


@kernel("i8(i8, i8, i8, f8[::1])")
def share_out(winner, sides, shift, rewards):
    """Write what a game with a winner, as states have it, is worth to each side."""
    for side in range(sides):
        if winner > 0:
            rewards[side] = 1.0 if winner == 1 + (side + shift) % sides else 0.0
        else:
            rewards[side] = 1.0 / sides
    return 0


@kernel(f"i8({LIST}, {ESTIMATE}, i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], f8[::1], f8[::1])")
def evaluate(playout, estimate, tables, state, work, rng, settings, chances, rewards):
    """Write what a leaf is worth to each side, by its estimate or by one random game."""
    sides = settings[SIDES]
    # Seats and colours go together by a shift that a swap changes.
    if settings[USE_ESTIMATE] == 1:
        estimate(tables, state, work, chances)
        for side in range(sides):
            rewards[side] = chances[(side + state[COLOR] - state[SEAT]) % sides]
        return 0
    playout(tables, state, work, rng)
    return share_out(state[WINNER], sides, (state[COLOR] - state[SEAT]) % sides, rewards)


@kernel(
    f"i8({LIST}, {PLAY}, {PLAY}, {LIST}, {ESTIMATE}, i8[::1], i8[::1], i8[::1], i8[::1], i8[::1],"
    f" i8[::1], {TREE}, i8[::1], i8[::1], i8[::1], f8[::1], f8[::1], f8[::1], i8)"
)
def simulate(
    moves,
    play,
    step,
    playout,
    estimate,
    tables,
    root,
    state,
    work,
    rng,
    out,
    links,
    stats,
    totals,
    marks,
    settings,
    path,
    movers,
    chances,
    rewards,
    weights,
    visits,
):
    """Add visits to a tree until it is proven; return how many were made.

    ``step`` plays a move on the way down; where it leaves out who has won, ``play`` is asked before
    a leaf is expanded. ``path`` and ``movers`` hold the way and the sides to move along it.
    """
    sides = settings[SIDES]
    for done in range(visits):
        if marks[VERDICT, 0] != 0:
            return done
        for i in range(settings[COPIED]):
            state[i] = root[i]
        node = 0
        depth = 0
        path[0] = 0
        movers[0] = state[SEAT] % sides
        while state[WINNER] == 0 and depth < len(path) - 1:
            live = links[LIVE, node]
            if live == 0:
                if marks[VERDICT, node] != 0 or is_ripe(links, settings, node) == 0:
                    break
                if settings[LIGHT] == 1 and replay(
                    play, tables, root, state, work, links, path, depth
                ):
                    break
                live = expand(
                    moves, tables, state, work, out, links, stats, totals, marks, settings, node
                )
                if live == 0:
                    break
            if links[TRIED, node] < live:
                node = try_another(links, rng, node)
            else:
                scale = weights[EXPLORATION] * math.sqrt(math.log(1.0 + links[VISITS, node]))
                node = select(links, stats, node, scale)
            step(tables, state, work, int(links[MOVE, node]))
            depth += 1
            path[depth] = node
            movers[depth] = state[SEAT] % sides
        ended = 0
        if marks[VERDICT, node] != 0:
            share_out(marks[VERDICT, node], sides, 0, rewards)
        elif state[WINNER] != 0:
            shift = (state[COLOR] - state[SEAT]) % sides
            share_out(state[WINNER], sides, shift, rewards)
            ended = EVEN if state[WINNER] < 0 else 1 + (state[WINNER] - 1 - shift) % sides
        else:
            evaluate(playout, estimate, tables, state, work, rng, settings, chances, rewards)
        for i in range(depth + 1):
            count_visit(links, stats, totals, path[i], rewards[movers[max(i - 1, 0)]])
        if ended != 0 and depth < settings[PLIES]:
            marks[VERDICT, node] = ended
            conclude(links, stats, totals, marks, path, movers, depth, sides)
    return visits
