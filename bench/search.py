"""Measure the tree search: visits per second, threads, memory, start, stalls of an event loop.

With OpenSpiel installed (``pip install open_spiel``) the same run measures its C++ tree search of
Hex. Rates are medians per second of CPU time. Run it on an idle machine, and the rates on one
pinned core (``taskset -c 0 python bench/search.py rates``).
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from antipodes.games.position import Position
from antipodes.games.registry import make_game
from antipodes.search.antipode.alphabeta import AlphaBetaSearch
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Search, SearchProgress, SearchSettings
from antipodes.search.mcts_tree import TreeSettings
from antipodes.search.tree import TreeSearch

RUNS = 5
HEX = make_game("hex", {"size": 11}).initial()
ANTIPOD = make_game("antipod", {"side": 6}).initial()
ANTIPODE = make_game("antipode").initial()
ANTIPALOS = make_game("antipalos", {"size": 12}).initial()
POSITIONS = 8  # of Antipode, searched to this depth
DEPTH = 3
PLAIN = TreeSettings(exploration=0.7, threshold=8)
RAVE = TreeSettings(batches=True, exploration=0.02, threshold=1)
RAVE_WITH_BRIDGES = TreeSettings(batches=True, exploration=0.02, threshold=1, bridges=True)


def ours(position: object, settings: TreeSettings, visits: int) -> Callable[[], int]:
    """Return a function that searches a position from scratch and returns its visits."""

    def search() -> int:
        tree = TreeSearch(position, settings=settings)  # type: ignore[arg-type]
        tree.run(Limits(visits=visits))
        return visits

    return search


def open_spiel(visits: int) -> Callable[[], int] | None:
    """Return a function that searches Hex 11x11 with OpenSpiel, if it is installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("hex(board_size=11)")
    state = game.new_initial_state()
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, visits, 1000, False, 1, False)

    def search() -> int:
        bot.step(state)
        return visits

    return search


def rates() -> None:
    """Print visits per second and their ratio to OpenSpiel's simulations."""
    sides: dict[str, Callable[[], int]] = {
        "hex 11 plain": ours(HEX, PLAIN, 200_000),
        "hex 11 batches": ours(HEX, RAVE, 50_000),
        "hex 11 batches, bridges": ours(HEX, RAVE_WITH_BRIDGES, 30_000),
        "antipod 6 plain": ours(ANTIPOD, PLAIN, 200_000),
        "antipod 6 batches": ours(ANTIPOD, RAVE, 50_000),
        "antipod 6 batches, bridges": ours(ANTIPOD, RAVE_WITH_BRIDGES, 30_000),
    }
    other = open_spiel(5_000)
    if other is not None:
        sides["hex 11 OpenSpiel"] = other
    found: dict[str, list[float]] = {side: [] for side in sides}
    for search in sides.values():
        search()
    for _ in range(RUNS):
        for side, search in sides.items():
            began = time.process_time()
            visits = search()
            found[side].append(visits / (time.process_time() - began))
    median = {side: statistics.median(rates) for side, rates in found.items()}
    base = median.get("hex 11 OpenSpiel")
    print(f"{'search':28}{'visits per second':>17}{'/ OpenSpiel':>13}")
    for side, value in median.items():
        print(f"{side:28}{value:17,.0f}{value / base if base else float('nan'):13.1f}")


def threads() -> None:
    """Compare two threads with one: visits, and for Antipode the time to a depth.

    Times are CPU time of the calling thread, so other programs make little difference as long as
    both threads get the same share.
    """
    sides: dict[str, Callable[[int], Search]] = {
        "hex 11 plain": lambda count: TreeSearch(HEX, settings=PLAIN, threads=count),
        "hex 11 batches": lambda count: TreeSearch(HEX, settings=RAVE, threads=count),
        "antipode": lambda count: make_search(ANTIPODE, SearchSettings(threads=count)),
        "antipalos 12": lambda count: make_search(ANTIPALOS, SearchSettings(threads=count)),
    }
    for name, make in sides.items():
        found: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(RUNS):
            for count, rates in found.items():
                search = make(count)
                search.run(Limits(visits=1_000))
                before, began = search.visits, time.thread_time()
                search.run(Limits(seconds=1))
                rates.append((search.visits - before) / (time.thread_time() - began))
        one, two = (statistics.median(rates) for rates in found.values())
        print(f"{name}: one thread {one:,.0f} visits per second, two {two:,.0f}, {two / one:.2f} x")
    ratios = []
    for seed in range(POSITIONS):
        position = _after_random_moves(ANTIPODE, 6 + 4 * seed, seed)
        one, two = (_seconds_to_depth(position, count) for count in (1, 2))
        ratios.append(one / two)
    print(f"antipode: two threads reach a depth {statistics.geometric_mean(ratios):.2f} x as fast")


def _after_random_moves(position: Position, count: int, seed: int) -> Position:
    """Return a position after random moves; an earlier one where the game ends."""
    chance = random.Random(seed)
    for _ in range(count):
        after = position.play(chance.choice(list(position.legal_moves)))
        if after.outcome is not None:
            break
        position = after
    return position


def _seconds_to_depth(position: Position, count: int) -> float:
    """Return the CPU seconds until Antipode's search begins the next depth."""
    search = AlphaBetaSearch(position, threads=count)

    def on_progress(_: SearchProgress) -> None:
        if search.depth > DEPTH:
            search.stop()

    began = time.thread_time()
    search.run(Limits(seconds=600), on_progress)
    return time.thread_time() - began


def memory() -> None:
    """Print the memory that a search of a million visits uses, for several bounds."""
    for name, settings in (("plain", PLAIN), ("batches", RAVE)):
        for bound in (64, 256, 1024):
            before = _resident()
            tree = TreeSearch(HEX, settings=settings, memory=bound)
            tree.run(Limits(visits=1_000_000))
            grown = (_resident() - before) / 2**20
            print(f"hex 11 {name}, {bound} MiB: {tree.nodes:,} nodes, grown by {grown:,.0f} MiB")
            del tree


def _resident() -> int:
    """Return the memory of this process in bytes."""
    numbers = Path("/proc/self/statm").read_text(encoding="ascii").split()
    return int(numbers[1]) * resource.getpagesize()


START = """
import time
from antipodes.games.registry import make_game
from antipodes.search.players import make_player
make_player("computer").choose(make_game(GAME).initial())
print(time.process_time())
"""


def start() -> None:
    """Print the time from starting a process to the first move of the usual level."""
    for game_id in ("hex", "antipod", "antipode", "antipalos"):
        command = [sys.executable, "-c", START.replace("GAME", repr(game_id))]
        for _ in range(RUNS):
            began = time.perf_counter()
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            wall = time.perf_counter() - began
            print(f"{game_id}: {wall:.2f} s, {float(text):.2f} s of CPU time")


async def _worst_gap(seconds: float) -> float:
    """Return the largest delay of a sleep of one millisecond, in seconds."""
    worst = 0.0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        worst = max(worst, time.perf_counter() - before - 0.001)
    return worst


def stall() -> None:
    """Print the worst stall of an event loop, alone and with a search in the same process."""
    print(f"alone: worst stall {1000 * asyncio.run(_worst_gap(3)):.1f} ms")
    for game_id in ("hex", "antipod", "antipode"):
        position = make_game(game_id).initial()
        search = make_search(position)
        search.run(Limits(visits=100))

        def on_progress(_: SearchProgress, search: Search = search) -> None:
            search.candidates()

        thread = threading.Thread(target=search.run, args=(Limits(seconds=60), on_progress))
        thread.start()
        worst = asyncio.run(_worst_gap(3))
        search.stop()
        thread.join()
        print(f"with a search of {game_id}: worst stall {1000 * worst:.1f} ms")


PARTS = {"rates": rates, "threads": threads, "memory": memory, "start": start, "stall": stall}


def main() -> None:
    """Measure the named parts, or all."""
    parser = argparse.ArgumentParser(description="Measure the tree search.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    for part in parser.parse_args().parts or PARTS:
        PARTS[part]()


if __name__ == "__main__":
    main()
