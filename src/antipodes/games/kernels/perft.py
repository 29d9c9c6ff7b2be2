"""Perft and random games of any game, with its kernels as arguments."""

from __future__ import annotations

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import PLY, WINNER
from antipodes.games.kernels.registry import kernel

_PLAY = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8))"
_LIST = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8[::1]))"


@kernel(f"i8({_LIST}, {_PLAY}, i8[::1], i8[:,::1], i8[::1], i8[:,::1], i8[:,::1], i8)")
def count_positions(moves, play, tables, states, work, lists, places, depth):
    """Return the number of lines of exactly ``depth`` plies.

    ``states`` and ``lists`` have a row for each level, and ``states[0]`` is the root; ``places``
    has ``depth`` rows of two: the next move of a level, and the number of its moves.
    """
    if depth == 0:
        return 1
    total = 0
    level = 0
    places[0, 0] = 0
    places[0, 1] = moves(tables, states[0], work, lists[0])
    while level >= 0:
        if level == depth - 1:
            total += places[level, 1]
            level -= 1
        elif places[level, 0] == places[level, 1]:
            level -= 1
        else:
            move = lists[level, places[level, 0]]
            places[level, 0] += 1
            level += 1
            copy(states[level - 1], states[level])
            play(tables, states[level], work, move)
            places[level, 0] = 0
            places[level, 1] = moves(tables, states[level], work, lists[level])
    return total


@kernel(f"i8({_LIST}, {_PLAY}, i8[::1], i8[::1], i8[::1], i8[::1], i8)")
def play_out(sample, play, tables, state, work, rng, plies):
    """Play random moves in place to the end or for ``plies`` plies; return the winner."""
    last = state[PLY] + plies
    while state[WINNER] == 0 and state[PLY] < last:
        play(tables, state, work, sample(tables, state, work, rng))
    return state[WINNER]


@kernel(f"i8({_LIST}, {_PLAY}, i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8, i8)")
def play_outs(sample, play, tables, root, state, work, rng, wins, plies, games):
    """Play random games from a position; add each colour's wins to ``wins``, return the draws."""
    draws = 0
    for _ in range(games):
        copy(root, state)
        winner = play_out(sample, play, tables, state, work, rng, plies)
        if winner > 0:
            wins[winner - 1] += 1
        else:
            draws += 1
    return draws
