"""Vacations of an account: one switch for all correspondence matches, new ones included.

In a match, vacation belongs to a seat and has a budget. A periodic task starts vacation in all
matches of players who are away, and ends it at the given date. The commands have idempotency keys
made from the start of the vacation, so that a player who ends the vacation in one match by hand
stays back there.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db import transaction

from antipodes.clocks import Pace, read_control
from antipodes.errors import MatchError
from antipodes.match import EndVacation, StartVacation
from antipodes.web.accounts.models import User
from antipodes.web.matches.access import played_by
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import MatchSnapshot, look_up
from antipodes.web.notifications.models import PreferenceRow
from antipodes.web.notifications.preferences import preference_of, reschedule
from antipodes.web.notifications.schedule import zone_of
from antipodes.web.platform.clock import now

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class VacationBudget:
    """A player's remaining vacation in a match.

    Attributes:
        row: the match.
        left: remaining milliseconds.
        is_away: whether the clock is stopped by vacation now.
    """

    row: MatchRow
    left: int
    is_away: bool


def end_of(day: date, zone: str) -> int:
    """Return the instant at which a day ends in a time zone, in milliseconds since 1970."""
    midnight = datetime.combine(day + timedelta(days=1), time(), tzinfo=zone_of(zone))
    return int(midnight.timestamp()) * 1000


def start_vacation(user: User, until: int) -> None:
    """Start a vacation until an instant, or change its end."""
    with transaction.atomic():
        row, _ = PreferenceRow.objects.select_for_update().get_or_create(user=user)
        row.away_since = row.away_since or now()
        row.away_until = until
        row.save(update_fields=["away_since", "away_until"])
        reschedule(row)
    _start_everywhere(row)


def end_vacation(user: User) -> None:
    """End the vacation in all matches where it stopped the clock."""
    row = preference_of(user)
    if row.away_since is not None:
        _end_everywhere(row)


def budgets(user: User) -> list[VacationBudget]:
    """Return the remaining vacation in each match in progress, the least first."""
    found = []
    for snapshot in _correspondence_matches(user):
        clock = snapshot.match.clock
        for seat in snapshot.seats_of(user.pk)[:1]:
            until = clock.until[seat]
            left = clock.vacations[seat] if until is None else max(0, until - now())
            found.append(VacationBudget(snapshot.row, left, seat in clock.away))
    return sorted(found, key=lambda one: one.left)


def _correspondence_matches(user: User) -> Iterator[MatchSnapshot]:
    """Yield snapshots of the user's correspondence matches in progress."""
    rows = MatchRow.objects.filter(pk__in=played_by(user), ended_at=None)
    for slug, control in rows.values_list("slug", "control"):
        if read_control(control).pace is Pace.CORRESPONDENCE:
            yield look_up(slug)


def _key(word: str, row: PreferenceRow, seat: int) -> str:
    return f"{word} {row.user_id} {row.away_since} {seat}"


def _start_everywhere(row: PreferenceRow) -> None:
    """Start vacation in all matches where this absence has not done so yet."""
    for snapshot in _correspondence_matches(row.user):
        match = snapshot.match
        for seat in snapshot.seats_of(row.user_id):
            key = _key("away", row, seat)
            if (
                key not in match.keys
                and seat not in match.clock.away
                and match.clock.vacations[seat]
            ):
                _carry_out(snapshot, StartVacation(seat=seat, ply=match.ply, key=key))


def _end_everywhere(row: PreferenceRow) -> None:
    """End vacation in all matches where this absence started it, and clear the absence."""
    for snapshot in _correspondence_matches(row.user):
        match = snapshot.match
        for seat in snapshot.seats_of(row.user_id):
            if _key("away", row, seat) in match.keys and seat in match.clock.away:
                key = _key("back", row, seat)
                _carry_out(snapshot, EndVacation(seat=seat, ply=match.ply, key=key))
    ended = PreferenceRow.objects.filter(pk=row.pk, away_since=row.away_since)
    ended.update(away_since=None, away_until=None)


def _carry_out(snapshot: MatchSnapshot, command: StartVacation | EndVacation) -> None:
    try:
        carry_out(snapshot.row.slug, command)
    except MatchError:
        # The match has changed meanwhile; the next run tries again.
        logger.info("vacation command outdated match=%s command=%s", snapshot.row.slug, command)


def sync_vacations() -> None:
    """Start vacation in new matches of absent players, and end vacations that are over."""
    away = PreferenceRow.objects.exclude(away_until=None).select_related("user")
    for row in away:
        if row.away_until is not None and row.away_until > now():
            _start_everywhere(row)
        else:
            _end_everywhere(row)
