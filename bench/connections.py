"""Measure searches for virtual connections: how much they prove, and their CPU time.

    python bench/connections.py
    python bench/connections.py --game antipod --set side=6 --limits 20000,4,8 --limits 150000,6,12

Positions are from games of the computer with itself. A line for each choice of limits has, at each
ply, the share of positions that are decided, and the share of the empty cells that are left to the
side to move in the others; at last the CPU time of a position. Limits are steps, fulls and semis of
`ConnectionLimits`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from antipodes.cli.parameters import chosen_game
from antipodes.games.kernels import Array, header
from antipodes.games.placement import PlacementGame
from antipodes.search.connection import ConnectionLimits, ConnectionSearch
from antipodes.search.players import make_player
from antipodes.search.proof.reduction import Reducer

PLAYER = "search:visits=1500"
PLIES = (10, 14, 18, 22, 26, 30)
CACHE = Path("build/bench-connections")


def lines_of(game: PlacementGame[Any, Any], games: int) -> list[list[str]]:
    """Return the moves of games, from a file if they were played before."""
    options = "-".join(f"{key}-{value}" for key, value in game.options.as_dict().items())
    path = CACHE / f"{game.id}-{options}-{games}.json"
    if path.exists():
        found: list[list[str]] = json.loads(path.read_text())
        return found
    lines = []
    for seed in range(games):
        players = [make_player(PLAYER, 2 * seed + side) for side in (0, 1)]
        position = game.initial()
        opening = make_player("random", seed)
        line: list[str] = []
        while position.outcome is None and len(line) < PLIES[-1]:
            player = opening if len(line) < 2 else players[len(line) % 2]
            move = player.choose(position)
            line.append(position.format_move(move))
            position = position.play(move)
        lines.append(line)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(lines))
    return lines


def states_of(game: PlacementGame[Any, Any], lines: Sequence[list[str]]) -> dict[int, list[Array]]:
    """Return the filled states of all games at each ply, without those that are decided by then."""
    reducer = Reducer(game)
    found: dict[int, list[Array]] = {ply: [] for ply in PLIES}
    for line in lines:
        position = game.initial()
        for ply, move in enumerate(line, start=1):
            position = position.play(move)
            if ply in found and position.outcome is None:
                filled = reducer.fill_in(position.kernel_state)
                if not filled[header.WINNER]:
                    found[ply].append(filled)
    return found


def measure(
    game: PlacementGame[Any, Any], states: Mapping[int, Sequence[Array]], limits: ConnectionLimits
) -> str:
    """Return a line of the table."""
    search = ConnectionSearch(game, limits)
    search.run(next(iter(states.values()))[0])
    cells = slice(header.HEADER, header.HEADER + game.topology.cell_count)
    texts = []
    spent, count = 0.0, 0
    for group in states.values():
        decided, left = 0, []
        for state in group:
            began = time.process_time()
            result = search.run(state)
            spent += time.process_time() - began
            empty = int((state[cells] == 0).sum())
            if result.winner is not None:
                decided += 1
            else:
                left.append(1.0 if result.must_play is None else len(result.must_play) / empty)
        count += len(group)
        share = sum(left) / len(left) if left else 0.0
        texts.append(f"{decided / max(len(group), 1):5.0%} {share:4.0%}")
    head = f"{limits.steps:>8} {limits.fulls:>3} {limits.semis:>3}"
    return f"{head} | " + " | ".join(texts) + f" | {1000 * spent / count:7.2f} ms"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", default="hex")
    parser.add_argument("--set", action="append", metavar="K=V", help="option of the game")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--limits", action="append", metavar="STEPS,FULLS,SEMIS")
    arguments = parser.parse_args()
    settings = arguments.set or ["size=11", "swap=off"]
    game = chosen_game(arguments.game, settings)
    assert isinstance(game, PlacementGame)
    states = states_of(game, lines_of(game, arguments.games))
    plies = " | ".join(f"ply {ply:>2}     " for ply in PLIES)
    print(f"{'steps':>8} {'f':>3} {'s':>3} | {plies} | CPU time a position", flush=True)
    defaults = ConnectionLimits()
    chosen = arguments.limits or [f"{defaults.steps},{defaults.fulls},{defaults.semis}"]
    for text in chosen:
        steps, fulls, semis = map(int, text.split(","))
        limits = ConnectionLimits(steps, fulls, semis, rows=max(1 << 15, 4 * steps // 10))
        print(measure(game, states, limits), flush=True)


if __name__ == "__main__":
    main()
