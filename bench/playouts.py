"""Measure random games per second on one core, with each kernel that the searches use.

With OpenSpiel installed (``pip install open_spiel``) the same run measures its C++ rollouts of Hex.
Figures are medians of interleaved runs, in games per second of CPU time.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from antipodes.games.kernels import edition, placement, walks_of
from antipodes.games.registry import make_game
from antipodes.search.families import playout_kernel
from antipodes.search.kernels import batch, bridges, eight, playouts
from tests.kernels.editions import editions

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("hex", {"size": 11}),
    ("antipod", {}),
    ("cylindrical-hex", {}),
    ("antipode", {}),
    ("antipalos", {"ruleset": "mail"}),
)
LATE = 20  # moves before bridges are measured: at the start there are none

OTHER = "OpenSpiel"
NOTES = {
    OTHER: "rollouts of Hex 11x11 in C++, move by move to the end of the game",
    "by the rules": "moves drawn and played one by one with the rules, until a side has won",
    "to the win": "all moves up to the winning one, found from a random order of the cells",
    "at a leaf": "a playout of searches, called from Python; placement games: the winner alone",
    "64 in a word": "winners without moves; the games of a batch share a pairing of the cells",
    "8 x 64": "the same; each batch has its own pairing, and all share the flood",
    "64 late": f"64 in a word, after {LATE} moves",
    "64 bridges": "the same position, and both colours keep their bridges",
}


@dataclass
class Side:
    """One way to play random games: ``play`` plays some and returns how many."""

    game_id: str
    kind: str
    play: Callable[[], int]
    rates: list[float] = field(default_factory=list)

    def run(self, seconds: float) -> None:
        """Play for some seconds of CPU time and store the rate."""
        played = 0
        began = time.process_time()
        while time.process_time() - began < seconds:
            played += self.play()
        self.rates.append(played / (time.process_time() - began))


def generator() -> Any:
    """Return the state of a new random generator."""
    return np.array([2463534242], np.int64)


def one_by_one(game: Any) -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield the ways to play any game: with its rules, and with the kernel for leaves."""
    walks, kernel = walks_of(game.family), playout_kernel(game.family)
    root = game.initial().searchable_state(2_000)
    work, wins = game.work(), np.zeros(4, np.int64)
    arrays = (game.tables, root, root.copy(), work, generator())

    def moves() -> int:
        walks.play_outs(*arrays, wins, 2_000, 1_000)
        return 1_000

    def winners() -> int:
        tables, root, state, work, rng = arrays
        for _ in range(5_000):
            state[:] = root
            kernel(tables, state, work, rng)
        return 5_000

    yield "by the rules", moves
    yield "at a leaf", winners


def to_the_win(game: Any) -> Callable[[], int]:
    """Return a function that plays a placement game up to the winning move."""
    nodes = int(game.tables[placement.NODES])
    state, rng = game.initial().state.copy(), generator()
    order, room, moves, wins = (np.zeros(2 * nodes, np.int64) for _ in range(4))
    kernel = edition(playouts, "random_games")

    def play() -> int:
        kernel(game.tables, state, rng, order, room, moves, wins, 5_000)
        return 5_000

    return play


def in_batches(game: Any) -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield the ways to play a placement game in batches."""
    layout = batch.flood_layout(game.topology, game.tables)
    cells, rng = game.topology.cell_count, generator()
    state, late = game.initial().state.copy(), late_state(game)
    empty, black, reached = (np.zeros(cells + 1, np.int64) for _ in range(3))
    pairs = np.zeros(bridges.ROOM * cells, np.int64)
    many, table = eight.room(cells), bridges.bridge_table(game.tables)
    single, wide, keep = (editions(each) for each in (batch, eight, bridges))
    words = (empty, black, reached)

    def one(position: Any) -> int:
        single["black_wins"](game.tables, position, layout, rng, *words, 500)
        return 500 * batch.LANES

    def all_eight() -> int:
        wide["black_wins_eight"](game.tables, state, layout, rng, empty, *many, 100)
        return 100 * eight.GAMES

    def keeping() -> int:
        for _ in range(500):
            keep["fill_and_keep"](game.tables, late, layout.slots, table, rng, *words[:2], pairs)
            single["flood"](layout, black, reached)
        return 500 * batch.LANES

    yield "64 in a word", lambda: one(state)
    yield "8 x 64", all_eight
    yield "64 late", lambda: one(late)
    yield "64 bridges", keeping


def late_state(game: Any) -> Any:
    """Return a position after some random moves that has no winner yet."""
    chance = random.Random(1)
    while True:
        position = game.initial()
        while position.outcome is None and position.ply < LATE:
            position = position.play(chance.choice(position.legal_moves.array().tolist()))
        if position.outcome is None:
            return position.state.copy()


def open_spiel() -> Callable[[], int] | None:
    """Return a function that plays OpenSpiel's rollouts of Hex 11x11, if it is installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("hex(board_size=11)")
    state = game.new_initial_state()
    # One simulation that evaluates its leaf by many rollouts spends almost nothing on the tree.
    evaluator = pyspiel.RandomRolloutEvaluator(1000, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)

    def play() -> int:
        bot.step(state)
        return 1000

    return play


def sides() -> Iterator[Side]:
    """Yield everything to measure."""
    other = open_spiel()
    if other is not None:
        yield Side("hex", OTHER, other)
    for game_id, options in GAMES:
        game = make_game(game_id, options)
        for kind, play in one_by_one(game):
            yield Side(game_id, kind, play)
        if game.family == "placement":
            yield Side(game_id, "to the win", to_the_win(game))
            for kind, play in in_batches(game):
                yield Side(game_id, kind, play)


def main() -> None:
    """Measure all sides in turn several times, and print medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="measurements of each (7)")
    parser.add_argument("--seconds", type=float, default=0.4, help="CPU time of each (0.4)")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    measured = list(sides())
    for side in measured:
        side.play()
    for _ in range(options.runs):
        for side in measured:
            side.run(options.seconds)
    base = next((statistics.median(s.rates) for s in measured if s.kind == OTHER), None)
    print(
        f"{'game':17}{'kind':>14}{'per second':>14}{'lowest':>14}{'highest':>14}{'/ OpenSpiel':>13}"
    )
    for side in measured:
        middle = statistics.median(side.rates)
        against = f"{middle / base:13,.1f}" if base else f"{'-':>13}"
        rates = "".join(f"{rate:14,.0f}" for rate in (middle, min(side.rates), max(side.rates)))
        print(f"{side.game_id:17}{side.kind:>14}{rates}{against}")
    print()
    for kind, note in NOTES.items():
        print(f"{kind:>14}: {note}")
    if base is None:
        print("OpenSpiel is not installed here: pip install open_spiel")


if __name__ == "__main__":
    main()
