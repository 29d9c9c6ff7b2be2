"""The header of the state arrays of all games.

A state is a flat ``int64`` array: a header of ``HEADER`` numbers, then the data of the game. The
tables of a game are another array with its board and options. The caller owns both, and a work
array that is all zeros before and after every call; kernels change the state in place.
"""

from __future__ import annotations

COLOR = 0  # index of the colour to move
SEAT = 1  # seat to move
PLY = 2  # moves made
WINNER = 3  # 0 while the game is in progress, 1 + colour, or DRAW
REASON = 4  # a termination below, 0 while the game is in progress
KEY = 5  # 64-bit hash
SWAPPED = 6  # 1 after a swap
SWAP_OPEN = 7  # 1 where swapping is legal
LAST = 8  # cell of the last stone, rod or token; -1 if there is none
PHASE = 9  # Antipalos: 0 in Phase One, 1 in Phase Two
POINTS = 10  # score of the win in match play
PHASE_PLIES = 11  # Antipalos: plies made in Phase Two
HISTORY = 12  # Antipalos: number of keys in the history
HEADER = 16

DRAW = -1

CONNECTION = 1
RING = 2
BLOCKED = 3
FULL_BOARD = 4
REPETITION = 5
MOVE_LIMIT = 6
MISERE = 7

# Results of judge; core.illegality has their names.
LEGAL = 0
GAME_OVER = 1
OUT_OF_RANGE = 2
OCCUPIED = 3
NO_SWAP = 4
NOT_YOUR_PIECE = 5
WRONG_PHASE = 6
UNCHANGED = 7
PAWN_STAYS = 8
NO_LINE = 9
PAWN_IN_THE_WAY = 10
NOT_YOUR_TOKEN = 11

# What describe writes about a move: the numbers of its names, whose texts a hyphen joins (-1 if
# there is no second one), the cell of its piece (-1 for a swap), and the ending of its mark.
NAME = 0
OTHER_NAME = 1
CELL = 2
ENDING = 3
DESCRIPTION = 4
