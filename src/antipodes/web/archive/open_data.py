"""Open data: downloadable files of all public games, one for each month.

The content of a file is determined by rows: the games up to the last one stored for the month, and
the stored names. So any machine writes the same file from the same rows, byte for byte, and a file
that is missing on a machine is simply written again.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.functional import Promise

from antipodes.clocks import MINUTE
from antipodes.web.accounts.models import User
from antipodes.web.archive.facts import ABORTED
from antipodes.web.archive.models import BucketRow, GameRow, MonthRow, NameRow, PlayerRow
from antipodes.web.archive.selectors import open_name, record_line, time_text
from antipodes.web.archive.services import bounds, mark_month, month_of
from antipodes.web.platform.background import in_background
from antipodes.web.platform.clock import now
from antipodes.web.platform.config import data_folder
from antipodes.web.ratings.classes import speed_name


@dataclass(frozen=True, slots=True)
class DataFile:
    """An open data file.

    Attributes:
        name: of the downloaded file.
        path: of its URL.
        title: what it has.
        format: of its lines.
        lines: number of lines.
        size: bytes of the compressed file.
        sha256: of the compressed file.
        made_at: milliseconds since 1970.
    """

    name: str
    path: str
    title: str | Promise
    format: str
    lines: int
    size: int
    sha256: str
    made_at: int


sources: Sequence[Callable[[], Iterable[DataFile]]] = ()  # set by the wiring


def data_files() -> list[DataFile]:
    """Return all files that have been made."""
    return [file for source in sources for file in source()]


LICENCE = "CC0-1.0"
LICENCE_ADDRESS = "https://creativecommons.org/publicdomain/zero/1.0/"

_DELAY = MINUTE  # milliseconds after its end when a game is certainly in the archive
_BATCH = 1_000  # games per query
_LEVEL = 6  # of compression; another level gives other files
_CHUNK = 1 << 16  # bytes


@dataclass(frozen=True, slots=True)
class _WrittenFile:
    """A written file: number of games, end and id of the last one, size and checksum."""

    games: int
    last: tuple[int, int]
    size: int
    sha256: str
    file: Path


def folder() -> Path:
    """Return the folder of the files on this machine."""
    path = data_folder() / "open-data"
    path.mkdir(exist_ok=True)
    return path


def file_name(month: MonthRow) -> str:
    return f"antipodes-{month.month}.jsonl.gz"


def months() -> QuerySet[MonthRow]:
    """Return the months that have a file, latest first."""
    return MonthRow.objects.exclude(sha256="").filter(games__gt=0).order_by("-month")


# Updates.


@in_background
def update_stale_files() -> None:
    """Update the files in a thread, so that other periodic tasks need not wait."""
    update_files()


def update_files() -> list[str]:
    """Write the files of all months with changes; return these months."""
    mark_changed_names()
    stale = MonthRow.objects.filter(Q(is_stale=True) | Q(made_at=0))
    return [month.month for month in stale if write_month(month)]


def mark_changed_names() -> None:
    """Forget stored names that have changed, and mark the months with their games."""
    stored = dict(NameRow.objects.values_list("user", "name"))
    fields = ("username", "first_name", "computer")
    current = {
        user.pk: open_name(user) for user in User.objects.only(*fields).iterator(chunk_size=2_000)
    }
    for key, name in stored.items():
        if current.get(key) != name:
            mark_months_of(key)
            NameRow.objects.filter(user=key).delete()


def mark_months_of(user: int) -> None:
    """Mark the files with games of a user to be written again."""
    ends = PlayerRow.objects.filter(user=user).order_by().values_list("ended_at", flat=True)
    for month in {month_of(at) for at in ends.iterator(chunk_size=2_000)}:
        if MonthRow.objects.filter(month=month).exists():
            mark_month(bounds(month)[0])


def mark_taken_over_months(after: int, **_: object) -> None:
    """Mark the files with games of an account that has taken over those of a guest."""
    mark_months_of(after)


def write_month(month: MonthRow) -> Path | None:
    """Write the file of a month with all games up to now; return it, or ``None`` without games.

    Changes in the meantime mark the month again for the next update.
    """
    MonthRow.objects.filter(pk=month.pk).update(is_stale=False, made_at=0)
    written = _write(month.month, None)
    month.games, month.last_ended, month.last_match = written.games, *written.last
    month.size, month.sha256, month.made_at = written.size, written.sha256, now()
    month.save(update_fields=["games", "last_ended", "last_match", "size", "sha256", "made_at"])
    if _has_more(month):
        MonthRow.objects.filter(pk=month.pk).update(is_stale=True)
    if not written.games:
        written.file.unlink()
        return None
    return _replace(month, written)


def _has_more(month: MonthRow) -> bool:
    """Return whether there are games too recent to be included."""
    begin, end = bounds(month.month)
    return _public(begin, end).filter(ended_at__gt=max(month.last_ended, begin - 1)).exists()


def file_of(month: MonthRow) -> Path | None:
    """Return the file of a month, and write it if it is missing on this machine.

    Returns ``None`` if the month has no games any more.
    """
    file = _path(month)
    if file.exists():
        return file
    written = _write(month.month, (month.last_ended, month.last_match))
    if written.sha256 != month.sha256:
        # The rows have changed, for instance by an old game that was archived only now.
        written.file.unlink()
        return write_month(month)
    return _replace(month, written)


def _path(month: MonthRow) -> Path:
    return folder() / f"{month.month}-{month.sha256[:16]}.jsonl.gz"


def _replace(month: MonthRow, written: _WrittenFile) -> Path:
    file = _path(month)
    written.file.replace(file)
    for old in folder().glob(f"{month.month}-*.jsonl.gz"):
        if old != file:
            old.unlink(missing_ok=True)  # downloads in progress can still read it
    return file


def chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while chunk := opened.read(_CHUNK):
            yield chunk


# Writing.


def _write(month: str, last: tuple[int, int] | None) -> _WrittenFile:
    """Write the games of a month up to the last one, or up to now, to a temporary file."""
    unfinished = folder() / f"{month}.{os.getpid()}-{threading.get_ident()}.unfinished"
    count = 0
    end = (0, 0)
    # Without name and time in the header the same games give the same bytes.
    with (
        unfinished.open("wb") as raw,
        gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as compressed,
    ):
        for key, line in lines(month, last):
            compressed.write(line.encode())
            count, end = count + 1, key
    with unfinished.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    return _WrittenFile(count, end, unfinished.stat().st_size, digest, unfinished)


def _public(begin: int, end: int) -> QuerySet[GameRow]:
    """Return the public games that ended in a period.

    Aborted games are left out, and those that did not begin at the start of the game.
    """
    open_buckets = BucketRow.objects.filter(is_private=False, from_position=False)
    buckets = open_buckets.exclude(reason__in=ABORTED, winner="")
    rows = GameRow.objects.filter(ended_at__gte=begin, ended_at__lt=end)
    return rows.filter(bucket__in=list(buckets.values_list("pk", flat=True)))


def lines(month: str, last: tuple[int, int] | None = None) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the games of a month in the order of their ends, as (end, id) and line."""
    begin, end = bounds(month)
    if last is None:
        end = min(end, now() - _DELAY)
    names = _Names()
    after = (begin, 0)
    of_match = ("match__slug", "match__rated", "match__control")
    fields = ("ended_at", "match_id", *of_match, "record__data")
    rows = _public(begin, end).order_by("ended_at", "match_id").values_list(*fields)
    while True:
        at, key = after
        following = rows.filter(Q(ended_at__gt=at) | Q(ended_at=at, match_id__gt=key))
        batch = list(following.filter(ended_at__gte=at)[:_BATCH])
        if last is not None:
            batch = [row for row in batch if (row[0], row[1]) <= last]
        if not batch:
            return
        players = names.of([row[1] for row in batch])
        for ended_at, match, slug, rated, control, data in batch:
            more: dict[str, Any] = {"match": slug, "rated": rated, "speed": speed_name(control)}
            more["ended"] = time_text(ended_at)
            yield (ended_at, match), record_line(data, players.get(match, []), more)
        after = (batch[-1][0], batch[-1][1])


class _Names:
    """Stored names; users without one get their current name, which is stored."""

    def __init__(self) -> None:
        self._names = dict(NameRow.objects.values_list("user", "name"))

    def of(self, matches: list[int]) -> dict[int, list[str]]:
        """Return the names of the players of matches, by seat."""
        rows = PlayerRow.objects.filter(game__in=matches).order_by("game", "number")
        seats = list(rows.values_list("game_id", "user_id"))
        self._store({user for _, user in seats} - self._names.keys())
        return {
            match: [self._names[user] for _, user in group]
            for match, group in groupby(seats, key=itemgetter(0))
        }

    def _store(self, users: Iterable[int]) -> None:
        new = [
            NameRow(user=user.pk, name=open_name(user))
            for user in User.objects.filter(pk__in=list(users))
        ]
        if not new:
            return
        # Another machine may do the same at the same time; the names stored first count.
        NameRow.objects.bulk_create(new, ignore_conflicts=True)
        keys = [row.user for row in new]
        self._names |= dict(NameRow.objects.filter(user__in=keys).values_list("user", "name"))
