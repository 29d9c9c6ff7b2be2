"""Pages of events: the calendar, the form of a new one, one event, its boards, and its frame."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
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
from antipodes.web.matches import open_chat
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.selectors import MatchLine, match_line
from antipodes.web.platform.error_views import refused
from antipodes.web.platform.form_errors import FormFaults
from antipodes.web.platform.previews import Preview, make_preview
from antipodes.web.platform.security_headers import frames_allowed
from antipodes.web.platform.translations import game_label, translate
from antipodes.web.tournaments import actions, pages, selectors, series, services, statistics
from antipodes.web.tournaments.access import tournament_for
from antipodes.web.tournaments.chat import chat_of
from antipodes.web.tournaments.forms import TournamentForm
from antipodes.web.tournaments.links import match_links
from antipodes.web.tournaments.models import GameRow, TournamentRow
from antipodes.web.tournaments.plans import PRESETS

_ON_A_PAGE = 30
_STEPS_ON_A_PAGE = 100
_BOARDS_ON_A_PAGE = 60
_MOST_IN_FRAME = 50  # players
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
        "chosen_query": f"format={format_type.name}" if preset is None else f"preset={preset.name}",
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
    user = current_user(request)
    context = pages.page_of(row, user, request.GET)
    context["preview"] = preview_of(request, row)
    context["chat"] = open_chat.context_of(chat_of(row, user), user)
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
    context = {"row": row, "season": series.season_of(row, current_user(request), year)}
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


# --- boards ---------------------------------------------------------------------------------------


@require_GET
def boards(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the boards of the games in progress, the leaders first."""
    row = tournament_for(request, slug)
    return render(
        request, "tournaments/boards.html", _boards_context(row, request.GET.get("page", ""))
    )


@require_GET
def boards_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the boards as HTML; 204 if they are still the same."""
    row = tournament_for(request, slug)
    context = _boards_context(row, request.GET.get("page", ""))
    if request.GET.get("v") == context["version"]:
        return HttpResponse(status=204)
    return render(request, "tournaments/boards_now.html", context)


def _boards_context(row: TournamentRow, page: str) -> dict[str, Any]:
    games = GameRow.objects.filter(pairing__tournament=row, match__ended_at=None)
    games = games.select_related("match", "pairing__tournament")
    games = games.prefetch_related(seated("match__seats"))
    order = ("-pairing__round", "pairing__table", "number")
    shown = Paginator(games.order_by(*order), _BOARDS_ON_A_PAGE).get_page(page)
    on_page = list(shown)
    moves = sum(game.match.version for game in on_page)
    return {
        "row": row,
        "page": shown,
        "lines": [_board_line(row, game) for game in on_page],
        "version": f"{shown.paginator.count}-{on_page[0].pk if on_page else 0}-{moves}",
    }


def _board_line(row: TournamentRow, game: GameRow) -> MatchLine:
    """Return a game with its table; clocks would stand still until the next move."""
    line = replace(match_line(game.match, None), time="")
    if row.is_continuous:
        return line
    pairing, title = game.pairing, _("Table %(table)s")
    if pairing.bout.is_series:
        title = _("Table %(table)s, game %(number)s")
    values = {"table": pairing.table, "number": game.number}
    return replace(line, title=title % values)


# --- frames of other sites ------------------------------------------------------------------------


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
        "entrants": entrants[:_MOST_IN_FRAME] if row.begun_at is None else None,
        "lines": []
        if row.begun_at is None
        else selectors.table_lines(row, selectors.table(row)[:_MOST_IN_FRAME]),
    }
    return render(request, "tournaments/embed.html", context)
