"""Proven knowledge of the first two moves, and of games that a pairing strategy wins.

Kernels write knowledge as an *answer*: the winner, whether the moves are limited, and a set of
moves, one of which wins if the side to move can win at all. An answer without both is none.
"""

from __future__ import annotations

from typing import NamedTuple

from antipodes.games.kernels.bits import below, popcount
from antipodes.games.kernels.header import COLOR, HEADER, LAST, PLY, SWAP_OPEN, SWAPPED
from antipodes.games.kernels.placement import NO_SWAPS, SWAP_PIECES
from antipodes.games.kernels.registry import I8, I8_2, Int, kernel
from antipodes.search.kernels.cell_sets import add_cell, has_cell

# Numbers of an answer.
WINNER = 0  # 1 + the index of its colour, 0 if it is not known
LIMITED = 1  # 1 if only the moves of the set may win
MOVES = 2  # the first word of the set

# Numbers of facts. Colours are their index.
ARE_KNOWN = 0  # 1 if there are facts or pairs
OWNER = 1  # colour of the pairing strategy
FIRST = 2  # colour that moves first
START = 3  # 1 + the colour that wins from the start, 0 if that is not known
SWAPS = 4  # of the game, as its tables have them; the facts are those without
NUMBERS = 5


class Facts(NamedTuple):
    """Knowledge of the openings of one game.

    Attributes:
        numbers: of the facts.
        pairs: of the pairing strategy, a row for each.
        winners: after each first move, as ``START``.
        replies: to each first move: one that wins, or -1.
        mirror: new cell of a swapped stone, for each cell; its own inverse.
    """

    numbers: I8
    pairs: I8_2
    winners: I8
    replies: I8
    mirror: I8


@kernel("i8(i8[::1], i8)")
def clear_answer(answer, winner):
    """Begin an answer with a winner, or 0, and no moves; return 0."""
    for i in range(len(answer)):
        answer[i] = 0
    answer[WINNER] = winner
    answer[LIMITED] = 1 if winner != 0 else 0
    return 0


@kernel("i8(i8[::1])")
def has_moves(answer):
    """Return 1 if the set of an answer has moves, else 0."""
    for i in range(MOVES, len(answer)):
        if answer[i] != 0:
            return 1
    return 0


@kernel()
def pair_state(facts: Facts, state: I8, pair: Int) -> Int:
    """Return 1 if a stone stands on a pair of which the strategy owns no cell, else 0."""
    one = state[HEADER + facts.pairs[pair, 0]]
    other = state[HEADER + facts.pairs[pair, 1]]
    owner = 1 + facts.numbers[OWNER]
    return 0 if owner in (one, other) or (one | other) == 0 else 1


@kernel()
def query_pairs(facts: Facts, state: I8, answer: I8) -> Int:
    """Write the answer of the pairing strategy; return whether there is one."""
    pairs = facts.pairs
    owner = facts.numbers[OWNER]
    unanswered = 0
    for pair in range(len(pairs)):
        unanswered += pair_state(facts, state, pair)
    clear_answer(answer, 0)
    if state[COLOR] != owner:
        clear_answer(answer, 1 + owner if unanswered == 0 else 0)
        return answer[LIMITED]
    if unanswered > 1:
        return 0
    for pair in range(len(pairs)):
        if unanswered == 0 or pair_state(facts, state, pair) == 1:
            for side in range(2):
                if state[HEADER + pairs[pair, side]] == 0:
                    add_cell(answer[MOVES:], pairs[pair, side])
    if has_moves(answer) == 0:
        return 0
    answer[WINNER] = 1 + owner
    answer[LIMITED] = 1
    return 1


@kernel()
def query_start(facts: Facts, answer: I8) -> Int:
    """Write the answer of the start; return whether there is one."""
    numbers = facts.numbers
    first = numbers[FIRST]
    for cell in range(len(facts.winners)):
        if facts.winners[cell] == 1 + first:
            add_cell(answer[MOVES:], cell)
    if has_moves(answer) == 1:
        answer[WINNER] = 1 + first
    elif numbers[START] == 2 - first:
        answer[WINNER] = 2 - first
    answer[LIMITED] = 1 if answer[WINNER] != 0 else 0
    return answer[LIMITED]


@kernel()
def query_first_stone(facts: Facts, state: I8, answer: I8) -> Int:
    """Write the answer of a state with one more stone than the start; return whether there is one.

    A swap that is open wins where the stone's owner would. One that was played has exchanged the
    seats alone, or has replaced the position by its mirror image in the other colours.
    """
    numbers = facts.numbers
    opponent = 1 - numbers[FIRST]
    is_mirrored = state[SWAPPED] == 1 and numbers[SWAPS] == SWAP_PIECES
    if state[LAST] < 0 or state[COLOR] != (numbers[FIRST] if is_mirrored else opponent):
        return 0
    stone = facts.mirror[state[LAST]] if is_mirrored else state[LAST]
    if facts.winners[stone] == 2 - opponent:
        clear_answer(answer, 2 - state[COLOR])
        if state[SWAP_OPEN] == 1:
            clear_answer(answer, 1 + state[COLOR])
            add_cell(answer[MOVES:], len(facts.winners))
    elif facts.winners[stone] == 1 + opponent and facts.replies[stone] >= 0:
        reply = facts.replies[stone]
        clear_answer(answer, 1 + state[COLOR])
        add_cell(answer[MOVES:], facts.mirror[reply] if is_mirrored else reply)
    return answer[LIMITED]


@kernel()
def query_facts(facts: Facts, state: I8, answer: I8) -> Int:
    """Write the answer of a state; return whether there is one.

    The winner is the colour as the state has it, before a swap that is still open.
    """
    clear_answer(answer, 0)
    if facts.numbers[ARE_KNOWN] == 0:
        return 0
    if len(facts.pairs) > 0:
        return query_pairs(facts, state, answer)
    if state[PLY] == 0 and state[COLOR] == facts.numbers[FIRST]:
        return query_start(facts, answer) if facts.numbers[SWAPS] == NO_SWAPS else 0
    return query_first_stone(facts, state, answer) if state[PLY] == 1 + state[SWAPPED] else 0


@kernel()
def find_proven_win(facts: Facts, state: I8, answer: I8, rng: I8) -> Int:
    """Return a move that is known to win, by chance one of several, or -1."""
    if query_facts(facts, state, answer) == 0 or answer[WINNER] != 1 + state[COLOR]:
        return -1
    count = 0
    for word in range(MOVES, len(answer)):
        count += popcount(answer[word])
    left = below(rng, count)
    move = -1
    while left >= 0:
        move += 1
        left -= has_cell(answer[MOVES:], move)
    return move
