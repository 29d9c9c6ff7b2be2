"""Kernels that step many games at once and write what learners see of them."""

from __future__ import annotations

from antipodes.games.kernels.antipode import PAWNS, TOKENS
from antipodes.games.kernels.bits import below
from antipodes.games.kernels.header import COLOR, HEADER, PHASE, SWAP_OPEN, SWAPPED, WINNER
from antipodes.games.kernels.registry import kernel

_JUDGE = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8))"
_LIST = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8[::1]))"

# Layouts of pieces in a state.
PIECES_ON_CELLS = 0  # a number for each cell: 0 or 1 + kinds * colour + kind
SETS_OF_CELLS = 1  # Antipode: a set of cells for each colour's tokens, then the pawns' cells


@kernel(f"i8({_JUDGE}, i8[::1], i8[:,::1], i8[::1], i8[::1])")
def first_illegal(judge, tables, states, work, actions):
    """Return the first game whose action is not legal, or -1 if there is none."""
    for game in range(len(actions)):
        if judge(tables, states[game], work, actions[game]) != 0:
            return game
    return -1


@kernel(f"i8({_JUDGE}, i8[::1], i8[::1], i8[:,::1], i8[::1], i8[::1], i8[::1], i8[::1])")
def step_games(play, tables, start, states, work, actions, winners, swapped):
    """Play an action in each game; games that end start again. Return how many ended.

    ``winners`` gets 0 for games in progress, else 1 + colour or DRAW, and ``swapped`` whether the
    seats had swapped.
    """
    ended = 0
    for game in range(len(actions)):
        state = states[game]
        play(tables, state, work, actions[game])
        winners[game] = state[WINNER]
        swapped[game] = state[SWAPPED]
        if state[WINNER] != 0:
            state[:] = start
            ended += 1
    return ended


@kernel(f"i8({_LIST}, i8[::1], i8[:,::1], i8[::1], i8[::1], u1[:,::1])")
def mark_legal(moves, tables, states, work, listing, mask):
    """Write which moves are legal in each game."""
    for game in range(len(states)):
        row = mask[game]
        row[:] = 0
        for i in range(moves(tables, states[game], work, listing)):
            row[listing[i]] = 1
    return 0


@kernel("i8(i8, i8, i8[::1], i8[:,::1], f4[:,:,::1])")
def draw_planes(layout, kinds, places, states, planes):
    """Write what the colour to move sees of each game; see :mod:`antipodes.adapters.observation`.

    ``places`` has the place of each colour of the kernels in the order of turns.
    """
    colors = len(places)
    pieces = kinds * colors
    cells = planes.shape[2]
    for game in range(len(states)):
        state = states[game]
        seen = planes[game]
        own = places[state[COLOR]]
        seen[:] = 0
        if layout == PIECES_ON_CELLS:
            for cell in range(cells):
                piece = state[HEADER + cell] - 1
                if piece >= 0:
                    owner = (places[piece // kinds] - own + colors) % colors
                    seen[owner * kinds + piece % kinds, cell] = 1
        else:
            for color in range(2):
                owner = (places[color] - own + 2) % 2
                for cell in range(cells):
                    seen[owner * kinds, cell] = (state[TOKENS + color] >> cell) & 1
                seen[owner * kinds + 1, state[PAWNS + color]] = 1
        seen[pieces + own] = 1
        seen[pieces + colors] = 1
        if state[SWAP_OPEN] != 0:
            seen[pieces + colors + 1] = 1
        if state[PHASE] != 0:
            seen[pieces + colors + 2] = 1
    return 0


@kernel("i8(u1[:,::1], i8[::1], i8[::1])")
def choose_randomly(mask, rng, actions):
    """Write a random legal move of each game, uniformly."""
    for game in range(len(actions)):
        row = mask[game]
        legal = 0
        for move in range(len(row)):
            legal += row[move]
        choice = below(rng, legal)
        for move in range(len(row)):
            if row[move] != 0:
                if choice == 0:
                    actions[game] = move
                    break
                choice -= 1
    return 0
