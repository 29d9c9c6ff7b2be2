"""Standings of events on other sites: frames and previews of links."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET

from antipodes.web.platform.previews import Preview, make_preview
from antipodes.web.platform.security_headers import frames_allowed
from antipodes.web.platform.translations import game_label, translate
from antipodes.web.tournaments import selectors
from antipodes.web.tournaments.access import tournament_for
from antipodes.web.tournaments.models import TournamentRow

_MOST_LINES = 50


def preview_of(request: HttpRequest, row: TournamentRow) -> Preview:
    """Return the preview of an event that the user of the request may see."""
    values = {
        "format": translate(row.format.title),
        "game": game_label(row.game_id, row.options),
        "state": row.get_state_display(),
    }
    return make_preview(
        request,
        reverse("tournament", args=[row.slug]),
        title=row.title,
        description=_("%(format)s, %(game)s: %(state)s.") % values,
        frame="" if row.is_private else reverse("tournament-embed", args=[row.slug]),
        author=row.host.name,
    )


def tournament_preview(request: HttpRequest, slug: str) -> Preview:
    """Return the preview of the page of a tournament."""
    return preview_of(request, tournament_for(request, slug))


@require_GET
@xframe_options_exempt
@frames_allowed
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of an event, or its players before the start, for a frame."""
    row = tournament_for(request, slug)
    entrants = row.entries.select_related("user").order_by("-rating", "joined_at")
    context = {
        "row": row,
        "preview": preview_of(request, row),
        "entrants": entrants[:_MOST_LINES] if row.begun_at is None else None,
        "lines": []
        if row.begun_at is None
        else selectors.table_lines(row, selectors.table(row)[:_MOST_LINES]),
    }
    return render(request, "tournaments/embed.html", context)
