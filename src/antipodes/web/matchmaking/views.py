"""Views that create, show and cancel seeks."""

from __future__ import annotations

import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.errors import InputError
from antipodes.web.accounts.levels import level_description
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user, ensure_user
from antipodes.web.challenges.eligibility import Viewer
from antipodes.web.challenges.services import GameRequest, request_game
from antipodes.web.matches.labels import duration_words
from antipodes.web.matches.models import MatchRow
from antipodes.web.matchmaking import services
from antipodes.web.matchmaking.forms import COOKIE, SeekForm
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.matchmaking.presets import preset_game
from antipodes.web.matchmaking.selectors import SeekLine, open_seeks, seek_line, seeks
from antipodes.web.platform.clock import now
from antipodes.web.platform.cookies import set_preference
from antipodes.web.platform.error_views import refused

# After this time in milliseconds the page offers the computer, or a challenge in the lobby.
_LONG = 20_000
_STEP = 5_000  # resolution of the shown waiting time, so that the page changes rarely


@require_http_methods(["GET", "POST"])
def new_seek(request: HttpRequest) -> HttpResponse:
    """Show the form of a seek; when posted, create the seek."""
    user = current_user(request)
    if request.method == "GET":
        form = SeekForm(user, initial=SeekForm.remembered(request.COOKIES))
        return render(request, "matchmaking/new_seek.html", _form_context(form, user))
    form = SeekForm(user, request.POST)
    if not form.is_valid():
        return render(request, "matchmaking/new_seek.html", _form_context(form, user), status=400)
    try:
        row = services.seek(ensure_user(request), **form.seek_options)
    except InputError as error:
        return refused(request, error, status=409)
    answer = _redirect_to(row)
    set_preference(answer, COOKIE, form.text)
    return answer


def _form_context(form: SeekForm, user: User | None) -> dict[str, object]:
    return {"form": form, "seeks": [] if user is None else seeks(user)}


def _redirect_to(row: SeekRow) -> HttpResponse:
    if row.match is not None:
        return redirect("match", slug=row.match.slug)
    return redirect("seek", slug=row.slug)


@require_GET
def seek(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a seek, or redirect to its match."""
    row = _own(request, slug)
    if row is None:
        return render(request, "matchmaking/seek_over.html", {}, status=404)
    if row.match is not None:
        return redirect("match", slug=row.match.slug)
    services.note_presence(row)
    return render(request, "matchmaking/seek.html", _seek_context(row))


@require_GET
def seek_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the state of a seek as HTML, and note that the player is still at the page."""
    row = _own(request, slug)
    if row is None:
        return render(request, "matchmaking/seek_gone.html")
    if row.match is not None:
        answer = HttpResponse()
        answer.headers["HX-Redirect"] = reverse("match", kwargs={"slug": row.match.slug})
        return answer
    services.note_presence(row)
    context = _seek_context(row)
    if request.GET.get("v") == context["version"]:
        return HttpResponse(status=204)
    return render(request, "matchmaking/seek_state.html", context)


def _own(request: HttpRequest, slug: str) -> SeekRow | None:
    user = current_user(request)
    rows = SeekRow.objects.select_related("match")
    return None if user is None else rows.filter(slug=slug, user=user).first()


def _seek_context(row: SeekRow) -> dict[str, object]:
    waited = (now() - row.entered_at) // _STEP * _STEP
    width = services.reach_of(row, waited)
    others = open_seeks(Viewer(row.user))
    level = services.level_for(row.game_id, row.rating)
    context = {
        "row": row,
        "line": seek_line(row),
        "waited": duration_words(waited),
        "lowest": max(0, round(row.rating - width)),
        "highest": round(row.rating + width),
        "rating": round(row.rating),
        "others": others,
        "is_long": row.is_live and waited >= _LONG,
        "level": level_description(level),
    }
    return {**context, "version": f"{waited // _STEP}.{_version(others)}"}


def _version(lines: list[SeekLine]) -> str:
    """Return a short text that changes with the seeks of others."""
    shown = " ".join(f"{line.row.slug}{line.row.is_flexible}{line.rating}" for line in lines)
    return hashlib.sha256(shown.encode()).hexdigest()[:12]


@require_POST
def accept_seek(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin the match that another player seeks."""
    try:
        match = services.accept(slug, ensure_user(request))
    except InputError as error:
        return refused(request, error, status=409, back=reverse("lobby"))
    return redirect("match", slug=match.slug)


@require_POST
def cancel_seek(request: HttpRequest, slug: str) -> HttpResponse:
    """Cancel a seek; if it has been paired meanwhile, redirect to the match."""
    match = _cancel(request, slug)
    return redirect("lobby") if match is None else redirect("match", slug=match.slug)


@require_POST
def play_computer(request: HttpRequest, slug: str) -> HttpResponse:
    """Play the computer instead, unless the seek has been paired meanwhile."""
    row = _own(request, slug)
    if row is None:
        raise Http404("unknown seek")
    match = _cancel(request, slug)
    if match is None:
        game = preset_game(row.game_id, row.board)
        level = services.level_for(row.game_id, row.rating)
        try:
            started = request_game(row.user, GameRequest(game=game, level=str(level.number)))
        except InputError as error:
            return refused(request, error, status=409)
        assert isinstance(started, MatchRow)
        match = started
    return redirect("match", slug=match.slug)


def _cancel(request: HttpRequest, slug: str) -> MatchRow | None:
    """Cancel a seek, if it still exists; return its match if it has been paired."""
    user = current_user(request)
    try:
        return None if user is None else services.cancel(slug, user)
    except SeekRow.DoesNotExist:
        return None
