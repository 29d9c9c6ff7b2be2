"""Shared kernels of all families: restarts, random moves, planes of the turn.

Each family binds the kernels of its rules to :func:`step`, and a kernel ``show`` that writes what
is seen after a move. The parameters are, in order:

- ``tables``: of the game;
- ``places``: the place of each colour of the kernels in the order of turns;
- ``prizes``: the rewards of all seats, by whether the seats have swapped and by ``WINNER``;
- ``states``: the positions: a row for each game, then one for the latest end of each, and last
  the first position;
- ``mask``, ``planes``: legal moves and planes of the positions: a row for each game, and last one
  for the first position;
- ``work``, ``listing``: scratch space;
- ``actions``: a move for each game;
- ``rewards``, ``ended``: zeros, written where a game ends.

It returns the number of the first game whose action is not legal, and then has changed nothing,
or else -1.
"""

from __future__ import annotations

from antipodes.games.kernels.bits import below, copy
from antipodes.games.kernels.header import COLOR, LEGAL, PHASE, SWAP_OPEN, SWAPPED, WINNER
from antipodes.games.kernels.registry import kernel

STEP = (
    "i8(i8[::1], i8[::1], f4[:,:,::1], i8[:,::1], u1[:,::1], u1[:,:,::1], i8[::1], i8[::1],"
    " i8[::1], f4[:,::1], u1[::1])"
)
SHOW = "i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8, u1[::1], u1[:,::1])"

_TRIES = 12  # random moves before the legal ones are counted


@kernel("i8(f4[:,:,::1], i8[:,::1], u1[:,::1], u1[:,:,::1], i8, f4[::1])")
def restart(prizes, states, mask, planes, game, rewards):
    """Write the rewards of a game that is over, keep its end, and start it again."""
    # Loops instead of slices, which would take memory.
    first = len(mask) - 1
    # The last prizes are those of a draw, whose number is negative.
    winner = states[game, WINNER] if states[game, WINNER] >= 0 else prizes.shape[1] - 1
    prize = prizes[min(states[game, SWAPPED], 1), winner]
    for seat in range(len(rewards)):
        rewards[seat] = prize[seat]
    copy(states[game], states[first + game])
    copy(states[len(states) - 1], states[game])
    for move in range(mask.shape[1]):
        mask[game, move] = mask[first, move]
    for plane in range(planes.shape[1]):
        for cell in range(planes.shape[2]):
            planes[game, plane, cell] = planes[first, plane, cell]
    return 0


@kernel("i8(i8[::1], i8, u1[::1])")
def mark(listing, count, row):
    """Write which moves are legal, of which there is a list."""
    row[:] = 0
    for i in range(count):
        row[listing[i]] = 1
    return 0


@kernel("i8(i8[::1], i8[::1], u1[:,::1])")
def draw_turn(places, state, planes):
    """Write the planes after those of the pieces, each with one number in all cells."""
    colors = len(places)
    first = len(planes) - 3 - colors
    for color in range(colors):
        planes[first + places[color]] = state[COLOR] == color
    planes[first + colors] = 1
    planes[first + colors + 1] = state[SWAP_OPEN]
    planes[first + colors + 2] = state[PHASE]
    return 0


@kernel("i8(i8[::1], i8[::1], i8)")
def anticipate(tables, state, move):
    """Load nothing beforehand."""
    return 0


def _missing(*_):
    raise NotImplementedError


judge = play = show = _missing  # each family binds its own


def step(tables, places, prizes, states, mask, planes, work, listing, actions, rewards, ended):
    """Play an action in each game; start those again that end."""
    swap = mask.shape[1] - 1
    for game in range(len(actions)):
        if judge(tables, states[game], work, actions[game]) != LEGAL:
            return game
    for game in range(len(actions)):
        if game + 1 < len(actions) and actions[game + 1] != swap:
            anticipate(tables, states[game + 1], actions[game + 1])
        state = states[game]
        play(tables, state, work, actions[game])
        if state[WINNER] != 0:
            ended[game] = 1
            restart(prizes, states, mask, planes, game, rewards[game])
        else:
            show(tables, places, state, work, listing, actions[game], mask[game], planes[game])
    return -1


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
            for candidate in range(moves):
                legal += row[candidate]
            choice = below(rng, legal)
            for candidate in range(moves):
                if row[candidate] != 0:
                    if choice == 0:
                        move = candidate
                        break
                    choice -= 1
        actions[game] = move
    return 0
