"""Ratings of a match's players as JSON for its page."""

from __future__ import annotations

from django.urls import reverse

from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.ratings.classes import board_class_of, speed_of_text
from antipodes.web.ratings.glicko import PROVISIONAL_DEVIATION
from antipodes.web.ratings.models import RatedMatch, RatingChange, Unrated
from antipodes.web.ratings.schemas import MatchRatingsOut, SeatRatingOut
from antipodes.web.ratings.selectors import CurrentRating, ratings_by_user


def ratings_at(row: MatchRow) -> MatchRatingsOut:
    seats = list(row.seats.select_related("user"))
    users = {seat.user_id for seat in seats if not seat.user.is_computer}
    kind = row.game_id, speed_of_text(row.control), board_class_of(row.game)
    changes: dict[int, RatingChange] = {}
    unrated, is_rated = None, False
    if row.rated and row.ended_at is not None:
        unrated = Unrated.objects.filter(match=row).first()
        # Changes by a voided match are undone some seconds later.
        if unrated is None:
            changes = {one.user_id: one for one in RatingChange.objects.filter(match=row)}
            # A deleted account has no change any more.
            is_rated = bool(changes) or RatedMatch.objects.filter(match=row).exists()
    current = {} if is_rated else ratings_by_user(users, *kind)
    return {
        "rated": row.rated,
        "isDone": not row.rated or is_rated or _is_final(unrated),
        "why": str(unrated.get_reason_display()) if unrated else None,
        "seats": [
            _seat(seat, changes.get(seat.user_id), current.get(seat.user_id), is_rated=row.rated)
            for seat in seats
        ],
    }


def _is_final(unrated: Unrated | None) -> bool:
    return unrated is not None and unrated.reason != Unrated.Reason.RESTORED


def _seat(
    seat: SeatRow,
    change: RatingChange | None,
    current: CurrentRating | None,
    *,
    is_rated: bool,
) -> SeatRatingOut:
    view: SeatRatingOut = {
        "seat": seat.number,
        "profile": reverse("profile", args=[seat.user.username]),
    }
    if change is not None:
        view["rating"] = round(change.value)
        view["provisional"] = change.deviation > PROVISIONAL_DEVIATION
        view["gain"] = round(change.value) - round(change.value_before)
    elif current is not None and (current.games or (is_rated and not seat.user.is_guest)):
        view["rating"] = current.rounded
        view["provisional"] = current.is_provisional
    return view
