"""Whole games to play in the browser: those of ``tests/golden``, and random ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from antipodes.games.registry import make_game
from tests.golden.playthroughs import FOLDER, GAMES, lines

_MOVE = re.compile(r"^\d+\. \w+ (\S+) \(", re.MULTILINE)


@dataclass(frozen=True)
class Script:
    """A whole game.

    Attributes:
        game_id: the game.
        options: those that differ from the defaults.
        moves: as texts.
    """

    game_id: str
    options: dict[str, Any]
    moves: tuple[str, ...]

    def start(self) -> Any:
        """Return the position before the first move."""
        return make_game(self.game_id, self.options).initial()


def script(name: str) -> Script:
    """Return one of the golden games."""
    game_id, options, _ = GAMES[name]
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return Script(game_id, options, tuple(_MOVE.findall(text)))


def random_script(game_id: str, seed: str, **options: Any) -> Script:
    """Return a random game; with "ladder" in the seed White of Antipalos climbs to a win."""
    text = "\n".join(lines(make_game(game_id, options), seed, 1_000))
    return Script(game_id, options, tuple(_MOVE.findall(text)))
