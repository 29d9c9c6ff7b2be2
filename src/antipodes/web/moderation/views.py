"""Pages to report players and studies, and the list of the user's own sanctions."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from antipodes.core.numbers import read_number
from antipodes.errors import InputError
from antipodes.web.accounts.decorators import user_required
from antipodes.web.accounts.models import User
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.moderation import reports
from antipodes.web.moderation.forms import ReportForm, StudyReportForm
from antipodes.web.moderation.sanctions import sanctions_of
from antipodes.web.studies.permissions import chapter_for
from antipodes.web.studies.reading_costs import ReadingCost
from antipodes.web.studies.removals import places_of


def _person(name: str) -> User:
    return get_object_or_404(User, username=name)


def _match(user: User, slug: str) -> MatchRow:
    return get_object_or_404(MatchRow.objects.filter(visible_to(user)), slug=slug)


@require_GET
@user_required
def sanctions(request: HttpRequest, user: User) -> HttpResponse:
    """Show the sanctions against the user, with reasons."""
    return render(request, "moderation/sanctions.html", {"rows": sanctions_of(user)})


@require_http_methods(["GET", "POST"])
@user_required
def report_person(request: HttpRequest, user: User, name: str) -> HttpResponse:
    """Report a player."""
    return _report(request, user, [_person(name)])


@require_http_methods(["GET", "POST"])
@user_required
def report_match(request: HttpRequest, user: User, slug: str) -> HttpResponse:
    """Report a player of a match."""
    row = _match(user, slug)
    return _report(request, user, list(reports.people_of(row, user)), match=row)


@require_http_methods(["GET", "POST"])
@user_required
def report_line(request: HttpRequest, user: User, key: int) -> HttpResponse:
    """Report a chat line and its author."""
    line = reports.readable_line(user, key)
    if line is None:
        raise Http404(_("This chat line does not exist, or you cannot read it."))
    return _report(request, user, [line.user], match=line.match, line=line)


@require_http_methods(["GET", "POST"])
@user_required
def report_study(request: HttpRequest, user: User, slug: str, number: int) -> HttpResponse:
    """Report a study, a title in it, or with ``path`` in the query the comment at a position."""
    chapter = chapter_for(request, slug, number)
    moves = [read_number(text) for text in request.GET.get("path", "").split(",") if text]
    path = tuple(move for move in moves if move is not None)
    reported_places = places_of(chapter, path, ReadingCost.of(request))
    places = [one for one in reported_places if one.author != user]
    if not places:
        raise Http404(_("There is no player here whom you can report."))
    form = StudyReportForm(places, request.POST or None)
    context: dict[str, Any] = {"form": form, "chapter": chapter}
    if request.method == "POST" and form.is_valid():
        place = form.place()
        reason, text = form.cleaned_data["reason"], form.cleaned_data["text"]
        try:
            reports.report(user, place.author, reason, text, place=place)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            context["about"] = place.author
            return render(request, "moderation/reported.html", context)
    return render(request, "moderation/report.html", context)


def _report(
    request: HttpRequest,
    user: User,
    people: list[User],
    match: MatchRow | None = None,
    line: ChatLine | None = None,
) -> HttpResponse:
    people = [one for one in people if one != user and not one.is_computer]
    if not people:
        raise Http404(_("There is no player here whom you can report."))
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
            return render(request, "moderation/reported.html", context)
    return render(request, "moderation/report.html", context)
