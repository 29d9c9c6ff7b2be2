"""Matches on other sites: frames, and previews of links."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET

from antipodes.core.numbers import read_number
from antipodes.records.json_format import setup_data
from antipodes.web.matches.access import match_for
from antipodes.web.matches.labels import game_label
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import shown
from antipodes.web.platform.previews import Preview, make_preview
from antipodes.web.platform.security_headers import frames_allowed
from antipodes.web.platform.translations import caption_text, result_text


def preview_of(request: HttpRequest, row: MatchRow) -> Preview:
    """Return the preview of a match that the user of the request may watch.

    A link to a moment of the match, with ``ply``, has that moment's picture.
    """
    snapshot = shown(row)
    names = [seat.user.name for seat in row.seats.select_related("user")]
    match = snapshot.match
    title = f"{game_label(row.game_id, row.options)}: {' – '.join(names)}"
    text = caption_text(match.position) if match.result is None else result_text(match.result)
    moment = read_number(request.GET.get("ply", ""), len(match.moves))
    ply = len(match.moves) if moment is None else moment
    return make_preview(
        request,
        reverse("match", args=[row.slug]),
        title=title,
        description=text,
        picture=f"{reverse('picture-png', args=[row.slug])}?ply={ply}",
        frame="" if row.is_private else reverse("match-embed", args=[row.slug]),
    )


def match_preview(request: HttpRequest, slug: str) -> Preview:
    return preview_of(request, match_for(request, slug))


@require_GET
@xframe_options_exempt
@frames_allowed
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the moves of a match in a frame of another site."""
    row = match_for(request, slug)
    match = shown(row).match
    start = match.terms.start
    setup = start and start.setup
    context = {
        "preview": preview_of(request, row),
        "game": row.game,
        "options": urlencode(row.game.options.changed()),
        "setup": json.dumps(setup_data(setup)) if setup else "",
        "moves": ",".join(str(int(made.move)) for made in match.moves),
    }
    return render(request, "matches/embed.html", context)
