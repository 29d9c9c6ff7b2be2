"""Positions of Antipalos, and what is won at once in them, the slow way."""

import random

from antipodes.core import Setup
from antipodes.games.antipalos import Antipalos
from antipodes.games.registry import make_game


def a_position(options, plies, seed):
    """Return a position after random moves, not the swap; the game goes on."""
    game = Antipalos(**options)
    rng = random.Random(seed)
    position = game.initial()
    while position.ply < plies:
        legal = [move for move in position.legal_moves if move != game.swap_move]
        following = position.play(rng.choice(legal))
        if following.outcome is None:
            position = following
    return position


def composed(white, black, to_move="white", **options):
    """Return a boxed position with these rods."""
    stones = [(rod, "white") for rod in white.split()] + [(rod, "black") for rod in black.split()]
    options = {"size": 12, **options}
    left = options.pop("left", None)
    setup = Setup(
        stones=tuple(stones),
        to_move=to_move,
        composed=True,
        rods_left={} if left is None else {"white": left, "black": left},
    )
    return make_game("antipalos", options).position(setup)


def wins_at_once(position):
    """Return the moves that win at once: the slow way, by playing all of them."""
    mover = position.to_move
    found = set()
    for move in position.legal_moves:
        outcome = position.play(move).outcome
        if outcome is not None and outcome.winner is mover:
            found.add(move)
    return found


def wins_of_the_other(position):
    """Return the moves by which the other colour would win if it were to move."""
    other = next(color for color in position.game.colors if color is not position.to_move)
    setup = Setup(
        stones=position.to_setup().stones,
        to_move=other.value,
        composed=True,
        rods_left={color.value: n for color, n in position.rods_left().items()},
    )
    return wins_at_once(position.game.position(setup))


def straight_chain(*rows):
    """Return a column of white rods that zigzags between column E's borders, in these rows."""
    return " ".join(f"*E{row}" if row % 2 else f"E{row}*" for row in rows)
