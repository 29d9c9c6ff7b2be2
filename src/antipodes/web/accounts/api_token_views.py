"""Pages of API tokens and bot accounts."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from antipodes.errors import InputError
from antipodes.web.accounts import api_tokens, bots, token_views
from antipodes.web.accounts.api_tokens import Scope, scope_description
from antipodes.web.accounts.models import User
from antipodes.web.accounts.token_forms import TokenForm
from antipodes.web.accounts.token_views import TokenPages, current_account, redirect_to_sign_in
from antipodes.web.platform.clock import now


def _make(user: User, data: dict[str, Any]) -> str:
    days = data["days"] or None
    return api_tokens.make_token(user, data["name"], data["scopes"], days)[1]


_PAGES = TokenPages(
    form=TokenForm,
    make=_make,
    form_template="api/new_token.html",
    created_template="api/token_created.html",
    revoke=api_tokens.revoke,
    list_url="tokens",
)


@require_GET
@never_cache
def token_list(request: HttpRequest) -> HttpResponse:
    """Show the tokens of the account."""
    user = current_account(request)
    if user is None:
        return redirect_to_sign_in(request)
    at = now()
    lines = [
        {
            "row": row,
            "scopes": [scope_description(Scope(scope)) for scope in row.scopes],
            "is_expired": row.expires_at is not None and row.expires_at <= at,
        }
        for row in api_tokens.tokens_of(user)
    ]
    context = {"lines": lines, "person": user, "has_played": user.seats.exists()}
    return render(request, "api/tokens.html", context)


def new_token(request: HttpRequest) -> HttpResponse:
    """Make a token after reauthentication, and show it once."""
    return token_views.new_token(request, _PAGES)


def revoke_token(request: HttpRequest, key: int) -> HttpResponse:
    """Revoke a token."""
    return token_views.revoke_token(request, key, _PAGES)


@require_POST
def bot_account(request: HttpRequest) -> HttpResponse:
    """Declare an account a bot's, or a player's again."""
    user = current_account(request)
    if user is None:
        return redirect_to_sign_in(request)
    try:
        if request.POST.get("bot") == "no":
            bots.unmark_bot(user)
            messages.info(request, _("This account is no longer a bot account."))
        else:
            bots.mark_as_bot(user)
            messages.info(request, _("This is now a bot account, and marked as one everywhere."))
    except InputError as error:
        return render(request, "refused.html", {"reason": str(error)}, status=409)
    return redirect("tokens")
