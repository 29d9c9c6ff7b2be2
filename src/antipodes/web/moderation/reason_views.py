"""Pages on which the staff says why it does one thing that needs nothing but a reason."""

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
    """Why something is done."""

    reason = forms.CharField(
        label=_("Reason"), max_length=services.LONGEST, widget=forms.Textarea({"rows": 3})
    )


@dataclass(frozen=True)
class Decision:
    """What is done if somebody says why.

    Attributes:
        title: of the page.
        told: what is known of it, as a sentence.
        button: what it is called.
        do: does it, for whom and with which reason.
        above: address and name of the list above the page.
        after: where to go when it is done.
    """

    title: str
    told: Any
    button: Any
    do: Callable[[User, str], object]
    above: tuple[str, Any]
    after: str


def reason_page(request: HttpRequest, site: admin.AdminSite, decision: Decision) -> HttpResponse:
    """Ask why, do it, and say that it is done.

    Raises:
        PermissionDenied: whoever asks may not act on people.
    """
    by = current_user(request)
    if by is None or not by.has_perm(services.MAY):
        raise PermissionDenied
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            decision.do(by, form.cleaned_data["reason"])
        except InputError as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _("Done, and written down."))
            return redirect(decision.after)
    context = {
        **site.each_context(request),
        "title": decision.title,
        "decision": decision,
        "form": form,
    }
    return render(request, "admin/moderation/reason.html", context)
