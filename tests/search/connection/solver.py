"""Small placement games solved outright: by trying everything, with sets of cells as numbers.

It knows nothing of windings: Black wins when a path joins the terminals, White when none can.
"""

import random

from antipodes.core import Color, Setup
from antipodes.games.placement import PlacementGame
from antipodes.games.registry import make_game


class Solver:
    """Knows the winner of every position of a small game."""

    def __init__(self, game):
        """Read the board from its topology and the goals of Black."""
        board = game.topology
        self.game = game
        self.near = [sum(1 << other for other in cells) for cells in board.neighbours]
        ends = board.rims.get("poles")
        self.source, self.target = (
            (1 << ends[0], 1 << ends[1])
            if ends
            else (sum(1 << c for c in board.rims[rim]) for rim in ("top", "bottom"))
        )
        self.all = (1 << board.cell_count) - 1
        self.known = {}

    def joined(self, cells):
        """Tell whether a set of cells joins the terminals."""
        reached = frontier = cells & self.source
        while frontier:
            if reached & self.target:
                return True
            low = frontier & -frontier
            fresh = self.near[low.bit_length() - 1] & cells & ~reached
            reached |= fresh
            frontier = (frontier ^ low) | fresh
        return bool(reached & self.target)

    def black_wins(self, black, white, color):
        """Tell whether Black wins with ``color`` (0 Black, 1 White) to move."""
        key = (black, white, color)
        if key not in self.known:
            if self.joined(black):
                result = True
            elif not self.joined(self.all & ~white):
                result = False
            else:
                result = color == 1
                empty = self.all & ~black & ~white
                while empty and result == (color == 1):
                    low = empty & -empty
                    empty ^= low
                    if color == 0:
                        result = self.black_wins(black | low, white, 1)
                    else:
                        result = self.black_wins(black, white | low, 0)
            self.known[key] = result
        return self.known[key]

    def winner(self, position, move=None):
        """Return the winner of a position, or after a move in it."""
        stones = position.stones()
        color = position.to_move
        if move is not None:
            stones[move] = color
            color = color.opponent
        black, white = (
            sum(1 << cell for cell, owner in stones.items() if owner is one)
            for one in position.game.kernel_colors
        )
        wins = self.black_wins(black, white, int(color is Color.WHITE))
        return Color.BLACK if wins else Color.WHITE


def small_game(game_id, options):
    """Return a placement game."""
    game = make_game(game_id, options)
    assert isinstance(game, PlacementGame)
    return game


def random_positions(game, empties, count, seed):
    """Yield positions that go on, with a random number of empty cells up to ``empties``.

    The numbers of stones need not come from alternate turns.
    """
    rng = random.Random(seed)
    start = game.start_stones()
    names = [game.topology.name(c) for c in range(game.topology.cell_count)]
    free = [cell for cell in range(len(names)) if cell not in start]
    found = 0
    while found < count:
        left = rng.randint(2, min(empties, len(free)))
        share = rng.choice((0.4, 0.5, 0.6))
        stones = dict(start)
        for cell in rng.sample(free, len(free) - left):
            stones[cell] = Color.BLACK if rng.random() < share else Color.WHITE
        setup = Setup(
            stones=tuple((names[c], k.value) for c, k in stones.items()),
            to_move=rng.choice(("black", "white")),
            composed=True,
        )
        position = game.position(setup)
        if position.outcome is None:
            found += 1
            yield position
