"""Pages to make and revoke tokens of any kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from antipodes.errors import InputError
from antipodes.web.accounts.decorators import redirect_to_sign_in
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user


def current_account(request: HttpRequest) -> User | None:
    """Return the account of a request; ``None`` for guests and visitors."""
    user = current_user(request)
    return None if user is None or user.is_guest else user


@dataclass(frozen=True, kw_only=True)
class TokenPages:
    """The pages of one kind of token.

    Attributes:
        form: the form of a new token, with the field ``name``.
        make: makes a token from the form's data and returns its text.
        form_template: the template of the form.
        created_template: the template that shows the new token.
        extra_context: its context in addition to ``name``, ``text`` and ``person``.
        revoke: revokes a user's token by its primary key; returns whether there was one.
        list_url: the URL name of the list of tokens.
    """

    form: type[forms.Form]
    make: Callable[[User, dict[str, Any]], str]
    form_template: str
    created_template: str
    extra_context: Callable[[], dict[str, object]] = dict
    revoke: Callable[[User, int], bool]
    list_url: str


@require_http_methods(["GET", "POST"])
@never_cache
def new_token(request: HttpRequest, pages: TokenPages) -> HttpResponse:
    """Make a token after reauthentication, and show it once."""
    if current_account(request) is None:
        return redirect_to_sign_in(request)
    response: HttpResponse = _new_token(request, pages)
    return response


@reauthentication_required  # type: ignore[untyped-decorator]  # allauth has no types
def _new_token(request: HttpRequest, pages: TokenPages) -> HttpResponse:
    user = current_account(request)
    assert user is not None
    form = pages.form(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            text = pages.make(user, data)
        except InputError as error:
            form.add_error(None, [fault.message for fault in error.faults])
        else:
            context = {"name": data["name"], "text": text, "person": user, **pages.extra_context()}
            return render(request, pages.created_template, context)
    return render(request, pages.form_template, {"form": form})


@require_POST
def revoke_token(request: HttpRequest, key: int, pages: TokenPages) -> HttpResponse:
    user = current_account(request)
    if user is None:
        return redirect_to_sign_in(request)
    if pages.revoke(user, key):
        messages.info(request, _("The token has been revoked."))
    return redirect(pages.list_url)
