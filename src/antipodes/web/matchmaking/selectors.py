"""Seeks as lines of lists."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import Q

from antipodes.web.accounts.models import User
from antipodes.web.challenges.eligibility import Viewer, needs_account
from antipodes.web.matches.labels import control_words
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.matchmaking.presets import preset_game
from antipodes.web.matchmaking.services import TIMEOUT
from antipodes.web.platform.clock import now
from antipodes.web.platform.translations import game_label
from antipodes.web.ratings.classes import speed_of_text
from antipodes.web.ratings.selectors import ratings_in_pools

_MOST = 50


@dataclass(frozen=True)
class SeekLine:
    """A seek in a list.

    Attributes:
        row: the seek.
        title: the game, with its board.
        clock: label of the time control.
        rating: the player's rating for this game, to others; empty without rated games.
        reason: why the viewer may not play it; empty if they may.
    """

    row: SeekRow
    title: str
    clock: str
    rating: str = ""
    reason: str = ""


def seeks(user: User) -> list[SeekLine]:
    rows = SeekRow.objects.filter(user=user, match=None)
    return [seek_line(row) for row in rows]


def seek_line(row: SeekRow) -> SeekLine:
    game = preset_game(row.game_id, row.board)
    title = game_label(game.id, dict(game.options.changed()))
    return SeekLine(row=row, title=title, clock=control_words(row.control))


def open_seeks(viewer: Viewer) -> list[SeekLine]:
    """Return the seeks of others whom a viewer may meet, the longest waiting first."""
    is_there = Q(is_live=False) | Q(seen_at__gte=now() - TIMEOUT)
    rows = SeekRow.objects.filter(is_there, match=None, user__is_active=True)
    if viewer.user is not None:
        rows = rows.exclude(user=viewer.user).exclude(user__in=viewer.barred)
    shown = list(rows.select_related("user")[:_MOST])
    ratings = ratings_in_pools(row.user_id for row in shown) if shown else {}
    lines = []
    for row in shown:
        pool = (row.user_id, row.game_id, speed_of_text(row.control), row.board)
        rating = ratings[pool].text if pool in ratings else ""
        is_open = viewer.has_account or not row.rated
        reason = "" if is_open else needs_account().message
        lines.append(replace(seek_line(row), rating=rating, reason=reason))
    return lines
