"""Pages of an account: its tokens, and whether a program plays for it."""

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
from antipodes.web.accounts.api_tokens import Scope, scope_words
from antipodes.web.accounts.models import User
from antipodes.web.accounts.token_forms import TokenForm
from antipodes.web.accounts.token_views import TokenPages, account_of, to_entrance
from antipodes.web.platform.clock import now


def _make(user: User, wanted: dict[str, Any]) -> str:
    days = wanted["days"] or None
    return api_tokens.make_token(user, wanted["name"], wanted["scopes"], days)[1]


_PAGES = TokenPages(
    form=TokenForm,
    make=_make,
    asking="api/new_token.html",
    made="api/token_made.html",
    revoke=api_tokens.revoke,
    home="tokens",
)


@require_GET
@never_cache
def token_list(request: HttpRequest) -> HttpResponse:
    """Show the tokens of an account."""
    user = account_of(request)
    if user is None:
        return to_entrance(request)
    at = now()
    lines = [
        {
            "row": row,
            "words": [scope_words(Scope(scope)) for scope in row.scopes],
            "is_over": row.expires_at is not None and row.expires_at <= at,
        }
        for row in api_tokens.tokens_of(user)
    ]
    context = {"lines": lines, "person": user, "has_played": user.seats.exists()}
    return render(request, "api/tokens.html", context)


def new_token(request: HttpRequest) -> HttpResponse:
    """Make a token, for whoever has given their password a moment ago; show it once."""
    return token_views.new_token(request, _PAGES)


def revoke_token(request: HttpRequest, key: int) -> HttpResponse:
    """End a token at once."""
    return token_views.revoke_token(request, key, _PAGES)


@require_POST
def bot_account(request: HttpRequest) -> HttpResponse:
    """Let an account be a bot's from now on, or a person's again."""
    user = account_of(request)
    if user is None:
        return to_entrance(request)
    try:
        if request.POST.get("bot") == "no":
            bots.unmark_bot(user)
            messages.info(request, _("This account is a person's again."))
        else:
            bots.mark_as_bot(user)
            messages.info(request, _("From now on everybody sees that a program plays here."))
    except InputError as error:
        return render(request, "refused.html", {"reason": str(error)}, status=409)
    return redirect("tokens")
