"""Measure the vectorised environment against pgx on the CPU, in one run.

    python -m venv /tmp/pgx && /tmp/pgx/bin/pip install pgx jax
    python bench/env.py --pgx /tmp/pgx/bin/python

Both play random moves at Hex 11x11, choose them from the masks of legal moves in compiled code,
write observations, and start games again that end. pgx has no Antipod: the rate of Antipod with
side 6 (152 cells) is compared with that of pgx's Hex (121 cells). Rounds alternate, and the figures
are medians of steps per second of CPU time and of wall time. pgx uses more threads than one.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from functools import partial

GAMES = {"hex": {}, "antipod": {"side": 6}}
ROUNDS = 5
STEPS = 400  # of each game in a round

PGX = """
import json, sys, time
import jax, jax.numpy as jnp, pgx
from pgx.experimental import auto_reset
n, steps = int(sys.argv[1]), int(sys.argv[2])
env = pgx.make("hex")
step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
choose = jax.jit(lambda key, mask: jax.random.categorical(key, jnp.where(mask, 0.0, -1e9), axis=-1))
state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), n))
key = jax.random.PRNGKey(1)
def run(count):
    global state, key
    for _ in range(count):
        key, one, other = jax.random.split(key, 3)
        actions = choose(one, state.legal_action_mask)
        state = step(state, actions, jax.random.split(other, n))
    jax.block_until_ready(state.observation)
run(3)
cpu, wall = time.process_time(), time.perf_counter()
run(steps)
print(json.dumps([time.process_time() - cpu, time.perf_counter() - wall]))
"""


def of_pgx(python: str, n: int) -> tuple[float, float]:
    """Return pgx's steps per second of CPU time and of wall time."""
    steps = max(STEPS // 10, 4)
    command = [python, "-c", PGX, str(n), str(steps)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    cpu, wall = json.loads(done.stdout.splitlines()[-1])
    return n * steps / cpu, n * steps / wall


def of_ours(game: str, n: int) -> tuple[float, float]:
    """Return our steps per second of CPU time and of wall time."""
    from antipodes.adapters.vector import VectorEnv

    env = VectorEnv(game, n, **GAMES[game])
    env.step(env.random_actions())
    cpu, wall = time.process_time(), time.perf_counter()
    for _ in range(STEPS):
        env.step(env.random_actions())
    return n * STEPS / (time.process_time() - cpu), n * STEPS / (time.perf_counter() - wall)


def main() -> None:
    """Measure, and print the rates and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgx", help="a Python that has pgx and JAX")
    parser.add_argument("--games", type=int, nargs="*", default=[64, 1024])
    args = parser.parse_args()
    for n in args.games:
        sides = {game: partial(of_ours, game, n) for game in GAMES}
        if args.pgx:
            sides["pgx hex"] = partial(of_pgx, args.pgx, n)
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in sides}
        for _ in range(ROUNDS):
            for name, measure in sides.items():
                found[name].append(measure())
        print(f"{n} games at once, steps per second:")
        base = [statistics.median(column) for column in zip(*found.get("pgx hex", []), strict=True)]
        for name, rates in found.items():
            cpu, wall = (statistics.median(column) for column in zip(*rates, strict=True))
            ratio = f"   {cpu / base[0]:6.1f} and {wall / base[1]:6.1f} times pgx" if base else ""
            print(f"  {name:8s} {cpu:12,.0f} of CPU {wall:12,.0f} of wall time{ratio}")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
