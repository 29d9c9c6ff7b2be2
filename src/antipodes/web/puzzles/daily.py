"""The puzzle of the day."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from antipodes.puzzles.model import Puzzle
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import optional_write
from antipodes.web.puzzles import catalogue
from antipodes.web.puzzles.categories import categories, category_of
from antipodes.web.puzzles.models import DailyRow

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
    found = middling or fresh or offered
    if not found:
        return None
    latest = {game_id: abs((day - of_day).days) for of_day, _, game_id in rows if of_day < day}
    return _of_game_in_turn(found, latest, day)


def _of_game_in_turn(found: Sequence[Puzzle], latest: dict[str, int], day: date) -> Puzzle:
    """Return a random puzzle, always the same on a day, of the game that waits longest.

    Other rulesets of the game are only for days without a puzzle of its usual one.
    """
    games = sorted({one.game_id for one in found})
    longest = max(latest.get(game_id, APART.days) for game_id in games)
    chance = random.Random(day.toordinal())
    game_id = chance.choice([one for one in games if latest.get(one, APART.days) == longest])
    by_category: dict[str, list[Puzzle]] = {name: [] for name in categories()}
    for one in found:
        if one.game_id == game_id:
            by_category[category_of(one).name].append(one)
    return chance.choice(next(filter(None, by_category.values())))
