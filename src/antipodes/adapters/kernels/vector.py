"""Kernels that step many games at once and write what learners see of them."""

from __future__ import annotations

from antipodes.games.kernels.antipode import PAWNS, TOKENS
from antipodes.games.kernels.bits import below
from antipodes.games.kernels.header import COLOR, HEADER, PHASE, SWAP_OPEN, SWAPPED, WINNER
from antipodes.games.kernels.registry import kernel

_JUDGE = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8))"
_LIST = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8[::1]))"

# Layouts of pieces in a state.
STONES_ON_CELLS = 0  # 0 or 1 + colour for each cell; a move fills a cell, and the last one swaps
PIECES_ON_CELLS = 1  # 0 or 1 + kinds * colour + kind for each cell
SETS_OF_CELLS = 2  # Antipode: a set of cells for each colour's tokens, then the pawns' cells
UNKNOWN = 3  # planes are drawn elsewhere

_TRIES = 12  # random moves before the legal ones are counted


@kernel(f"i8({_JUDGE}, i8[::1], i8[:,::1], i8[::1], i8[::1])")
def first_illegal(judge, tables, states, work, actions):
    """Return the first game whose action is not legal, or -1 if there is none."""
    for game in range(len(actions)):
        if judge(tables, states[game], work, actions[game]) != 0:
            return game
    return -1


@kernel("i8(i8[::1], u1[::1])")
def mark_empty_cells(state, row):
    """Write which moves are legal where stones fill empty cells."""
    cells = len(row) - 1
    owners = state[HEADER : HEADER + cells]
    for cell in range(cells):
        row[cell] = owners[cell] == 0
    row[cells] = state[SWAP_OPEN]
    return 0


@kernel(f"i8({_LIST}, i8[::1], i8[::1], i8[::1], i8[::1], u1[::1])")
def mark_legal(moves, tables, state, work, listing, row):
    """Write which moves are legal."""
    row[:] = 0
    for i in range(moves(tables, state, work, listing)):
        row[listing[i]] = 1
    return 0


@kernel("i8(i8, i8, i8[::1], i8[::1], u1[:,::1])")
def draw_planes(layout, kinds, places, state, planes):
    """Write what the colour to move sees; see :mod:`antipodes.adapters.observation`.

    ``places`` has the place of each colour of the kernels in the order of turns.
    """
    colors = len(places)
    pieces = kinds * colors
    cells = planes.shape[1]
    own = places[state[COLOR]]
    for color in range(colors):
        first = (places[color] - own + colors) % colors * kinds
        if layout == SETS_OF_CELLS:
            tokens = state[TOKENS + color]
            row = planes[first]
            for cell in range(cells):
                row[cell] = (tokens >> cell) & 1
            planes[first + 1] = 0
            planes[first + 1, state[PAWNS + color]] = 1
        else:
            owners = state[HEADER : HEADER + cells]
            for kind in range(kinds):
                row = planes[first + kind]
                piece = 1 + kinds * color + kind
                for cell in range(cells):
                    row[cell] = owners[cell] == piece
        planes[pieces + color] = 0
    planes[pieces + own] = 1
    planes[pieces + colors] = 1
    planes[pieces + colors + 1] = state[SWAP_OPEN]
    planes[pieces + colors + 2] = state[PHASE]
    return 0


@kernel(
    f"i8({_LIST}, i8, i8, i8[::1], i8[::1], i8[:,::1], i8[::1], i8[::1], u1[:,::1], u1[:,:,::1])"
)
def look(moves, layout, kinds, tables, places, states, work, listing, mask, planes):
    """Write the legal moves and the planes of each game."""
    for game in range(len(states)):
        if layout == STONES_ON_CELLS:
            mark_empty_cells(states[game], mask[game])
        else:
            mark_legal(moves, tables, states[game], work, listing, mask[game])
        if layout != UNKNOWN:
            draw_planes(layout, kinds, places, states[game], planes[game])
    return 0


@kernel(
    f"i8({_JUDGE}, {_LIST}, i8, i8, i8[::1], i8[::1], i8[::1], i8[:,::1], i8[::1], i8[::1],"
    " i8[::1], i8[:,::1], u1[:,::1], u1[:,:,::1])"
)
def step_games(
    play,
    moves,
    layout,
    kinds,
    tables,
    places,
    start,
    states,
    work,
    listing,
    actions,
    ends,
    mask,
    planes,
):
    """Play an action in each game, start those again that end, and write what is seen then.

    ``ends`` has two numbers for each game: 0 while it is in progress, else 1 + colour or DRAW; and
    whether the seats had swapped. One loop does it all, since a state is in the processor's cache
    then.
    """
    for game in range(len(actions)):
        state = states[game]
        play(tables, state, work, actions[game])
        ends[game, 0] = state[WINNER]
        ends[game, 1] = state[SWAPPED]
        if state[WINNER] != 0:
            state[:] = start
        if layout == STONES_ON_CELLS:
            mark_empty_cells(state, mask[game])
        else:
            mark_legal(moves, tables, state, work, listing, mask[game])
        if layout != UNKNOWN:
            draw_planes(layout, kinds, places, state, planes[game])
    return 0


@kernel("i8(u1[:,::1], i8[::1], i8[::1])")
def choose_randomly(mask, rng, actions):
    """Write a random legal move of each game, uniformly."""
    moves = mask.shape[1]
    for game in range(len(actions)):
        row = mask[game]
        move = below(rng, moves)
        for _ in range(_TRIES):
            if row[move] != 0:
                break
            move = below(rng, moves)
        if row[move] == 0:
            legal = 0
            for one in range(moves):
                legal += row[one]
            choice = below(rng, legal)
            for one in range(moves):
                if row[one] != 0:
                    if choice == 0:
                        move = one
                        break
                    choice -= 1
        actions[game] = move
    return 0
