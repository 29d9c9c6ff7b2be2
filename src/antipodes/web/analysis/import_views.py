"""The page that imports games and positions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from antipodes.errors import InputError
from antipodes.games.registry import game_class, game_ids
from antipodes.records import Record, to_json
from antipodes.records.sgf.grammar import decode
from antipodes.web.analysis.imports import IMPORTS, Imported, read_import, source_of
from antipodes.web.matches.labels import game_label
from antipodes.web.platform.limits import TooManyError, status_of, take_for_address
from antipodes.web.platform.translations import (
    caption_text,
    fault_message,
    place_text,
    result_text,
)

_DIGITS = 6


@require_http_methods(["GET", "POST"])
def import_page(request: HttpRequest) -> HttpResponse:
    """Show the form; when posted, what was read, or everything that is wrong and where."""
    context: dict[str, object] = {"games": [game_class(one) for one in game_ids()]}
    status = 200
    if request.method == "POST":
        text = request.POST.get("text", "")
        context["text"] = text
        try:
            take_for_address(IMPORTS, request)
            source = source_of(text, request.FILES.get("file"))
            number = _number(request.POST.get("game", "1"))
            imported = read_import(source, number)
        except TooManyError:
            raise  # the middleware responds with Retry-After
        except InputError as error:
            status = status_of(error)
            context["faults"] = [
                (place_text(fault.where), fault_message(fault)) for fault in error.faults
            ]
        else:
            context |= _found(imported) | {"number": number}
            if len(imported.titles) > 1 and isinstance(source, bytes):
                context["text"] = decode(source, [])  # another game is asked for by text
    return render(request, "analysis/import.html", context, status=status)


def _number(text: str) -> int:
    """Return the number of a game, as a browser sends it; 0, which no game has, for others."""
    return int(text) if text.isdecimal() and len(text) < _DIGITS else 0


def _text_of(record: Record) -> str:
    """Return a record for a study; a result that its moves do not bear out is left out."""
    if record.faults():
        record.result = None
    return to_json(record)


def _found(imported: Imported) -> dict[str, object]:
    record = imported.record
    return {
        "found": imported,
        "label": game_label(imported.game.id, imported.game.options.changed()),
        "caption": caption_text(imported.line.position),
        "record_text": record and _text_of(record),
        "is_over": imported.line.position.outcome is not None,
        "result": record and record.result and result_text(record.result),
        "players": [name for name in record.players if name] if record else [],
        "warnings": [(place_text(fault.where), fault_message(fault)) for fault in imported.faults],
    }
