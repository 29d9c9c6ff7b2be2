"""The pages of all kinds of tokens: how one is made, shown once, and revoked."""

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
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import known_user


def account_of(request: HttpRequest) -> User | None:
    """Return the account that asks; guests and strangers have none."""
    user = known_user(request)
    return None if user is None or user.is_guest else user


def to_entrance(request: HttpRequest) -> HttpResponse:
    """Lead those without an account to where they get one."""
    return redirect("account_login" if known_user(request) is None else "account_signup")


@dataclass(frozen=True, kw_only=True)
class TokenPages:
    """The pages of one kind of tokens.

    Attributes:
        form: asks for all that a token needs, its ``name`` among it.
        make: makes a token of what the form has gathered, and returns it.
        asking: the template of the form.
        made: the template that shows a token the only time.
        more: what that template needs beside ``name``, ``text`` and ``person``.
        revoke: ends one of somebody's tokens, by its key; returns whether there was one.
        home: the name of the page on which tokens are listed.
    """

    form: type[forms.Form]
    make: Callable[[User, dict[str, Any]], str]
    asking: str
    made: str
    more: Callable[[], dict[str, object]] = dict
    revoke: Callable[[User, int], bool]
    home: str


@require_http_methods(["GET", "POST"])
@never_cache
def new_token(request: HttpRequest, pages: TokenPages) -> HttpResponse:
    """Make a token, for whoever has given their password a moment ago; show it once."""
    if account_of(request) is None:
        return to_entrance(request)
    answer: HttpResponse = _new_token(request, pages)
    return answer


@reauthentication_required  # type: ignore[untyped-decorator]  # allauth has no types
def _new_token(request: HttpRequest, pages: TokenPages) -> HttpResponse:
    user = account_of(request)
    assert user is not None
    form = pages.form(request.POST or None)
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data
        try:
            text = pages.make(user, wanted)
        except InputError as error:
            form.add_error(None, [fault.message for fault in error.faults])
        else:
            context = {"name": wanted["name"], "text": text, "person": user, **pages.more()}
            return render(request, pages.made, context)
    return render(request, pages.asking, {"form": form})


@require_POST
def revoke_token(request: HttpRequest, key: int, pages: TokenPages) -> HttpResponse:
    """End a token at once."""
    user = account_of(request)
    if user is None:
        return to_entrance(request)
    if pages.revoke(user, key):
        messages.info(request, _("The token is revoked; nobody can use it any more."))
    return redirect(pages.home)
