"""Views that create, show, join and cancel challenges."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from antipodes.core.numbers import read_number
from antipodes.errors import InputError, MatchError, UnknownGameError
from antipodes.search.levels import DEFAULT_LEVEL
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user, ensure_user
from antipodes.web.analysis.position_queries import Line
from antipodes.web.challenges import services
from antipodes.web.challenges.author_presence import await_author
from antipodes.web.challenges.eligibility import Viewer
from antipodes.web.challenges.forms import GameForm
from antipodes.web.challenges.models import ChallengeMatchRow, ChallengeRow, joined
from antipodes.web.challenges.option_fields import OPTION_PREFIX
from antipodes.web.challenges.seating import seat_lines
from antipodes.web.challenges.selectors import challenge_line
from antipodes.web.clubs.permissions import role_in
from antipodes.web.matches.access import may_watch
from antipodes.web.matches.labels import duration_words, level_choices
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.odds import odds_of
from antipodes.web.matches.selectors import match_line
from antipodes.web.platform.clock import now
from antipodes.web.platform.error_views import refused
from antipodes.web.platform.form_errors import add_faults

_MOST_BEGUN = 20  # matches listed on the page of a link
_PRESET_BY_QUERY = ("opponent", "names", "level", "club")


def new_game(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the form for a new game; when posted, start a match or post a challenge."""
    initial = {
        name: request.GET[name]
        for name in request.GET
        if name in _PRESET_BY_QUERY or name.startswith(OPTION_PREFIX)
    }
    try:
        form = GameForm(game_id, current_user(request), request.POST or None, **initial)
    except UnknownGameError as error:
        raise Http404(str(error)) from None
    if request.method == "POST" and form.is_valid() and form.game_request is not None:
        try:
            made = services.request_game(ensure_user(request), form.game_request)
        except InputError as error:
            add_faults(form, error)
        else:
            if isinstance(made, ChallengeRow):
                await_author(made)
            return redirect("match" if isinstance(made, MatchRow) else "challenge", slug=made.slug)
    return render(request, "challenges/new.html", {"form": form, "game": form.game_type})


@require_GET
def challenge(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a challenge and its players, who wait here for the match.

    A player who has started a match by this link is redirected to it.
    """
    row = _row(request, slug)
    match = row.match or services.match_by_link(row, current_user(request))
    if match is not None:
        return redirect("match", slug=match.slug)
    context = _context(request, row)
    status = 410 if context["is_expired"] else 200
    return render(request, "challenges/challenge.html", context, status=status)


@require_GET
def challenge_now(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the seats as HTML, or redirect when the match has started."""
    try:
        row = _row(request, slug)
    except Http404:
        return render(request, "challenges/gone.html")
    match = row.match or services.match_by_link(row, current_user(request))
    if match is not None:
        answer = HttpResponse()
        answer.headers["HX-Redirect"] = reverse("match", kwargs={"slug": match.slug})
        return answer
    context = _context(request, row)
    if request.GET.get("v") == context["version"]:
        return HttpResponse(status=204)
    return render(request, "challenges/seats.html", context)


def _link(request: HttpRequest, row: ChallengeRow) -> str:
    return request.build_absolute_uri(reverse("challenge", kwargs={"slug": row.slug}))


def _row(request: HttpRequest, slug: str) -> ChallengeRow:
    """Return a challenge.

    Raises:
        Http404: there is no such challenge, or the user may not see it, because it is for members
            of a club or has become a private match.
    """
    rows = ChallengeRow.objects.select_related("by", "match", "club")
    row = get_object_or_404(rows.prefetch_related(joined()), slug=slug)
    user = current_user(request) if row.is_private or row.club else None
    if row.match is not None and not may_watch(row.match, user):
        raise Http404("there is no such challenge")
    if row.match is None and row.club is not None and role_in(row.club, user) is None:
        raise Http404("there is no such challenge")
    return row


def _context(request: HttpRequest, row: ChallengeRow) -> dict[str, object]:
    user = current_user(request)
    line = challenge_line(row, user, Viewer(user))
    invited = list(row.invited.all())
    seats = seat_lines(row)
    begun = [match_line(one.match, user) for one in _begun(row)] if user == row.by else []
    start = row.match_start
    return {
        "row": row,
        "odds": "" if start else odds_of(row.game, is_rated=row.rated),
        "begins": start and Line.of(row.game, start.setup, start.moves),
        "line": line,
        "seat_lines": seats,
        "version": "-".join(
            [
                *(f"{seat.seat}.{seat.name}" for seat in seats),
                *(f"{one.row.pk}.{one.row.ended_at}" for one in begun),
            ]
        ),
        "begun": begun,
        "is_expired": row.expires_at is not None and row.expires_at <= now(),
        "time_left": row.expires_at and duration_words(row.expires_at - now()),
        "invited": invited,
        "is_mine": user == row.by,
        "is_in": line.is_mine,
        "may_join": not line.is_mine and not line.reason and (not invited or user in invited),
        "is_for_others": bool(invited) and user not in invited,
        "is_invited": user in invited,
        "link": _link(request, row),
        "levels": level_choices(row.game_id),
        "default_level": str(DEFAULT_LEVEL),
    }


def _begun(row: ChallengeRow) -> QuerySet[ChallengeMatchRow]:
    """Return the latest matches started from a link."""
    rows = ChallengeMatchRow.objects.filter(challenge=row).select_related("match")
    return rows.prefetch_related(seated("match__seats")).order_by("-pk")[:_MOST_BEGUN]


@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Join a challenge, on the chosen seat if there is one."""
    _row(request, slug)
    chosen = read_number(request.POST.get("seat", ""))

    def run() -> HttpResponse:
        match = services.join(slug, ensure_user(request), chosen)
        if match is None:
            return redirect("challenge", slug=slug)
        return redirect("match", slug=match.slug)

    return _run(request, run)


def _require_user(request: HttpRequest) -> User:
    """Return the user of a request; unknown visitors have no challenges.

    Raises:
        Http404: the visitor is anonymous.
    """
    user = current_user(request)
    if user is None:
        raise Http404("anonymous visitors have no challenges")
    return user


@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave a challenge."""

    def run() -> HttpResponse:
        services.leave(slug, _require_user(request))
        messages.info(request, _("You have left the challenge."))
        return redirect("lobby")

    return _run(request, run)


@require_POST
def cancel(request: HttpRequest, slug: str) -> HttpResponse:
    """Cancel one's own challenge."""

    def run() -> HttpResponse:
        services.cancel(slug, _require_user(request))
        messages.info(request, _("Challenge cancelled."))
        return redirect("lobby")

    return _run(request, run)


@require_POST
def decline(request: HttpRequest, slug: str) -> HttpResponse:
    """Decline an invitation."""

    def run() -> HttpResponse:
        services.decline(slug, _require_user(request))
        messages.info(request, _("Challenge declined."))
        return redirect("lobby")

    return _run(request, run)


@require_POST
def fill(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the computer take the free seats, and start the match."""
    level = request.POST.get("level", str(DEFAULT_LEVEL))

    def run() -> HttpResponse:
        match = services.fill(slug, _require_user(request), level)
        return redirect("match", slug=match.slug)

    return _run(request, run)


def _run(request: HttpRequest, run: Callable[[], HttpResponse]) -> HttpResponse:
    """Run an action on a challenge, and show its errors on a page."""
    try:
        return run()
    except ChallengeRow.DoesNotExist:
        raise Http404("there is no such challenge") from None
    except InputError as error:
        return refused(request, error, status=409 if isinstance(error, MatchError) else 400)
