"""Matches as records: with names for those who take them along, without for everybody."""

from __future__ import annotations

from datetime import UTC, datetime

from antipodes.match import Match
from antipodes.records import Record
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import MatchSnapshot


def record_of(standing: MatchSnapshot, place: str) -> Record:
    """Return the record of a match, with names and date; ``place`` is where it was played."""
    record = nameless_record(standing.row, standing.match)
    record.players = tuple(seat.name for seat in standing.seats)
    record.place = place
    return record


def nameless_record(row: MatchRow, match: Match) -> Record:
    """Return the record of a match with its date, and nothing that says who played it."""
    record = match.record()
    record.players = ()
    record.date = datetime.fromtimestamp(row.begun_at / 1000, UTC).date().isoformat()
    return record
