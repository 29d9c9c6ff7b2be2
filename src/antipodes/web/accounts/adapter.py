"""Accounts: what allauth leaves to the site, and limits on its pages."""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from antipodes.web.accounts.known_devices import device_of, set_cookie
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import known_user, transfer_guest
from antipodes.web.accounts.sign_in_limits import Attempt, account_of
from antipodes.web.accounts.usernames import taken
from antipodes.web.platform.client_addresses import address_of
from antipodes.web.platform.limits import (
    RateLimit,
    TooManyError,
    rate_limit,
    take,
    take_for_address,
    too_many_response,
)

logger = logging.getLogger(__name__)

_SIGNUPS = rate_limit("signups", "20/hour;50/day", per="address", what="new accounts")
_ACCOUNT_MAILS = rate_limit(
    "account-mails",
    "3/hour;10/day",
    per="mail address and kind",
    what="mails about an account that anybody can ask for",
)
# Requests to pages of allauth that change something or send mail.
_BY_ADDRESS = {
    "account_signup": rate_limit(
        "signup-forms", "20/minute;200/hour", per="address", what="sign-up forms sent"
    ),
    "account_reset_password": rate_limit(
        "password-resets", "10/minute;60/hour", per="address", what="new passwords asked for"
    ),
    "account_reset_password_from_key": rate_limit(
        "password-reset-links", "20/minute", per="address", what="new passwords set by a link"
    ),
}
_CHANGES = rate_limit(
    "account-changes", "10/minute;100/day", per="user", what="changes of password or mail address"
)
_BY_USER = {
    "account_email": _CHANGES,
    "account_change_password": _CHANGES,
    "account_set_password": _CHANGES,
}
# What anybody can have sent to any address; other mails go to a user who has changed something.
_ASKED_FOR = frozenset(
    f"account/email/{name}"
    for name in (
        "account_already_exists",
        "email_confirmation",
        "email_confirmation_signup",
        "password_reset_key",
        "unknown_account",
    )
)

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

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return a name that an account may have.

        Raises:
            ValidationError: nobody may have it, or it looks like that of another account.
        """
        name: str = super().clean_username(username, shallow=True)
        if not shallow and User.objects.alike(name).exists():
            raise taken(name)
        return name

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Save an account; whoever was a guest is one no longer.

        Raises:
            TooManyError: there were too many new accounts from this network.
            ImmediateHttpResponse: somebody has just taken the name.
        """
        take_for_address(_SIGNUPS, request)
        user.is_guest = False
        try:
            with transaction.atomic():
                saved: User = super().save_user(request, user, form, commit)
        except IntegrityError:
            # Another request has taken the name since the form was checked.
            messages.error(request, taken(user.username).messages[0])
            raise ImmediateHttpResponse(redirect("account_signup")) from None
        return saved

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt to sign in.

        Raises:
            TooManyGuessesError: there were too many.
        """
        user, name = account_of(credentials)
        self._attempt = Attempt(request, user, name=name)

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a wrong password."""
        super().authentication_failed(request, **credentials)
        self._attempt.failed()

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return the account with this name and password, if there is one."""
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            self._attempt.succeeded()
        return user

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: Any, signup: bool
    ) -> None:
        """Ask the owner of a mail address whether it is that of the account.

        An owner who has another account with it is told so instead. Whoever gave the address here
        cannot see a difference.
        """
        address = emailconfirmation.email_address
        others = EmailAddress.objects.filter(email__iexact=address.email, verified=True)
        if others.exclude(pk=address.pk).exists():
            self.send_account_already_exists_mail(address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail, with links to the site by its own address whichever the request named.

        What anybody can ask for goes to an address a few times only. Nobody is told when no more
        is sent: those that have come are still good.
        """
        if template_prefix in _ASKED_FOR:
            kind = template_prefix.rpartition("/")[2]
            try:
                take(_ACCOUNT_MAILS, f"{kind} {email.lower()} {_asked_on(email) or ''}")
            except TooManyError:
                logger.info("account mail not sent: too many kind=%s", kind)
                return
        links = {key: _on_site(value) for key, value in context.items() if key.endswith("_url")}
        site = urlsplit(settings.SITE_URL)
        names = {"current_site": SimpleNamespace(domain=site.netloc, name=site.netloc)}
        super().send_mail(template_prefix, email, {**context, **names, **links})

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign somebody in, who is fully known by now, and take along what they had as a guest."""
        before = known_user(request)
        super().login(request, user)
        if before is not None and before.is_guest and before.pk != user.pk:
            transfer_guest(before, user)


def _asked_on(email: str) -> str | None:
    """Return the known device on which the owner of an address asks for a mail, if it is one."""
    request = allauth_context.request
    row = EmailAddress.objects.filter(email__iexact=email, verified=True).first()
    return None if row is None or request is None else device_of(request, row.user)


def _on_site(url: str) -> str:
    """Return the address of a page of the site, by the site's own name."""
    return settings.SITE_URL.rstrip("/") + urlsplit(url)._replace(scheme="", netloc="").geturl()


class AccountMiddleware:
    """Redirects guests to signing up and accounts past it, and counts what limits are on.

    It also sets the cookie of known devices.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep what comes next."""
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer as usual."""
        response = self._get_response(request)
        set_cookie(request, response)
        return response

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        """Redirect, where a page is not for the user."""
        name = request.resolver_match.url_name if request.resolver_match else None
        user = known_user(request)
        if request.method == "POST":
            refusal = _count(request, user, name or "")
            if refusal is not None:
                return refusal
        if user is None:
            return None
        if user.is_guest and name in _INSIDE:
            return redirect("account_signup")
        if not user.is_guest and name in _ENTRANCES:
            return redirect("account")
        return None


def _count(request: HttpRequest, user: User | None, name: str) -> HttpResponse | None:
    """Count a form that was sent to a page; return the answer if there were too many."""
    try:
        by_address: RateLimit | None = _BY_ADDRESS.get(name)
        if by_address is not None:
            take_for_address(by_address, request)
        by_user = _BY_USER.get(name)
        if by_user is not None and user is not None:
            take(by_user, str(user.pk))
    except TooManyError as error:
        return too_many_response(request, error)
    return None


def host_settings(request: HttpRequest) -> dict[str, object]:  # noqa: ARG001
    """Tell templates what the host has set up."""
    return {
        "mail_is_sent": settings.MAIL_IS_SENT,
        "mail_stays_here": settings.MAIL_FOLDER is not None,
        "source_address": settings.SOURCE_URL,
        "docs_are_built": settings.DOCS_FOLDER is not None,
    }
