"""The results of an analysis as numbers, from which the engine in a visitor's page tells them.

The kernels of each family's search fill a report with those of this module.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import (
    CELL,
    COLOR,
    DRAW,
    ENDING,
    NAME,
    OTHER_NAME,
    PLY,
    REASON,
    SEAT,
    WINNER,
)
from antipodes.games.kernels.header import POINTS as WIN_POINTS
from antipodes.games.kernels.registry import (
    F8,
    F8_2,
    I8,
    I8_2,
    Describing,
    Float,
    Int,
    Listing,
    Playing,
    Starting,
    kernel,
)
from antipodes.search.kernels.choosing import generator_state
from antipodes.search.kernels.nodes import Walk

LISTED = 8  # moves that pages list
GAME = 1_500  # moves of a game whose turning points are found

# The least loss of value at a turning point, and the standard errors that it must exceed.
COSTLY = 0.15
ERRORS = 2.0
LINE = 41  # moves of a line at most

# Proven results of a move for its player.
UNPROVEN = 0
WON = 1
DRAWN = 2
LOST = 3

# Numbers of a report.
VISITS = 0
COUNT = 1  # moves in it
PROVEN = 2  # result of the position for the seat to move
TO_MOVE = 3  # the colour
MOVER = 4  # the seat to move
PLIES = 5  # moves made
OUTCOME = 6  # 0 while the game is in progress, 1 + the winner, or DRAW
TERMINATION = 7
POINTS = 8
NUMBERS = 9

# Joins of a report, the results of a search for virtual connections, and behind them for each cell
# whether it is a move that may win, and whether the connections need it.
SEARCHED = 0
JOINED = 1  # 1 + the colour that wins, or 0
LIMITED = 2  # 1 if not all moves may win
JOINS = 3
MAY_WIN = 1
NEEDED = 2

# Chances of a report: the value of the position for the seat to move, its standard error, and
# behind them the chance of each colour.
VALUE = 0
ERROR = 1
CHANCES = 2
UNKNOWN = -1.0  # the chance of another colour than the one to move, where there are more than two

# Threats of a report, which are the opponent's moves then.
THREAT = 1
AT_ONCE = 2  # it would end the game


class Report(NamedTuple):
    """The results of an analysis.

    ``moves`` to ``threats`` have a place for each listed move, the best first; a row of ``lines``
    has two names for each of the ``lengths`` moves of a line, as ``describe`` writes them. ``heat``
    has the criticality of each cell as a share of the highest. ``before`` is the value of the
    position whose threats are searched; ``move`` and ``line`` are scratch.
    """

    numbers: I8
    chances: F8
    moves: I8
    visits: I8
    values: F8
    errors: F8
    proven: I8
    cells: I8
    endings: I8
    threats: I8
    lengths: I8
    lines: I8_2
    joins: I8
    heat: F8
    before: F8
    move: I8
    line: I8


@kernel()
def begin(walk: Walk, seed: Int) -> Int:
    """Prepare the search of the root; return 1 if the game is over, else 0."""
    walk.rng[0] = generator_state(seed)
    return 1 if walk.root[WINNER] != 0 else 0


@kernel()
def standard_error(value: Float, games: Int) -> Float:
    """Return one standard error of a value that is the mean of so many games."""
    return math.sqrt(max(value * (1.0 - value), 0.25 / games) / games)


@kernel()
def write_move(
    place: Int, visits: Int, value: Float, error: Float, proven: Int, report: Report
) -> Int:
    """Write the statistics of a move; a proven one has an exact value."""
    is_known = proven != UNPROVEN
    certain = 1.0 if proven == WON else 0.5 if proven == DRAWN else 0.0
    report.visits[place] = visits
    report.values[place] = certain if is_known else value
    report.errors[place] = 0.0 if is_known else error
    report.proven[place] = proven
    return 0


@kernel()
def write_line(
    play: Playing, describe: Describing, walk: Walk, place: Int, length: Int, report: Report
) -> Int:
    """Write the names of the moves in the report's line, and the cell of the first one."""
    state = walk.state
    copy(walk.root, state)
    for i in range(length):
        move = report.line[i]
        describe(walk.tables, state, move, report.move)
        report.lines[place, 2 * i] = report.move[NAME]
        report.lines[place, 2 * i + 1] = report.move[OTHER_NAME]
        if i == 0:
            report.moves[place] = move
            report.cells[place] = report.move[CELL]
            report.endings[place] = report.move[ENDING]
        play(walk.tables, state, walk.work, move)
    report.lengths[place] = length
    return 0


@kernel()
def write_chances(
    play: Playing, walk: Walk, visits: Int, proven: Int, value: Float, report: Report
) -> Int:
    """Write the numbers of the position and the chances of the colours, after the moves.

    A colour is that of its player after the best move, since a swap exchanges them. The value is
    that of the position unless it is proven.
    """
    colors = len(report.chances) - CHANCES
    root = walk.root
    state = walk.state
    numbers = report.numbers
    chances = report.chances
    numbers[VISITS] = visits
    numbers[PROVEN] = proven
    if proven == UNPROVEN and numbers[COUNT] > 0 and report.proven[0] == WON:
        numbers[PROVEN] = WON
    numbers[TO_MOVE] = root[COLOR]
    numbers[MOVER] = root[SEAT]
    numbers[PLIES] = root[PLY]
    numbers[OUTCOME] = root[WINNER]
    numbers[TERMINATION] = root[REASON]
    numbers[POINTS] = root[WIN_POINTS]
    mine = root[COLOR]
    if proven != UNPROVEN:
        value = 1.0 if proven == WON else 0.5 if proven == DRAWN else 0.0
    chances[ERROR] = 0.0
    if numbers[COUNT] > 0:
        chances[ERROR] = report.errors[0]
        copy(root, state)
        play(walk.tables, state, walk.work, report.moves[0])
        if colors == 2:
            is_mine = (state[SEAT] - root[SEAT]) % 2 == 0
            mine = state[COLOR] if is_mine else 1 - state[COLOR]
    for color in range(colors):
        if root[WINNER] == 0:
            chances[CHANCES + color] = 1.0 - value if colors == 2 else UNKNOWN
        elif root[WINNER] == DRAW:
            chances[CHANCES + color] = 1.0 / colors
        else:
            chances[CHANCES + color] = 1.0 if root[WINNER] == 1 + color else 0.0
    if root[WINNER] == 0:
        chances[CHANCES + mine] = value
    chances[VALUE] = chances[CHANCES + mine]
    return 0


@kernel()
def write_heat(weights: F8, report: Report) -> Int:
    """Write the positive weights of cells as shares of the highest one."""
    highest = 0.0
    for cell in range(len(weights)):
        highest = max(highest, weights[cell])
    for cell in range(len(weights)):
        report.heat[cell] = weights[cell] / highest if weights[cell] > 0.0 else 0.0
    return 0


@kernel()
def threaten(
    moves: Listing,
    play: Playing,
    describe: Describing,
    null_move: Starting,
    walk: Walk,
    report: Report,
) -> Int:
    """Let the player to move pass, and write the moves of the opponent that win at once.

    Return how many there are, or -1 if the turn cannot be passed.
    """
    root = walk.root
    state = walk.state
    if null_move(walk.tables, root, walk.work) == 0:
        return -1
    wins = 0
    for i in range(moves(walk.tables, root, walk.work, walk.out)):
        copy(root, state)
        play(walk.tables, state, walk.work, walk.out[i])
        if state[WINNER] == 1 + root[COLOR] and wins < LISTED:
            write_move(wins, 0, 1.0, 0.0, WON, report)
            report.line[0] = walk.out[i]
            write_line(play, describe, walk, wins, 1, report)
            report.threats[wins] = AT_ONCE
            wins += 1
    report.numbers[COUNT] = wins
    return wins


@kernel()
def mark_threats(report: Report) -> Int:
    """Mark the moves that are threats after the opponent has passed; return their number.

    A free move always has some value; a threat is decisive: it raises the value, which was that of
    the opponent before, at least half of the way to 1.
    """
    enough = 1.0 - report.before[0] / 2
    count = 0
    for place in range(report.numbers[COUNT]):
        result = report.proven[place]
        is_enough = report.values[place] - 2.0 * report.errors[place] >= enough
        is_threat = result == WON or (result == UNPROVEN and is_enough)
        report.threats[place] = THREAT if is_threat else 0
        count += report.threats[place]
    return count


class GameReport(NamedTuple):
    """The values of the positions of a game, for the seats to move, and its turning points.

    ``proven`` are results, ``movers`` seats, ``best`` moves (-1 after the end) and ``played`` those
    of the game; ``chances`` has a row of those of all colours for each position. ``turns`` are the
    plies of turning points; ``left`` and ``decides`` are the values after each move for its player,
    and whether it gave away a proven win.
    """

    values: F8
    errors: F8
    chances: F8_2
    proven: I8
    movers: I8
    best: I8
    played: I8
    turns: I8
    left: F8
    decides: I8


@kernel()
def is_turning_point(before: Float, left: Float, noise: Float, decides: Int) -> Int:
    """Return 1 if a move lost much of its player's value, or gave away a proven win."""
    return 1 if decides == 1 or before - left >= max(COSTLY, ERRORS * noise) else 0


@kernel()
def value_left(game: GameReport, i: Int) -> Float:
    """Return the value after a move for its player, or ``UNKNOWN``.

    With two colours seats tell it, since a swap exchanges the colours.
    """
    colors = game.chances.shape[1]
    if colors > 2:
        return game.chances[i + 1, game.movers[i] % colors]
    is_mine = (game.movers[i + 1] - game.movers[i]) % 2 == 0
    return game.values[i + 1] if is_mine else 1.0 - game.values[i + 1]


@kernel()
def find_turning_points(game: GameReport, count: Int) -> Int:
    """Write the turning points of a game of so many moves; return their number."""
    turns = 0
    for i in range(count):
        left = value_left(game, i)
        if left == UNKNOWN:
            continue
        is_lost = left == 0.0 and game.proven[i + 1] != UNPROVEN
        decides = 1 if game.proven[i] == WON and is_lost else 0
        game.left[i] = left
        game.decides[i] = decides
        squares = game.errors[i] * game.errors[i] + game.errors[i + 1] * game.errors[i + 1]
        # The best move may lose value as well; that is not the player's fault.
        is_own = game.best[i] >= 0 and game.best[i] != game.played[i]
        if is_own and is_turning_point(game.values[i], left, math.sqrt(squares), decides) == 1:
            game.turns[turns] = i + 1
            turns += 1
    return turns
