"""Views of challenges, of casual matches from any position, and of automatic game limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.core import Color
from antipodes.core.numbers import read_number
from antipodes.errors import InputError, MatchError, UnknownGameError
from antipodes.games.registry import game_class, game_ids
from antipodes.notation.svg import render_svg
from antipodes.search.levels import DEFAULT_LEVEL
from antipodes.web.accounts.decorators import redirect_to_sign_in
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer, current_user, ensure_user
from antipodes.web.accounts.token_views import current_account
from antipodes.web.analysis.position_queries import Line, read_line
from antipodes.web.challenges import services
from antipodes.web.challenges.author_presence import await_author
from antipodes.web.challenges.eligibility import Viewer
from antipodes.web.challenges.forms import GameForm
from antipodes.web.challenges.game_limits import HIGHEST, counts_of, set_limit
from antipodes.web.challenges.models import ChallengeMatchRow, ChallengeRow, joined
from antipodes.web.challenges.option_fields import OPTION_PREFIX
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
from antipodes.web.challenges.selectors import challenge_line
from antipodes.web.clubs.permissions import role_in
from antipodes.web.matches.access import may_watch
from antipodes.web.matches.labels import duration_words, level_choices
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.odds import odds_of
from antipodes.web.matches.selectors import match_line
from antipodes.web.platform.clock import now
from antipodes.web.platform.error_views import refused
from antipodes.web.platform.form_errors import FormFaults, add_faults
from antipodes.web.platform.limits import POSITIONS, TooManyError, status_of, take_for_address
from antipodes.web.platform.pictures import PICTURES, board_picture
from antipodes.web.platform.translations import caption_text, color_name, error_message


@dataclass(frozen=True)
class SeatLine:
    """A seat of a challenge in a list.

    Attributes:
        seat: its number from 0; ``None`` for a player who takes any free seat.
        label: colour, and whether it moves first.
        name: the player's name; empty while the seat is free.
    """

    seat: int | None
    label: str
    name: str


def seat_lines(row: ChallengeRow) -> list[SeatLine]:
    """Return all seats in order, then the players who take any free seat."""
    game = row.game
    names = {seat: computer(level).name for seat, level in row.computers}
    waiting = []
    for seat, user in [(row.seat, row.by), *((one.seat, one.user) for one in row.joins.all())]:
        if seat is None:
            waiting.append(user.name)
        else:
            names[seat] = user.name
    taken = [
        SeatLine(seat, _label(game.color_of(seat), seat), names.get(seat, ""))
        for seat in range(game.seats)
    ]
    return taken + [SeatLine(None, _("any free seat"), name) for name in waiting]


def _label(color: Color, seat: int) -> str:
    values = {"seat": seat + 1, "colour": color_name(color)}
    if seat == 0:
        return _("%(seat)s: %(colour)s, moves first") % values
    return _("%(seat)s: %(colour)s") % values


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
    begins = start and Line.of(row.game, start.setup, start.moves)
    return {
        "row": row,
        "odds": "" if start else odds_of(row.game, is_rated=row.rated),
        "begins": begins,
        "board": begins or Line.of(row.game),
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
        "levels": level_choices(),
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


class LimitsForm(forms.Form):
    """A limit for each game; empty for none."""

    def __init__(self, user: User, data: object = None) -> None:
        """Show the user's limits.

        Args:
            user: the account owner.
            data: the posted data; ``None`` for an unbound form.
        """
        known = dict(user.game_limits.values_list("game_id", "most"))
        super().__init__(data, initial=known)  # type: ignore[arg-type]
        for game_id, playing in counts_of(user).items():
            self.fields[game_id] = forms.IntegerField(
                label=game_class(game_id).title,
                required=False,
                min_value=0,
                max_value=HIGHEST,
                help_text=_("Currently %(count)d.") % {"count": playing},
            )

    def save(self, user: User) -> None:
        """Store the posted limits; the form must be valid."""
        for game_id in game_ids():
            set_limit(user, game_id, self.cleaned_data[game_id])


@require_http_methods(["GET", "POST"])
@never_cache
def game_limits(request: HttpRequest) -> HttpResponse:
    """Show and change the user's automatic game limits."""
    user = current_account(request)
    if user is None:
        return redirect_to_sign_in(request)
    form = LimitsForm(user, request.POST if request.method == "POST" else None)
    if form.is_valid():
        form.save(user)
        messages.success(request, _("Limits saved."))
        return redirect("game-limits")
    status = 400 if form.is_bound else 200
    return render(request, "challenges/limits.html", {"form": form}, status=status)
