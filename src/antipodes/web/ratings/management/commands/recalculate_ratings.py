"""Calculate all ratings anew."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from antipodes.web.ratings.services import recalculate


class Command(BaseCommand):
    """Rates what is not rated yet, and then calculates all ratings anew from the first match on."""

    help = "Calculate all ratings anew from the first match on."

    def handle(self, **_: Any) -> None:
        """Do it, and say how many matches were counted."""
        counted = recalculate()
        self.stdout.write(f"{counted} matches were counted.")
