"""Settings of play by e-mail: on or off, mail tokens, reply addresses."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from antipodes.web.accounts import token_views
from antipodes.web.accounts.decorators import redirect_to_sign_in
from antipodes.web.accounts.models import User
from antipodes.web.accounts.token_views import TokenPages, current_account
from antipodes.web.accounts.tokens import LONGEST_NAME
from antipodes.web.email_play import mail_tokens, reply_addresses
from antipodes.web.email_play.commands import preferences
from antipodes.web.notifications import undeliverable


class TokenForm(forms.Form):
    """The name of a new mail token."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=LONGEST_NAME,
        help_text=gettext_lazy("Where you use it, such as “mail program at home”."),
    )


def _make(user: User, fields: dict[str, Any]) -> str:
    return mail_tokens.make_token(user, fields["name"])


def _extra_context() -> dict[str, object]:
    return {"commands_to": reply_addresses.command_address()}


_PAGES = TokenPages(
    form=TokenForm,
    make=_make,
    form_template="email_play/new_token.html",
    created_template="email_play/token_made.html",
    extra_context=_extra_context,
    revoke=mail_tokens.revoke,
    list_url="by-mail",
)


@require_http_methods(["GET", "POST"])
@never_cache
def by_mail(request: HttpRequest) -> HttpResponse:
    """Show the settings of play by e-mail; POST switches it on or off."""
    user = current_account(request)
    if user is None:
        return redirect_to_sign_in(request)
    if request.method == "POST":
        is_on = request.POST.get("on") == "yes"
        preferences.set_play_by_mail(user, on=is_on)
        text = _("You now play by mail.") if is_on else _("You no longer play by mail.")
        messages.success(request, text)
        return redirect("by-mail")
    address = EmailAddress.objects.filter(user=user).order_by("-verified", "-primary").first()
    context = {
        "is_on": preferences.plays_by_mail(user),
        "commands_to": reply_addresses.command_address(),
        "address": address,
        "stopped": undeliverable.stopped_address(user),
        "tokens": mail_tokens.tokens_of(user),
        "person": user,
        "stays_here": settings.EMAIL_BACKEND.endswith("maildir.MaildirBackend"),
    }
    return render(request, "email_play/by_mail.html", context)


def new_token(request: HttpRequest) -> HttpResponse:
    """Create a mail token after a recent sign-in, and show it once."""
    return token_views.new_token(request, _PAGES)


def revoke_token(request: HttpRequest, key: int) -> HttpResponse:
    return token_views.revoke_token(request, key, _PAGES)


@require_POST
def revoke_addresses(request: HttpRequest) -> HttpResponse:
    """Revoke all reply addresses of the user."""
    user = current_account(request)
    if user is None:
        return redirect_to_sign_in(request)
    reply_addresses.revoke_all(user)
    messages.info(request, _("All reply addresses are revoked. New mails have new ones."))
    return redirect("by-mail")
