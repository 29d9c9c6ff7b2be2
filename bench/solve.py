"""Measure the solver: CPU seconds and positions until boards are solved, and where the time goes.

``python bench/solve.py`` solves Hex 7x7 after some first moves, and
``python bench/solve.py hex size=8`` the empty board of any placement game. Words in capitals are
not options of the game: ``AFTER=e4,d5`` plays moves first, and ``PARTS=1`` prints the share of each
part, which costs time itself.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from antipodes.games.registry import make_game
from antipodes.search.proof.dfpn import DfpnSearch
from antipodes.search.proof.solver import Solver

FIRST_MOVES = ("c2", "b6", "a7", "e2", "g1")  # of Hex 7x7, from easy to hard
PARTS = {
    "connections": ("_connections", "decide"),
    "moves ahead": ("_reducer", "look_ahead"),
    "fill-in": ("_reducer", "fill_in"),
    "inferior moves": ("_reducer", "undominated_moves"),
    "currents": ("_currents", "of"),
}


def timed(function: Callable[..., Any], spent: dict[str, float], part: str) -> Callable[..., Any]:
    """Return a function that adds its time to a part."""

    def call(*arguments: Any, **named: Any) -> Any:
        began = time.perf_counter()
        found = function(*arguments, **named)
        spent[part] += time.perf_counter() - began
        return found

    return call


def watch(search: DfpnSearch) -> dict[str, float]:
    """Make a search add up the time in its parts."""
    spent = dict.fromkeys(PARTS, 0.0)
    for part, (owner, name) in PARTS.items():
        proxy = getattr(search, owner)
        setattr(proxy, name, timed(getattr(proxy, name), spent, part))
    return spent


def solve(game_id: str, options: dict[str, str], after: list[str], *, parts: bool) -> float:
    """Solve a position and print a line; return the CPU seconds."""
    position = make_game(game_id, options).initial()
    for move in after:
        position = position.play(move)
    solver = Solver(position)
    compiled = DfpnSearch(solver.search.game, Solver(position).table)
    compiled.node(position.kernel_state)  # loads the kernels
    spent = watch(solver.search) if parts else {}
    began, wall = time.process_time(), time.perf_counter()
    solver.run()
    seconds, wall = time.process_time() - began, time.perf_counter() - wall
    assert solver.winner is not None
    board = " ".join([game_id, *(f"{key}={value}" for key, value in options.items()), *after])
    each = 1000 * seconds / solver.nodes
    print(
        f"{board:28} {solver.winner.value:6}{seconds:9.2f} s {solver.nodes:9,} positions"
        f" {each:6.2f} ms each" + "".join(f", {p} {s / wall:.0%}" for p, s in spent.items()),
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
        solve(sys.argv[1], options, after, parts="PARTS" in named)
        return
    boards = [solve("hex", {"size": "7"}, [move], parts=False) for move in FIRST_MOVES]
    print(f"all: {sum(boards):.2f} s of CPU time")


if __name__ == "__main__":
    main()
