"""Wins at once of any game, with the kernels of its rules as arguments."""

from __future__ import annotations

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import COLOR, WINNER
from antipodes.games.kernels.registry import kernel

_PLAY = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8))"
_LIST = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8[::1]))"


@kernel(f"i8({_LIST}, {_PLAY}, i8[::1], i8[::1], i8[::1], i8[::1], i8[::1])")
def first_win(moves, play, tables, state, child, work, out):
    """Return the first move after which the colour to move has won, or -1.

    ``child`` is as long as ``state``, which must have room for a move.
    """
    count = moves(tables, state, work, out)
    for i in range(count):
        copy(state, child)
        play(tables, child, work, out[i])
        if child[WINNER] == 1 + state[COLOR]:
            return out[i]
    return -1
