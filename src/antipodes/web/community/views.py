"""Pages and buttons of following, blocking and reporting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.errors import InputError
from antipodes.web.community import reports, selectors, services
from antipodes.web.community.forms import ReportForm
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.people.models import User
from antipodes.web.people.services import known_user
from antipodes.web.people.way_back import way_back

View = Callable[..., HttpResponse]


def for_somebody(view: Callable[..., HttpResponse]) -> View:
    """Call a view with the person who asks; whoever has no name signs in first."""

    @wraps(view)
    def asked(request: HttpRequest, **where: Any) -> HttpResponse:
        user = known_user(request)
        if user is None:
            back = request.get_full_path() if request.method == "GET" else _back(request)
            return redirect_to_login(back)
        return view(request, user, **where)

    return asked


def _person(name: str) -> User:
    return get_object_or_404(User, username=name)


def _match(user: User, slug: str) -> MatchRow:
    return get_object_or_404(MatchRow.objects.filter(visible_to(user)), slug=slug)


def _back(request: HttpRequest) -> str:
    """Return where the button was that somebody has pressed."""
    return way_back(request, reverse("following"))


def _done(request: HttpRequest, act: Callable[[], None], told: str) -> HttpResponse:
    """Do something and go back; what cannot be done is told there."""
    try:
        act()
    except InputError as error:
        messages.warning(request, str(error))
    else:
        messages.info(request, told)
    return redirect(_back(request))


@require_GET
@for_somebody
def following(request: HttpRequest, user: User) -> HttpResponse:
    """Show what those play whom one follows, and the matches that one follows."""
    return render(request, "community/following.html", {"following": selectors.following(user)})


@require_GET
@for_somebody
def blocked(request: HttpRequest, user: User) -> HttpResponse:
    """Show whom one has blocked."""
    return render(request, "community/blocked.html", {"blocks": selectors.blocks_of(user)})


@require_GET
@for_somebody
def measures(request: HttpRequest, user: User) -> HttpResponse:
    """Show what moderators have decided about whoever asks, and why."""
    return render(request, "community/measures.html", {"rows": selectors.measures_about(user)})


@dataclass(frozen=True, slots=True)
class Act:
    """What a button on somebody's page does.

    Attributes:
        do: does it, for whoever presses the button, to the other one.
        told: what is said then.
    """

    do: Callable[[User, User], None]
    told: Promise


ACTS = {
    "follow": Act(services.follow, gettext_lazy("You follow %(name)s now.")),
    "unfollow": Act(services.unfollow, gettext_lazy("You do not follow %(name)s any more.")),
    "block": Act(services.block, gettext_lazy("You have blocked %(name)s.")),
    "unblock": Act(services.unblock, gettext_lazy("You block %(name)s no longer.")),
}


@require_POST
@for_somebody
def act_on(request: HttpRequest, user: User, name: str, act: str) -> HttpResponse:
    """Follow or block a player, or no longer."""
    other, chosen = _person(name), ACTS[act]
    told = str(chosen.told) % {"name": other.name}
    return _done(request, lambda: chosen.do(user, other), told)


@require_POST
@for_somebody
def follow_match(request: HttpRequest, user: User, slug: str) -> HttpResponse:
    """Follow a match: with ``tell`` each move or the end alone."""
    row = _match(user, slug)
    each_move = request.POST.get("tell") == "moves"
    if each_move:
        told = _("You will be told of each move of this match.")
    else:
        told = _("You will be told how this match ends.")
    return _done(request, lambda: services.follow_match(user, row, each_move=each_move), told)


@require_POST
@for_somebody
def unfollow_match(request: HttpRequest, user: User, slug: str) -> HttpResponse:
    """Follow a match no longer."""
    row = get_object_or_404(MatchRow, slug=slug, watchers__user=user)
    told = _("You do not follow this match any more.")
    return _done(request, lambda: services.unfollow_match(user, row), told)


@require_http_methods(["GET", "POST"])
@for_somebody
def report_person(request: HttpRequest, user: User, name: str) -> HttpResponse:
    """Report somebody."""
    return _report(request, user, [_person(name)])


@require_http_methods(["GET", "POST"])
@for_somebody
def report_match(request: HttpRequest, user: User, slug: str) -> HttpResponse:
    """Report somebody for what they did in a match."""
    row = _match(user, slug)
    return _report(request, user, list(reports.people_of(row, user)), match=row)


@require_http_methods(["GET", "POST"])
@for_somebody
def report_line(request: HttpRequest, user: User, key: int) -> HttpResponse:
    """Report a line of a chat, and whoever said it."""
    line = reports.readable_line(user, key)
    if line is None:
        raise Http404(_("There is no such line for you to read."))
    return _report(request, user, [line.user], match=line.match, line=line)


def _report(
    request: HttpRequest,
    user: User,
    people: list[User],
    match: MatchRow | None = None,
    line: ChatLine | None = None,
) -> HttpResponse:
    people = [one for one in people if one != user and not one.is_computer]
    if not people:
        raise Http404(_("There is nobody here whom you could report."))
    form = ReportForm(people, request.POST or None)
    context = {"form": form, "people": people, "match": match, "line": line}
    if request.method == "POST" and form.is_valid():
        about = form.person()
        reason, text = form.cleaned_data["reason"], form.cleaned_data["text"]
        try:
            reports.report(user, about, reason, text, match=match, line=line)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            context["about"] = about
            return render(request, "community/reported.html", context)
    return render(request, "community/report.html", context)
