"""Events as files: report, tables, games, and calendars."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_safe

from antipodes.records import Record, write_record
from antipodes.tournaments import TrfEvent, TrfPlayer, to_trf
from antipodes.web.accounts.services import current_user
from antipodes.web.matches.records import record_of
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.platform.clock import now
from antipodes.web.platform.queries import in_batches
from antipodes.web.platform.streams import streamed
from antipodes.web.tournaments import selectors
from antipodes.web.tournaments.access import tournament_for
from antipodes.web.tournaments.models import GameRow, TournamentRow, TournamentState
from antipodes.web.tournaments.rounds import pairings_of
from antipodes.web.tournaments.schemas import EventOut, PairingOut, PlaceOut

_Answer = TypeVar("_Answer", bound=HttpResponseBase)

_LINE = 75  # bytes of a line of a calendar
_HOURS = 2  # length of a live event in a calendar, where only its start is known


@require_safe
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """Return an event in FIDE's format for pairing programs, which know pairings of two only."""
    row = tournament_for(request, slug)
    if row.has_larger_tables:
        raise Http404("reports are for games of two players")
    players = {
        number: TrfPlayer(entry.user.name, entry.rating)
        for number, entry in selectors.entries_of(row).items()
    }
    event = TrfEvent(
        row.title,
        row.format.title,
        players,
        [one for one in pairings_of(row) if not one.is_playoff],
        row.last_round or row.round,
        _day(row.begun_at),
        _day(row.ended_at),
        len(row.teams),
    )
    text = to_trf(event, selectors.table(row))
    return _file(text, "text/plain", f"{slug}.trf")


def _day(at: int | None) -> date | None:
    """Return the day of an instant, by UTC."""
    return None if at is None else selectors.instant(at).date()


@require_safe
def table_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the table of an event as comma-separated values."""
    row = tournament_for(request, slug)
    text = io.StringIO()
    writer = csv.writer(text)
    columns = [one.name for one in row.format.columns(row.ranking)]
    writer.writerow(["rank", "number", "name", "rating", "points", "performance", *columns])
    for line in selectors.table_lines(row):
        standing, entry = line.standing, line.entry
        name = entry.user.name
        cells = [
            standing.rank,
            standing.player,
            name,
            entry.rating,
            standing.points,
            line.performance,
        ]
        writer.writerow([*cells, *standing.values])
    return _file(text.getvalue(), "text/csv", f"{slug}.csv")


@require_safe
def tournament_json(request: HttpRequest, slug: str) -> HttpResponse:
    """Return an event with its table, pairings and games."""
    row = tournament_for(request, slug)
    text = json.dumps(as_data(row), ensure_ascii=False, indent=1) + "\n"
    return _file(text, "application/json", f"{slug}.json")


def as_data(row: TournamentRow) -> dict[str, Any]:
    return {
        **event_data(row),
        "standings": [
            {"name": line.entry.user.name, **place_data(line)}
            for line in selectors.table_lines(row)
        ],
        "pairings": [pairing_data(line) for line in selectors.pairing_lines(row)],
    }


def event_data(row: TournamentRow) -> EventOut:
    """Return an event with the rules of its games as data."""
    return {
        "slug": row.slug,
        "title": row.title,
        "format": row.format.name,
        "rules": row.format.as_dict(),
        "state": TournamentState(row.state),
        "game": row.game_id,
        "options": row.options,
        "control": row.control,
        "rated": row.rated,
        "games": row.games,
        "openings": row.openings,
        "startsAt": row.starts_at,
        "round": row.round,
        "rounds": row.last_round,
        "tieBreaks": row.ranking,
        "columns": [column.name for column in row.format.columns(row.ranking)],
    }


def place_data(line: selectors.TableLine) -> PlaceOut:
    """Return the place of a player as data."""
    return {
        "rank": line.standing.rank,
        "number": line.standing.player,
        "rating": line.entry.rating,
        "points": line.standing.points,
        "performance": line.performance,
        "tieBreaks": list(line.standing.values),
        "withdrawn": line.entry.is_withdrawn,
        "team": line.entry.team,
    }


def pairing_data(line: selectors.PairingLine) -> PairingOut:
    pairing = line.row
    return {
        "round": pairing.round,
        "table": pairing.table,
        "first": pairing.first.user.username,
        "second": None if pairing.second is None else pairing.second.user.username,
        "players": [player.user.username for player in pairing.players],
        "opening": pairing.opening_moves(),
        "points": None if pairing.points is None else list(pairing.points),
        "score": None if line.score is None else list(line.score),
        "forfeit": pairing.is_forfeit,
        "adjudicated": pairing.is_adjudicated,
        "games": [game.match.slug for game in line.games],
    }


@require_safe
def games_sgf(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return all games of an event as one collection in SGF."""
    return _games(request, slug, "sgf", "application/x-go-sgf")


@require_safe
def games_jsonl(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return all games of an event as records in JSON, one a line."""
    return _games(request, slug, "jsonl", "application/x-ndjson")


def _games(request: HttpRequest, slug: str, kind: str, content_type: str) -> HttpResponseBase:
    row = tournament_for(request, slug)
    texts = _written(_records(request, row), kind)
    lines = (text.encode() for text in texts)
    answer = streamed(request, lines, f"{content_type}; charset=utf-8")
    return _named(answer, f"{slug}.{kind}")


def _records(request: HttpRequest, row: TournamentRow) -> Iterator[Record]:
    games = GameRow.objects.filter(pairing__tournament=row)
    for game in in_batches(games.select_related("pairing", "match__series")):
        address = request.build_absolute_uri(reverse("match", args=[game.match.slug]))
        record = record_of(snapshot_of(game.match), address)
        record.event = row.title
        record.round = f"{game.pairing.round}.{game.pairing.table}"
        if row.bout.is_series:
            record.round += f".{game.number}"
        yield record


def _written(records: Iterable[Record], kind: str) -> Iterator[str]:
    for record in records:
        if kind == "sgf":
            yield write_record(record, "sgf").rstrip() + "\n"
        else:
            data = json.loads(write_record(record, "json"))
            yield json.dumps(data, ensure_ascii=False) + "\n"


# --- calendars ----------------------------------------------------------------------------------


@require_safe
def calendar(request: HttpRequest) -> HttpResponse:
    """Return the events to come that have a time, as a calendar to subscribe to."""
    rows = selectors.upcoming(current_user(request)).exclude(starts_at=None)
    return _calendar(request, rows[:200], "antipodes.ics")


@require_safe
def tournament_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    row = tournament_for(request, slug)
    return _calendar(request, [row] if row.starts_at else [], f"{slug}.ics")


def _calendar(request: HttpRequest, rows: Iterable[TournamentRow], name: str) -> HttpResponse:
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Antipodes//Tournaments//EN"]
    for row in rows:
        start = datetime.fromtimestamp((row.starts_at or 0) / 1_000, UTC)
        address = request.build_absolute_uri(reverse("tournament", args=[row.slug]))
        lines += [
            "BEGIN:VEVENT",
            f"UID:{row.slug}@{request.get_host()}",
            f"DTSTAMP:{_instant(datetime.fromtimestamp(now() / 1_000, UTC))}",
            f"DTSTART:{_instant(start)}",
            f"DTEND:{_instant(start + timedelta(hours=_HOURS))}",
            f"SUMMARY:{_escaped(row.title)}",
            f"URL:{address}",
            "END:VEVENT",
        ]
    lines.append("END:VCALENDAR")
    text = "".join(_folded(line) + "\r\n" for line in lines)
    return _file(text, "text/calendar", name)


def _instant(at: datetime) -> str:
    return at.strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    """Return a text with the characters escaped that RFC 5545 reserves."""
    for character in ("\\", ";", ","):
        text = text.replace(character, "\\" + character)
    return text.replace("\n", "\\n")


def _folded(line: str) -> str:
    """Fold a long line as RFC 5545 demands: at most 75 bytes, the rest after a space."""
    parts, part = [], ""
    for character in line:
        if len((part + character).encode()) > _LINE:
            parts.append(part)
            part = " "
        part += character
    return "\r\n".join([*parts, part])


def _file(text: str, content_type: str, name: str) -> HttpResponse:
    return _named(HttpResponse(text, content_type=f"{content_type}; charset=utf-8"), name)


def _named(answer: _Answer, name: str) -> _Answer:
    answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    answer.headers["Cache-Control"] = "no-cache"
    return answer
