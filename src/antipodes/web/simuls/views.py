"""Pages of simuls: the lists, a simul with its boards, and the actions of their forms."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.core.numbers import read_number
from antipodes.errors import InputError, MatchError
from antipodes.web.accounts.decorators import user_required
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user, ensure_user
from antipodes.web.matches import open_chat
from antipodes.web.matchmaking.forms import SeekForm
from antipodes.web.platform.error_views import refused
from antipodes.web.platform.form_errors import FormFaults
from antipodes.web.simuls import selectors, services
from antipodes.web.simuls.chat import chat_of
from antipodes.web.simuls.models import SimulRow


class SimulForm(SeekForm):
    """Game, board and clock as in a seek, and the host's seat."""

    host_seat = forms.TypedChoiceField(
        label=_("Who begins"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=(
            ("", _("in turn: me on boards 1, 3, 5 …")),
            ("0", _("me")),
            ("1", _("my opponents")),
        ),
    )

    def __init__(self, data: Any = None) -> None:
        """Leave out what only seeks have: simuls are casual."""
        super().__init__(None, data)
        del self.fields["rated"], self.fields["is_flexible"]

    @property
    def terms(self) -> dict[str, Any]:
        """The cleaned data as arguments of `services.make_simul`."""
        data = self.cleaned_data
        return {
            "game_id": data["game"],
            "board": data["board"],
            "control": data["control"],
            "host_seat": data["host_seat"],
        }


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """List the simuls that wait for players, are in progress, or are over."""
    return render(request, "simuls/index.html", {"lists": selectors.simul_lists()})


@require_http_methods(["GET", "POST"])
@user_required
def new_simul(request: HttpRequest, user: User) -> HttpResponse:
    """Ask for the terms of a simul; when posted, make it."""
    form = SimulForm(request.POST or None)
    if form.is_bound and form.is_valid():
        with FormFaults(form) as faults:
            row = services.make_simul(user, **form.terms)
        if not faults.found:
            return redirect("simul", slug=row.slug)
    return render(request, "simuls/new.html", {"form": form})


def _row(slug: str) -> SimulRow:
    return get_object_or_404(SimulRow.objects.select_related("by"), slug=slug)


@require_GET
def simul(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a simul: its players until it begins, then its boards."""
    row, user = _row(slug), current_user(request)
    context = {
        "line": selectors.SimulLine.of(row),
        "row": row,
        "now": _now(request, row),
        "link": request.build_absolute_uri(request.path),
        "chat": open_chat.context_of(chat_of(row, user), user),
    }
    return render(request, "simuls/simul.html", context)


@require_GET
def simul_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Return players or boards as HTML, or 204 if the browser shows them already."""
    row = SimulRow.objects.select_related("by").filter(slug=slug).first()
    if row is None:
        return render(request, "simuls/gone.html")
    shown, known = _now(request, row), request.GET.get("v", "")
    if known == shown.version:
        return HttpResponse(status=204)
    # The same text is not sent again, since screen readers would repeat it.
    is_news = known.partition("-")[0] != shown.version.partition("-")[0]
    return render(request, "simuls/now.html", {"row": row, "now": shown, "is_news": is_news})


@dataclass(frozen=True, slots=True)
class _Shown:
    """The changing parts of a simul's page.

    Attributes:
        status: a sentence that screen readers announce.
        text: players or boards as HTML.
        version: hashes of both.
    """

    status: str
    text: str
    version: str


def _now(request: HttpRequest, row: SimulRow) -> _Shown:
    user = current_user(request)
    context: dict[str, Any] = {"row": row, "is_host": user == row.by}
    if row.begun_at is None:
        places = selectors.places_of(row)
        is_in = any(place.user == user for place in places)
        was_removed = selectors.was_removed(row, user)
        context |= {"places": places, "is_in": is_in, "was_removed": was_removed}
        text = render_to_string("simuls/players.html", context, request)
        # Each rendering has another token against forged requests.
        data = str([[(one.user.name, one.rating) for one in places], is_in, was_removed])
    else:
        standings = selectors.standings(row, user)
        own = next((one for one in standings.boards if one.player == user), None)
        context |= {"found": standings, "own": own}
        data = text = render_to_string("simuls/boards.html", context)
    status = render_to_string("simuls/status.html", context).strip()
    return _Shown(status, text, f"{_hash(status)}-{_hash(data)}")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:10]


@require_GET
def next_board(request: HttpRequest, slug: str) -> HttpResponse:  # noqa: ARG001
    """Redirect to the board on which the host is to move, or to the list of boards."""
    row = _row(slug)
    match = selectors.next_board(row)
    if match is None:
        return redirect("simul", slug=slug)
    return redirect("match", slug=match.slug)


@require_POST
def act(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    """Join, leave, begin or cancel a simul, or remove a player, and return to its page."""
    if action not in _ACTIONS:
        raise Http404("there is no such action")
    user = ensure_user(request) if action == "join" else current_user(request)
    if user is None:
        raise Http404("anonymous visitors have no simuls")
    try:
        _ACTIONS[action](request, slug, user)
    except SimulRow.DoesNotExist:
        raise Http404("there is no such simul") from None
    except InputError as error:
        return refused(request, error, status=409 if isinstance(error, MatchError) else 400)
    return redirect("simuls") if action == "cancel" else redirect("simul", slug=slug)


def _remove(request: HttpRequest, slug: str, user: User) -> None:
    player = read_number(request.POST.get("player", ""))
    services.remove(slug, user, -1 if player is None else player)


_ACTIONS: dict[str, Callable[[HttpRequest, str, User], object]] = {
    "join": lambda _, slug, user: services.join(slug, user),
    "leave": lambda _, slug, user: services.leave(slug, user),
    "begin": lambda _, slug, user: services.begin(slug, user),
    "cancel": lambda _, slug, user: services.cancel(slug, user),
    "remove": _remove,
}
