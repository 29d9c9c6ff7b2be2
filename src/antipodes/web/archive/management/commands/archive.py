"""Maintain the archive: recount, fill, rebuild, and export open data."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from antipodes.web.archive import open_data, services

_NO_LIMIT = float("inf")  # seconds


class Command(BaseCommand):
    """Maintenance of the archive by the host."""

    help = "Recount the archive, add missing matches, rebuild it, or write its open data files."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the name of the action."""
        parser.add_argument("action", choices=["recount", "fill", "rebuild", "export"])

    def handle(self, *_args: Any, **options: Any) -> None:
        """Run the action, and print a summary."""
        action = options["action"]
        if action == "recount":
            services.recount()
            self.stdout.write("Recounted all games.")
            return
        if action == "export":
            written = open_data.update_files()
            self.stdout.write(f"{len(written)} files written: {', '.join(written) or 'none'}.")
            return
        if action == "rebuild":
            services.delete_all()
        count = services.archive_some(services.unarchived().iterator(), _NO_LIMIT)
        self.stdout.write(f"{count} matches archived.")
