"""Random games as text: moves, keys, pictures and the outcome, for freezing.

Run ``python -m tests.golden.playthroughs`` from the root of the repository to write the files anew,
and read the difference: every change of it is a change of rules, keys, notation or pictures that
records and people will notice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from antipodes.core import Color
from antipodes.games.position import Game
from antipodes.games.registry import make_game

FOLDER = Path(__file__).parent

# Name of the file -> game, options, and every how many plies a picture is taken.
GAMES: dict[str, tuple[str, dict[str, Any], int]] = {
    "antipod": ("antipod", {}, 40),
    "antipod-side-2-none": ("antipod", {"side": 2, "handicap": "none"}, 1),
    "antipod-side-3-black-swap": ("antipod", {"side": 3, "first": "black", "swap": "on"}, 6),
    "antipod-side-4-two": ("antipod", {"side": 4, "handicap": "two"}, 15),
    "antipod-side-10": ("antipod", {"side": 10}, 150),
    "hex": ("hex", {}, 40),
    "hex-size-3-swap-pieces": ("hex", {"size": 3}, 1),
    "hex-size-4-swap-sides": ("hex", {"size": 4, "swap": "sides"}, 4),
    "hex-size-26": ("hex", {"size": 26, "swap": "off"}, 300),
    "cylindrical-hex": ("cylindrical-hex", {}, 40),
    "cylindrical-hex-4-by-6-white": (
        "cylindrical-hex",
        {"rows": 4, "columns": 6, "first": "white"},
        6,
    ),
    "antipode": ("antipode", {}, 10),
    "antipode-loss": ("antipode", {"full_board": "loss"}, 20),
    "antipalos": ("antipalos", {"phase_two_limit": 4}, 16),
    "antipalos-12-few-rods": ("antipalos", {"size": 12, "rods": 2, "phase_two_limit": 5}, 4),
    "antipalos-12-team": ("antipalos", {"size": 12, "seats": "team", "phase_two_limit": 2}, 12),
    "antipalos-14-cutthroat3": (
        "antipalos",
        {"size": 14, "seats": "cutthroat3", "phase_two_limit": 1},
        30,
    ),
    "antipalos-20-cutthroat4": (
        "antipalos",
        {"size": 20, "seats": "cutthroat4", "phase_two_limit": 1},
        60,
    ),
    "antipalos-12-ladder-f": ("antipalos", {"size": 12}, 8),
    "antipalos-12-ladder-phase-two": ("antipalos", {"size": 12, "rods": 12}, 8),
    "antipalos-14-ladder-team": ("antipalos", {"size": 14, "seats": "team"}, 8),
    "antipalos-mail-4-swap": ("antipalos", {"ruleset": "mail", "size": 4}, 4),
    "antipalos-mail": ("antipalos", {"ruleset": "mail"}, 60),
}


# Random rods on a whole board never meet: in some games the rods of White seek these places.
LADDER = {f"*F{row}" if row % 2 else f"F{row}*" for row in range(1, 21)}


def climbs(text: str) -> bool:
    """Tell whether a move brings a rod to the ladder that was not there."""
    *origin, target = text.split("-")
    return target in LADDER and not LADDER & set(origin)


def lines(game: Game, seed: str, every: int) -> Iterator[str]:
    """Give the lines of a random game; the seed is a text."""
    rng = random.Random(seed)
    position = game.initial()
    yield repr(game)
    yield f"plies at most {game.max_plies}, moves {game.move_count}, seats {game.seats}"
    while True:
        if position.ply % every == 0 or position.outcome is not None:
            yield position.caption()
            yield position.picture()
        if position.outcome is not None:
            break
        # Drawn among texts, so that a new numbering of moves leaves the games as they are.
        legal = sorted(map(position.format_move, position.legal_moves))
        count = len(legal)
        if (
            "ladder" in seed
            and position.to_move is Color.WHITE
            and (position.ply > 0 or "phase-two" not in seed)
        ):
            legal = [text for text in legal if climbs(text)] or legal
        if "swap" in seed and "swap" in legal:
            legal = ["swap"]
        text = rng.choice(legal)
        yield f"{position.ply + 1}. {position.to_move} {text} (one of {count})"
        position = position.play(position.parse_move(text))
        yield f"   key {position.key:016x}"
    yield f"outcome {position.outcome}, {position.outcome.points} points"
    yield "chain " + " ".join(map(game.topology.name, position.winning_chain()))


def playthrough(name: str) -> str:
    game_id, options, every = GAMES[name]
    text = "\n".join(lines(make_game(game_id, options), name, every))
    return "\n".join(line.rstrip() for line in text.split("\n")) + "\n"


def main() -> None:
    """Write all files."""
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name in GAMES:
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
