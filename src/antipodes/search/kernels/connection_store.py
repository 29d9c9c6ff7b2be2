"""The store of virtual connections during their search: see :mod:`.connection`.

A connection is a row of ``links``; its carrier is in ``sets``, ``WORDS`` words for each row. Rows
are never removed, so that the derivation of every connection is kept. For each pair of ends,
``heads`` begins a list of semis and one of fulls; for each rank, ``queue`` begins and ends a list
of rows to process: small carriers first, and those with groups at their ends before others.

Lists are bounded and dominated connections are dropped, after Pawlewicz, Hayward, Henderson and
Arneson, "Stronger virtual connections in Hex", IEEE Transactions on Computational Intelligence and
AI in Games 7, 2015.
"""

from __future__ import annotations

from typing import NamedTuple

from antipodes.games.kernels.registry import I4, I4_2, I8, I8_2, Int, kernel

BITS = 62  # cells in a word of a carrier: words stay positive

# Numbers of a search.
WORDS = 0
POINTS = 1
COUNT = 2  # rows in use
STEPS = 3  # work done
STEP_LIMIT = 4
FULL_CAP = 5  # fulls kept for a pair of ends and a winding, and more that narrow the list
SEMI_CAP = 6
SIZE_CAP = 7  # cells in a carrier
COLOR = 8  # of the owner
FROM = 9  # Black's terminals, as points
TO = 10
GOALS = 11  # semi connections that reach the goal
PROVEN = 12  # 0 unknown, 1 a goal semi ended the search, 2 the goal is connected in full
FIRST_GOAL_ENDS = 13  # whether one goal semi is enough
FULL_GOAL = 14  # the row that connects the goal in full, or -1: all goal semis together
OVERFLOW = 15  # whether rows or lists ran out
LOWEST = 16  # no queue before this one holds a row
NUMBERS = 17

# Columns of points.
CELL = 0  # of an empty point, else -1
MIDDLE = 1  # kind of connections through it: NO_MIDDLE, GROUP or EMPTY
WORD = 2
MASK = 3  # its bit in carriers, 0 for a group
POINT_COLUMNS = 4
NO_MIDDLE = 0
GROUP = 1
EMPTY = 2

# Columns of links.
A = 0  # ends: points, A <= B
B = 1
WINDING = 2  # of a path from A to B
FULL = 3  # 1 full, 0 semi
SIZE = 4  # cells in the carrier
STATUS = 5
RULE = 6
KEY = 7  # AND: the point between; RING: the cell to play; OR: minus the number of parents
PARENTS = 8  # rows, -1 where there are fewer; those of OR continue in the rows behind
NEXT = 12  # 1 + the next row of the same ends and kind, 0 at the end
LATER = 13  # the same in its queue
COLUMNS = 16  # of 32 bits: a row fills a line of the cache
ROW_PARENTS = 4  # parents in a row
MOST_PARENTS = 12
SPARE = 6  # rows kept free: a new one, its further parents, and scratch

QUEUED = 0
DONE = 1
DROPPED = 2

STEP = 0  # rules: neighbours
AND = 1
OR = 2
RING = 3  # a full ring at an empty cell, which its owner still has to play

MOST_GOALS = 256  # semis that reach the goal

MOST_TIMES = 4  # as many connections as the cap are kept if they narrow the list

# Rank bonus of a group at an end, in cells of a carrier: wins are chains of groups.
GROUP_BONUS = 10
FARTHEST = 2  # largest winding that is followed


class Connections(NamedTuple):
    """The arrays of a search, as this module describes them.

    ``near`` lists for each point the fulls with this end: their number, then their rows.
    ``point_of`` has the point of each node.
    """

    numbers: I8
    points: I8_2
    links: I4_2
    sets: I8
    heads: I4
    queue: I4
    goals: I8
    near: I4_2
    point_of: I8


@kernel("i8(i8[::1], i8, i8, i8)")
def contains(sets, words, big, small):
    """Return 1 if the carrier of row ``small`` is part of that of row ``big``, else 0."""
    for k in range(words):
        if sets[small * words + k] & ~sets[big * words + k] != 0:
            return 0
    return 1


@kernel("i8(i8[::1], i8, i8, i8)")
def meet(sets, words, a, b):
    """Return 1 if the carriers of two rows have a cell in common, else 0."""
    for k in range(words):
        if sets[a * words + k] & sets[b * words + k] != 0:
            return 1
    return 0


@kernel()
def add_goal(store: Connections, row: Int) -> Int:
    """Add a semi connection of the goal; it is proven if all of them leave no answer.

    ``goals`` has the intersection of all carriers, ``WORDS`` words, and then the rows.
    """
    numbers = store.numbers
    sets = store.sets
    goals = store.goals
    words = numbers[WORDS]
    count = numbers[GOALS]
    goals_kept = 0
    for i in range(count):
        other = goals[words + i]
        if contains(sets, words, row, other) == 1:
            return 0
    for i in range(count):
        other = goals[words + i]
        if contains(sets, words, other, row) == 0:
            goals[words + goals_kept] = other
            goals_kept += 1
    if goals_kept >= MOST_GOALS:
        numbers[GOALS] = goals_kept
        numbers[OVERFLOW] = 1
        return 0
    goals[words + goals_kept] = row
    numbers[GOALS] = goals_kept + 1
    # The intersection of the carriers is the must-play region: a stone elsewhere leaves one of them
    # whole (Hayward, Björnsson, Johanson et al., "Solving 7x7 Hex with domination, fill-in, and
    # virtual connections", 2005).
    remaining = 0
    for k in range(words):
        common = sets[row * words + k]
        if count > 0:
            common &= goals[k]
        goals[k] = common
        remaining |= common
    if numbers[FIRST_GOAL_ENDS] == 1:
        numbers[PROVEN] = 1
    elif remaining == 0:
        numbers[PROVEN] = 2
        numbers[FULL_GOAL] = -1
    return 1


@kernel()
def close_ring(store: Connections, row: Int) -> Int:
    """Process a ring: a full one reaches the goal at a group, or with one more stone elsewhere.

    Return 1 if the row is done, 0 if it is a semi at an empty cell, which may become a full.
    """
    numbers = store.numbers
    points = store.points
    links = store.links
    sets = store.sets
    point = links[row, A]
    at_group = points[point, MASK] == 0
    if links[row, FULL] == 0:
        if not at_group:
            return 0
        add_goal(store, row)
        return 1
    if at_group:
        numbers[PROVEN] = 2
        numbers[FULL_GOAL] = row
        return 1
    new = numbers[COUNT]
    if new + SPARE >= len(links):
        numbers[OVERFLOW] = 1
        return 1
    numbers[COUNT] = new + 1
    words = numbers[WORDS]
    for column in range(LATER):
        links[new, column] = links[row, column]
    for k in range(words):
        sets[new * words + k] = sets[row * words + k]
    sets[new * words + points[point, WORD]] |= points[point, MASK]
    links[new, FULL] = 0
    links[new, SIZE] += 1
    links[new, RULE] = RING
    links[new, KEY] = point
    links[new, PARENTS] = row
    for k in range(1, ROW_PARENTS):
        links[new, PARENTS + k] = -1
    add_goal(store, new)
    return 1


@kernel("i8(i8[::1], i4[:,::1], i8[::1], i8, i8)")
def shrinks(numbers, links, sets, head, row):
    """Return 1 if a row lacks a cell that all rows of its winding in a list have, else 0."""
    words = numbers[WORDS]
    for k in range(words):
        common = ~sets[row * words + k]
        other = head
        while other >= 0 and common != 0:
            if links[other, WINDING] == links[row, WINDING]:
                common &= sets[other * words + k]
            other = links[other, NEXT] - 1
        if common != 0:
            return 1
    return 0


@kernel("i8(i8[::1], i4[:,::1], i8[::1], i4[::1], i8, i8)")
def wanted(numbers, links, sets, heads, place, row):
    """Return 1 if a new row belongs in the list at ``place``; drop the rows that it dominates.

    A full list still takes smaller rows, in exchange for its largest, and those that leave less in
    common to all rows: an opponent has one stone to break them all.
    """
    words = numbers[WORDS]
    winding = links[row, WINDING]
    cap = numbers[FULL_CAP] if links[row, FULL] == 1 else numbers[SEMI_CAP]
    count = 0
    largest = -1
    largest_before = -1
    before = -1
    other = heads[place] - 1
    while other >= 0:
        following = links[other, NEXT] - 1
        if links[other, WINDING] == winding:
            if contains(sets, words, row, other) == 1:
                return 0
            if links[other, STATUS] == QUEUED:
                if contains(sets, words, other, row) == 1:
                    links[other, STATUS] = DROPPED
                    if before < 0:
                        heads[place] = following + 1
                    else:
                        links[before, NEXT] = following + 1
                    other = following
                    continue
                if largest < 0 or links[other, SIZE] > links[largest, SIZE]:
                    largest = other
                    largest_before = before
            count += 1
        before = other
        other = following
    if count >= cap:
        if count < MOST_TIMES * cap and shrinks(numbers, links, sets, heads[place] - 1, row) == 1:
            return 1
        if largest < 0 or links[largest, SIZE] <= links[row, SIZE]:
            return 0
        links[largest, STATUS] = DROPPED
        if largest_before < 0:
            heads[place] = links[largest, NEXT]
        else:
            links[largest_before, NEXT] = links[largest, NEXT]
    return 1


@kernel("i8(i8[::1], i4[:,::1], i8[::1], i4[::1], i8, i8)")
def beaten(numbers, links, sets, heads, place, row):
    """Return 1 if a full in the list at ``place`` dominates a new semi."""
    other = heads[place] - 1
    while other >= 0:
        if links[other, WINDING] == links[row, WINDING]:
            if contains(sets, numbers[WORDS], row, other) == 1:
                return 1
        other = links[other, NEXT] - 1
    return 0


@kernel()
def offer(
    store: Connections, full: Int, a: Int, b: Int, winding: Int, size: Int, rule: Int, middle: Int
) -> Int:
    """Add the connection in the first free row, whose carrier and parents are set, if it is new.

    ``middle`` is its key. Return 1 if it was added.
    """
    numbers = store.numbers
    points = store.points
    links = store.links
    sets = store.sets
    heads = store.heads
    queue = store.queue
    row = numbers[COUNT]
    if size > numbers[SIZE_CAP] or winding > FARTHEST or winding < -FARTHEST:
        return 0
    if a > b:
        a, b = b, a
        winding = -winding
    # All rings of a point serve its owner alike, whatever their windings, so the OR rule may join
    # any.
    if a == b:
        winding = 0
    links[row, A] = a
    links[row, B] = b
    links[row, WINDING] = winding
    links[row, FULL] = full
    links[row, SIZE] = size
    links[row, STATUS] = QUEUED
    links[row, RULE] = rule
    links[row, KEY] = middle
    if row + SPARE >= len(links):
        numbers[OVERFLOW] = 1
        return 0
    after = row + 1
    if rule == OR:
        after += (-middle - 1) // ROW_PARENTS
    if numbers[COLOR] == 0 and (
        (a == numbers[FROM] and b == numbers[TO]) or (b == numbers[FROM] and a == numbers[TO])
    ):
        numbers[COUNT] = after
        if full == 1:
            numbers[PROVEN] = 2
            numbers[FULL_GOAL] = row
        else:
            add_goal(store, row)
        return 1
    if a == b:
        numbers[COUNT] = after
        if close_ring(store, row) == 1:
            return 1
        numbers[COUNT] = row
    place = 2 * (a * numbers[POINTS] + b)
    if full == 0 and beaten(numbers, links, sets, heads, place + 1, row) == 1:
        return 0
    if wanted(numbers, links, sets, heads, place + full, row) == 0:
        return 0
    numbers[COUNT] = after
    links[row, NEXT] = heads[place + full]
    heads[place + full] = row + 1
    rank = size
    if points[a, MASK] == 0:
        rank -= GROUP_BONUS
    if points[b, MASK] == 0:
        rank -= GROUP_BONUS
    rank = max(rank, 0)
    # Queues are first in first out: the first row and the last, both from 1.
    links[row, LATER] = 0
    if queue[2 * rank] == 0:
        queue[2 * rank] = row + 1
    else:
        links[queue[2 * rank + 1] - 1, LATER] = row + 1
    queue[2 * rank + 1] = row + 1
    if rank < numbers[LOWEST]:
        numbers[LOWEST] = rank
    return 1
