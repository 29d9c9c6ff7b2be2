"""Admin pages that ask for a reason and carry out one action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user
from antipodes.web.moderation import services


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
