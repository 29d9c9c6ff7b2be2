"""Admin page that shows a report, a user or a chat line with its context and an action form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q
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
from antipodes.web.moderation.reports import place_of
from antipodes.web.ratings import voiding
from antipodes.web.studies.chapters import opened
from antipodes.web.studies.removals import Part, Place


class ReasonForm(forms.Form):
    """The reason of a decision."""

    reason = forms.CharField(
        label=_("Reason"), max_length=services.LONGEST, widget=forms.Textarea({"rows": 3})
    )


@dataclass(frozen=True)
class Decision:
    """An action that needs a reason.

    Attributes:
        title: title of the page.
        text: explanation above the form.
        button: label of the button.
        carry_out: carries out the action; takes the acting user and the reason.
        parent: URL and name of the list in the breadcrumbs.
        return_url: URL to return to afterwards.
    """

    title: str
    text: Any
    button: Any
    carry_out: Callable[[User, str], object]
    parent: tuple[str, Any]
    return_url: str


def reason_page(request: HttpRequest, site: admin.AdminSite, decision: Decision) -> HttpResponse:
    """Ask for the reason, or carry out the decision and redirect.

    Raises:
        PermissionDenied: the user is not a moderator.
    """
    by = current_user(request)
    if by is None or not by.has_perm(services.PERMISSION):
        raise PermissionDenied
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            decision.carry_out(by, form.cleaned_data["reason"])
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Done and logged."))
            return redirect(decision.return_url)
    context = {
        **site.each_context(request),
        "title": decision.title,
        "decision": decision,
        "form": form,
    }
    return render(request, "admin/moderation/reason.html", context)


_CONTEXT_LINES = 10  # chat lines before and after the reported one
_MOST_COMMENTS = 50  # of a reported chapter
_MOST = 12  # matches, reports and actions shown

_ACTIONS = {
    "warn": _("Warn"),
    "mute": _("Mute: no chat"),
    "suspend": _("Suspend: no new games, no chat"),
    "rename": _("Rename"),
    "hide": _("Delete the chat line"),
    "remove-text": _("Delete the reported text of the study"),
    "hide-study": _("Hide the study from all but its owner, who reads the reason"),
    "void": _("Void the match's ratings; all its players read the reason"),
    "dismiss": _("Dismiss the report"),
}


@dataclass(frozen=True)
class Case:
    """The subject of an action.

    Attributes:
        user: the user acted on.
        report: the report, if any.
        line: the chat line, if any.
    """

    user: User
    report: ReportRow | None = None
    line: ChatLine | None = None

    @property
    def match(self) -> MatchRow | None:
        """The match of the report or the chat line, if any."""
        if self.report is not None and self.report.match is not None:
            return self.report.match
        return self.line.match if self.line is not None else None

    @cached_property
    def place(self) -> Place | None:
        """The reported part of a study, if any."""
        return None if self.report is None else place_of(self.report)

    def actions(self) -> dict[str, Any]:
        """Return the labels of the possible actions, by name."""
        actions = dict(_ACTIONS)
        if self.user.is_guest:
            del actions["rename"]
        if self.line is None or hasattr(self.line, "hidden"):
            del actions["hide"]
        place = self.place
        if place is None or place.part is Part.STUDY or not place.text:
            del actions["remove-text"]
        if place is None or place.chapter.study.hidden_at is not None:
            del actions["hide-study"]
        if self.match is None or not voiding.counts(self.match):
            del actions["void"]
        if self.report is None or self.report.state != ReportRow.State.OPEN:
            del actions["dismiss"]
        return actions


class ActionForm(forms.Form):
    """An action, its duration and the reason."""

    action = forms.ChoiceField(label=_("Action"), widget=forms.RadioSelect)
    days = forms.IntegerField(
        label=_("Days"),
        required=False,
        min_value=1,
        max_value=services.MOST_DAYS,
        help_text=_("length of a mute or suspension"),
    )
    permanent = forms.BooleanField(label=_("Permanent"), required=False)
    name = forms.CharField(
        label=_("New name"), required=False, max_length=20, help_text=_("for “Rename”")
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=services.LONGEST,
        widget=forms.Textarea({"rows": 4, "class": "vLargeTextField"}),
        help_text=_("The player reads it, unless you dismiss the report. It is logged."),
    )

    def __init__(self, case: Case, data: Any = None) -> None:
        """Offer the actions that are possible for a case."""
        super().__init__(data)
        self._case = case
        self.fields["action"] = forms.ChoiceField(
            label=_("Action"), choices=list(case.actions().items()), widget=forms.RadioSelect
        )

    def clean(self) -> dict[str, Any]:
        """Require a duration for mutes and suspensions."""
        data: dict[str, Any] = super().clean() or {}
        has_length = data.get("action") in {"mute", "suspend"} and "days" not in self.errors
        if has_length and bool(data.get("days")) == bool(data.get("permanent")):
            self.add_error("days", str(_("Enter a number of days or choose “Permanent”.")))
        return data

    def carry_out(self, by: User) -> None:
        """Carry out the chosen action.

        Raises:
            InputError: the action is refused.
        """
        case, data = self._case, self.cleaned_data
        user, report, reason = case.user, case.report, data["reason"]
        action = data["action"]
        if action == "warn":
            services.warn(by, user, reason, report)
        elif action == "mute":
            services.mute(by, user, data["days"], reason, report)
        elif action == "suspend":
            services.suspend(by, user, data["days"], reason, report)
        elif action == "rename":
            services.rename(by, user, data["name"], reason, report)
        elif action == "hide" and case.line is not None:
            services.hide_line(by, case.line, reason, report)
        elif action == "remove-text" and case.place is not None:
            services.remove_text(by, user, case.place, reason, report)
        elif action == "hide-study" and case.place is not None:
            services.hide_study(by, case.place.chapter.study, reason, report)
        elif action == "void" and case.match is not None:
            services.void_ratings(by, case.match, reason, report)
        elif action == "dismiss" and report is not None:
            services.dismiss(by, report, reason)


def action_page(request: HttpRequest, site: admin.AdminSite, case: Case) -> HttpResponse:
    """Show a case with its context, or carry out an action and return to the list.

    Raises:
        PermissionDenied: the user is not a moderator.
    """
    by = current_user(request)
    if by is None or not by.has_perm(services.PERMISSION):
        raise PermissionDenied
    form = ActionForm(case, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            form.carry_out(by)
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Done and logged."))
            return redirect(_return_url(case))
    context = {
        **site.each_context(request),
        "title": str(case.report or case.user),
        "case": case,
        "form": form,
        "may_act": services.may_act_on(by, case.user),
        **_context_of(case),
    }
    return render(request, "admin/moderation/action.html", context)


def _return_url(case: Case) -> str:
    if case.report is not None:
        return reverse("admin:moderation_reportrow_changelist")
    return reverse("admin:accounts_user_change", args=[case.user.pk])


def _context_of(case: Case) -> dict[str, Any]:
    """Return chat lines, reports, sanctions, logged actions and matches around a case."""
    user = case.user
    others = ReportRow.objects.filter(about=user).select_related("by").order_by("-made_at")
    if case.report is not None:
        others = others.exclude(pk=case.report.pk)
    played = MatchRow.objects.filter(pk__in=played_by(user)).order_by("-pk")
    reporter = case.report.by if case.report else None
    made = ReportRow.objects.filter(by=reporter) if reporter else ReportRow.objects.none()
    return {
        "lines": _lines_around(case),
        "comments": _comments(case.place),
        "others": others[:_MOST],
        "sanctions": SanctionRow.objects.filter(user=user).select_related("by")[:_MOST],
        "actions": AuditRow.objects.filter(about_key=user.pk)[:_MOST],
        "matches": played.prefetch_related(seated())[:_MOST],
        "reported": made.count(),
        "dismissed": made.filter(state=ReportRow.State.DISMISSED).count(),
    }


def _comments(place: Place | None) -> list[str]:
    """Return the comments of a reported chapter."""
    if place is None:
        return []
    with opened(place.chapter) as chapter:
        comments = (node.comment for node in chapter.record.walk() if node.comment)
        return list(islice(comments, _MOST_COMMENTS))


def _lines_around(case: Case) -> list[ChatLine]:
    """Return chat lines before and after the reported one, or the last ones, of all rooms."""
    if case.match is None and case.line is None:
        return []
    lines = ChatLine.objects.filter(match=case.match).select_related("user", "hidden")
    if case.line is not None and case.line.match is None:
        lines = lines.filter(room=case.line.room, slug=case.line.slug)
    if case.line is None:
        return list(lines.order_by("-at", "-id")[: 2 * _CONTEXT_LINES])[::-1]
    at, key = case.line.at, case.line.pk
    before = lines.filter(Q(at__lt=at) | Q(at=at, pk__lte=key)).order_by("-at", "-id")
    after = lines.filter(Q(at__gt=at) | Q(at=at, pk__gt=key)).order_by("at", "id")
    return [*list(before[: _CONTEXT_LINES + 1])[::-1], *after[:_CONTEXT_LINES]]
