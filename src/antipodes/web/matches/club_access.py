"""Check spectators of a club's private matches again when the club's members change."""

from __future__ import annotations

from django.db import transaction

from antipodes.web.clubs.models import ClubRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import group_of
from antipodes.web.platform import pubsub


def check_spectators(club: ClubRow, **_: object) -> None:
    """Let WebSockets at a club's private matches check again whether they may watch."""
    in_progress = MatchRow.objects.filter(club=club, is_private=True, ended_at=None)
    slugs = list(in_progress.values_list("slug", flat=True))

    def tell() -> None:
        for slug in slugs:
            pubsub.send_to_group(group_of(slug), {"type": "match.guarded"})

    transaction.on_commit(tell)
