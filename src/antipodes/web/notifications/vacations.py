"""Vacation of an account: one switch for all matches by correspondence, new ones included.

``matches`` knows vacation of each seat alone, with a budget of its own. Rounds here go on vacation
for whoever is away, and come back when their date has come. Commands carry keys made from the date
at which the absence began: what is done again does nothing, and who comes back in one match by hand
is left alone there.
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
from antipodes.web.platform.periodic import every

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Budget:
    """How much vacation somebody has in a match.

    Attributes:
        row: the match.
        left: milliseconds of vacation that are left.
        is_away: whether the clock stands still because of it.
    """

    row: MatchRow
    left: int
    is_away: bool


def end_of(day: date, zone: str) -> int:
    """Return the instant at which a day ends in a time zone, in milliseconds since 1970."""
    midnight = datetime.combine(day + timedelta(days=1), time(), tzinfo=zone_of(zone))
    return int(midnight.timestamp()) * 1000


def go_away(user: User, until: int) -> None:
    """Be away until an instant, from now on or for longer than was said before."""
    with transaction.atomic():
        row, _ = PreferenceRow.objects.select_for_update().get_or_create(user=user)
        row.away_since = row.away_since or now()
        row.away_until = until
        row.save(update_fields=["away_since", "away_until"])
        reschedule(row)
    _leave_all(row)


def come_back(user: User) -> None:
    """Be back; clocks run again in all matches where they stood still for this absence."""
    row = preference_of(user)
    if row.away_since is not None:
        _come_back(row)


def budgets(user: User) -> list[Budget]:
    """Return how much vacation somebody has in each match that goes on, the least first."""
    found = []
    for standing in _standings(user):
        clock = standing.match.clock
        for seat in standing.seats_of(user.pk)[:1]:
            until = clock.until[seat]
            left = clock.vacations[seat] if until is None else max(0, until - now())
            found.append(Budget(standing.row, left, seat in clock.away))
    return sorted(found, key=lambda one: one.left)


def _standings(user: User) -> Iterator[MatchSnapshot]:
    """Return how somebody's matches by correspondence stand that go on."""
    rows = MatchRow.objects.filter(pk__in=played_by(user), ended_at=None)
    for slug, control in rows.values_list("slug", "control"):
        if read_control(control).pace is Pace.CORRESPONDENCE:
            yield look_up(slug)


def _key(word: str, row: PreferenceRow, seat: int) -> str:
    return f"{word} {row.user_id} {row.away_since} {seat}"


def _leave_all(row: PreferenceRow) -> None:
    """Go on vacation wherever this absence has not done so yet."""
    for standing in _standings(row.user):
        match = standing.match
        for seat in standing.seats_of(row.user_id):
            key = _key("away", row, seat)
            if (
                key not in match.keys
                and seat not in match.clock.away
                and match.clock.vacations[seat]
            ):
                _carry_out(standing, StartVacation(seat=seat, ply=match.ply, key=key))


def _come_back(row: PreferenceRow) -> None:
    """Come back wherever this absence has left, and then note that it is over."""
    for standing in _standings(row.user):
        match = standing.match
        for seat in standing.seats_of(row.user_id):
            if _key("away", row, seat) in match.keys and seat in match.clock.away:
                key = _key("back", row, seat)
                _carry_out(standing, EndVacation(seat=seat, ply=match.ply, key=key))
    ended = PreferenceRow.objects.filter(pk=row.pk, away_since=row.away_since)
    ended.update(away_since=None, away_until=None)


def _carry_out(standing: MatchSnapshot, command: StartVacation | EndVacation) -> None:
    try:
        carry_out(standing.row.slug, command)
    except MatchError:
        # The match has gone on meanwhile; the next round looks again.
        logger.info("%s was too late for %s", command, standing.row)


@every(60)
def look_after_absences() -> None:
    """Leave in new matches of those who are away, and come back when their date has come."""
    away = PreferenceRow.objects.exclude(away_until=None).select_related("user")
    for row in away:
        if row.away_until is not None and row.away_until > now():
            _leave_all(row)
        else:
            _come_back(row)
