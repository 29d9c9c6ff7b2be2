"""Many games of Antipalos at once."""

from __future__ import annotations

from antipodes.adapters.kernels.steps import STEP, draw_turn, mark, restart
from antipodes.games.kernels.antipalos import judge, moves, play
from antipodes.games.kernels.header import COLOR, HEADER, LEGAL, WINNER
from antipodes.games.kernels.registry import kernel


@kernel("i8(i8[::1], i8[::1], u1[:,::1])")
def draw(places, state, planes):
    """Write what the colour to move sees: the rods of each colour on either diagonal."""
    colors = len(places)
    planes[: 2 * colors] = 0
    for square in range(planes.shape[1]):
        rod = state[HEADER + square] - 1
        if rod >= 0:
            distance = (places[rod // 2] - places[state[COLOR]] + colors) % colors
            planes[2 * distance + rod % 2, square] = 1
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
