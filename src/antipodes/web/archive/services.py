"""What changes the archive: finished matches are filed and counted, each exactly once."""

from __future__ import annotations

import time
from collections.abc import Iterable

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Exists, F, OuterRef, QuerySet

from antipodes.web.archive.facts import Facts, facts_of
from antipodes.web.archive.models import (
    FirstMoveRow,
    GameRow,
    LengthRow,
    MonthRow,
    OptionSetRow,
    PlayerRow,
    RecordRow,
    ShelfRow,
)
from antipodes.web.archive.months import month_of
from antipodes.web.archive.openings import NO_MOVE
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every

_PATIENCE = 0.5  # seconds of a round: others wait for their turn
_RECENT = 3_600_000  # milliseconds in which a quick look finds what has ended
_AT_ONCE = 1_000  # matches that a sweep looks at together
_REST = 3_600.0  # seconds between two sweeps


def file_match(row: MatchRow) -> bool:
    """File a match that has ended and count it; return whether that was still to be done.

    Whoever else does the same at the same time: one of them files it, the others see that.

    Raises:
        ValueError: the match goes on.
    """
    if row.ended_at is None:
        raise ValueError(f"{row} has not ended")
    facts = facts_of(row)
    try:
        with transaction.atomic():
            _file(row, row.ended_at, facts)
    except IntegrityError:
        if GameRow.objects.filter(pk=row.pk).exists():
            return False
        raise
    return True


def _file(row: MatchRow, ended_at: int, facts: Facts) -> None:
    seats = list(row.seats.select_related("user"))
    option_set = _option_set(row, facts)
    shelf, _ = ShelfRow.objects.get_or_create(
        option_set=option_set,
        speed=facts.speed,
        rated=row.rated,
        with_computer=any(seat.user.is_computer or seat.user.is_bot for seat in seats),
        is_private=row.is_private,
        winner=facts.winner,
        reason=facts.reason,
    )
    # `create` where a row is there already is an error, and then nothing is counted.
    game = GameRow.objects.create(
        match=row,
        shelf=shelf,
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
            shelf=shelf,
        )
        for seat in seats
    )
    _count(shelf, game)
    if not row.is_private:
        note_month(ended_at)


def _nth(opening: tuple[int, ...], index: int) -> int:
    return opening[index] if len(opening) > index else NO_MOVE


def _option_set(row: MatchRow, facts: Facts) -> OptionSetRow:
    found, _ = OptionSetRow.objects.get_or_create(
        game_id=row.game_id,
        key=facts.options,
        defaults={
            "options": dict(row.game.options.changed()),
            "board_class": facts.board_class,
        },
    )
    return found


def _count(shelf: ShelfRow, game: GameRow) -> None:
    """Count a game; the shelf comes first, so that two who count on it wait for each other."""
    ShelfRow.objects.filter(pk=shelf.pk).update(games=F("games") + 1)
    length, _ = LengthRow.objects.get_or_create(shelf=shelf, moves=game.moves)
    LengthRow.objects.filter(pk=length.pk).update(games=F("games") + 1)
    if game.first == NO_MOVE:
        return
    first, _ = FirstMoveRow.objects.get_or_create(
        shelf=shelf, move=game.first, swapped=game.swapped
    )
    FirstMoveRow.objects.filter(pk=first.pk).update(games=F("games") + 1)


def note_month(ended_at: int) -> None:
    """Note that the open data of a month have to be made again."""
    month = month_of(ended_at)
    if not MonthRow.objects.filter(month=month, is_stale=True).exists():
        MonthRow.objects.update_or_create(month=month, defaults={"is_stale": True})


# What is left to be done.


def unfiled() -> QuerySet[MatchRow]:
    """Return the matches that have ended and are not in the archive."""
    filed = Exists(GameRow.objects.filter(pk=OuterRef("pk")))
    return MatchRow.objects.exclude(ended_at=None).exclude(filed).order_by("ended_at")


@every(2)
def file_recent() -> None:
    """File what has ended lately."""
    file_some(unfiled().filter(ended_at__gt=now() - _RECENT))


class Sweep:
    """Looks through all matches, some at a time, for those that have ended and are not filed.

    Whoever asks for all of them at once waits long where there are a million.
    """

    def __init__(self) -> None:
        """Begin with the first match."""
        self._looked_at = 0  # key of the last match
        self._rests_until = 0.0

    def go_on(self, seconds: float = _PATIENCE) -> int:
        """Look at some more matches; return how many were filed."""
        if time.monotonic() < self._rests_until:
            return 0
        ended = MatchRow.objects.exclude(ended_at=None).filter(pk__gt=self._looked_at)
        keys = list(ended.order_by("pk").values_list("pk", flat=True)[:_AT_ONCE])
        if not keys:
            self._looked_at, self._rests_until = 0, time.monotonic() + _REST
            return 0
        known = set(GameRow.objects.filter(pk__in=keys).values_list("pk", flat=True))
        end = time.monotonic() + seconds
        filed = 0
        for key in keys:
            if key not in known:
                filed += file_match(MatchRow.objects.get(pk=key))
            self._looked_at = key
            if time.monotonic() > end:
                break
        return filed


_sweep = Sweep()


@every(5)
def file_forgotten() -> None:
    """File whatever is not in the archive, also from before it existed; a little at a time."""
    _sweep.go_on()


def file_some(rows: Iterable[MatchRow], seconds: float = _PATIENCE) -> int:
    """File matches until there are no more, or the time is up; return how many."""
    end = time.monotonic() + seconds
    filed = 0
    for row in rows:
        filed += file_match(row)
        if time.monotonic() > end:
            break
    return filed


# Counting anew.


def recount() -> None:
    """Count all games of the archive anew; what was counted wrongly is right afterwards."""
    with transaction.atomic():
        _keep_others_from_counting()
        counts = dict(
            GameRow.objects.order_by().values_list("shelf").annotate(count=Count("pk")).iterator()
        )
        shelves = list(ShelfRow.objects.all())
        for shelf in shelves:
            shelf.games = counts.get(shelf.pk, 0)
        ShelfRow.objects.bulk_update(shelves, ["games"], batch_size=400)
        _recount_lengths()
        _recount_first_moves()


def _keep_others_from_counting() -> None:
    """Let whoever files a game wait; on SQLite every transaction does that by itself."""
    if connection.vendor == "postgresql":
        table = ShelfRow._meta.db_table  # noqa: SLF001 - Django's own name for what is told of a model
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")


def _recount_lengths() -> None:
    LengthRow.objects.all().delete()
    groups = GameRow.objects.order_by().values_list("shelf", "moves").annotate(count=Count("pk"))
    LengthRow.objects.bulk_create(
        (LengthRow(shelf_id=shelf, moves=moves, games=count) for shelf, moves, count in groups),
        batch_size=2_000,
    )


def _recount_first_moves() -> None:
    FirstMoveRow.objects.all().delete()
    moved = GameRow.objects.exclude(first=NO_MOVE).order_by()
    groups = moved.values_list("shelf", "first", "swapped").annotate(count=Count("pk"))
    FirstMoveRow.objects.bulk_create(
        (
            FirstMoveRow(shelf_id=shelf, move=move, swapped=swapped, games=count)
            for shelf, move, swapped, count in groups
        ),
        batch_size=2_000,
    )


def forget_all() -> None:
    """Take the archive apart; everything in it is made again from the matches."""
    with transaction.atomic():
        RecordRow.objects.all().delete()
        PlayerRow.objects.all().delete()
        GameRow.objects.all().delete()
        recount()
