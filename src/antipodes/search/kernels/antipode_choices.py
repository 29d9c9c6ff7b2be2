"""A player's choice of a turn of Antipode: beginning, budget and the turn that is played."""

from __future__ import annotations

from antipodes.games.kernels.registry import I8, Int, Listing, Playing, kernel
from antipodes.search.kernels.antipode_deepening import (
    TURNS,
    deepen,
    is_done,
    rank_turns,
    set_position,
    vary_weights,
)
from antipodes.search.kernels.antipode_search import EFFORT, VISITS, AlphaBeta
from antipodes.search.kernels.choosing import (
    GOAL,
    LEAST,
    Choice,
    begin_choice,
    draw_seed,
    generator_state,
    pick,
)
from antipodes.search.kernels.nodes import Walk


@kernel()
def begin(
    moves: Listing, play: Playing, walk: Walk, search: AlphaBeta, progress: I8, choice: Choice
) -> Int:
    """Return the turn that needs no search, or -1 after the search was prepared."""
    move = begin_choice(moves, play, walk, choice)
    if move < 0:
        seed = draw_seed(choice.rng)
        walk.rng[0] = generator_state(seed)
        vary_weights(search.weights, walk.rng)
        walk.rng[0] = generator_state(seed)
        set_position(walk.root, search, progress, walk.rng)
    return move


@kernel()
def grow(walk: Walk, search: AlphaBeta, progress: I8, choice: Choice, most: Int) -> Int:
    """Add some of the visits that a choice still needs; return how many it needs then."""
    goal = max(LEAST, choice.numbers[GOAL])
    deepen(walk.tables, search, progress, min(goal - search.settings[VISITS], most))
    if is_done(progress) == 1:
        return 0
    return max(goal - search.settings[VISITS], 0)


@kernel()
def end(
    moves: Listing,
    walk: Walk,
    search: AlphaBeta,
    progress: I8,
    efforts: I8,
    ranked: I8,
    choice: Choice,
) -> Int:
    """Return the turn that is played; if none was searched, the first one: all lose at once."""
    for turn in range(TURNS):
        efforts[turn] = search.roots[EFFORT, turn]
    count = rank_turns(search.roots, progress, efforts, ranked)
    if count == 0:
        count = min(moves(walk.tables, walk.root, walk.work, ranked), 1)
    return pick(ranked, count, choice)
