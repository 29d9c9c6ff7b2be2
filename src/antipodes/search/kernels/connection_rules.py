"""The rules that combine virtual connections: see :mod:`.connection`."""

from __future__ import annotations

from antipodes.games.kernels.bits import popcount
from antipodes.games.kernels.registry import Int, kernel
from antipodes.search.kernels.connection_store import (
    AND,
    COUNT,
    DONE,
    FULL,
    GROUP,
    LATER,
    LOWEST,
    MASK,
    MIDDLE,
    MOST_PARENTS,
    NEXT,
    NO_MIDDLE,
    OR,
    OVERFLOW,
    PARENTS,
    POINTS,
    PROVEN,
    QUEUED,
    ROW_PARENTS,
    SIZE,
    SIZE_CAP,
    SPARE,
    STATUS,
    STEP_LIMIT,
    STEPS,
    WINDING,
    WORD,
    WORDS,
    A,
    B,
    Connections,
    meet,
    offer,
)

MOST_TRIED = 2  # unions that begin with a semi and another one that meets it


@kernel()
def offer_union(store: Connections, head: Int, first: Int, second: Int) -> Int:
    """Offer a full that two semis make by the OR rule, with as many others of their list as needed.

    The next semi is always the one that leaves least in common. The intersection of all semis of
    the list must be empty.
    """
    numbers = store.numbers
    links = store.links
    sets = store.sets
    words = numbers[WORDS]
    row = numbers[COUNT]
    winding = links[first, WINDING]
    common = (row + MOST_PARENTS // ROW_PARENTS) * words  # scratch, behind further parents
    left = 0
    for k in range(words):
        sets[row * words + k] = sets[first * words + k] | sets[second * words + k]
        sets[common + k] = sets[first * words + k] & sets[second * words + k]
        left += popcount(sets[common + k])
    for i in range(ROW_PARENTS):
        links[row, PARENTS + i] = -1
    links[row, PARENTS] = first
    links[row, PARENTS + 1] = second
    parents = 2
    while left > 0:
        best = -1
        least = left
        smallest = 0
        other = head
        while other >= 0:
            numbers[STEPS] += 1
            if links[other, STATUS] == DONE and links[other, WINDING] == winding:
                overlap = 0
                size = 0
                for k in range(words):
                    overlap += popcount(sets[common + k] & sets[other * words + k])
                    size += popcount(sets[row * words + k] | sets[other * words + k])
                if overlap < least or (overlap == least and best >= 0 and size < smallest):
                    best = other
                    least = overlap
                    smallest = size
            other = links[other, NEXT] - 1
        if best < 0 or parents == MOST_PARENTS:
            return 0
        for k in range(words):
            sets[row * words + k] |= sets[best * words + k]
            sets[common + k] &= sets[best * words + k]
        left = least
        # After the fourth, parents are in the rows behind.
        links[row + parents // ROW_PARENTS, PARENTS + parents % ROW_PARENTS] = best
        parents += 1
    size = 0
    for k in range(words):
        size += popcount(sets[row * words + k])
    return offer(store, 1, links[first, A], links[first, B], winding, size, OR, -parents)


@kernel()
def join_semis(store: Connections, row: Int) -> Int:
    """Apply the OR rule to a semi and the processed semis with the same ends."""
    numbers = store.numbers
    links = store.links
    sets = store.sets
    words = numbers[WORDS]
    winding = links[row, WINDING]
    head = store.heads[2 * (links[row, A] * numbers[POINTS] + links[row, B])] - 1
    # This test avoids most of the unsuccessful work.
    overlap = 0
    for k in range(words):
        common = sets[row * words + k]
        other = head
        while other >= 0:
            if links[other, STATUS] == DONE and links[other, WINDING] == winding:
                common &= sets[other * words + k]
            other = links[other, NEXT] - 1
        overlap |= common
    if overlap != 0:
        return 0
    # Pairs that have nothing in common first, then those that have little.
    last = -1
    tried = 0
    while numbers[PROVEN] == 0:
        best = -1
        least = 0
        other = head
        while other >= 0:
            if other != row and links[other, STATUS] == DONE and links[other, WINDING] == winding:
                numbers[STEPS] += 1
                overlap = 0
                for k in range(words):
                    overlap += popcount(sets[row * words + k] & sets[other * words + k])
                overlap = overlap * len(links) + other
                if overlap > last and (best < 0 or overlap < least):
                    best = other
                    least = overlap
            other = links[other, NEXT] - 1
        if best < 0 or (tried >= MOST_TRIED and least >= len(links)):
            return 0
        offer_union(store, head, row, best)
        last = least
        if least >= len(links):
            tried += 1
    return 0


@kernel()
def join_through(store: Connections, row: Int, side: Int) -> Int:
    """Apply the AND rule to a full and all fulls that share its end ``side``."""
    numbers = store.numbers
    points = store.points
    links = store.links
    sets = store.sets
    near = store.near
    words = numbers[WORDS]
    middle = links[row, A + side]
    kind = points[middle, MIDDLE]
    if kind == NO_MIDDLE:
        return 0
    outer = links[row, B - side]
    here = links[row, WINDING] * (1 if side == 1 else -1)  # from the outer end to the middle
    full = 1 if kind == GROUP else 0
    extra = 1 - full
    size = links[row, SIZE] + extra
    for i in range(1, near[middle, 0] + 1):
        other = near[middle, i]
        if numbers[PROVEN] != 0:
            return 0
        if size + links[other, SIZE] > numbers[SIZE_CAP]:
            continue
        numbers[STEPS] += 1
        winding = here
        if links[other, A] == middle:
            far = links[other, B]
            winding += links[other, WINDING]
        else:
            far = links[other, A]
            winding -= links[other, WINDING]
        # Back where it began: nothing is joined unless the way is a ring.
        if far == outer and winding == 0:
            continue
        if meet(sets, words, row, other) == 1:
            continue
        # The carriers must not contain the ends.
        if sets[row * words + points[far, WORD]] & points[far, MASK] != 0:
            continue
        if sets[other * words + points[outer, WORD]] & points[outer, MASK] != 0:
            continue
        # A connection between neighbours cannot be improved.
        place = 2 * (min(outer, far) * numbers[POINTS] + max(outer, far)) + 1
        known = store.heads[place] - 1
        if known >= 0 and links[known, SIZE] == 0:
            if links[known, WINDING] == (winding if outer < far else -winding):
                continue
        new = numbers[COUNT]
        for k in range(words):
            sets[new * words + k] = sets[row * words + k] | sets[other * words + k]
        sets[new * words + points[middle, WORD]] |= points[middle, MASK]
        links[new, PARENTS] = row
        links[new, PARENTS + 1] = other
        links[new, PARENTS + 2] = -1
        links[new, PARENTS + 3] = -1
        offer(store, full, outer, far, winding, size + links[other, SIZE], AND, middle)
    return 0


@kernel()
def deduce(store: Connections) -> Int:
    """Apply the rules until there is no new connection, a win or a limit; return PROVEN."""
    numbers = store.numbers
    links = store.links
    queue = store.queue
    near = store.near
    numbers[LOWEST] = 0
    while numbers[LOWEST] <= numbers[SIZE_CAP] and numbers[PROVEN] == 0:
        rank = numbers[LOWEST]
        row = queue[2 * rank] - 1
        if row < 0:
            numbers[LOWEST] += 1
            continue
        if numbers[STEPS] >= numbers[STEP_LIMIT] or numbers[COUNT] + SPARE >= len(links):
            numbers[OVERFLOW] = 1
            return 0
        queue[2 * rank] = links[row, LATER]
        # A row that a smaller one has dominated stays in its queue until here.
        if links[row, STATUS] != QUEUED:
            continue
        links[row, STATUS] = DONE
        if links[row, FULL] == 0:
            join_semis(store, row)
            continue
        for side in range(2):
            join_through(store, row, side)
        for side in range(2):
            # Only now do others meet this row, so that each pair of fulls is joined once, by the
            # later.
            end = links[row, A + side]
            if near[end, 0] + 1 < near.shape[1]:
                near[end, 0] += 1
                near[end, near[end, 0]] = row
    return numbers[PROVEN]
