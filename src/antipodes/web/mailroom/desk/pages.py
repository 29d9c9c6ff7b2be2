"""The page of an account about play by mail: on or off, tokens, reply addresses."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from antipodes.errors import InputError
from antipodes.web.mailroom import addresses, tokens
from antipodes.web.mailroom.desk import players
from antipodes.web.mailroom.desk.forms import TokenForm
from antipodes.web.people.models import User
from antipodes.web.people.services import known_user


def _account(request: HttpRequest) -> User | None:
    """Return the account that asks; guests and strangers have none."""
    user = known_user(request)
    return None if user is None or user.is_guest else user


def _to_entrance(request: HttpRequest) -> HttpResponse:
    return redirect("account_login" if known_user(request) is None else "account_signup")


@require_http_methods(["GET", "POST"])
@never_cache
def by_mail(request: HttpRequest) -> HttpResponse:
    """Show how somebody plays by mail; with a choice, switch that on or off."""
    user = _account(request)
    if user is None:
        return _to_entrance(request)
    if request.method == "POST":
        is_on = request.POST.get("on") == "yes"
        players.switch(user, on=is_on)
        said = _("You play by mail now.") if is_on else _("You play by mail no longer.")
        messages.success(request, said)
        return redirect("by-mail")
    address = EmailAddress.objects.filter(user=user).order_by("-verified", "-primary").first()
    context = {
        "is_on": players.plays_by_mail(user),
        "commands_to": addresses.command_address(),
        "address": address,
        "lines": tokens.tokens_of(user),
        "person": user,
        "stays_here": settings.EMAIL_BACKEND.endswith("maildir.MaildirBackend"),
    }
    return render(request, "mailroom/by_mail.html", context)


@require_http_methods(["GET", "POST"])
@never_cache
def new_token(request: HttpRequest) -> HttpResponse:
    """Make a mail token, for whoever has given their password a moment ago; show it once."""
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
        try:
            text = tokens.make_token(user, form.cleaned_data["label"])
        except InputError as error:
            form.add_error(None, [fault.message for fault in error.faults])
        else:
            context = {
                "label": form.cleaned_data["label"],
                "text": text,
                "person": user,
                "commands_to": addresses.command_address(),
            }
            return render(request, "mailroom/token_made.html", context)
    return render(request, "mailroom/new_token.html", {"form": form})


@require_POST
def revoke_token(request: HttpRequest, key: int) -> HttpResponse:
    """End a mail token at once."""
    user = _account(request)
    if user is None:
        return _to_entrance(request)
    if tokens.revoke(user, key):
        messages.info(request, _("The token is revoked; nobody can use it any more."))
    return redirect("by-mail")


@require_POST
def revoke_addresses(request: HttpRequest) -> HttpResponse:
    """Let none of somebody's reply addresses hold any more."""
    user = _account(request)
    if user is None:
        return _to_entrance(request)
    addresses.revoke_all(user)
    messages.info(
        request, _("All reply addresses are revoked. The letters that come now have new ones.")
    )
    return redirect("by-mail")
