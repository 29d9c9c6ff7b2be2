"""Random games a second on one core: batches of 64 beside games played move by move.

With OpenSpiel installed (``pip install open_spiel``) its C++ rollouts of Hex stand beside ours in
the same run. Figures are medians; a batch draws the winners of random games, not their moves, so
it is quoted together with the games that are played move by move until somebody has won.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from antipodes.games.kernels import compiled_rules, compiled_walks, jit
from antipodes.games.registry import make_game
from antipodes.search.kernels import batch

RUNS = 7
SECONDS = 0.4  # of CPU time, for each measurement
GAMES = (
    ("hex", {"size": 11}),
    ("antipod", {}),
    ("cylindrical-hex", {}),
    ("antipode", {}),
)


def rate(play_some: Callable[[], int]) -> float:
    """Return games a second of CPU time; ``play_some`` plays some and says how many."""
    play_some()
    played = 0
    began = time.process_time()
    while time.process_time() - began < SECONDS:
        played += play_some()
    return played / (time.process_time() - began)


def in_batches(game_id: str, options: dict[str, object]) -> Callable[[], int] | None:
    """Return what plays batches, for the placement games."""
    game = make_game(game_id, options)
    if game.family != "placement":
        return None
    layout = batch.flood_layout(game.topology, game.tables)
    words = [np.zeros(game.topology.cell_count + 1, np.int64) for _ in range(3)]
    near = (layout.slots, layout.ahead, layout.behind, layout.sources, layout.targets)
    state = game.initial().state.copy()
    kernel = jit.compiled(batch.__name__)["black_wins"]
    rng = np.array([2463534242], np.int64)

    def play() -> int:
        kernel(game.tables, state, *near, rng, *words, 500)
        return 500 * batch.LANES

    return play


def to_the_win(game_id: str, options: dict[str, object]) -> Callable[[], int]:
    """Return what plays random games move by move until they are over."""
    game = make_game(game_id, options)
    rules, walks = compiled_rules(game.family), compiled_walks()
    start = game.initial().state.copy()
    state, work, wins = start.copy(), game.work(), np.zeros(4, np.int64)
    rng = np.array([2463534242], np.int64)

    def play() -> int:
        arrays = (game.tables, start, state, work, rng, wins)
        walks.play_outs(rules.sample, rules.play, *arrays, 1000, 2_000)
        return 2_000

    return play


def open_spiel() -> Callable[[], int] | None:
    """Return what plays OpenSpiel's rollouts of Hex 11x11 in C++, if it is installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game("hex(board_size=11)")
    state = game.new_initial_state()
    # One simulation whose leaf is judged by many rollouts: all but nothing is spent on the tree.
    evaluator = pyspiel.RandomRolloutEvaluator(1000, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, 1, False)

    def play() -> int:
        bot.step(state)
        return 1000

    return play


def main() -> None:
    """Measure all in turn, several times over, and print medians and ratios."""
    sides: dict[tuple[str, str], Callable[[], int]] = {}
    for game_id, options in GAMES:
        sides[game_id, "move by move"] = to_the_win(game_id, options)
        batches = in_batches(game_id, options)
        if batches is not None:
            sides[game_id, "batches"] = batches
    other = open_spiel()
    if other is not None:
        sides["hex", "OpenSpiel"] = other
    found: dict[tuple[str, str], list[float]] = {side: [] for side in sides}
    for _ in range(RUNS):
        for side, play_some in sides.items():
            found[side].append(rate(play_some))
    median = {side: statistics.median(rates) for side, rates in found.items()}
    base = median.get(("hex", "OpenSpiel"))
    print(f"{'game':17}{'games':>14}{'a second':>14}{'/ move by move':>16}{'/ OpenSpiel':>13}")
    for (game_id, kind), value in median.items():
        own = value / median[game_id, "move by move"]
        against = f"{value / base:13,.1f}" if base else f"{'-':>13}"
        print(f"{game_id:17}{kind:>14}{value:14,.0f}{own:16.1f}{against}")
    if base is None:
        print("OpenSpiel is not installed here: pip install open_spiel")


if __name__ == "__main__":
    main()
