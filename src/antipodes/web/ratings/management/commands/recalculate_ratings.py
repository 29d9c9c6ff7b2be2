"""Recalculate all ratings."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from antipodes.web.ratings.services import recalculate


class Command(BaseCommand):
    """Rate unrated matches, then recalculate all ratings from the first match on."""

    help = "Recalculate all ratings from the first match on."

    def handle(self, **_: Any) -> None:
        """Recalculate, and print the number of matches."""
        self.stdout.write(f"{recalculate()} matches rated.")
