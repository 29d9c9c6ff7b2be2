"""Replays of all matches, event by event, for laws."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from antipodes.match import Event, Match


def steps() -> Iterator[tuple[str, Match, Event, Match]]:
    """Yield each event of each match, with the match before and after it."""
    from antipodes.match import read_event
    from antipodes.web.matches.models import EventRow

    rows = EventRow.objects.select_related("match").order_by("match", "number")
    for row, event_rows in groupby(rows, key=lambda event_row: event_row.match):
        match = Match.replayed(row.terms(), row.begun_at, ())
        for event_row in event_rows:
            event = read_event(event_row.data)
            after = match.after(event)
            yield row.slug, match, event, after
            match = after
