"""Measure the solver: CPU seconds and positions until boards are solved.

``python bench/solve.py`` solves Hex 7x7 after some first moves, and
``python bench/solve.py hex size=8`` the empty board of any placement game. Words in capitals are
not options of the game: ``AFTER=e4,d5`` plays moves first.
"""

from __future__ import annotations

import sys
import time

from antipodes.games.registry import make_game
from antipodes.search.proof.solver import Solver

FIRST_MOVES = ("c2", "b6", "a7", "e2", "g1")  # of Hex 7x7, from easy to hard


def solve(game_id: str, options: dict[str, str], after: list[str]) -> float:
    """Solve a position and print a line; return the CPU seconds."""
    position = make_game(game_id, options).initial()
    for move in after:
        position = position.play(move)
    solver = Solver(position)
    began = time.process_time()
    solver.run()
    seconds = time.process_time() - began
    assert solver.winner is not None
    board = " ".join([game_id, *(f"{key}={value}" for key, value in options.items()), *after])
    each = 1000 * seconds / solver.nodes
    print(
        f"{board:28} {solver.winner.value:6}{seconds:9.2f} s {solver.nodes:9,} positions"
        f" {each:6.2f} ms each",
        flush=True,
    )
    return seconds


def main() -> None:
    """Solve what the command line names."""
    words = [word.partition("=") for word in sys.argv[2:]]
    named = {key: value for key, _, value in words if key.isupper()}
    options = {key: value for key, _, value in words if not key.isupper()}
    after = [move for move in named.get("AFTER", "").split(",") if move]
    if len(sys.argv) > 1:
        solve(sys.argv[1], options, after)
        return
    boards = [solve("hex", {"size": "7"}, [move]) for move in FIRST_MOVES]
    print(f"all: {sum(boards):.2f} s of CPU time")


if __name__ == "__main__":
    main()
