"""The ratings of those who sit at a match, as data for its page."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.ratings.classes import board_class_of, speed_of_text
from antipodes.web.ratings.glicko import PROVISIONAL
from antipodes.web.ratings.models import RatingChange, Unrated
from antipodes.web.ratings.selectors import Standing, ratings_by_user


def ratings_at(row: MatchRow) -> dict[str, Any]:
    """Return the ratings at a match: ``isDone`` once nothing more will become of them.

    Each seat has the address of its player's page and, where the player is rated, ``rating`` as it
    was at the end of the match or is now; ``gain`` is what the match has made of it. ``why`` says
    in words why a match that was to be rated is not.
    """
    seats = list(row.seats.select_related("user"))
    users = {seat.user_id for seat in seats if not seat.user.is_computer}
    kind = row.game_id, speed_of_text(row.control), board_class_of(row.game)
    changes: dict[int, RatingChange] = {}
    unrated = None
    if row.rated and row.ended_at is not None:
        unrated = Unrated.objects.filter(match=row).first()
        # What a voided match has made of ratings is taken back some seconds later.
        rows = RatingChange.objects.filter(match=row) if unrated is None else ()
        changes = {one.user_id: one for one in rows}
    standings = {} if changes else ratings_by_user(users, *kind)
    return {
        "rated": row.rated,
        "isDone": not row.rated or bool(changes) or _is_final(unrated),
        "why": unrated.get_reason_display() if unrated else None,
        "seats": [
            _seat(seat, changes.get(seat.user_id), standings.get(seat.user_id)) for seat in seats
        ],
    }


def _is_final(unrated: Unrated | None) -> bool:
    return unrated is not None and unrated.reason != Unrated.Reason.RESTORED


def _seat(seat: SeatRow, change: RatingChange | None, standing: Standing | None) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "seat": seat.number,
        "profile": reverse("profile", args=[seat.user.username]),
    }
    if change is not None:
        shown["rating"] = round(change.value)
        shown["provisional"] = change.deviation > PROVISIONAL
        shown["gain"] = round(change.value) - round(change.value_before)
    elif standing is not None and standing.games:
        shown["rating"] = standing.rounded
        shown["provisional"] = standing.is_provisional
    return shown
