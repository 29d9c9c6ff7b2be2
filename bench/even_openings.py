"""Print openings after which chances are even, for a game in which one colour is ahead.

    python bench/even_openings.py --game antipod --count 100 >build/antipod.txt

The colour that is ahead moves at random, the other one by a short search, until a longer search
sees even chances. So openings are much shorter than random ones, and the games tell more.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

from antipodes.cli.parameters import chosen_game
from antipodes.core import Move
from antipodes.games.position import Game, Position
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Search

EVEN = 0.04  # from one half
GLANCE, LOOK = 400, 3_000  # visits for a move of the opening, and for its value
BEST = 3  # a move is one of so many
MOST = 40  # plies


def searched(position: Position, visits: int, seed: int) -> Search:
    """Return a finished search."""
    search = make_search(position, seed=seed, memory=64)
    search.run(Limits(visits=visits))
    return search


def seat_ahead(game: Game, seed: int) -> int:
    """Return the seat that is ahead at the start."""
    start: Position = game.initial()
    is_ahead = searched(start, LOOK, seed).value() > 0.5
    return start.seat_to_move if is_ahead else 1 - start.seat_to_move


def even_opening(game: Game, ahead: int, seed: int) -> list[str] | None:
    """Return the moves of an opening as text, or ``None`` if these moves lead past even chances."""
    chance = random.Random(seed)
    position: Position = game.initial()
    moves: list[str] = []
    while len(moves) < MOST:
        if position.seat_to_move == ahead:
            move = Move(chance.choice(position.legal_moves.array().tolist()))
        else:
            move = chance.choice(searched(position, GLANCE, seed).candidates()[:BEST]).move
        moves.append(position.format_move(move))
        position = position.play(move)
        if position.outcome is not None:
            return None
        if position.seat_to_move != ahead:
            value = searched(position, LOOK, seed).value()
            if value >= 0.5 - EVEN:
                return moves if value <= 0.5 + EVEN else None
    return None


def even_openings(game: Game, seed: int) -> Iterator[list[str]]:
    """Yield openings without end."""
    ahead = seat_ahead(game, seed)
    while True:
        found = even_opening(game, ahead, seed)
        if found is not None:
            yield found
        seed += 1


def main() -> None:
    """Print the openings."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="antipod")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = chosen_game(arguments.game, arguments.set)
    openings = even_openings(game, arguments.seed)
    for _ in range(arguments.count):
        print(*next(openings), flush=True)


if __name__ == "__main__":
    main()
