"""Pages of API tokens and bot accounts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from antipodes.errors import InputError
from antipodes.web.accounts import api_tokens, bots, token_views
from antipodes.web.accounts.api_tokens import DAYS, Scope, scope_description
from antipodes.web.accounts.decorators import redirect_to_sign_in
from antipodes.web.accounts.models import User
from antipodes.web.accounts.token_views import TokenPages, current_account
from antipodes.web.accounts.tokens import LONGEST_NAME
from antipodes.web.platform.clock import now

_NO_EXPIRY = "0"
_DEFAULT_SCOPES = (Scope.READ, Scope.PLAY, Scope.CHALLENGE)


class TokenForm(forms.Form):
    """Name, scopes and lifetime of a new token."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("To recognise the token, such as “my bot at home”."),
    )
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Scopes"),
        widget=forms.CheckboxSelectMultiple,
        initial=[scope.value for scope in _DEFAULT_SCOPES],
        error_messages={"required": gettext_lazy("Choose at least one scope.")},
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Expires after"),
        coerce=int,
        initial=str(DAYS[1]),
        help_text=gettext_lazy("You can revoke it at any time."),
    )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        days = [(str(count), gettext("%(count)s days") % {"count": count}) for count in DAYS]
        self._set_choices("scopes", [(scope.value, scope_description(scope)) for scope in Scope])
        self._set_choices("days", [*days, (_NO_EXPIRY, gettext("No expiry"))])

    def _set_choices(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # it is a choice field


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
