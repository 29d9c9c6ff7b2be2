"""The puzzle of the day, and its notification at the hour of the daily e-mail of each reader."""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from django.db import transaction
from django.urls import reverse

from antipodes.clocks import HOUR
from antipodes.puzzles.model import Puzzle
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import PreferenceRow
from antipodes.web.notifications.schedule import next_daily
from antipodes.web.notifications.services import notify
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import optional_write, outage_of
from antipodes.web.puzzles import catalogue
from antipodes.web.puzzles.catalogue import categories, category_of
from antipodes.web.puzzles.models import DailyRow
from antipodes.web.puzzles.selectors import first_try

APART = timedelta(days=183)  # no puzzle is repeated sooner
_MIDDLING = range(3, 8)  # difficulties


def today() -> date:
    """Return the day in UTC by the site's clock."""
    return day_of(now())


def day_of(milliseconds: int) -> date:
    """Return the day in UTC of a time in milliseconds since 1970."""
    return datetime.fromtimestamp(milliseconds / 1_000, UTC).date()


def daily(day: date) -> Puzzle | None:
    """Return the puzzle of a day, chosen when it is first asked for; then it never changes.

    Returns:
        ``None`` if there are no puzzles.
    """
    row = DailyRow.objects.filter(day=day).first()
    if row is None:
        chosen = _choose(day)
        if chosen is None:
            return None
        row = DailyRow(day=day, puzzle_id=chosen.id, game_id=chosen.game_id)
        with optional_write("the puzzle of the day"):
            # Another process may have chosen at the same time: the first one counts.
            fields = {"puzzle_id": row.puzzle_id, "game_id": row.game_id}
            row, _ = DailyRow.objects.get_or_create(day=day, defaults=fields)
    return catalogue.get(row.puzzle_id)


def dailies(until: date, count: int) -> list[tuple[date, Puzzle]]:
    """Return the puzzles of the last days that had one, the latest first."""
    rows = DailyRow.objects.filter(day__lte=until).order_by("-day")[:count]
    found = ((row.day, catalogue.get(row.puzzle_id)) for row in rows)
    return [(day, puzzle) for day, puzzle in found if puzzle is not None]


def _choose(day: date) -> Puzzle | None:
    """Choose a puzzle of the game that had its turn longest ago, of middling difficulty."""
    near = DailyRow.objects.filter(day__gt=day - APART, day__lt=day + APART)
    rows = sorted(near.values_list("day", "puzzle_id", "game_id"))
    used = {puzzle_id for _, puzzle_id, _ in rows}
    offered = catalogue.offered()
    fresh = [one for one in offered if one.id not in used]
    middling = [one for one in fresh if one.difficulty in _MIDDLING]
    candidates = middling or fresh or offered
    if not candidates:
        return None
    latest = {game_id: abs((day - of_day).days) for of_day, _, game_id in rows if of_day < day}
    return _of_game_in_turn(candidates, latest, day)


def _of_game_in_turn(candidates: Sequence[Puzzle], latest: dict[str, int], day: date) -> Puzzle:
    """Return a random puzzle, always the same on a day, of the game that waits longest.

    Other rulesets of the game are only for days without a puzzle of its usual one.
    """
    games = sorted({one.game_id for one in candidates})
    longest = max(latest.get(game_id, APART.days) for game_id in games)
    chance = random.Random(day.toordinal())
    game_id = chance.choice([one for one in games if latest.get(one, APART.days) == longest])
    by_category: dict[str, list[Puzzle]] = {name: [] for name in categories()}
    for puzzle in candidates:
        if puzzle.game_id == game_id:
            by_category[category_of(puzzle).name].append(puzzle)
    return chance.choice(next(filter(None, by_category.values())))


logger = logging.getLogger(__name__)

_BATCH = 200
_LATEST = 12 * HOUR  # milliseconds; after a longer outage the puzzle is left out


def notify_of_daily() -> None:
    """Notify the users whose hour has come of the puzzle of the day.

    When a user is due is stored, and advanced in the transaction that stores the notification. So
    each user is notified once, by whichever worker comes first, also after a restart.
    """
    while rows := _due():
        for row in rows:
            try:
                _notify(row)
            except Exception as error:
                if outage_of(error):
                    raise
                logger.exception("puzzle of the day not sent user=%s", row.user_id)
                _advance(row)


def _due() -> list[PreferenceRow]:
    rows = PreferenceRow.objects.filter(puzzle_due__lte=now()).select_related("user")
    return list(rows.order_by("puzzle_due")[:_BATCH])


def _advance(row: PreferenceRow) -> bool:
    """Set when the user is due next; return false if another worker has done so."""
    following = next_daily(now(), row.hour, row.zone)
    same = PreferenceRow.objects.filter(pk=row.pk, puzzle_due=row.puzzle_due)
    return same.update(puzzle_due=following) == 1


def _notify(row: PreferenceRow) -> None:
    """Notify a user, unless they are on vacation or have tried the puzzle already."""
    due, at = row.puzzle_due, now()
    with transaction.atomic():
        if not _advance(row) or due is None or at - due > _LATEST or (row.away_until or 0) > at:
            return
        day = day_of(due)
        puzzle = daily(day)
        if puzzle is None or first_try(row.user, puzzle) is not None:
            return
        notify(
            row.user,
            NotificationKind.DAILY_PUZZLE,
            key=f"puzzle of {day}",
            path=reverse("puzzle", args=[puzzle.id]),
            puzzle=puzzle.id,
            game=puzzle.game_id,
        )
