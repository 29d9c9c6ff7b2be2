"""Measure how often the strongest search judges solved positions right within a time.

    python bench/solved.py hex size=7
    python bench/solved.py antipod side=4 handicap=two --seconds 1 --without-facts

The positions are those after each first move whose winner is proven, one of each symmetry. Facts
that the program ships are known at once; ``--without-facts`` lets the search find all out itself.
"""

from __future__ import annotations

import argparse
import time

from antipodes.cli.parameters import read_settings
from antipodes.games.placement import PlacementGame
from antipodes.games.registry import make_game
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Timekeeping
from antipodes.search.proof import openings
from antipodes.search.proof.openings import Openings


def parse_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("options", nargs="*", metavar="KEY=VALUE")
    parser.add_argument("--seconds", type=float, default=1.0, help="of CPU time for each")
    parser.add_argument("--without-facts", action="store_true", help="ignore shipped facts")
    return parser.parse_args()


def main() -> None:
    """Search all positions, and print the wrong ones and the share of right ones."""
    given = parse_arguments()
    game = make_game(given.game, {"swap": "off", **read_settings(given.options)})
    assert isinstance(game, PlacementGame), f"{game.title} is not solved"
    winners = openings.openings_of(game).winners
    if given.without_facts:
        openings.openings_of = lambda game: Openings(game, ())
        openings.find_pairing_strategy = lambda _: None
    start, seen = game.initial(), set[int]()
    right = total = proven = 0
    began = time.process_time()
    for move, winner in sorted(winners.items()):
        if move in seen:
            continue
        seen.update(game.transform(move, index) for index in range(len(game.symmetries)))
        position = start.play(move)
        search = make_search(position, seed=1)
        search.run(Limits(seconds=given.seconds, clock=Timekeeping.CPU))
        value, total = search.value(), total + 1
        proven += search.proven is not None
        is_right = (value > 0.5) == (position.to_move is winner)
        right += is_right
        if not is_right:
            print(f"wrong after {start.format_move(move)}: {value:.2f}, {winner.value} wins")
    spent = (time.process_time() - began) / max(total, 1)
    print(
        f"{right} of {total} right, {proven} of them proven, {spent:.2f} s of CPU time a position"
    )


if __name__ == "__main__":
    main()
