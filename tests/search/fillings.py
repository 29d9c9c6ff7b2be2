"""How often random games are won, by trying every filling of small boards by the rules."""

from functools import cache
from itertools import combinations

from antipodes.core import Color, Setup
from antipodes.games.registry import make_game

# Small enough to try every filling of the empty cells.
SMALL = [
    ("hex", {"size": 3, "swap": "off"}, 0),
    ("hex", {"size": 4, "swap": "off"}, 4),
    ("antipod", {"side": 3, "handicap": "two", "first": "black"}, 11),
    ("antipod", {"side": 3, "handicap": "six"}, 8),
    ("cylindrical-hex", {"rows": 3, "columns": 3}, 0),
    ("cylindrical-hex", {"rows": 4, "columns": 3, "first": "white"}, 1),
]


def after(game_id, options, plies):
    """Return the position after some moves in the middle of what is left."""
    position = make_game(game_id, options).initial()
    for _ in range(plies):
        legal = position.legal_moves.array()
        position = position.play(int(legal[len(legal) // 2]))
    assert position.outcome is None
    return position


def wins_black(position, stones):
    """Tell by the rules whether Black has won a full board."""
    board = position.game.topology
    named = tuple((board.name(cell), color.value) for cell, color in stones.items())
    setup = Setup(stones=named, to_move="black", composed=True)
    return position.game.position(setup).outcome.winner is Color.BLACK


@cache
def exact_share(game_id, plies, **options):
    """Return in how many of all balanced fillings of a position Black has won, as a share."""
    position = after(game_id, options, plies)
    stones = position.stones()
    empty = [cell for cell in range(position.game.topology.cell_count) if cell not in stones]
    first = position.to_move
    other = next(color for color in position.game.colors if color is not first)
    held = (len(empty) + 1) // 2
    results = [
        wins_black(
            position,
            stones | dict.fromkeys(empty, other) | dict.fromkeys(chosen, first),
        )
        for chosen in combinations(empty, held)
    ]
    return sum(results) / len(results)


def deviation(won, games, share):
    """Return a chi-square with one degree of freedom."""
    expected = games * share
    return (won - expected) ** 2 / expected + (won - expected) ** 2 / (games - expected)


# Where it is exceeded once in ten thousand times.
UNLIKELY = 15.1
