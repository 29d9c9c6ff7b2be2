"""Configuration of the puzzles app."""

from __future__ import annotations

from django.apps import AppConfig


class PuzzlesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.puzzles"
    label = "puzzles"

    def ready(self) -> None:
        """Register the open data."""
        from antipodes.web.archive import data_files
        from antipodes.web.puzzles import open_data

        data_files.sources.append(open_data.data_files)
