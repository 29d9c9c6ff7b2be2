"""Configuration of the puzzles app."""

from __future__ import annotations

from django.apps import AppConfig


class PuzzlesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.puzzles"
    label = "puzzles"

    def ready(self) -> None:
        """Register the job handlers and the periodic tasks."""
        from antipodes.web.puzzles import judgements, mistakes  # noqa: F401
