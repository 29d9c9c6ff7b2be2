"""Leagues: the players of a season are entered in the next one, in the order that they reached."""

from __future__ import annotations

from antipodes.web.tournaments import services
from antipodes.web.tournaments.log import Step, record
from antipodes.web.tournaments.models import EntryRow, TournamentRow
from antipodes.web.tournaments.rounds import state_of


def enter_players(row: TournamentRow) -> None:
    """Enter the players of the previous season in a new one, but for those who have withdrawn.

    They are notified, and can leave before the start.
    """
    assert row.previous is not None
    last = row.previous.entries.exclude(number=None).filter(
        is_withdrawn=False, user__is_active=True
    )
    users = [one.user for one in last.select_related("user") if not one.user.is_computer]
    users = users[: row.most_players]
    EntryRow.objects.bulk_create(services.add_entry(row, user) for user in users)
    record(row, Step.ENTERED, users=[user.pk for user in users])


def places_of(row: TournamentRow) -> dict[int, int]:
    """Return the places of users with which a season begins; empty for other events."""
    if row.previous is None or not row.format.carries_over:
        return {}
    users = dict(row.previous.entries.exclude(number=None).values_list("number", "user"))
    order = row.previous.format.order_of_next(state_of(row.previous))
    return {users[number]: place for place, number in enumerate(order)}
