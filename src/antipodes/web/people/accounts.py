"""How accounts and guests go together: what allauth asks us."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from antipodes.web.addresses import address_of
from antipodes.web.people.models import User
from antipodes.web.people.services import adopt, known_user

# Pages that make sense without an account, and those that make sense with one only.
_ENTRANCES = {"account_login", "account_signup"}
_INSIDE = {
    "account_email",
    "account_change_password",
    "account_set_password",
    "account_reauthenticate",
    "account_logout",
    "mfa_index",
    "mfa_activate_totp",
    "usersessions_list",
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Turns guests into accounts: by signing up the same row, by signing in what they have."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address as everything else on the site knows it.

        Raises:
            PermissionDenied: the server before the site does not tell it.
        """
        address = address_of(request)
        if address is None:
            raise PermissionDenied("the client's address is unknown")
        return str(address)

    def new_user(self, request: HttpRequest) -> User:
        """Return whom a sign-up makes an account of: the guest who asks, or somebody new."""
        guest = known_user(request)
        return guest if guest is not None and guest.is_guest else User()

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Save an account; whoever was a guest is one no longer."""
        user.is_guest = False
        saved: User = super().save_user(request, user, form, commit)
        return saved

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign somebody in, who is fully known by now, and take along what they had as a guest."""
        before = known_user(request)
        super().login(request, user)
        if before is not None and before.is_guest and before.pk != user.pk:
            adopt(before, user)


class Doors:
    """Leads guests from the pages of accounts to signing up, and accounts past the entrance."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep what comes next."""
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer as usual."""
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        """Lead elsewhere, where somebody stands at the wrong door."""
        name = request.resolver_match.url_name if request.resolver_match else None
        user = known_user(request)
        if user is None:
            return None
        if user.is_guest and name in _INSIDE:
            return redirect("account_signup")
        if not user.is_guest and name in _ENTRANCES:
            return redirect("account")
        return None


def about_host(request: HttpRequest) -> dict[str, object]:  # noqa: ARG001
    """Tell templates what the host has set up."""
    return {
        "mail_is_sent": settings.MAIL_IS_SENT,
        "mail_stays_here": settings.MAIL_FOLDER is not None,
        "source_address": settings.SOURCE_URL,
    }
