"""The package ``more_games`` as if a program had registered its games."""

import sys
from pathlib import Path

import antipodes as ap
from antipodes.games import registry

FOLDER = Path(__file__).parents[1] / "docs" / "examples" / "more_games"


def register_more_games(monkeypatch):
    """Register Misere Hex and Y until the test ends; return their classes."""
    monkeypatch.setattr(sys, "path", [*sys.path, str(FOLDER)])
    monkeypatch.setattr(registry, "_registered", {})
    monkeypatch.setattr(registry, "_allowed", None)
    from more_games.misere_hex import MisereHex  # type: ignore[import-not-found]
    from more_games.y import Y  # type: ignore[import-not-found]

    return [ap.register_game(MisereHex), ap.register_game(Y)]
