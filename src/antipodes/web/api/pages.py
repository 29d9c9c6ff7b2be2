"""Pages of an account: its tokens, and whether a program plays for it."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.errors import InputError
from antipodes.web.api import bots, tokens
from antipodes.web.api.forms import TokenForm
from antipodes.web.api.tokens import Scope, scope_words
from antipodes.web.matches.services import now
from antipodes.web.people.models import User
from antipodes.web.people.services import known_user


def _account(request: HttpRequest) -> User | None:
    """Return the account that asks; guests and strangers have none."""
    user = known_user(request)
    return None if user is None or user.is_guest else user


def _to_entrance(request: HttpRequest) -> HttpResponse:
    return redirect("account_login" if known_user(request) is None else "account_signup")


@require_GET
@never_cache
def token_list(request: HttpRequest) -> HttpResponse:
    """Show the tokens of an account."""
    user = _account(request)
    if user is None:
        return _to_entrance(request)
    at = now()
    lines = [
        {
            "row": row,
            "words": [scope_words(Scope(scope)) for scope in row.scopes],
            "is_over": row.expires_at is not None and row.expires_at <= at,
        }
        for row in tokens.tokens_of(user)
    ]
    context = {"lines": lines, "person": user, "has_played": user.seats.exists()}
    return render(request, "api/tokens.html", context)


@require_http_methods(["GET", "POST"])
@never_cache
def new_token(request: HttpRequest) -> HttpResponse:
    """Make a token, for whoever has given their password a moment ago; show it once."""
    user = _account(request)
    if user is None:
        return _to_entrance(request)
    answer: HttpResponse = _new_token(request)
    return answer


@reauthentication_required  # type: ignore[untyped-decorator]  # allauth has no types
def _new_token(request: HttpRequest) -> HttpResponse:
    user = _account(request)
    assert user is not None
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data
        try:
            row, text = tokens.make_token(
                user, wanted["name"], wanted["scopes"], wanted["days"] or None
            )
        except InputError as error:
            form.add_error(None, [fault.message for fault in error.faults])
        else:
            return render(request, "api/token_made.html", {"row": row, "text": text})
    return render(request, "api/new_token.html", {"form": form})


@require_POST
def revoke_token(request: HttpRequest, key: int) -> HttpResponse:
    """End a token at once."""
    user = _account(request)
    if user is None:
        return _to_entrance(request)
    if tokens.revoke(user, key):
        messages.info(request, _("The token is revoked; nobody can use it any more."))
    return redirect("tokens")


@require_POST
def bot_account(request: HttpRequest) -> HttpResponse:
    """Let an account be a bot's from now on, or a person's again."""
    user = _account(request)
    if user is None:
        return _to_entrance(request)
    try:
        if request.POST.get("bot") == "no":
            bots.take_back(user)
            messages.info(request, _("This account is a person's again."))
        else:
            bots.declare(user)
            messages.info(request, _("From now on everybody sees that a program plays here."))
    except InputError as error:
        return render(request, "refused.html", {"reason": str(error)}, status=409)
    return redirect("tokens")
