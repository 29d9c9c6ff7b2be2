"""Measure how often a search's value comes true, for the map that turns values into chances.

    python bench/calibration.py play --out build/calibration --games 60
    python bench/calibration.py fit --out build/calibration

`play` lets the search play itself after random openings on one board of each group of
:mod:`antipodes.search.chances`, in turn, and keeps the value of each position with the result of
its game. One position of each game is searched ten times as long, as analyses are. The same
command continues, and several processes share the games. `fit` writes the maps, and bins by
losses by which tests and docs judge them; the losses are of games that the fit has not seen.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import random
import re
from pathlib import Path
from typing import Any

import numpy as np

from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game
from antipodes.search.chances import DATA
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Proven, SearchSettings

# Game, boards and visits of a move of each group: each game is on one of the boards.
BOARDS: dict[str, tuple[str, list[dict[str, Any]], int]] = {
    "hex-13": ("hex", [{"size": size, "swap": "off"} for size in (8, 10, 11, 13)], 300),
    "hex": ("hex", [{"size": size, "swap": "off"} for size in (14, 16)], 300),
    "cylindrical-hex": (
        "cylindrical-hex",
        [{"rows": size, "columns": size} for size in (9, 11)],
        500,
    ),
    "antipod-5": (
        "antipod",
        [
            {"side": side, "handicap": stones}
            for side, stones in itertools.product((4, 5), ("two", "six"))
        ],
        500,
    ),
    "antipod": ("antipod", [{"side": 6, "handicap": stones} for stones in ("two", "six")], 500),
    "antipode": ("antipode", [{}], 4_000),
}
DEEP = 10  # times as many visits
DEEP_PLIES = 3  # of a game
# Random moves at most: many, so that games differ, and are even where one colour is far ahead.
OPENINGS = {"antipod": 30, "cylindrical-hex": 20, "hex": 30}
OPENING = 5
TRIED = 8  # openings, of which the most even one is played
GLANCE = 60  # visits that tell

MOST_CELLS = {"hex-13": 13 * 13, "antipod-5": 61 * 2}  # of the boards of a group
FOLDS = 5
# Of shift and scale, in positions. A shift needs more evidence, as it may be that of the openings.
# A game counts as so many positions, since those of one game are not independent.
PRIOR = np.diag([20.0, 4.0])
INDEPENDENT = 2


def opened(game: Game, chance: random.Random) -> Position:
    """Return the most even one of some positions after random moves."""
    best, least = game.initial(), 1.0
    for _ in range(TRIED):
        position = game.initial()
        for _ in range(chance.randint(1, OPENINGS.get(game.id, OPENING))):
            after = position.play(chance.choice(list(position.legal_moves)))
            if after.outcome is None:
                position = after
        search = make_search(position, SearchSettings(memory=64), seed=chance.getrandbits(30))
        search.run(Limits(visits=GLANCE))
        distance = 1.0 if search.proven else abs(search.value() - 0.5)
        if distance < least:
            best, least = position, distance
    return best


def play_game(name: str, seed: int) -> list[dict[str, Any]]:
    """Return the values of a game's positions for the first colour, with the result."""
    game_id, boards, visits = BOARDS[name]
    chance = random.Random(f"{name} {seed}")
    game = make_game(game_id, chance.choice(boards))
    position = opened(game, chance)
    rows: list[dict[str, Any]] = []
    first = game.colors[0]
    settings = SearchSettings(memory=64, varied=True)
    past = []
    result = None
    while position.outcome is None:
        search = make_search(position, settings, seed=chance.getrandbits(30))
        search.run(Limits(visits=visits))
        is_first = position.to_move is first
        if search.proven is not None:
            value = {Proven.WIN: 1.0, Proven.DRAW: 0.5, Proven.LOSS: 0.0}[search.proven]
            result = value if is_first else 1 - value
            break
        value = search.value()
        past.append(position)
        rows.append({"visits": visits, "value": value if is_first else 1 - value})
        position = position.play(search.candidates()[0].move)
    if position.outcome is not None:
        winner = position.outcome.winner
        result = 0.5 if winner is None else float(winner is first)
    for deep in chance.sample(past, min(DEEP_PLIES, len(past))):
        search = make_search(deep, settings, seed=chance.getrandbits(30))
        search.run(Limits(visits=DEEP * visits))
        if search.proven is None:
            value = search.value() if deep.to_move is first else 1 - search.value()
            rows.append({"visits": DEEP * visits, "value": value})
    return [
        {"visits": row["visits"], "value": round(row["value"], 4), "won": result, "game": seed}
        for row in rows
    ]


def play(out: Path, games: int) -> None:
    """Play the games of all boards that are missing, a round of each at a time."""
    out.mkdir(parents=True, exist_ok=True)
    for seed in range(games):
        for name in BOARDS:
            path = out / f"{name}-{seed}.json"
            try:
                os.close(os.open(path, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            rows = play_game(name, seed)
            path.write_text(json.dumps(rows), encoding="utf-8")
            print(name, seed, len(rows), flush=True)


def rows_of(out: Path, name: str) -> list[dict[str, Any]]:
    """Return the positions of all games on a board that were searched as long as in analyses."""
    own = re.compile(rf"{name}-\d+\.json")
    paths = sorted(path for path in out.iterdir() if own.fullmatch(path.name))
    texts = [path.read_text(encoding="utf-8") for path in paths]
    rows = [row for text in texts if text for row in json.loads(text)]
    return [row for row in rows if row["visits"] == DEEP * BOARDS[name][2]]


def fitted(rows: list[dict[str, Any]]) -> tuple[float, float]:
    """Return shift and scale with the highest likelihood, by Newton's method.

    The prior is for the identity.
    """
    x = np.array([_log_odds(row["value"]) for row in rows])
    won = np.array([row["won"] for row in rows])
    weights = np.full(len(rows), INDEPENDENT * len({row["game"] for row in rows}) / len(rows))
    inputs = np.stack([np.ones_like(x), x])
    found = np.array([0.0, 1.0])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-found @ inputs))
        slope = inputs @ (weights * (won - chance)) - PRIOR @ (found - [0.0, 1.0])
        bend = (inputs * weights * chance * (1 - chance)) @ inputs.T + PRIOR
        found = found + np.linalg.solve(bend, slope)
    return round(float(found[0]), 3), round(float(found[1]), 3)


def _log_odds(value: float) -> float:
    value = min(max(value, 0.001), 0.999)
    return math.log(value / (1 - value))


def bins_of(rows: list[dict[str, Any]]) -> list[list[float]]:
    """Return number, mean value and share of points of the positions in each tenth of values."""
    bins = []
    for tenth in range(10):
        inside = [row for row in rows if min(int(10 * row["value"]), 9) == tenth]
        if inside:
            value = sum(row["value"] for row in inside) / len(inside)
            won = sum(row["won"] for row in inside) / len(inside)
            bins.append([len(inside), round(value, 4), round(won, 4)])
    return bins


def losses(rows: list[dict[str, Any]]) -> list[float]:
    """Return the mean logarithmic loss of values, and of chances by the other folds of games."""
    total = np.zeros(2)
    for fold in range(FOLDS):
        fitting = [row for row in rows if row["game"] % FOLDS != fold]
        for row in (row for row in rows if row["game"] % FOLDS == fold):
            odds = _log_odds(row["value"])
            shift, scale = fitted(fitting)
            for place, exponent in enumerate((odds, shift + scale * odds)):
                right, wrong = -math.log1p(math.exp(-exponent)), -math.log1p(math.exp(exponent))
                total[place] -= row["won"] * right + (1 - row["won"]) * wrong
    return [round(float(one), 4) for one in total / len(rows)]


def fit(out: Path) -> None:
    """Fit the maps and write them, with their losses on games that no fit has seen.

    A group that a map does not help has chances that are values.
    """
    groups = []
    for name, (game_id, boards, visits) in BOARDS.items():
        rows = rows_of(out, name)
        shift, scale = fitted(rows)
        of_values, of_chances = losses(rows)
        if of_chances >= of_values:
            shift, scale, of_chances = 0.0, 1.0, of_values
        groups.append(
            {
                "game": game_id,
                "most_cells": MOST_CELLS.get(name),
                "boards": boards,
                "visits": DEEP * visits,
                "shift": shift,
                "scale": scale,
                "games": len({row["game"] for row in rows}),
                "losses": [of_values, of_chances],
                "bins": bins_of(rows),
            }
        )
        print(name, groups[-1])
    text = ",\n ".join(json.dumps(group) for group in groups)
    DATA.write_text(f"[{text}]\n", encoding="utf-8")


def main() -> None:
    """Play or fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("step", choices=["play", "fit"])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--games", type=int, default=60, help="of each board")
    given = parser.parse_args()
    if given.step == "play":
        play(given.out, given.games)
    else:
        fit(given.out)


if __name__ == "__main__":
    main()
