"""The page on which moderators see what a report is about, and act."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user
from antipodes.web.matches.access import played_by
from antipodes.web.matches.models import ChatLine, MatchRow, seated
from antipodes.web.moderation import services
from antipodes.web.moderation.models import AuditRow, ReportRow, SanctionRow
from antipodes.web.ratings import voiding

_AROUND = 10  # lines of the chat before and after the reported one
_MOST = 12  # matches, reports and acts that are shown

_ACTS = {
    "warn": _("Warn"),
    "mute": _("Take the chat away"),
    "suspend": _("Suspend: no new games, no chat"),
    "rename": _("Give another name"),
    "hide": _("Delete the line of the chat"),
    "void": _("Take back what the match made of ratings; all its players read the reason"),
    "dismiss": _("Dismiss the report"),
}


@dataclass(frozen=True)
class Case:
    """What is acted on.

    Attributes:
        user: the person.
        report: what was reported, if anything.
        line: a line of a chat, if it is about one.
    """

    user: User
    report: ReportRow | None = None
    line: ChatLine | None = None

    @property
    def match(self) -> MatchRow | None:
        """The match in which it happened, if any."""
        if self.report is not None and self.report.match is not None:
            return self.report.match
        return self.line.match if self.line is not None else None

    def acts(self) -> dict[str, Any]:
        """Return what can be done, by name."""
        acts = dict(_ACTS)
        if self.user.is_guest:
            del acts["rename"]
        if self.line is None or hasattr(self.line, "hidden"):
            del acts["hide"]
        if self.match is None or not voiding.counts(self.match):
            del acts["void"]
        if self.report is None or self.report.state != ReportRow.State.OPEN:
            del acts["dismiss"]
        return acts


class ActForm(forms.Form):
    """What to do, for how long, and why."""

    act = forms.ChoiceField(label=_("What to do"), widget=forms.RadioSelect)
    days = forms.IntegerField(
        label=_("Days"),
        required=False,
        min_value=1,
        max_value=services.MOST_DAYS,
        help_text=_("for how long the chat is taken away, or the person suspended"),
    )
    for_ever = forms.BooleanField(label=_("For ever, not for days"), required=False)
    name = forms.CharField(
        label=_("New name"), required=False, max_length=20, help_text=_("to give another name")
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=services.LONGEST,
        widget=forms.Textarea({"rows": 4, "class": "vLargeTextField"}),
        help_text=_("The person reads it, unless you dismiss the report. It stays in the log."),
    )

    def __init__(self, case: Case, data: Any = None) -> None:
        """Prepare the form for a case."""
        super().__init__(data)
        self._case = case
        self.fields["act"] = forms.ChoiceField(
            label=_("What to do"), choices=list(case.acts().items()), widget=forms.RadioSelect
        )

    def clean(self) -> dict[str, Any]:
        """Ask for days where they are needed."""
        data: dict[str, Any] = super().clean() or {}
        lasts = data.get("act") in {"mute", "suspend"} and "days" not in self.errors
        if lasts and bool(data.get("days")) == bool(data.get("for_ever")):
            self.add_error("days", str(_("Give a number of days, or choose “for ever”.")))
        return data

    def carry_out(self, by: User) -> None:
        """Do what was chosen.

        Raises:
            InputError: it cannot be done.
        """
        case, data = self._case, self.cleaned_data
        user, report, reason = case.user, case.report, data["reason"]
        act = data["act"]
        if act == "warn":
            services.warn(by, user, reason, report)
        elif act == "mute":
            services.mute(by, user, data["days"], reason, report)
        elif act == "suspend":
            services.suspend(by, user, data["days"], reason, report)
        elif act == "rename":
            services.rename(by, user, data["name"], reason, report)
        elif act == "hide" and case.line is not None:
            services.hide_line(by, case.line, reason, report)
        elif act == "void" and case.match is not None:
            services.void_ratings(by, case.match, reason, report)
        elif act == "dismiss" and report is not None:
            services.dismiss(by, report, reason)


def act_page(request: HttpRequest, site: admin.AdminSite, case: Case) -> HttpResponse:
    """Show a case with what belongs to it; with a filled form act, and go back to the list.

    Raises:
        PermissionDenied: whoever asks may not act on people.
    """
    by = current_user(request)
    if by is None or not by.has_perm(services.MAY):
        raise PermissionDenied
    form = ActForm(case, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            form.carry_out(by)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Done, and written down."))
            return redirect(_after(case))
    context = {
        **site.each_context(request),
        "title": str(case.report or case.user),
        "case": case,
        "form": form,
        "may_act": services.may_act_on(by, case.user),
        **_surroundings(case),
    }
    return render(request, "admin/moderation/act.html", context)


def _after(case: Case) -> str:
    if case.report is not None:
        return reverse("admin:moderation_reportrow_changelist")
    return reverse("admin:accounts_user_change", args=[case.user.pk])


def _surroundings(case: Case) -> dict[str, Any]:
    """Return what moderators need to know to judge."""
    user = case.user
    others = ReportRow.objects.filter(about=user).select_related("by").order_by("-made_at")
    if case.report is not None:
        others = others.exclude(pk=case.report.pk)
    played = MatchRow.objects.filter(pk__in=played_by(user)).order_by("-pk")
    reporter = case.report.by if case.report else None
    made = ReportRow.objects.filter(by=reporter) if reporter else ReportRow.objects.none()
    return {
        "lines": _lines_around(case),
        "others": others[:_MOST],
        "measures": SanctionRow.objects.filter(user=user).select_related("by")[:_MOST],
        "acts": AuditRow.objects.filter(about_key=user.pk)[:_MOST],
        "matches": played.prefetch_related(seated())[:_MOST],
        "made": made.count(),
        "dismissed": made.filter(state=ReportRow.State.DISMISSED).count(),
    }


def _lines_around(case: Case) -> list[ChatLine]:
    """Return what was said before and after the reported line, or last, in both rooms."""
    if case.match is None:
        return []
    said: QuerySet[ChatLine] = case.match.chat.select_related("user", "hidden")
    if case.line is None:
        return list(said.order_by("-at", "-id")[: 2 * _AROUND])[::-1]
    at, key = case.line.at, case.line.pk
    before = said.filter(Q(at__lt=at) | Q(at=at, pk__lte=key)).order_by("-at", "-id")
    after = said.filter(Q(at__gt=at) | Q(at=at, pk__gt=key)).order_by("at", "id")
    return [*list(before[: _AROUND + 1])[::-1], *after[:_AROUND]]
