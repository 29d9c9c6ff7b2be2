"""Views of the home page and the lobby."""

from __future__ import annotations

import hashlib
from functools import cache

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.views.decorators.http import require_GET, require_POST

from antipodes.core.numbers import read_number
from antipodes.errors import InputError, MoveError
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.match import Play
from antipodes.notation.svg import render_svg
from antipodes.search.levels import DEFAULT_LEVEL
from antipodes.web.accounts.models import User
from antipodes.web.accounts.redirects import return_url
from antipodes.web.accounts.services import current_user, ensure_user
from antipodes.web.challenges.filters import Filter, FilterForm
from antipodes.web.challenges.option_fields import OPTION_PREFIX
from antipodes.web.challenges.selectors import personal_challenges
from antipodes.web.challenges.services import GameRequest, request_game
from antipodes.web.lobby import selectors
from antipodes.web.lobby.chat import chat_of_lobby
from antipodes.web.matches import open_chat
from antipodes.web.matches.access import match_for
from antipodes.web.matches.labels import level_choices
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.presenters import board_view, legal_moves, pieces
from antipodes.web.matches.selectors import own_matches
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import shown
from antipodes.web.matchmaking.forms import SeekForm
from antipodes.web.platform.cookies import set_preference
from antipodes.web.platform.error_views import refused
from antipodes.web.platform.pictures import board_picture
from antipodes.web.puzzles.presenters import daily_card
from antipodes.web.puzzles.solvers import Solver
from antipodes.web.tournaments.selectors import own as own_events

# The board of the home page: small, and with better chances for Black, the visitor.
_FIRST_GAME = ("antipod", {"side": 4, "first": "black"})
_FIRST_LEVEL = "1"
_MOST_OF_OWN = 3
_MOST_OF_REGULARS = 6  # their own games on the home page
_THEMES = ("light", "dark", "system")
_IMMUTABLE = "max-age=31536000, immutable"
_FILTER = "lobby"  # cookie with the filter
_TOKEN = "token"  # noqa: S105 - stands for the CSRF token in the lists
_TOKEN_FIELD = f'value="{_TOKEN}"'
_CHOSEN = "chosen"  # query parameter: the form was submitted, possibly with an empty filter


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Show regulars what waits for them, and others a board whose first move starts a match."""
    user = current_user(request)
    solver = Solver.of(request)
    is_regular = user is not None and selectors.is_regular(user)
    context = {
        "games": [game_class(game_id) for game_id in game_ids()],
        "levels": level_choices(),
        "default_level": str(DEFAULT_LEVEL),
        "followed": [] if user is None else selectors.followed_games(user),
        "daily": daily_card(solver),
        "streak": solver.streak,
        **(_for_regulars(request, user) if user is not None and is_regular else _hero(user)),
    }
    return render(request, "lobby/home.html", context)


def _for_regulars(request: HttpRequest, user: User) -> dict[str, object]:
    return {
        "is_regular": True,
        "own": own_matches(user)[:_MOST_OF_REGULARS],
        "invitations": personal_challenges(user).invitations,
        "events": own_events(user)[:_MOST_OF_OWN],
        "seek_form": SeekForm(user, initial=SeekForm.remembered(request.COOKIES)),
    }


def _hero(user: User | None) -> dict[str, object]:
    game_id, options = _FIRST_GAME
    level = None if user is None else selectors.next_level(user, game_id)
    return {
        "own": [] if user is None else own_matches(user)[:_MOST_OF_OWN],
        "first_game": game_id,
        "first_options": options,
        "first_board": _first_board(),
        "first_level": _FIRST_LEVEL if level is None else str(level),
        "has_played": level is not None,
    }


@cache
def _first_board() -> dict[str, object]:
    """Return the board of the first game with its pieces and legal moves, to be in the page."""
    game_id, options = _FIRST_GAME
    game = make_game(game_id, options)
    start = game.initial()
    board = {"board": board_view(start), "pieces": pieces(start)}
    return {**board, "legal": legal_moves(start), "turn": start.to_move.value}


@require_POST
def play_now(request: HttpRequest, game_id: str) -> HttpResponse:
    """Start a match against the computer; an optional ``move`` is its first one."""
    fields = request.POST.items()
    options = {
        name.removeprefix(OPTION_PREFIX): value
        for name, value in fields
        if name.startswith(OPTION_PREFIX)
    }
    try:
        game = make_game(game_id, options)
        level = request.POST.get("level", str(DEFAULT_LEVEL))
        row = request_game(ensure_user(request), GameRequest(game=game, level=level, seat=0))
    except InputError as error:
        return refused(request, error)
    assert isinstance(row, MatchRow)
    _play_first(row, request.POST.get("move", ""))
    return redirect("match", slug=row.slug)


def _play_first(row: MatchRow, text: str) -> None:
    """Play the first move of a match; the match's page shows an illegal one."""
    move = read_number(text)
    if move is None:
        return
    try:
        carry_out(row.slug, Play(seat=0, ply=0, key=f"first {row.slug}", move=move))
    except MoveError:
        return


@require_GET
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the lobby, and remember the filter of challenges in a cookie."""
    is_chosen = _CHOSEN in request.GET
    stored = Filter.read_text(request.COOKIES.get(_FILTER, ""))
    chosen = Filter.read(request.GET.dict()) if is_chosen else stored
    user = current_user(request)
    context = {
        "now": _lists(request, chosen),
        "chosen": chosen,
        "filter": FilterForm(chosen),
        "seek_form": SeekForm(user, initial=SeekForm.remembered(request.COOKIES)),
        "games": [game_class(one) for one in game_ids()],
        "person": user,
        "chat": open_chat.context_of(chat_of_lobby(), user),
    }
    answer = render(request, "lobby/lobby.html", context)
    if is_chosen:
        set_preference(answer, _FILTER, chosen.text)
    return answer


@require_GET
def lobby_now(request: HttpRequest) -> HttpResponse:
    """Return the lists of the lobby as HTML, or 204 if the browser shows them already."""
    chosen = Filter.read(request.GET.dict())
    text, version = _lists(request, chosen)
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    return render(request, "lobby/now.html", {"now": (text, version), "chosen": chosen})


def _lists(request: HttpRequest, chosen: Filter) -> tuple[str, str]:
    """Return the lists of the lobby as HTML, and a hash of what they show."""
    user = current_user(request)
    context = {"lists": selectors.lobby_lists(user, chosen), "person": user, "csrf_token": _TOKEN}
    text: str = render_to_string("lobby/lists.html", context)
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    # The token of forms differs each time, and is no change of the lists.
    if _TOKEN_FIELD in text:
        text = text.replace(_TOKEN_FIELD, f'value="{get_token(request)}"')
    return text, version


@require_GET
def small_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a small image of a match, cached forever if ``v`` is its version."""
    row = match_for(request, slug)
    key = f"small-picture-{row.pk}-{row.version}"
    pictures = caches["pictures"]
    picture = pictures.get(key)
    if picture is None:
        picture = render_svg(shown(row).match.position.scene(), bare=True)
        pictures.set(key, picture)
    who = "private" if row.is_private else "public"
    is_named = request.GET.get("v") == str(row.version)
    return board_picture(request, picture, f"{who}, {_IMMUTABLE}" if is_named else "no-cache")


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Store the colour theme: light, dark, or that of the system."""
    theme = request.POST.get("theme")
    if theme not in _THEMES:
        raise Http404("unknown theme")
    answer = redirect(return_url(request))
    set_preference(answer, "theme", theme)
    return answer


@require_GET
def icon(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Redirect from the address at which browsers look for an icon by default."""
    return redirect(static("antipodes/icon.svg"))


@require_GET
def robots(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in ("/accounts/", "/c/", "/new/"))]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain")
