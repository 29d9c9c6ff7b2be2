"""Records of matches: with names for downloads, anonymous for published data."""

from __future__ import annotations

from datetime import UTC, datetime

from antipodes.match import Match
from antipodes.records import Record
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import MatchSnapshot


def record_of(snapshot: MatchSnapshot, place: str) -> Record:
    """Return the record of a match with names and date; ``place`` is its URL."""
    record = nameless_record(snapshot.row, snapshot.match)
    record.players = tuple(seat.name for seat in snapshot.seats)
    record.place = place
    return record


def nameless_record(row: MatchRow, match: Match) -> Record:
    """Return the record of a match with its date but without its players."""
    record = match.record()
    record.players = ()
    record.date = datetime.fromtimestamp(row.begun_at / 1000, UTC).date().isoformat()
    return record
