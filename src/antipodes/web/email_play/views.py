"""The page of an account about play by mail: on or off, tokens, reply addresses."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from antipodes.web.accounts import token_views
from antipodes.web.accounts.models import User
from antipodes.web.accounts.token_views import TokenPages, account_of, to_entrance
from antipodes.web.email_play import mail_tokens, reply_addresses
from antipodes.web.email_play.commands import players
from antipodes.web.email_play.forms import TokenForm
from antipodes.web.notifications import undeliverable


def _make(user: User, wanted: dict[str, Any]) -> str:
    return mail_tokens.make_token(user, wanted["name"])


def _more() -> dict[str, object]:
    return {"commands_to": reply_addresses.command_address()}


_PAGES = TokenPages(
    form=TokenForm,
    make=_make,
    asking="email_play/new_token.html",
    made="email_play/token_made.html",
    more=_more,
    revoke=mail_tokens.revoke,
    home="by-mail",
)


@require_http_methods(["GET", "POST"])
@never_cache
def by_mail(request: HttpRequest) -> HttpResponse:
    """Show how somebody plays by mail; with a choice, switch that on or off."""
    user = account_of(request)
    if user is None:
        return to_entrance(request)
    if request.method == "POST":
        is_on = request.POST.get("on") == "yes"
        players.switch(user, on=is_on)
        said = _("You play by mail now.") if is_on else _("You play by mail no longer.")
        messages.success(request, said)
        return redirect("by-mail")
    address = EmailAddress.objects.filter(user=user).order_by("-verified", "-primary").first()
    context = {
        "is_on": players.plays_by_mail(user),
        "commands_to": reply_addresses.command_address(),
        "address": address,
        "stopped": undeliverable.stopped_address(user),
        "lines": mail_tokens.tokens_of(user),
        "person": user,
        "stays_here": settings.EMAIL_BACKEND.endswith("maildir.MaildirBackend"),
    }
    return render(request, "email_play/by_mail.html", context)


def new_token(request: HttpRequest) -> HttpResponse:
    """Make a mail token, for whoever has given their password a moment ago; show it once."""
    return token_views.new_token(request, _PAGES)


def revoke_token(request: HttpRequest, key: int) -> HttpResponse:
    """End a mail token at once."""
    return token_views.revoke_token(request, key, _PAGES)


@require_POST
def revoke_addresses(request: HttpRequest) -> HttpResponse:
    """Let none of somebody's reply addresses hold any more."""
    user = account_of(request)
    if user is None:
        return to_entrance(request)
    reply_addresses.revoke_all(user)
    messages.info(
        request, _("All reply addresses are revoked. The letters that come now have new ones.")
    )
    return redirect("by-mail")
