"""The app of matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig

if TYPE_CHECKING:
    from antipodes.web.matches.models import MatchRow


class MatchesConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.matches"
    label = "matches"

    def ready(self) -> None:
        """Let the computer hear of changes."""
        from antipodes.web.matches import computer, services

        services.match_changed.connect(_ask_computer, dispatch_uid=computer.__name__)


def _ask_computer(row: MatchRow, **_: object) -> None:
    from antipodes.web.matches.computer import ask_if_to_move

    ask_if_to_move(row)
