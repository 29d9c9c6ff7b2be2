"""Count positions with the compiled kernels and write them to the data files beside this script.

Run ``python -m tests.perft.regenerate`` from the root of the repository; ``--oracle-nodes N`` says
how many nodes an oracle may visit for one line to verify it (200,000 if it is not given).

Each file holds one game: a list of option sets, each with the counts at depth 0, 1, 2, ... and
``verified``, the greatest depth at which the oracle, written separately, counts the same. A count
is that of all lines of exactly so many plies; lines that ended earlier count nothing.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from antipodes.games.registry import game_ids, make_game
from tests.oracles import Oracle, make_oracle

FOLDER = Path(__file__).parent

# Options, and the greatest depth that is counted.
LINES: dict[str, list[tuple[dict[str, Any], int]]] = {
    "antipod": [
        ({"side": 2, "handicap": "none"}, 8),
        ({"side": 2, "handicap": "none", "first": "black"}, 6),
        ({"side": 2, "handicap": "two", "swap": "on"}, 6),
        ({"side": 3, "handicap": "none"}, 4),
        ({"side": 3}, 5),
        ({"side": 3, "handicap": "two", "swap": "on"}, 4),
        ({"side": 4}, 4),
        ({"side": 5}, 3),
        ({}, 3),
        ({"side": 7}, 3),
        ({"side": 8}, 2),
        ({"side": 9}, 2),
        ({"side": 10}, 2),
    ],
    "hex": [
        ({"size": 2}, 5),
        ({"size": 2, "swap": "off"}, 4),
        ({"size": 3}, 8),
        ({"size": 3, "swap": "sides"}, 8),
        ({"size": 3, "swap": "off"}, 9),
        ({"size": 4}, 6),
        ({"size": 5}, 5),
        ({"size": 8}, 4),
        ({}, 3),
        ({"size": 19}, 3),
        ({"size": 26}, 2),
    ],
    "cylindrical-hex": [
        ({"rows": 2, "columns": 3}, 6),
        ({"rows": 3, "columns": 3}, 8),
        ({"rows": 2, "columns": 4, "first": "white"}, 8),
        ({"rows": 4, "columns": 3}, 6),
        ({"rows": 3, "columns": 4}, 6),
        ({"rows": 4, "columns": 4}, 6),
        ({"rows": 5, "columns": 7, "first": "white"}, 4),
        ({}, 3),
        ({"rows": 26, "columns": 26}, 2),
    ],
    "antipode": [({}, 4), ({"full_board": "loss"}, 3)],
    "antipalos": [
        ({"ruleset": "mail", "size": 3}, 5),
        ({"ruleset": "mail", "size": 3, "swap": "off"}, 6),
        ({"ruleset": "mail", "size": 4}, 5),
        ({"ruleset": "mail", "size": 5}, 4),
        ({"ruleset": "mail", "size": 16}, 2),
        ({"ruleset": "mail", "size": 25}, 2),
        ({"size": 12, "rods": 1}, 3),
        ({"size": 12, "rods": 1, "phase_two_limit": 1}, 3),
        ({"size": 12, "rods": 1, "seats": "cutthroat3"}, 3),
        ({"size": 12, "seats": "team"}, 3),
        ({"size": 12, "seats": "cutthroat4"}, 3),
        ({"size": 14}, 2),
        ({}, 3),
        ({"size": 18}, 2),
        ({"size": 20}, 2),
    ],
}


def count_by_oracle(oracle: Oracle, depth: int) -> int:
    """Return the number of lines of exactly ``depth`` plies, as an oracle sees it."""
    if depth == 0:
        return 1
    legal = oracle.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for text in legal:
        after = oracle.copy()
        after.play(text)
        total += count_by_oracle(after, depth - 1)
    return total


def entry(game_id: str, options: dict[str, Any], deepest: int, nodes: int) -> dict[str, Any]:
    """Return the counts of one option set, verified as deep as ``nodes`` allow."""
    game = make_game(game_id, options)
    counts = [game.perft(depth) for depth in range(deepest + 1)]
    verified = 0
    # An oracle lists the moves of the last ply but one: so many nodes does it visit.
    while verified < deepest and sum(counts[: verified + 1]) <= nodes:
        verified += 1
        found = count_by_oracle(make_oracle(game_id, **options), verified)
        if found != counts[verified]:
            raise SystemExit(f"{game!r} depth {verified}: {counts[verified]}, oracle {found}")
    print(f"{game!r}: {counts}, verified to depth {verified}", flush=True)
    return {"options": options, "counts": counts, "verified": verified}


def write(game_id: str, entries: list[dict[str, Any]]) -> None:
    """Write a game's file, one option set to a line."""
    lines = ",\n  ".join(json.dumps(one) for one in entries)
    text = f'{{"game": "{game_id}", "lines": [\n  {lines}\n]}}\n'
    (FOLDER / f"{game_id}.json").write_text(text, encoding="utf-8")


def main() -> None:
    """Write the files of all games, or of those named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", default=game_ids(), help="ids of games; all if none")
    parser.add_argument("--oracle-nodes", type=int, default=200_000)
    chosen = parser.parse_args()
    for game_id in chosen.games:
        nodes = chosen.oracle_nodes
        write(game_id, [entry(game_id, *line, nodes) for line in LINES[game_id]])


if __name__ == "__main__":
    main()
