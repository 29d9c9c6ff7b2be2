"""Strength of the computer's levels: each level against the one below, colours exchanged.

Run it with ``make strength``; ``ARGS="--games 20 hex antipod"`` chooses how many games and which.
Figures are the stronger level's share of the points, a draw counting half, with Wilson's interval.
"""

from __future__ import annotations

import argparse
import math
import time

from antipodes.games.registry import game_ids, make_game
from antipodes.search.levels import levels
from antipodes.search.players import make_player

# Small enough for an evening, large enough to show what a level sees.
BOARDS = {
    "antipod": {"side": 5},
    "antipalos": {"size": 12},
    "antipode": {},
    "hex": {"size": 9},
    "cylindrical-hex": {"rows": 8, "columns": 9},
}


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    z = 1.96
    share = points / games
    centre = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return centre - spread * z / (1 + z * z / games), centre + spread * z / (1 + z * z / games)


def points_of(game_id: str, strong: str, weak: str, number: int) -> float:
    """Play one game, the strong player at seat ``number % 2``; return its points."""
    game = make_game(game_id, BOARDS[game_id])
    seats = [make_player(weak, 2 * number), make_player(weak, 2 * number + 1)]
    own = number % 2
    seats[own] = make_player(strong, 2 * number + own)
    position = game.initial()
    while position.outcome is None:
        position = position.play(seats[position.seat_to_move].choose(position))
    winner = position.outcome.winner
    if winner is None:
        return 0.5
    return 1.0 if own in position.seat_of(winner) else 0.0


def main() -> None:
    """Play and print a table, a line as soon as it is known."""
    parser = argparse.ArgumentParser(description="Play each level against the one below.")
    parser.add_argument("games_of", nargs="*", metavar="GAME", help="which games; all if none")
    parser.add_argument("--games", type=int, default=10, help="games for each pair of levels")
    parser.add_argument("--levels", type=int, default=4, help="the highest level to play")
    arguments = parser.parse_args()
    print(
        f"{'game':17}{'levels':>8}{'points':>12}{'share':>7}{'95 %':>12}{'s a game':>10}",
        flush=True,
    )
    for game_id in arguments.games_of or game_ids():
        for level in levels()[1 : arguments.levels]:
            began = time.perf_counter()
            strong, weak = f"computer:{level.number}", f"computer:{level.number - 1}"
            points = sum(points_of(game_id, strong, weak, n) for n in range(arguments.games))
            seconds = (time.perf_counter() - began) / arguments.games
            low, high = wilson(points, arguments.games)
            pair = f"{level.number}-{level.number - 1}"
            print(
                f"{game_id:17}{pair:>8}{points:>7g} of{arguments.games:>3}"
                f"{points / arguments.games:7.2f}{low:7.2f}-{high:4.2f}{seconds:10.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
