"""Many games of Antipode at once."""

from __future__ import annotations

from antipodes.adapters.kernels.steps import STEP, draw_turn, mark, restart
from antipodes.games.kernels.antipode import CELLS, PAWNS, TOKENS, judge, moves, play
from antipodes.games.kernels.header import COLOR, LEGAL, WINNER
from antipodes.games.kernels.registry import kernel


@kernel("i8(i8[::1], i8[::1], u1[:,::1])")
def draw(places, state, planes):
    """Write what the colour to move sees: tokens and pawns of both colours."""
    for color in range(2):
        first = 0 if color == state[COLOR] else 2
        tokens, pawns = planes[first], planes[first + 1]
        for cell in range(CELLS):
            tokens[cell] = (state[TOKENS + color] >> cell) & 1
        pawns[:] = 0
        pawns[state[PAWNS + color]] = 1
    return draw_turn(places, state, planes)


@kernel(STEP)
def step(
    tables,
    places,
    prizes,
    start,
    start_mask,
    start_planes,
    states,
    mask,
    planes,
    work,
    listing,
    actions,
    rewards,
    ended,
):
    """Play an action in each game; start those again that end."""
    for game in range(len(actions)):
        if judge(tables, states[game], work, actions[game]) != LEGAL:
            return game
    for game in range(len(actions)):
        state, row, seen = states[game], mask[game], planes[game]
        play(tables, state, work, actions[game])
        if state[WINNER] != 0:
            ended[game] = 1
            restart(prizes, start, start_mask, start_planes, state, row, seen, rewards[game])
        else:
            mark(listing, moves(tables, state, work, listing), row)
            draw(places, state, seen)
    return -1
