"""Views that start casual matches from any position."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from antipodes.errors import InputError
from antipodes.notation.svg import render_svg
from antipodes.web.accounts.services import ensure_user
from antipodes.web.analysis.position_queries import Line, read_line
from antipodes.web.challenges.practice import (
    FRIEND,
    OWN_FIELDS,
    FriendForm,
    PracticeForm,
    SeatForm,
    challenge_friend,
    check_may_continue,
    heading,
    start_practice,
)
from antipodes.web.platform.error_views import refused
from antipodes.web.platform.form_errors import FormFaults
from antipodes.web.platform.limits import POSITIONS, TooManyError, status_of, take_for_address
from antipodes.web.platform.pictures import PICTURES, board_picture
from antipodes.web.platform.translations import caption_text, error_message

_AN_HOUR = "private, max-age=3600"  # the caption is in the reader's language
_BARE = "bare"
_OTHERS = ("csrfmiddlewaretoken", _BARE, *OWN_FIELDS)


@require_http_methods(["GET", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Show a position and ask for level and seat; when posted, start the match."""
    data = request.POST if request.method == "POST" else request.GET
    try:
        take_for_address(POSITIONS, request)
        line = _line_of(data.dict())
        check_may_continue(line)
    except InputError as error:
        return refused(request, error)
    to_friend = data.get("opponent") == FRIEND
    sent = request.POST if request.method == "POST" else None
    form = PracticeForm(line, None if to_friend else sent)
    friend_form = FriendForm(line, sent if to_friend else None)
    chosen = friend_form if to_friend else form
    if chosen.is_bound and chosen.is_valid():
        with FormFaults(chosen):
            return _begin(request, chosen)
    context = {
        "form": form,
        "friend_form": friend_form,
        "line": line,
        "heading": heading(line),
        "caption": caption_text(line.position),
    }
    return render(request, "challenges/practice.html", context)


def _begin(request: HttpRequest, form: SeatForm) -> HttpResponse:
    """Start the match, or post the challenge, that a valid form describes."""
    user, seat = ensure_user(request), form.cleaned_data["play_as"]
    if isinstance(form, FriendForm):
        row = challenge_friend(user, form.line, form.cleaned_data["control"], seat)
        return redirect("challenge", slug=row.slug)
    match = start_practice(user, form.line, form.cleaned_data["level"], seat)
    return redirect("match", slug=match.slug)


def _line_of(fields: dict[str, str]) -> Line:
    """Read the position of a query or a form."""
    return read_line({name: value for name, value in fields.items() if name not in _OTHERS})


@require_GET
def practice_picture(request: HttpRequest) -> HttpResponse:
    """Return an image of a position; with ``bare`` in the query without caption and coordinates."""
    try:
        take_for_address(PICTURES, request)
        line = _line_of(request.GET.dict())
    except TooManyError:
        raise
    except InputError as error:
        return HttpResponse(
            error_message(error), content_type="text/plain; charset=utf-8", status=status_of(error)
        )
    scene = replace(line.position.scene(), title=caption_text(line.position))
    picture = render_svg(scene, bare=_BARE in request.GET)
    return board_picture(request, picture, _AN_HOUR)
