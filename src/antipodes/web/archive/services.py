"""Add finished matches to the archive and count them, each exactly once."""

from __future__ import annotations

import calendar
import time
from collections.abc import Iterable
from datetime import UTC, datetime

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Exists, F, OuterRef, QuerySet

from antipodes.clocks import HOUR
from antipodes.web.archive.facts import Facts, facts_of
from antipodes.web.archive.models import (
    BucketRow,
    FirstMoveRow,
    GameRow,
    LengthRow,
    MonthRow,
    OptionSetRow,
    PlayerRow,
    RecordRow,
)
from antipodes.web.archive.openings import NO_MOVE
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.clock import now
from antipodes.web.ratings.selectors import band_at


def month_of(at: int) -> str:
    """Return the month of a time in milliseconds since 1970, such as ``2026-11``."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m")


def bounds(month: str) -> tuple[int, int]:
    """Return the starts of a month and of the next one, in milliseconds since 1970."""
    year, number = map(int, month.split("-"))
    begin = calendar.timegm((year, number, 1, 0, 0, 0))
    following = (year + 1, 1) if number == 12 else (year, number + 1)
    return begin * 1000, calendar.timegm((*following, 1, 0, 0, 0)) * 1000


_MAX_SECONDS = 0.5  # of one run, because other periodic tasks wait
_RECENT = HOUR  # milliseconds since the end of recent matches
_BATCH = 1_000  # matches that a backfill checks together
_PAUSE = 3_600.0  # seconds between two backfills


def archive_match(row: MatchRow) -> bool:
    """Add a finished match to the archive and count it; return whether it was not archived yet.

    If several processes do so at the same time, one of them succeeds and the others return
    ``False``.

    Raises:
        ValueError: the match has not ended.
    """
    if row.ended_at is None:
        raise ValueError(f"{row} has not ended")
    facts = facts_of(row)
    try:
        with transaction.atomic():
            _archive(row, row.ended_at, facts)
    except IntegrityError:
        if GameRow.objects.filter(pk=row.pk).exists():
            return False
        raise
    return True


def _archive(row: MatchRow, ended_at: int, facts: Facts) -> None:
    seats = list(row.seats.select_related("user"))
    option_set = _option_set(row, facts)
    with_computer = any(seat.user.is_computer or seat.user.is_bot for seat in seats)
    bucket, _ = BucketRow.objects.get_or_create(
        option_set=option_set,
        speed=facts.speed,
        rated=row.rated,
        with_computer=with_computer,
        is_private=row.is_private,
        from_position=row.start is not None,
        band="" if with_computer else band_at(row) or "",
        winner=facts.winner,
        reason=facts.reason,
    )
    # If the row exists already, `create` fails and nothing is counted.
    game = GameRow.objects.create(
        match=row,
        bucket=bucket,
        option_set=option_set,
        ended_at=ended_at,
        moves=facts.moves,
        swapped=facts.swapped,
        first=_nth(facts.opening, 0),
        second=_nth(facts.opening, 1),
        opening=facts.opening_key,
    )
    RecordRow.objects.create(game=game, data=facts.record)
    PlayerRow.objects.bulk_create(
        PlayerRow(
            game=game,
            number=seat.number,
            color=facts.colors[seat.number],
            user_id=seat.user_id,
            won=facts.won(seat.number),
            ended_at=ended_at,
            bucket=bucket,
        )
        for seat in seats
    )
    _count(bucket, game)
    if not (row.is_private or bucket.from_position):
        mark_month(ended_at)


def _nth(opening: tuple[int, ...], index: int) -> int:
    return opening[index] if len(opening) > index else NO_MOVE


def _option_set(row: MatchRow, facts: Facts) -> OptionSetRow:
    option_set, _ = OptionSetRow.objects.get_or_create(
        game_id=row.game_id,
        key=facts.options,
        defaults={
            "options": dict(row.game.options.changed()),
            "board_class": facts.board_class,
        },
    )
    return option_set


def _count(bucket: BucketRow, game: GameRow) -> None:
    """Count a game; the update of the bucket comes first and locks it."""
    BucketRow.objects.filter(pk=bucket.pk).update(games=F("games") + 1)
    length, _ = LengthRow.objects.get_or_create(bucket=bucket, moves=game.moves)
    LengthRow.objects.filter(pk=length.pk).update(games=F("games") + 1)
    if game.first == NO_MOVE:
        return
    first, _ = FirstMoveRow.objects.get_or_create(
        bucket=bucket, move=game.first, swapped=game.swapped
    )
    FirstMoveRow.objects.filter(pk=first.pk).update(games=F("games") + 1)


def mark_month(ended_at: int) -> None:
    """Mark the open data of a month to be written again."""
    month = month_of(ended_at)
    if not MonthRow.objects.filter(month=month, is_stale=True).exists():
        MonthRow.objects.update_or_create(month=month, defaults={"is_stale": True})


# Missing matches.


def unarchived() -> QuerySet[MatchRow]:
    """Return the finished matches that are not in the archive."""
    archived = Exists(GameRow.objects.filter(pk=OuterRef("pk")))
    return MatchRow.objects.exclude(ended_at=None).exclude(archived).order_by("ended_at")


def archive_recent() -> None:
    """Archive recently finished matches."""
    archive_some(unarchived().filter(ended_at__gt=now() - _RECENT))


class Backfill:
    """Search all matches in batches for finished ones that are not archived.

    A single query over a million matches would take too long.
    """

    def __init__(self) -> None:
        self._checked = 0  # id of the last match
        self._paused_until = 0.0

    def step(self, seconds: float = _MAX_SECONDS) -> int:
        """Check the next matches; return the number of archived ones."""
        if time.monotonic() < self._paused_until:
            return 0
        ended = MatchRow.objects.exclude(ended_at=None).filter(pk__gt=self._checked)
        keys = list(ended.order_by("pk").values_list("pk", flat=True)[:_BATCH])
        if not keys:
            self._checked, self._paused_until = 0, time.monotonic() + _PAUSE
            return 0
        archived = set(GameRow.objects.filter(pk__in=keys).values_list("pk", flat=True))
        deadline = time.monotonic() + seconds
        count = 0
        for key in keys:
            if key not in archived:
                count += archive_match(MatchRow.objects.get(pk=key))
            self._checked = key
            if time.monotonic() > deadline:
                break
        return count


_backfill = Backfill()


def archive_missing() -> None:
    """Archive missing matches, a batch at a time."""
    _backfill.step()


def archive_some(rows: Iterable[MatchRow], seconds: float = _MAX_SECONDS) -> int:
    """Archive matches until there are no more or the time is up; return their number."""
    deadline = time.monotonic() + seconds
    count = 0
    for row in rows:
        count += archive_match(row)
        if time.monotonic() > deadline:
            break
    return count


# Recounting.


def recount() -> None:
    """Count all games of the archive again, which repairs wrong counts."""
    with transaction.atomic():
        _lock_counts()
        counts = dict(
            GameRow.objects.order_by().values_list("bucket").annotate(count=Count("pk")).iterator()
        )
        buckets = list(BucketRow.objects.all())
        for bucket in buckets:
            bucket.games = counts.get(bucket.pk, 0)
        BucketRow.objects.bulk_update(buckets, ["games"], batch_size=400)
        _recount_lengths()
        _recount_first_moves()


def _lock_counts() -> None:
    """Make processes that archive games wait; on SQLite every transaction does so."""
    if connection.vendor == "postgresql":
        table = BucketRow._meta.db_table  # noqa: SLF001 - documented by Django
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")


def _recount_lengths() -> None:
    LengthRow.objects.all().delete()
    groups = GameRow.objects.order_by().values_list("bucket", "moves").annotate(count=Count("pk"))
    LengthRow.objects.bulk_create(
        (LengthRow(bucket_id=bucket, moves=moves, games=count) for bucket, moves, count in groups),
        batch_size=2_000,
    )


def _recount_first_moves() -> None:
    FirstMoveRow.objects.all().delete()
    moved = GameRow.objects.exclude(first=NO_MOVE).order_by()
    groups = moved.values_list("bucket", "first", "swapped").annotate(count=Count("pk"))
    FirstMoveRow.objects.bulk_create(
        (
            FirstMoveRow(bucket_id=bucket, move=move, swapped=swapped, games=count)
            for bucket, move, swapped, count in groups
        ),
        batch_size=2_000,
    )


def delete_all() -> None:
    """Delete the content of the archive, which can be rebuilt from the matches."""
    with transaction.atomic():
        RecordRow.objects.all().delete()
        PlayerRow.objects.all().delete()
        GameRow.objects.all().delete()
        recount()
