"""Seeks that tests of this folder post."""

from antipodes.web.matchmaking import services

LIVE = {"game_id": "hex", "board": "small", "control": "5m+5s", "rated": False}
CORRESPONDENCE = {**LIVE, "control": "1d/move"}


def seek(user, **changes):
    """Post a live, casual seek for a small board of Hex, or one that differs."""
    return services.seek(user, **{**LIVE, **changes})
