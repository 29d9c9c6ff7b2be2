"""Tournaments as the API shows them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.people import person_out
from antipodes.web.api.schemas.tournaments import TournamentOut
from antipodes.web.tournaments import exports
from antipodes.web.tournaments.access import find
from antipodes.web.tournaments.models import Repeat, TournamentRow


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
    return {
        **exports.event_data(row),
        "description": row.description,
        "host": person_out(row.host),
        "club": None if row.club is None else row.club.slug,
        "guestClub": None if row.guest_club is None else row.guest_club.slug,
        "private": row.is_private,
        "opensAt": row.opens_at,
        "checkIn": row.check_in,
        "startsWhenFull": row.starts_when_full,
        "players": row.entries.filter(is_withdrawn=False).count() if players is None else players,
        "mostPlayers": row.most_players,
        "lowest": row.lowest,
        "highest": row.highest,
        "leastGames": row.least_games,
        "byInvitation": row.by_invitation,
        "filler": row.filler,
        "repeats": Repeat(row.repeats),
        "bots": row.allows_bots,
        "version": row.version,
    }
