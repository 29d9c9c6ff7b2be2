"""Virtual connections by H-search, on any board of the placement games.

A *full* connection between two points holds if the opponent moves first, a *semi* connection if its
owner does; the *carrier* is the set of empty cells that this needs. Points are the owner's groups
and the empty cells. Two rules build connections from adjacency (Anshelevich, "A hierarchical
approach to computer Hex", Artificial Intelligence 134, 2002):

- AND: two fulls with a common end and disjoint carriers make a full if that end is a group, and a
  semi with the end in its carrier if it is an empty cell.
- OR: semis of the same ends whose carriers have no cell in common make a full.

White's goal is a ring. A white connection therefore knows its *winding*: that of any path it can be
made into, between the roots of its ends. Two fulls of the same ends and other windings are a ring
together, and the OR rule joins semis of one winding, or of any when they are rings already. So
White's goal is a connection of a point with itself. Black's windings are all 0.
"""

from __future__ import annotations

from antipodes.games.kernels.header import COLOR as COLOR_TO_MOVE
from antipodes.games.kernels.header import HEADER
from antipodes.games.kernels.placement import (
    CELLS,
    DEGREE,
    NEIGHBOURS,
    NODES,
    SOURCE,
    TARGET,
    WINDINGS,
    root_of,
    winding_of,
)
from antipodes.games.kernels.registry import I8, I8_2, Int, kernel
from antipodes.search.kernels.cell_sets import LEFT_OUT, UNTRIED, leave_out
from antipodes.search.kernels.connection_rules import deduce
from antipodes.search.kernels.connection_store import (
    BITS,
    CELL,
    COLOR,
    COUNT,
    EMPTY,
    FIRST_GOAL_ENDS,
    FROM,
    FULL_GOAL,
    GOALS,
    GROUP,
    KEY,
    MASK,
    MIDDLE,
    NO_MIDDLE,
    OVERFLOW,
    PARENTS,
    POINTS,
    PROVEN,
    ROW_PARENTS,
    STEP,
    STEPS,
    TO,
    WORD,
    WORDS,
    Connections,
    offer,
)


@kernel("i8(i8[::1], i8[::1], i8, i8[::1], i8[:,::1], i8[::1])")
def name_points(tables, state, color, numbers, points, point_of):
    """Number a colour's groups and the empty cells as points; ``point_of`` has -1 elsewhere."""
    cells = tables[CELLS]
    count = 0
    empty = 0
    for node in range(tables[NODES]):
        owner = state[HEADER + node]
        point_of[node] = -1
        if owner == 0:
            points[count, CELL] = node
            points[count, MIDDLE] = EMPTY
            points[count, WORD] = empty // BITS
            points[count, MASK] = 1 << (empty % BITS)
            empty += 1
        elif owner == 1 + color and root_of(tables, state, node) == node:
            points[count, CELL] = -1
            points[count, MIDDLE] = GROUP
            points[count, WORD] = 0
            points[count, MASK] = 0
        else:
            continue
        point_of[node] = count
        count += 1
    for node in range(tables[NODES]):
        if state[HEADER + node] == 1 + color:
            root = point_of[root_of(tables, state, node)]
            point_of[node] = root
            # Connections to the goal need not go through it.
            if node >= cells or node == tables[SOURCE] or node == tables[TARGET]:
                points[root, MIDDLE] = NO_MIDDLE
    numbers[POINTS] = count
    numbers[WORDS] = (empty + BITS - 1) // BITS
    numbers[COLOR] = color
    if color == 0:
        numbers[FROM] = point_of[tables[SOURCE]]
        numbers[TO] = point_of[tables[TARGET]]
    return count


@kernel()
def search(tables: I8, state: I8, color: Int, store: Connections) -> Int:
    """Find the virtual connections of a colour in a position without a winner; return PROVEN.

    The caller sets limits and caps in ``numbers``; all else is initialised.
    """
    numbers = store.numbers
    queue = store.queue
    point_of = store.point_of
    count = name_points(tables, state, color, numbers, store.points, point_of)
    words = numbers[WORDS]
    numbers[COUNT] = 0
    numbers[STEPS] = 0
    numbers[GOALS] = 0
    numbers[PROVEN] = 0
    numbers[FULL_GOAL] = -1
    numbers[OVERFLOW] = 0
    for i in range(2 * count * count):
        store.heads[i] = 0
    for i in range(len(queue)):
        queue[i] = 0
    for point in range(count):
        store.near[point, 0] = 0
    degree = tables[DEGREE]
    for cell in range(tables[CELLS]):
        if state[HEADER + cell] != 0:
            continue
        for i in range(cell * degree, (cell + 1) * degree):
            node = tables[tables[NEIGHBOURS] + i]
            # Each pair of empty cells is added once.
            if node < 0 or point_of[node] < 0 or (node < cell and state[HEADER + node] == 0):
                continue
            winding = 0
            if color == 1:
                winding = tables[tables[WINDINGS] + i]
                if state[HEADER + node] != 0:
                    winding -= winding_of(tables, state, node)
            row = numbers[COUNT]
            for k in range(words):
                store.sets[row * words + k] = 0
            for k in range(ROW_PARENTS):
                store.links[row, PARENTS + k] = -1
            offer(store, 1, point_of[cell], point_of[node], winding, 0, STEP, -1)
    return deduce(store)


@kernel()
def find_sure_win(tables: I8, state: I8, store: Connections, both: Int, answer: I8) -> Int:
    """Search for a proven win of the side to move, then of the other; the game must not be over.

    Unless ``both`` is 1, only the other side is searched. ``answer`` gets 1 + the index of the
    winner or 0; a winning move of the side to move or -1; then, as a carrier, the moves that may
    win: all others are proven losses.
    """
    numbers = store.numbers
    points = store.points
    goals = store.goals
    color = state[COLOR_TO_MOVE]
    cells = tables[CELLS]
    words = (cells + BITS - 1) // BITS
    answer[0] = 0
    answer[1] = -1
    for k in range(words):
        answer[2 + k] = 0
    # The side to move needs one semi of its goal, and plays its key. Of the other side all are
    # collected: together they may leave no answer.
    numbers[FIRST_GOAL_ENDS] = 1
    numbers[PROVEN] = 0
    if both == 1:
        search(tables, state, color, store)
    if numbers[PROVEN] != 0:
        answer[0] = 1 + color
        if numbers[PROVEN] == 1:
            answer[1] = points[store.links[goals[numbers[WORDS]], KEY], CELL]
        else:
            # Connected already: any move in the carrier keeps it so.
            first = numbers[FULL_GOAL] * numbers[WORDS]
            for point in range(numbers[POINTS]):
                if store.sets[first + points[point, WORD]] & points[point, MASK] != 0:
                    answer[1] = points[point, CELL]
        answer[2 + answer[1] // BITS] = 1 << (answer[1] % BITS)
        return answer[0]
    numbers[FIRST_GOAL_ENDS] = 0
    search(tables, state, 1 - color, store)
    if numbers[PROVEN] != 0:
        answer[0] = 2 - color
    else:
        for point in range(numbers[POINTS]):
            cell = points[point, CELL]
            if cell < 0:
                continue
            if numbers[GOALS] == 0 or goals[points[point, WORD]] & points[point, MASK] != 0:
                answer[2 + cell // BITS] |= 1 << (cell % BITS)
    return answer[0]


@kernel()
def write_carriers(store: Connections, rows: I8, count: Int, out: I8_2) -> Int:
    """Write the carriers of ``count`` rows as sets of cells, to a row of ``out`` each."""
    numbers = store.numbers
    points = store.points
    sets = store.sets
    words = numbers[WORDS]
    for i in range(count):
        for k in range(out.shape[1]):
            out[i, k] = 0
        for point in range(numbers[POINTS]):
            cell = points[point, CELL]
            if cell >= 0 and sets[rows[i] * words + points[point, WORD]] & points[point, MASK] != 0:
                out[i, cell // BITS] |= 1 << (cell % BITS)
    return count


@kernel()
def list_winning_rows(store: Connections, rows: I8, carriers: I8_2, marks: I8) -> Int:
    """Write few rows that prove the win of the last search, and their carriers; count them.

    ``marks`` is scratch. Each array has room for one more than there are connections of the goal.
    """
    numbers = store.numbers
    if numbers[PROVEN] == 2 and numbers[FULL_GOAL] >= 0:
        rows[0] = numbers[FULL_GOAL]
        return write_carriers(store, rows, 1, carriers)
    count = list_goal_rows(store, rows, carriers)
    if numbers[PROVEN] == 1:
        return 1
    for i in range(count):
        marks[i] = UNTRIED
    for k in range(carriers.shape[1]):
        carriers[count, k] = -1
    leave_out(carriers, count, carriers[count], 0, marks)
    left = 0
    for i in range(count):
        if marks[i] != LEFT_OUT:
            rows[left] = rows[i]
            for k in range(carriers.shape[1]):
                carriers[left, k] = carriers[i, k]
            left += 1
    return left


@kernel()
def list_goal_rows(store: Connections, rows: I8, carriers: I8_2) -> Int:
    """Write the connections that reach the goal, and their carriers; count them."""
    count = store.numbers[GOALS]
    for i in range(count):
        rows[i] = store.goals[store.numbers[WORDS] + i]
    return write_carriers(store, rows, count, carriers)
