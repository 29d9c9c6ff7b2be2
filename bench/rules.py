"""Measure the speed of the rules and of the start.

Run it with ``make bench``. Figures are medians of several runs; machines differ and are noisy, so
compare the ratios.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

RUNS = 5
GAMES = (
    ("antipod", {}, 3, 2),
    ("antipalos", {"size": 12}, 2, 1),
    ("antipode", {}, 2, 1),
    ("hex", {}, 3, 2),
    ("cylindrical-hex", {}, 3, 2),
)


def median_of(runs: int, work: Callable[[], float]) -> float:
    """Return the median of several results of ``work``."""
    return statistics.median(work() for _ in range(runs))


def seconds_a_play(game_id: str, options: dict[str, object]) -> float:
    """Return the median time of ``position.play`` over one random game, in seconds."""
    from antipodes.games.registry import make_game

    game = make_game(game_id, options)
    chance = random.Random(1)
    position = game.initial()
    times = []
    while position.outcome is None and position.ply < 100:
        move = chance.choice(list(position.legal_moves))
        began = time.perf_counter()
        position = position.play(move)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def perft_rate(game_id: str, options: dict[str, object], depth: int) -> float:
    """Return perft's positions per second; leaves are counted without being played."""
    from antipodes.games.registry import make_game

    game = make_game(game_id, options)
    game.perft(1)
    began = time.perf_counter()
    count = game.perft(depth)
    return count / (time.perf_counter() - began)


def child(expression: str, **environment: str) -> float:
    """Evaluate an expression of this module in a fresh process; return the number it prints."""
    here = str(Path(__file__).parent)
    script = f"import sys; sys.path.insert(0, {here!r}); import rules; print({expression})"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def rules_table() -> None:
    """Print the speeds of façades and perft, native and plain."""
    print(f"{'':26}{'play, µs':>22}{'perft, positions/s':>34}")
    print(
        f"{'game':26}{'native':>9}{'plain':>7}{'ratio':>6}{'native':>14}{'plain':>12}{'ratio':>8}"
    )
    for game_id, options, deep, shallow in GAMES:
        call = f"{game_id!r}, {options!r}"
        fast = median_of(RUNS, lambda call=call: child(f"rules.seconds_a_play({call})")) * 1e6
        slow = median_of(
            3, lambda call=call: child(f"rules.seconds_a_play({call})", ANTIPODES_PLAIN="1")
        )
        slow *= 1e6
        rate = median_of(
            RUNS, lambda call=call, deep=deep: child(f"rules.perft_rate({call}, {deep})")
        )
        plain = median_of(
            3,
            lambda call=call, shallow=shallow: child(
                f"rules.perft_rate({call}, {shallow})", ANTIPODES_PLAIN="1"
            ),
        )
        print(
            f"{game_id:26}{fast:9.1f}{slow:7.0f}{slow / fast:6.1f}"
            f"{rate:14,.0f}{plain:12,.0f}{rate / plain:8.0f}"
        )


def seconds_to_picture() -> tuple[float, float]:
    """Return the seconds until ``antipodes play`` shows its first board, and its first move."""
    command = [sys.executable, "-m", "antipodes", "play", "hex", "--line", "--seed", "1"]
    began = time.perf_counter()
    with subprocess.Popen(
        command,
        env={**os.environ, "NO_COLOR": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("a1\nquit\n")
        process.stdin.flush()
        picture = answer = 0.0
        # Every board ends with the row of letters.
        for line in process.stdout:
            if line.strip().startswith("a b c d"):
                picture = picture or time.perf_counter() - began
            if line.startswith("White plays"):
                answer = time.perf_counter() - began
                break
        process.stdout.read()
    return picture, answer


def start_table() -> None:
    """Print how long a new user waits."""
    waits = [seconds_to_picture() for _ in range(RUNS)]
    pictures = statistics.median(picture for picture, _ in waits)
    answers = statistics.median(answer for _, answer in waits)
    print("start of antipodes play")
    print(f"{'until the first board':34}{pictures:9.2f} s")
    print(f"{'until the first move (level 3)':34}{answers:9.2f} s")


if __name__ == "__main__":
    rules_table()
    print()
    start_table()
