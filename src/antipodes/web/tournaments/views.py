"""Pages of events: the calendar, the form of a new one, and the page of one event."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.core.numbers import read_number
from antipodes.errors import InputError, UnknownGameError
from antipodes.games.position import Game
from antipodes.games.registry import game_class, game_ids
from antipodes.tournaments import FORMATS, Format
from antipodes.web.accounts.decorators import user_required
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user
from antipodes.web.challenges.option_fields import OPTION_PREFIX
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.error_views import refused
from antipodes.web.platform.form_errors import FormFaults
from antipodes.web.tournaments import actions, pages, seasons, selectors, services, statistics
from antipodes.web.tournaments.access import tournament_for
from antipodes.web.tournaments.embeds import preview_of
from antipodes.web.tournaments.forms import TournamentForm
from antipodes.web.tournaments.links import match_links
from antipodes.web.tournaments.plans import PRESETS

_ON_A_PAGE = 30
_STEPS_ON_A_PAGE = 100
_MOST_LISTED = 100  # events that are running, and events to come


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """Show the calendar: the user's events, others that run or are to come, the latest results."""
    user = current_user(request)
    over = Paginator(selectors.finished(user), _ON_A_PAGE)
    own = [] if user is None else list(selectors.own(user))
    others = ~Q(pk__in=[row.pk for row in own])
    upcoming = selectors.upcoming(user).filter(others)
    context = {
        "own": own,
        "has_hosted": user is not None and user.hosted_tournaments.exists(),
        "days": selectors.days_of(list(upcoming[:_MOST_LISTED])),
        "running": selectors.running(user).filter(others)[:_MOST_LISTED],
        "page": over.get_page(request.GET.get("page")),
    }
    return render(request, "tournaments/index.html", context)


def _fits(game: type[Game], format_type: type[Format]) -> bool:
    """Return whether a game can have as many players as the pairings of a format."""
    return 2 in format_type.seats or any(one.name == "seats" for one in game.option_table())


@require_http_methods(["GET", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Show the form of a new event; when posted, make it."""
    user = current_user(request)
    preset = next((one for one in PRESETS if one.name == request.GET.get("preset")), None)
    format_type = FORMATS.get(request.GET.get("format", ""))
    if format_type is None:
        preset = preset or PRESETS[0]
        format_type = FORMATS[preset.format_name]
    initial: dict[str, Any] = {} if preset is None else {**preset.values}
    initial |= {
        name: value
        for name, value in request.GET.items()
        if name.startswith(OPTION_PREFIX) or name == "club"
    }
    games = [one for one in map(game_class, game_ids()) if _fits(one, format_type)]
    game_id = request.GET.get("game", games[0].id)
    if game_id in game_ids() and all(one.id != game_id for one in games):
        game_id = games[0].id
    try:
        form = TournamentForm(game_id, format_type, user, request.POST or None, **initial)
    except UnknownGameError as error:
        raise Http404(str(error)) from None
    if request.method == "POST" and form.is_valid() and form.plan is not None:
        with FormFaults(form) as faults:
            row = services.create_tournament(_require_user(request), form.plan)
        if not faults.found:
            return redirect("tournament", slug=row.slug)
    context = {
        "form": form,
        "preset": preset,
        "presets": PRESETS,
        "formats": FORMATS.values(),
        "game": form.game_type,
        "games": games,
        "has_account": user is not None and not user.is_guest,
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "tournaments/new.html", context, status=status)


@require_GET
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an event: its rules, players, table, pairings and games."""
    row = tournament_for(request, slug)
    context = pages.page_of(row, current_user(request), request.GET)
    context["preview"] = preview_of(request, row)
    return render(request, "tournaments/tournament.html", context)


@require_GET
def live(request: HttpRequest, slug: str) -> HttpResponse:
    """Return what changes on the page of an event as HTML; 204 if it is still the same."""
    row = tournament_for(request, slug)
    if request.GET.get("v") == str(row.version):
        return HttpResponse(status=204)
    context = pages.page_of(row, current_user(request), request.GET)
    return render(request, "tournaments/now.html", context)


@require_GET
def match_now(request: HttpRequest, slug: str, match: str) -> HttpResponse:
    """Return the links of a match to its event as HTML; 204 if the event is still the same."""
    row = tournament_for(request, slug)
    if request.GET.get("v") == str(row.version):
        return HttpResponse(status=204)
    game = get_object_or_404(MatchRow, slug=match, tournament_game__pairing__tournament=row)
    context = {"event": match_links(game, current_user(request))}
    return render(request, "tournaments/match_now.html", context)


@require_GET
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all steps of an event, the latest first."""
    row = tournament_for(request, slug)
    steps = Paginator(row.log.select_related("by").order_by("-number"), _STEPS_ON_A_PAGE)
    page = steps.get_page(request.GET.get("page"))
    context = {"row": row, "page": page, "lines": pages.log_lines(row, page)}
    return render(request, "tournaments/log.html", context)


@require_GET
def season(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table of a year of a recurring event."""
    row = tournament_for(request, slug)
    year = read_number(request.GET.get("year", ""))
    context = {"row": row, "season": seasons.season_of(row, current_user(request), year)}
    return render(request, "tournaments/season.html", context)


@require_GET
@user_required
def hosted(request: HttpRequest, user: User) -> HttpResponse:
    """Show a host the statistics of their events."""
    if user.is_guest:
        return redirect("account_signup")
    context = {"found": statistics.statistics_of(user)}
    return render(request, "tournaments/hosted.html", context)


@require_POST
def act(request: HttpRequest, slug: str, action: str) -> HttpResponse:
    """Join, leave or check in; for directors also start, pause, decide and so on."""
    row = tournament_for(request, slug)
    if action not in actions.ACTIONS:
        raise Http404("there is no such action")
    try:
        text = actions.ACTIONS[action](row, _require_user(request), request.POST)
    except InputError as error:
        back = reverse("tournament", args=[slug])
        return refused(request, error, status=409, back=back)
    messages.info(request, text)
    return redirect("tournament", slug=slug)


def _require_user(request: HttpRequest) -> User:
    """Return the user of a request.

    Raises:
        InputError: there is none.
    """
    user = current_user(request)
    if user is None:
        raise InputError.single("tournament/account", _("Tournaments need an account."))
    return user
