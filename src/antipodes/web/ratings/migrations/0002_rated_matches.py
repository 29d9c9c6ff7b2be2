"""Rows of rated matches, made from the changes of ratings that are stored so far.

The changes of deleted accounts are deleted. Their sides come from the seats, their outcomes from
those of the others, and their ratings are calculated again from their first match on.
"""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from antipodes.web.ratings.calculation import UserRating, ratings_after
from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.outcomes import Outcome, RatedGame, Side
from antipodes.web.ratings.rated_matches import sides_of

_BATCH = 500  # matches


def fill(apps: Any, _editor: object) -> None:
    """Make a row for each match with changes."""
    pools = apps.get_model("ratings", "PoolRow").objects.order_by("pk")
    for pool in pools:
        changes = apps.get_model("ratings", "RatingChange").objects.filter(pool=pool)
        matches = list(changes.order_by("at", "match").values_list("match", flat=True).distinct())
        deleted: dict[int, UserRating] = {}
        for first in range(0, len(matches), _BATCH):
            _fill_some(apps, pool, matches[first : first + _BATCH], deleted)


def _fill_some(apps: Any, pool: Any, matches: list[int], deleted: dict[int, UserRating]) -> None:
    """Make the rows of some matches, and keep the ratings of deleted accounts after them."""
    changes: dict[int, list[Any]] = {}
    seats: dict[int, list[Any]] = {}
    for one in apps.get_model("ratings", "RatingChange").objects.filter(match__in=matches):
        changes.setdefault(one.match_id, []).append(one)
    for seat in apps.get_model("matches", "SeatRow").objects.filter(match__in=matches):
        seats.setdefault(seat.match_id, []).append(seat)
    found = apps.get_model("matches", "MatchRow").objects.in_bulk(matches)
    model, rows = apps.get_model("ratings", "RatedMatch"), []
    for match in matches:
        game = _game(found[match], changes[match], seats[match])
        before = {user: deleted.get(user, UserRating()) for user in game.users}
        known = {one.user_id: _before(one) for one in changes[match]}
        before |= known
        after = ratings_after(game, before)
        deleted.update((user, after[user]) for user in before.keys() - known.keys())
        rows.append(model(match_id=match, pool=pool, at=game.at, sides=sides_of(game, before)))
    model.objects.bulk_create(rows)


def _before(change: Any) -> UserRating:
    rating = Rating(change.value_before, change.deviation_before, change.volatility_before)
    return UserRating(rating, change.games - 1, change.latest_before)


def _game(match: Any, changes: list[Any], seats: list[Any]) -> RatedGame:
    """Return a match with the sides of all its players."""
    seats = sorted(seats, key=lambda seat: seat.number)
    count = 2 if match.options.get("seats") == "team" else len(seats)
    side_of = {one.user_id: one.side for one in changes}
    outcomes = {one.side: one.outcome for one in changes}
    for seat in seats:
        if seat.user_id not in side_of:
            # Seats are exchanged in games of two only.
            side = 1 - changes[0].side if len(seats) == 2 else seat.number % count
            side_of[seat.user_id] = side
    # Exactly one side has won, or one of several has given up, unless they drew.
    # A migration of matches has made the column before: apps migrate in the order of their names.
    # As a dependency it would refuse databases that have this migration already.
    single, other = ("won", "lost") if match.winner else ("lost", "won")
    for side in range(count):
        if side not in outcomes:
            known = outcomes.values()
            missing = other if single in known else single
            outcomes[side] = "drew" if "drew" in known else missing
    sides = []
    for side in range(count):
        users = tuple(seat.user_id for seat in seats if side_of[seat.user_id] == side)
        sides.append(Side(users, Outcome(outcomes[side])))
    return RatedGame(match.pk, changes[0].at, tuple(sides))


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0001_initial"),
        ("ratings", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="RatedMatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "at",
                    models.BigIntegerField(help_text="end of the match; milliseconds since 1970"),
                ),
                (
                    "sides",
                    models.JSONField(
                        help_text=(
                            "in turn order: outcome, advantage, players with their ratings before"
                            " the match"
                        )
                    ),
                ),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="as_rated",
                        to="matches.matchrow",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="matches",
                        to="ratings.poolrow",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["pool", "at"], name="rated_matches_of_pool"),
                ],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
