"""What lists of challenges, and of those who look for opponents, show."""

from __future__ import annotations

from dataclasses import dataclass

from antipodes.web.accounts.models import User
from antipodes.web.matches.labels import control_words
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.matchmaking.presets import preset_game
from antipodes.web.platform.translations import game_words


@dataclass(frozen=True)
class SearchLine:
    """Somebody's search for an opponent, in a list."""

    row: SeekRow
    title: str
    clock: str


def searches(user: User) -> list[SearchLine]:
    """Return what a user looks for opponents for."""
    rows = SeekRow.objects.filter(user=user, match=None)
    return [search_line(row) for row in rows]


def search_line(row: SeekRow) -> SearchLine:
    """Return what is shown of a search."""
    game = preset_game(row.game_id, row.board)
    title = game_words(game.id, dict(game.options.changed()))
    return SearchLine(row=row, title=title, clock=control_words(row.control))
