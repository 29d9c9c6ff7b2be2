"""Match snapshots, cached in memory by version, so that events are replayed only once.

The database is the source of truth. A cached snapshot is used only if its version is the row's, and
is brought up to date if the row is newer.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db import transaction

from antipodes.games.position import Position
from antipodes.match import MadeMove, Match, read_event
from antipodes.web.accounts.levels import computer_name
from antipodes.web.matches.models import EventRow, MatchRow, SeatRow
from antipodes.web.matches.presenters import move_view, pieces, play_through
from antipodes.web.matches.schemas import MoveOut, ShownMove
from antipodes.web.platform import pubsub
from antipodes.web.platform.queries import first_row, table
from antipodes.web.platform.schemas import json_of

_MOST = 2_000  # cached matches
_MOST_MOVES = 200_000  # of all cached matches; each takes about 1 kB
_TOGETHER = 20  # matches whose events one query reads
_MOST_RENAMED = 1_000  # users; no snapshot is older than that many renamings and not cached yet

RENAMED = "renamed"  # pub/sub topic


@dataclass(frozen=True, slots=True)
class Seated:
    """The user on a seat.

    Attributes:
        number: the seat.
        user: the user's id.
        own_name: name of a human player, or level of the computer.
        computer: player specification, such as ``computer:3``; empty for human players.
    """

    number: int
    user: int
    own_name: str
    computer: str

    @property
    def name(self) -> str:
        """Display name, in the active language."""
        return computer_name(self.own_name) if self.computer else self.own_name

    @classmethod
    def of(cls, row: SeatRow) -> Seated:
        """Read a row whose user is loaded."""
        user = row.user
        own_name = user.first_name if user.is_computer else user.name
        return cls(row.number, user.pk, own_name, user.computer)


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """An immutable snapshot of a match at one version.

    Attributes:
        row: the match's row at that version.
        seats: the user on each seat.
        match: the match itself.
        start: the piece on each cell before the first move.
        moves: each move that stands, as JSON for clients.
        next: slug of the rematch or of the next game of a series, if there is one.
        names_at: number of renamings that this process knew of when it read the users' names.
        texts: cache of JSON made from this snapshot.
        constant_texts: cache of JSON, by language, that all versions share.
    """

    row: MatchRow
    seats: tuple[Seated, ...]
    match: Match
    start: dict[int, str]
    moves: tuple[str, ...]
    next: str | None = None
    names_at: int = 0
    texts: dict[object, str] = field(default_factory=dict, compare=False)
    constant_texts: dict[str, str] = field(default_factory=dict, compare=False)

    @property
    def version(self) -> int:
        """Number of events."""
        return self.row.version

    def seats_of(self, user: int | None) -> tuple[int, ...]:
        """Return the seats of a user."""
        return tuple(seat.number for seat in self.seats if seat.user == user)

    def after(self, row: MatchRow, match: Match) -> MatchSnapshot:
        """Return the snapshot of a later version, reusing the JSON of earlier moves."""
        before = self.match.moves
        if match.moves[: len(before)] != before:
            return _replayed(row, self.seats, match, self.names_at)
        added = match.moves[len(before) :]
        if len(added) == 1:
            # The usual change: the match has played the move already.
            view = move_view(self.match.position, added[0].move, match.position)
            moves = (*self.moves, _move_json(view, added[0]))
        else:
            moves = (*self.moves, *_shown(self.match.position, added))
        return MatchSnapshot(
            row,
            self.seats,
            match,
            self.start,
            moves,
            _next(row, match),
            self.names_at,
            constant_texts=self.constant_texts,
        )


def _replayed(
    row: MatchRow, seats: tuple[Seated, ...], match: Match, names_at: int
) -> MatchSnapshot:
    origin = match.terms.origin
    start, moves = pieces(origin), _shown(origin, match.moves)
    return MatchSnapshot(row, seats, match, start, moves, _next(row, match), names_at)


def _next(row: MatchRow, match: Match) -> str | None:
    if match.result is None:
        return None
    return MatchRow.objects.filter(rematch_of=row.pk).values_list("slug", flat=True).first()


def _shown(position: Position, added: Sequence[MadeMove]) -> tuple[str, ...]:
    """Return moves that were made in a position as JSON for clients."""
    if not added:
        return ()
    played = play_through(position, (made.move for made in added))
    return tuple(_move_json(view, made) for view, made in zip(played.moves, added, strict=True))


def _move_json(view: ShownMove, made: MadeMove) -> str:
    move: MoveOut = {**view, "seat": made.seat, "at": made.at, "source": made.source}
    return json_of(move)


def common(before: Sequence[str], after: Sequence[str]) -> int:
    """Return the length of the common prefix of two lines of moves."""
    pairs = enumerate(zip(before, after, strict=False))
    shorter = min(len(before), len(after))
    return next((ply for ply, (one, other) in pairs if one != other), shorter)


_lock = threading.Lock()
_kept: OrderedDict[str, MatchSnapshot] = OrderedDict()
_renamings = 0  # that this process knows of
_renamed: OrderedDict[int, int] = OrderedDict()  # users, with the number of their last renaming


def keep(snapshot: MatchSnapshot) -> None:
    """Cache a snapshot that is committed to the database, unless a name in it is an old one."""
    slug = snapshot.row.slug
    with _lock:
        if any(_renamed.get(seat.user, 0) > snapshot.names_at for seat in snapshot.seats):
            return
        known = _kept.get(slug)
        if known is None or known.version <= snapshot.version:
            _kept[slug] = snapshot
            _kept.move_to_end(slug)
        if known is None:
            _forget_the_oldest()


def _forget_the_oldest() -> None:
    moves = sum(len(snapshot.moves) for snapshot in _kept.values())
    while len(_kept) > _MOST or (moves > _MOST_MOVES and len(_kept) > 1):
        _slug, snapshot = _kept.popitem(last=False)
        moves -= len(snapshot.moves)


def kept(slug: str) -> MatchSnapshot | None:
    """Return the cached snapshot of a match, which may be older than the row."""
    with _lock:
        return _kept.get(slug)


def forget(slug: str | None = None) -> None:
    """Drop a match, or all matches, from the cache."""
    with _lock:
        if slug is None:
            _kept.clear()
        else:
            _kept.pop(slug, None)


def publish_renaming(user: int, **_: object) -> None:
    """Tell every process to drop the cached matches of a user, whose name has changed."""
    pubsub.broadcast(RENAMED, {"user": user})


def receive_renaming(message: dict[str, Any]) -> None:
    """Drop the cached matches of a user, and cache none whose names were read before."""
    global _renamings  # noqa: PLW0603
    user = message["user"]
    with _lock:
        _renamings += 1
        _renamed[user] = _renamings
        _renamed.move_to_end(user)
        if len(_renamed) > _MOST_RENAMED:
            _renamed.popitem(last=False)
        for slug in [slug for slug, one in _kept.items() if one.seats_of(user)]:
            del _kept[slug]


def snapshot_of(row: MatchRow) -> MatchSnapshot:
    """Return the snapshot at the version of a row that has just been read."""
    known = kept(row.slug)
    if known is None or known.version > row.version:
        names_at = _renamings
        seat_rows = list(row.seats.select_related("user"))
        seats = tuple(map(Seated.of, seat_rows))
        return _replayed(row, seats, row.match(seat_rows), names_at)
    if known.version == row.version:
        return known
    match = known.match
    # Another process may have stored later events since the row was read; leave those out.
    for event in row.events.filter(number__gte=known.version, number__lt=row.version):
        match = match.after(read_event(event.data))
    return known.after(row, match)


def shown(row: MatchRow) -> MatchSnapshot:
    """Return the snapshot at the version of a row, and cache it when the row is committed."""
    snapshot = snapshot_of(row)
    transaction.on_commit(partial(keep, snapshot))
    return snapshot


def shown_all(rows: Iterable[MatchRow]) -> dict[int, MatchSnapshot]:
    """Return the snapshots at the versions of rows, by their keys, and cache them.

    Events that are missing in the cache are read for many matches at once.
    """
    rows = list(rows)
    cached = [(known, row) for row in rows if (known := kept(row.slug))]
    behind = sorted(
        ((known, row) for known, row in cached if known.version < row.version),
        key=lambda pair: pair[0].version,
    )
    for at in range(0, len(behind), _TOGETHER):
        _bring_up_to_date(behind[at : at + _TOGETHER])
    return {row.pk: shown(row) for row in rows}


def _bring_up_to_date(behind: Sequence[tuple[MatchSnapshot, MatchRow]]) -> None:
    """Cache the snapshots at the versions of rows; the first one lacks the most events."""
    later = EventRow.objects.filter(
        match__in=[row.pk for _, row in behind], number__gte=behind[0][0].version
    )
    events: dict[int, list[Any]] = defaultdict(list)
    for key, number, data in later.values_list("match", "number", "data"):
        events[key].append((number, data))
    for known, row in behind:
        match = known.match
        for number, data in events[row.pk]:
            if known.version <= number < row.version:
                match = match.after(read_event(data))
        transaction.on_commit(partial(keep, known.after(row, match)))


def look_up(slug: str) -> MatchSnapshot:
    """Return the present snapshot of a match, and cache it.

    Raises:
        MatchRow.DoesNotExist: there is no such match.
    """
    known = kept(slug)
    if known is not None:
        row = first_row(f"SELECT version FROM {table(MatchRow)} WHERE slug = %s", slug)  # noqa: S608
        if row == (known.version,):
            keep(known)
            return known
    return shown(MatchRow.objects.select_related("series").get(slug=slug))
