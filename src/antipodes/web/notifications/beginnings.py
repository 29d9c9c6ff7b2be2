"""Tell the open pages of players that a live game of theirs begins: they go to its board."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from antipodes.clocks import read_control
from antipodes.web.accounts.models import User
from antipodes.web.matches.access import played_by
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.services import GRACE, is_live_between_people
from antipodes.web.notifications import match_events
from antipodes.web.notifications.services import bell_group
from antipodes.web.platform import pubsub
from antipodes.web.platform.clock import now
from antipodes.web.platform.translations import game_label


def tell_players(row: MatchRow, **_arguments: object) -> None:
    """Tell the pages of the players of a match that has just begun."""
    if row.version:
        return
    users = {seat.user for seat in row.seats.select_related("user")}
    if _await_each_other(row, users):
        message = {"type": "match.began", "slug": row.slug}
        # Who has many games at once sees them in another place.
        overseers = {user for find in match_events.overseen_by for _match, user in find([row.pk])}
        for user in {user.pk for user in users} - overseers:
            transaction.on_commit(partial(pubsub.send_to_group, bell_group(user), message))


def beginnings(user: User, slug: str | None = None) -> list[dict[str, Any]]:
    """Return what pages need of a user's live games that begin now, or of one of them."""
    rows = MatchRow.objects.filter(
        ended_at=None, begun_at__gt=now() - GRACE, pk__in=played_by(user)
    )
    if slug is not None:
        rows = rows.filter(slug=slug)
    rows = rows.select_related("rematch_of").prefetch_related(seated())
    overseen = {
        match
        for find in match_events.overseen_by
        for match, who in find([one.pk for one in rows])
        if who == user.pk
    }
    return [
        _about(row, user)
        for row in rows
        if row.pk not in overseen
        and _await_each_other(row, {seat.user for seat in row.seats.all()})
    ]


def _about(row: MatchRow, user: User) -> dict[str, Any]:
    others = _names(seat.user for seat in row.seats.all() if seat.user_id != user.pk)
    words = _("Your game of %(game)s with %(others)s begins.")
    return {
        "slug": row.slug,
        "words": words % {"game": game_label(row.game_id, row.options), "others": others},
        "after": row.rematch_of and row.rematch_of.slug,
    }


def _names(users: Iterable[User]) -> str:
    return ", ".join(dict.fromkeys(user.name for user in users))


def _await_each_other(row: MatchRow, users: Collection[User]) -> bool:
    """Return whether a match has several people: who plays the computer has begun it."""
    return len(users) > 1 and is_live_between_people(read_control(row.control), users)
