"""Upper confidence bounds applied to trees (Kocsis and Szepesvári 2006), over any game.

The tree is that of :mod:`antipodes.search.kernels.nodes`. A visit walks down to a leaf, evaluates
it by a random game or an estimate, and backs up the value. Untried children come first.
"""

from __future__ import annotations

import math

from antipodes.games.kernels.bits import below
from antipodes.games.kernels.header import COLOR, SEAT, WINNER
from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.nodes import (
    BONUS,
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
    VALUE,
    VERDICT,
    VISITS,
    back_up_proof,
    expand,
    replay,
    select,
    should_expand,
)

ESTIMATE = "FunctionType(i8(i8[::1], i8[::1], i8[::1], f8[::1]))"


@kernel("i8(u4[:,::1], i8[::1], i8)")
def try_untried_child(links, rng, node):
    """Move a random untried child to the tried ones, and return it.

    It is drawn here and not at expansion, since most children are never tried.
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
    """Add a visit to a node, and update its value and exploration bonus."""
    links[VISITS, node] += 1
    totals[node] += reward
    visits = links[VISITS, node]
    stats[VALUE, node] = totals[node] / visits
    stats[BONUS, node] = 1.0 / math.sqrt(visits)
    return 0


@kernel("i8(i8, i8, i8, f8[::1])")
def write_rewards(winner, sides, shift, rewards):
    """Write the value of a finished game for each side; ``winner`` as states encode it."""
    for side in range(sides):
        if winner > 0:
            rewards[side] = 1.0 if winner == 1 + (side + shift) % sides else 0.0
        else:
            rewards[side] = 1.0 / sides
    return 0


@kernel(f"i8({LIST}, {ESTIMATE}, i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], f8[::1], f8[::1])")
def evaluate(playout, estimate, tables, state, work, rng, settings, chances, rewards):
    """Write the value of a leaf for each side, by an estimate or by one random game."""
    sides = settings[SIDES]
    # A side is the colour of a seat, shifted after a swap.
    if settings[USE_ESTIMATE] == 1:
        estimate(tables, state, work, chances)
        for side in range(sides):
            rewards[side] = chances[(side + state[COLOR] - state[SEAT]) % sides]
        return 0
    playout(tables, state, work, rng)
    return write_rewards(state[WINNER], sides, (state[COLOR] - state[SEAT]) % sides, rewards)


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

    ``step`` plays a move on the way down. If it does not update the winner, the moves are replayed
    with ``play`` before a leaf is expanded. ``path`` and ``movers`` hold the nodes of a visit and
    the sides to move there.
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
                if marks[VERDICT, node] != 0 or should_expand(links, settings, node) == 0:
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
                node = try_untried_child(links, rng, node)
            else:
                scale = weights[EXPLORATION] * math.sqrt(math.log(1.0 + links[VISITS, node]))
                node = select(links, stats, node, scale)
            step(tables, state, work, int(links[MOVE, node]))
            depth += 1
            path[depth] = node
            movers[depth] = state[SEAT] % sides
        ended = 0
        if marks[VERDICT, node] != 0:
            write_rewards(marks[VERDICT, node], sides, 0, rewards)
        elif state[WINNER] != 0:
            shift = (state[COLOR] - state[SEAT]) % sides
            write_rewards(state[WINNER], sides, shift, rewards)
            ended = EVEN if state[WINNER] < 0 else 1 + (state[WINNER] - 1 - shift) % sides
        else:
            evaluate(playout, estimate, tables, state, work, rng, settings, chances, rewards)
        for i in range(depth + 1):
            count_visit(links, stats, totals, path[i], rewards[movers[max(i - 1, 0)]])
        if ended != 0 and depth < settings[PLIES]:
            marks[VERDICT, node] = ended
            back_up_proof(links, stats, totals, marks, path, movers, depth, sides)
    return visits
