"""Views of the service worker, of the page without a network, and of the games that it brings."""

from __future__ import annotations

from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from antipodes.errors import InputError
from antipodes.web.offline import games, kept
from antipodes.web.offline.schemas import OFFLINE_GAME
from antipodes.web.platform.client_json import read_object
from antipodes.web.platform.error_views import json_error
from antipodes.web.platform.limits import POSITIONS, take_for_address
from antipodes.web.platform.schemas import read_as
from antipodes.web.platform.static_files import release

_WORKER = "antipodes/site/service_worker.js"
_CODE = "offline/malformed"
_MOVES_OF_ONE = 50  # moves that count as one more position


@require_GET
def service_worker(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Return the service worker from the root, since it serves the whole site.

    It names the release: browsers take a changed one, which keeps the files of that release.
    """
    text = Path(str(finders.find(_WORKER))).read_text(encoding="utf-8")
    answer = HttpResponse(
        text.replace("RELEASE", release()), content_type="text/javascript; charset=utf-8"
    )
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that the service worker keeps for times without a network."""
    return render(request, "offline/offline.html")


@require_GET
def kept_data(request: HttpRequest) -> JsonResponse:
    """Return what a browser keeps to play without a network."""
    try:
        take_for_address(POSITIONS, request)
    except InputError as error:
        return json_error(error)
    return JsonResponse(kept.kept())


@require_POST
def bring_game(request: HttpRequest) -> JsonResponse:
    """Store a game that was begun without a network; a repeated request changes nothing."""
    try:
        sent = read_as(OFFLINE_GAME, read_object(request.POST.get("sent"), _CODE), _CODE)
        take_for_address(POSITIONS, request, cost=1 + len(sent.moves) // _MOVES_OF_ONE)
        begun = games.checked(sent)
        games.bring(request, begun)
    except InputError as error:
        return json_error(error)
    return JsonResponse({"url": reverse("match", args=[begun.slug])})
