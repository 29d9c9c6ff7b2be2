"""How matches stand, kept in memory by their version, so that events are replayed only once.

Rows in the database are the truth. What is kept here is used only where its version is that of the
row, and goes on from there if the row is newer.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from antipodes.match import MadeMove, Match, read_event
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.matches.presenters import move_view, play_through
from antipodes.web.platform.translations import computer_words

_MOST = 2_000  # matches kept
_MOST_MOVES = 200_000  # of all of them; each takes about 1 kB


@dataclass(frozen=True, slots=True)
class Seated:
    """Who sits on a seat.

    Attributes:
        number: the seat.
        user: key of the user.
        own_name: of people what to call them, of the computer its level.
        computer: player that moves by itself, such as ``computer:3``; empty for people.
    """

    number: int
    user: int
    own_name: str
    computer: str

    @property
    def name(self) -> str:
        """What to call them, in the language of whoever reads it."""
        return computer_words(self.own_name) if self.computer else self.own_name

    @classmethod
    def of(cls, row: SeatRow) -> Seated:
        """Read a row that has its user with it."""
        user = row.user
        own_name = user.first_name if user.is_computer else user.name
        return cls(row.number, user.pk, own_name, user.computer)


@dataclass(frozen=True, slots=True)
class MatchSnapshot:
    """A match at one version; never changed.

    Attributes:
        row: the match's row at that version.
        seats: who sits where.
        match: the match itself.
        start: what lies on each cell before the first move.
        moves: each move that stands, as JSON for pages.
        next: address of the rematch, or of the next game of a series, if there is one.
        texts: JSON that was written from this standing, by what it is for.
    """

    row: MatchRow
    seats: tuple[Seated, ...]
    match: Match
    start: dict[int, str]
    moves: tuple[str, ...]
    next: str | None = None
    texts: dict[object, str] = field(default_factory=dict, compare=False)

    @property
    def version(self) -> int:
        """How many events made it."""
        return self.row.version

    def seats_of(self, user: int | None) -> tuple[int, ...]:
        """Return the seats of a user."""
        return tuple(seat.number for seat in self.seats if seat.user == user)

    def after(self, row: MatchRow, match: Match) -> MatchSnapshot:
        """Return the standing with a later row and match; what is known is not done again."""
        before = self.match.moves
        if match.moves[: len(before)] != before:
            return _standing(row, self.seats, match)
        added = match.moves[len(before) :]
        if len(added) == 1:
            # The usual change: the match has played the move already.
            view = move_view(self.match.position, added[0].move, match.position)
            moves = (*self.moves, _move_json(view, added[0]))
        else:
            moves = (*self.moves, *_shown(self.match, added))
        return MatchSnapshot(row, self.seats, match, self.start, moves, _next(row, match))


def _standing(row: MatchRow, seats: tuple[Seated, ...], match: Match) -> MatchSnapshot:
    begun = Match.begun(match.terms, row.begun_at)
    start = play_through(begun.position, ()).start
    return MatchSnapshot(row, seats, match, start, _shown(begun, match.moves), _next(row, match))


def _next(row: MatchRow, match: Match) -> str | None:
    if match.result is None:
        return None
    return MatchRow.objects.filter(rematch_of=row.pk).values_list("slug", flat=True).first()


def _shown(match: Match, added: Sequence[MadeMove]) -> tuple[str, ...]:
    """Return moves that are added to a match as JSON for pages."""
    if not added:
        return ()
    played = play_through(match.position, (made.move for made in added))
    return tuple(_move_json(view, made) for view, made in zip(played.moves, added, strict=True))


def _move_json(view: dict[str, Any], made: MadeMove) -> str:
    return _json({**view, "seat": made.seat, "at": made.at, "source": made.source.value})


def common(before: Sequence[str], after: Sequence[str]) -> int:
    """Return how many moves at the beginning of two lines are the same."""
    pairs = enumerate(zip(before, after, strict=False))
    shorter = min(len(before), len(after))
    return next((ply for ply, (one, other) in pairs if one != other), shorter)


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"))


_lock = threading.Lock()
_kept: OrderedDict[str, MatchSnapshot] = OrderedDict()


def keep(standing: MatchSnapshot) -> None:
    """Keep a standing that is in the database."""
    slug = standing.row.slug
    with _lock:
        known = _kept.get(slug)
        if known is None or known.version <= standing.version:
            _kept[slug] = standing
            _kept.move_to_end(slug)
        if known is None:
            _forget_the_oldest()


def _forget_the_oldest() -> None:
    moves = sum(len(standing.moves) for standing in _kept.values())
    while len(_kept) > _MOST or (moves > _MOST_MOVES and len(_kept) > 1):
        _slug, standing = _kept.popitem(last=False)
        moves -= len(standing.moves)


def kept(slug: str) -> MatchSnapshot | None:
    """Return what is kept of a match; it may be older than the row."""
    with _lock:
        return _kept.get(slug)


def forget(slug: str | None = None) -> None:
    """Forget a match, or all of them."""
    with _lock:
        if slug is None:
            _kept.clear()
        else:
            _kept.pop(slug, None)


def forget_user(user: int) -> None:
    """Forget the matches of a user, whose name has changed."""
    with _lock:
        for slug in [slug for slug, one in _kept.items() if one.seats_of(user)]:
            del _kept[slug]


def standing_of(row: MatchRow) -> MatchSnapshot:
    """Return how a match stands at the version of its row, which has just been read."""
    known = kept(row.slug)
    if known is None or known.version > row.version:
        seats = tuple(Seated.of(seat) for seat in row.seats.select_related("user"))
        return _standing(row, seats, row.match())
    if known.version == row.version:
        return known
    match = known.match
    # Another process may have written more since the row was read; that is of later versions.
    for event in row.events.filter(number__gte=known.version, number__lt=row.version):
        match = match.after(read_event(event.data))
    return known.after(row, match)


def shown(row: MatchRow) -> MatchSnapshot:
    """Return how a match stands at the version of its row, and keep it for the next who looks.

    The row must have been read outside of a transaction.
    """
    standing = standing_of(row)
    keep(standing)
    return standing


def look_up(slug: str) -> MatchSnapshot:
    """Return how a match stands now, and keep it.

    Raises:
        MatchRow.DoesNotExist: there is no such match.
    """
    return shown(MatchRow.objects.select_related("series").get(slug=slug))
