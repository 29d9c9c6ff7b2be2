"""Tournaments as the API shows them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.people import person_out
from antipodes.web.api.schemas.tournaments import TournamentOut
from antipodes.web.tournaments.access import find
from antipodes.web.tournaments.models import TournamentRow


def find_tournament(slug: str, user: User | None) -> TournamentRow:
    """Return a tournament that a user may see.

    Raises:
        ApiError: there is none.
    """
    row = find(slug, user)
    if row is None:
        raise not_found(_("There is no tournament %(slug)s.") % {"slug": shorten(slug)})
    return row


def tournament_out(row: TournamentRow) -> TournamentOut:
    """Return a tournament with its rules."""
    players = getattr(row, "players", None)  # lists count them in one query
    data: dict[str, Any] = {
        "slug": row.slug,
        "title": row.title,
        "description": row.description,
        "host": person_out(row.host),
        "club": None if row.club is None else row.club.slug,
        "guest_club": None if row.guest_club is None else row.guest_club.slug,
        "private": row.is_private,
        "format": row.format.name,
        "rules": row.format.as_dict(),
        "state": row.state,
        "game": row.game_id,
        "options": row.options,
        "control": row.control,
        "rated": row.rated,
        "games": row.games,
        "openings": row.openings,
        "tie_breaks": row.tie_breaks,
        "columns": [one.name for one in row.format.columns(row.ranking)],
        "opens_at": row.opens_at,
        "starts_at": row.starts_at,
        "check_in": row.check_in,
        "starts_when_full": row.starts_when_full,
        "players": row.entries.filter(is_withdrawn=False).count() if players is None else players,
        "most_players": row.most_players,
        "lowest": row.lowest,
        "highest": row.highest,
        "least_games": row.least_games,
        "filler": row.filler,
        "repeats": row.repeats,
        "by_invitation": row.by_invitation,
        "bots": row.allows_bots,
        "round": row.round,
        "rounds": row.last_round,
        "version": row.version,
    }
    return TournamentOut(**data)
