"""Open data of puzzles: all puzzles that the site offers, with their ratings, as one file.

The file is a row of the database, so that all machines serve the same bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from antipodes.clocks import DAY
from antipodes.puzzles.model import Puzzle
from antipodes.web.archive.open_data import DataFile
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import catalogue
from antipodes.web.puzzles.models import PuzzleFileRow, PuzzleRow

NAME = "antipodes-puzzles.jsonl.gz"

_KEY = 1  # of the only row
_LEVEL = 6  # of compression


def update_file() -> None:
    """Write the file again once a day."""
    row = PuzzleFileRow.objects.filter(pk=_KEY).only("made_at").first()
    if row is None or row.made_at <= now() - DAY:
        write_file()


def write_file() -> PuzzleFileRow:
    """Write the file with the present ratings."""
    puzzle_lines = list(lines())
    data = gzip.compress("".join(puzzle_lines).encode(), _LEVEL, mtime=0)
    fields = {
        "data": data,
        "puzzles": len(puzzle_lines),
        "sha256": hashlib.sha256(data).hexdigest(),
        "made_at": now(),
    }
    row, _is_new = PuzzleFileRow.objects.update_or_create(pk=_KEY, defaults=fields)
    return row


def lines() -> Iterator[str]:
    """Yield each puzzle that is offered as a line of JSON, ordered by game and id."""
    rows = {row.puzzle_id: row for row in PuzzleRow.objects.all()}
    for puzzle in sorted(catalogue.offered(), key=lambda one: (one.game_id, one.id)):
        data = {**puzzle.as_dict(), **_results(puzzle, rows.get(puzzle.id))}
        yield json.dumps(data, separators=(",", ":")) + "\n"


def _results(puzzle: Puzzle, row: PuzzleRow | None) -> dict[str, Any]:
    """Return what people's tries and votes say about a puzzle."""
    rating = catalogue.initial_rating(puzzle) if row is None else row.rating
    return {
        "rating": round(rating.value),
        "deviation": round(rating.deviation),
        "tries": 0 if row is None else row.tries,
        "solved": 0 if row is None else row.solved,
        "votes": {"up": 0 if row is None else row.up, "down": 0 if row is None else row.down},
    }


def data_files() -> Iterator[DataFile]:
    """Yield the file, if it was written already."""
    row = PuzzleFileRow.objects.filter(pk=_KEY).first()
    if row is not None:
        yield DataFile(
            name=NAME,
            path=reverse("puzzle-data"),
            title=_("Puzzles with their solutions and ratings"),
            format="antipodes-puzzle, one per line, gzip",
            lines=row.puzzles,
            size=len(row.data),
            sha256=row.sha256,
            made_at=row.made_at,
        )


@require_safe
def puzzle_data(request: HttpRequest) -> HttpResponseBase:
    """Return the file, or 304 if the client has it already."""
    row = PuzzleFileRow.objects.filter(pk=_KEY).first()
    if row is None:
        raise Http404("there is no file yet")
    etag = f'"{row.sha256}"'
    if unchanged := get_conditional_response(request, etag=etag):
        return unchanged
    # No second compression, so that the bytes match the checksum.
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    answer = HttpResponse(bytes(row.data), content_type="application/gzip")
    answer.headers["Content-Disposition"] = f'attachment; filename="{NAME}"'
    answer.headers["ETag"] = etag
    answer.headers["Cache-Control"] = "public, no-cache"
    answer.headers["Access-Control-Allow-Origin"] = "*"
    return answer
