"""The games in progress of an event on one page, which changes by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from antipodes.web.matches.models import seated
from antipodes.web.matches.selectors import MatchLine, match_line
from antipodes.web.tournaments.access import tournament_for
from antipodes.web.tournaments.models import GameRow, TournamentRow

_ON_A_PAGE = 60


@require_GET
def boards(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the boards of the games in progress, the leaders first."""
    row = tournament_for(request, slug)
    return render(request, "tournaments/boards.html", _context(row, request.GET.get("page", "")))


@require_GET
def boards_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the boards as HTML; 204 if they are still the same."""
    row = tournament_for(request, slug)
    context = _context(row, request.GET.get("page", ""))
    if request.GET.get("v") == context["version"]:
        return HttpResponse(status=204)
    return render(request, "tournaments/boards_now.html", context)


def _context(row: TournamentRow, page: str) -> dict[str, Any]:
    games = GameRow.objects.filter(pairing__tournament=row, match__ended_at=None)
    games = games.select_related("match", "pairing__tournament")
    games = games.prefetch_related(seated("match__seats"))
    order = ("-pairing__round", "pairing__table", "number")
    shown = Paginator(games.order_by(*order), _ON_A_PAGE).get_page(page)
    found = list(shown)
    moves = sum(one.match.version for one in found)
    return {
        "row": row,
        "page": shown,
        "lines": [_line(row, one) for one in found],
        "version": f"{shown.paginator.count}-{found[0].pk if found else 0}-{moves}",
    }


def _line(row: TournamentRow, game: GameRow) -> MatchLine:
    """Return a game with its table; clocks would stand still until the next move."""
    line = replace(match_line(game.match, None), time="")
    if row.is_continuous:
        return line
    of = game.pairing
    values = {"table": of.table, "number": game.number}
    title = _("Table %(table)s, game %(number)s") if of.bout.is_series else _("Table %(table)s")
    return replace(line, title=title % values)
