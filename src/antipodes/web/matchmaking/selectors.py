"""Seeks as lines of lists."""

from __future__ import annotations

from dataclasses import dataclass

from antipodes.web.accounts.models import User
from antipodes.web.matches.labels import control_words
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.matchmaking.presets import preset_game
from antipodes.web.platform.translations import game_label


@dataclass(frozen=True)
class SeekLine:
    """A seek in a list."""

    row: SeekRow
    title: str
    clock: str


def seeks(user: User) -> list[SeekLine]:
    rows = SeekRow.objects.filter(user=user, match=None)
    return [seek_line(row) for row in rows]


def seek_line(row: SeekRow) -> SeekLine:
    game = preset_game(row.game_id, row.board)
    title = game_label(game.id, dict(game.options.changed()))
    return SeekLine(row=row, title=title, clock=control_words(row.control))
