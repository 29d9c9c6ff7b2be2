"""Looking after the archive: counting anew, filing what is missing, making it again."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from antipodes.web.archive import open_data, services

_WITHOUT_END = float("inf")  # seconds


class Command(BaseCommand):
    """What a host may do with the archive by hand."""

    help = "Count the archive anew, file what is missing, make it again, or make its open data."

    def add_arguments(self, parser: CommandParser) -> None:
        """Ask what is to be done."""
        parser.add_argument("what", choices=["recount", "fill", "rebuild", "export"])

    def handle(self, *_args: Any, **options: Any) -> None:
        """Do it and say what was done."""
        what = options["what"]
        if what == "recount":
            services.recount()
            self.stdout.write("All games are counted anew.")
            return
        if what == "export":
            made = open_data.make_all()
            self.stdout.write(f"{len(made)} files were made: {', '.join(made) or 'none'}.")
            return
        if what == "rebuild":
            services.forget_all()
        filed = services.file_some(services.unfiled().iterator(), _WITHOUT_END)
        self.stdout.write(f"{filed} matches were filed.")
