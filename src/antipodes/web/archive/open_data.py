"""Open data: files of all public games, a month each, for everybody to take along.

What a file holds follows from rows alone: the games up to the last one that is noted for the month,
and the names that are noted. So any machine makes the same file from the same rows, byte for byte,
and a file that lies on another machine is simply made again.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from django.db import connections
from django.db.models import Q, QuerySet

from antipodes.web.accounts.models import User
from antipodes.web.archive.facts import ABORTED
from antipodes.web.archive.models import GameRow, MonthRow, NameRow, PlayerRow, ShelfRow
from antipodes.web.archive.months import bounds, month_of
from antipodes.web.archive.selectors import instant_text, open_name, record_line
from antipodes.web.archive.services import note_month
from antipodes.web.platform.clock import now
from antipodes.web.platform.config import data_folder
from antipodes.web.platform.periodic import every

LICENCE = "CC0-1.0"
LICENCE_ADDRESS = "https://creativecommons.org/publicdomain/zero/1.0/"

_SETTLED = 60_000  # milliseconds after its end when a game is surely in the archive
_AT_ONCE = 1_000  # games that are read together
_LEVEL = 6  # of compression; another one makes other files
_PIECE = 1 << 16  # bytes that are sent together


@dataclass(frozen=True, slots=True)
class _Made:
    """What a file has become: how many games, the last one, and the file."""

    games: int
    last: tuple[int, int]
    size: int
    sha256: str
    file: Path


def folder() -> Path:
    """Return where the files of this machine lie."""
    found = data_folder() / "open-data"
    found.mkdir(exist_ok=True)
    return found


def file_name(month: MonthRow) -> str:
    """Return what a file is called when it is taken along."""
    return f"antipodes-{month.month}.jsonl.gz"


def months() -> QuerySet[MonthRow]:
    """Return the months that have a file, the latest first."""
    return MonthRow.objects.exclude(sha256="").filter(games__gt=0).order_by("-month")


# Rounds.

_making = threading.Lock()


@every(3_600)
def make_what_has_changed() -> None:
    """Make files anew, in a thread of their own: rounds have others to look after."""
    threading.Thread(target=_make_and_close, name="open-data", daemon=True).start()


def _make_and_close() -> None:
    try:
        make_all()
    finally:
        connections.close_all()


def make_all() -> list[str]:
    """Make the files of all months in which something has changed; return these months."""
    if not _making.acquire(blocking=False):
        return []  # somebody is at it
    try:
        note_changed_names()
        stale = MonthRow.objects.filter(Q(is_stale=True) | Q(made_at=0))
        return [month.month for month in stale if make_month(month)]
    finally:
        _making.release()


def note_changed_names() -> None:
    """Take over names that have changed; what has them is to be made again."""
    noted = dict(NameRow.objects.values_list("user", "name"))
    fields = ("username", "first_name", "computer")
    called = {
        user.pk: open_name(user) for user in User.objects.only(*fields).iterator(chunk_size=2_000)
    }
    for key, name in noted.items():
        if called.get(key) != name:
            note_months_of(key)
            NameRow.objects.filter(user=key).delete()


def note_months_of(user: int) -> None:
    """Note that the files with somebody's games have to be made again."""
    ends = PlayerRow.objects.filter(user=user).order_by().values_list("ended_at", flat=True)
    for month in {month_of(at) for at in ends.iterator(chunk_size=2_000)}:
        if MonthRow.objects.filter(month=month).exists():
            note_month(bounds(month)[0])


def make_month(month: MonthRow) -> Path | None:
    """Make the file of a month with all that is settled; return it, or nothing if that is nothing.

    Whatever changes meanwhile leaves its note, and the file is made again in the next round.
    """
    MonthRow.objects.filter(pk=month.pk).update(is_stale=False, made_at=0)
    made = _write(month.month, None)
    month.games, month.last_ended, month.last_match = made.games, *made.last
    month.size, month.sha256, month.made_at = made.size, made.sha256, now()
    month.save(update_fields=["games", "last_ended", "last_match", "size", "sha256", "made_at"])
    if _has_more(month):
        MonthRow.objects.filter(pk=month.pk).update(is_stale=True)
    if not made.games:
        made.file.unlink()
        return None
    return _put(month, made)


def _has_more(month: MonthRow) -> bool:
    """Return whether there are games that were not settled yet."""
    begin, end = bounds(month.month)
    return _public(begin, end).filter(ended_at__gt=max(month.last_ended, begin - 1)).exists()


def file_of(month: MonthRow) -> Path | None:
    """Return the file of a month that has been made; here it may have to be made again.

    Nothing is returned if its games are gone.
    """
    file = _place(month)
    if file.exists():
        return file
    made = _write(month.month, (month.last_ended, month.last_match))
    if made.sha256 != month.sha256:
        # Something has come in between, such as a game that ended long ago and was filed today.
        made.file.unlink()
        return make_month(month)
    return _put(month, made)


def _place(month: MonthRow) -> Path:
    return folder() / f"{month.month}-{month.sha256[:16]}.jsonl.gz"


def _put(month: MonthRow, made: _Made) -> Path:
    file = _place(month)
    made.file.replace(file)
    for old in folder().glob(f"{month.month}-*.jsonl.gz"):
        if old != file:
            old.unlink(missing_ok=True)  # whoever reads it reads on
    return file


def pieces(file: Path) -> Iterator[bytes]:
    """Yield a file piece by piece."""
    with file.open("rb") as opened:
        while piece := opened.read(_PIECE):
            yield piece


# Writing.


def _write(month: str, last: tuple[int, int] | None) -> _Made:
    """Write the games of a month up to the last one, or all that are settled, to a fresh file."""
    unfinished = folder() / f"{month}.{os.getpid()}-{threading.get_ident()}.unfinished"
    count = 0
    end = (0, 0)
    # Neither a name nor a time is in it: the same games make the same bytes.
    with (
        unfinished.open("wb") as raw,
        gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as packed,
    ):
        for key, line in lines(month, last):
            packed.write(line.encode())
            count, end = count + 1, key
    with unfinished.open("rb") as written:
        digest = hashlib.file_digest(written, "sha256").hexdigest()
    return _Made(count, end, unfinished.stat().st_size, digest, unfinished)


def _public(begin: int, end: int) -> QuerySet[GameRow]:
    """Return the public games that ended in a time, without those that were called off."""
    shelves = ShelfRow.objects.filter(is_private=False).exclude(reason__in=ABORTED, winner="")
    rows = GameRow.objects.filter(ended_at__gte=begin, ended_at__lt=end)
    return rows.filter(shelf__in=list(shelves.values_list("pk", flat=True)))


def lines(month: str, last: tuple[int, int] | None = None) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the games of a month in the order of their ends: when and which, and the line."""
    begin, end = bounds(month)
    if last is None:
        end = min(end, now() - _SETTLED)
    shelves = {
        pk: {"rated": rated, "speed": speed}
        for pk, rated, speed in ShelfRow.objects.values_list("pk", "rated", "speed")
    }
    names = _Names()
    after = (begin, 0)
    fields = ("ended_at", "match_id", "match__slug", "shelf", "record__data")
    rows = _public(begin, end).order_by("ended_at", "match_id").values_list(*fields)
    while True:
        at, key = after
        following = rows.filter(Q(ended_at__gt=at) | Q(ended_at=at, match_id__gt=key))
        batch = list(following.filter(ended_at__gte=at)[:_AT_ONCE])
        if last is not None:
            batch = [row for row in batch if (row[0], row[1]) <= last]
        if not batch:
            return
        players = names.of([row[1] for row in batch])
        for ended_at, match, slug, shelf, data in batch:
            more: dict[str, Any] = {"match": slug, **shelves[shelf]}
            more["ended"] = instant_text(ended_at)
            yield (ended_at, match), record_line(data, players.get(match, []), more)
        after = (batch[-1][0], batch[-1][1])


class _Names:
    """Names as they are noted; whoever has none yet gets the one of today."""

    def __init__(self) -> None:
        self._names = dict(NameRow.objects.values_list("user", "name"))

    def of(self, matches: list[int]) -> dict[int, list[str]]:
        """Return the names at each of these matches in the order of seats."""
        seats = PlayerRow.objects.filter(game__in=matches).order_by("game", "number")
        found = list(seats.values_list("game_id", "user_id"))
        self._note({user for _, user in found} - self._names.keys())
        return {
            match: [self._names[user] for _, user in group]
            for match, group in groupby(found, key=itemgetter(0))
        }

    def _note(self, users: Iterable[int]) -> None:
        fresh = [
            NameRow(user=user.pk, name=open_name(user))
            for user in User.objects.filter(pk__in=list(users))
        ]
        if not fresh:
            return
        # Another machine may do the same now; what it has noted counts.
        NameRow.objects.bulk_create(fresh, ignore_conflicts=True)
        keys = [row.user for row in fresh]
        self._names |= dict(NameRow.objects.filter(user__in=keys).values_list("user", "name"))
