"""Pages to report players and studies, and the list of the user's own sanctions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.core.numbers import read_number
from antipodes.errors import InputError
from antipodes.web.accounts.decorators import user_required
from antipodes.web.accounts.models import User
from antipodes.web.matches import open_chat
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.moderation import reports, services
from antipodes.web.moderation.models import ReportRow
from antipodes.web.moderation.reports import LONGEST
from antipodes.web.moderation.sanctions import sanctions_of
from antipodes.web.studies.permissions import chapter_for
from antipodes.web.studies.reading_costs import ReadingCost
from antipodes.web.studies.removals import Place, places_of


class ReportForm(forms.Form):
    """Reason and description of a report, and the player where there are several."""

    reason = forms.ChoiceField(
        label=gettext_lazy("Reason"),
        choices=[(value, capfirst(label)) for value, label in ReportRow.Reason.choices],
        widget=forms.RadioSelect,
    )
    text = forms.CharField(
        label=gettext_lazy("Description"),
        help_text=gettext_lazy("What happened, and when? Required for “something else”."),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 5}),
    )

    def __init__(self, people: Sequence[User], data: Any = None) -> None:
        """Offer the players who may be reported.

        Args:
            people: players to choose from; with only one there is no choice.
            data: submitted data.
        """
        super().__init__(data)
        self._people = {str(user.pk): user for user in people}
        if len(people) > 1:
            choices = [(key, user.name) for key, user in self._people.items()]
            self.fields["about"] = forms.ChoiceField(
                label=gettext_lazy("Player"), choices=choices, widget=forms.RadioSelect
            )
            self.order_fields(["about"])

    def person(self) -> User:
        only = next(iter(self._people))
        return self._people[self.cleaned_data.get("about", only)]


class StudyReportForm(ReportForm):
    """A report with the part of a study that it is about."""

    def __init__(self, places: Sequence[Place], data: Any = None) -> None:
        """Offer the parts that may be reported.

        Args:
            places: parts to choose from.
            data: submitted data.
        """
        super().__init__([], data)
        self._places = {place.part.value: place for place in places}
        choices = [(place.part.value, capfirst(place.part.label)) for place in places]
        self.fields["part"] = forms.ChoiceField(
            label=gettext_lazy("Reported part"), choices=choices, widget=forms.RadioSelect
        )
        self.order_fields(["part"])

    def place(self) -> Place:
        return self._places[self.cleaned_data["part"]]


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
    return _report(request, user, [_person(name)])


@require_http_methods(["GET", "POST"])
@user_required
def report_match(request: HttpRequest, user: User, slug: str) -> HttpResponse:
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


@require_POST
@user_required
def delete_line(request: HttpRequest, user: User, key: int) -> HttpResponse:  # noqa: ARG001
    """Delete a chat line of an event that the user directs, and return to its page."""
    line = reports.readable_line(user, key)
    place = None if line is None else open_chat.place_of(line, user)
    if line is None or place is None or not place.may_direct:
        raise Http404(_("This chat line does not exist, or you cannot delete it."))
    services.hide_line_of_event(user, line)
    return redirect(place.page)


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
    place = None if line is None else open_chat.place_of(line, user)
    context = {"form": form, "people": people, "match": match, "line": line, "place": place}
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
