"""Adapter and middleware for django-allauth: guests, limits, mail, redirects."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.account.models import EmailAddress
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings as mfa_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from antipodes.mail.layout.text import broken
from antipodes.web.accounts.known_devices import device_of, set_cookie
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user, transfer_guest, visitor_signed_in
from antipodes.web.accounts.usernames import name_taken
from antipodes.web.platform.client_addresses import address_of, networks
from antipodes.web.platform.limits import (
    RateLimit,
    TooManyError,
    is_used_up,
    rate_limit,
    reset,
    take,
    take_for_address,
    too_many_response,
)

PER_ACCOUNT_AND_NETWORK = rate_limit(
    "sign-ins",
    "5/5 minutes;20/hour;50/day",
    per="account and address",
    what="attempts to sign in on an unknown device",
)
PER_NETWORK = rate_limit(
    "sign-ins-of-address",
    "60/10 minutes;500/day",
    per="address",
    what="attempts to sign in to all accounts",
)
PER_ACCOUNT = rate_limit(
    "sign-ins-of-account",
    "100/hour;500/day",
    per="account",
    what="attempts to sign in on all unknown devices",
)
PER_DEVICE = rate_limit(
    "wrong-passwords-on-device",
    "30/day",
    per="account and known device",
    what="wrong passwords until a device counts as unknown",
)


class TooManyGuessesError(TooManyError):
    """Too many attempts to sign in to an account on unknown devices."""

    def __init__(self, seconds: int) -> None:
        message = _(
            "There were too many attempts to sign in. Try again in %(seconds)s seconds, or sign in"
            " on a device that you have used before. You can also reset your password by mail on"
            " this device."
        )
        super().__init__(seconds, message)


class Attempt:
    """An attempt to sign in, with a password or a code."""

    def __init__(self, request: HttpRequest, user: User | None, *, name: str = "") -> None:
        """Count the attempt.

        Args:
            request: the request to sign in.
            user: the account, if there is one.
            name: the given name, which is counted if there is no account.

        Raises:
            TooManyGuessesError: there were too many attempts on unknown devices.
        """
        self._request = request
        self._account = f"user {user.pk}" if user is not None else f"name {_digest(name)}"
        self._device = device_of(request, user)
        if self._device is None or is_used_up(PER_DEVICE, self._device_key()):
            self._device = None
            self._count_unknown_device()

    def succeeded(self) -> None:
        """Reset the counts of this account for this network and device."""
        for key, multiple in self._network_keys():
            reset(PER_ACCOUNT_AND_NETWORK, key, multiple=multiple)
        if self._device is not None:
            reset(PER_DEVICE, self._device_key())

    def failed(self) -> None:
        """Count a wrong password or code on a known device."""
        if self._device is not None:
            with suppress(TooManyError):
                take(PER_DEVICE, self._device_key())

    def _device_key(self) -> str:
        return f"{self._account} {self._device}"

    def _count_unknown_device(self) -> None:
        try:
            for key, multiple in self._network_keys():
                take(PER_ACCOUNT_AND_NETWORK, key, multiple=multiple)
            take_for_address(PER_NETWORK, self._request)
            take(PER_ACCOUNT, self._account)
        except TooManyError as error:
            raise TooManyGuessesError(error.seconds) from None

    def _network_keys(self) -> list[tuple[str, int]]:
        """Return the keys of account and network, with the multiples of their limits."""
        address = address_of(self._request)
        if address is None or address.is_loopback:
            return []
        return [(f"{self._account} {one}", multiple) for one, multiple in networks(address)]


def find_account(credentials: Mapping[str, Any]) -> tuple[User | None, str]:
    """Return the account of a sign-in form, if it exists, and the given name or address."""
    email, name = credentials.get("email") or "", credentials.get("username") or ""
    found: User | None = get_user_by_username(name) if name else None
    if found is None and email:
        found = next(iter(filter_users_by_email(email, prefer_verified=True)), None)
    return found, (name or email).strip().casefold()


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:32]


class _CodeForm(BaseAuthenticateForm):  # type: ignore[misc]  # allauth has no types
    """A form for a code of two-factor authentication, whose attempts are counted.

    An app's code is accepted once, in its own period or in the one before or after it (RFC 6238,
    section 5.2). allauth itself remembers a used code for one period only.
    """

    def clean_code(self) -> str:
        """Return the correct code.

        Raises:
            TooManyGuessesError: there were too many attempts on unknown devices.
            ValidationError: the code is wrong or was used.
        """
        from allauth.core import context

        attempt = Attempt(context.request, self.user)
        try:
            code: str = super().clean_code()
            self._mark_used(code)
        except forms.ValidationError:
            attempt.failed()
            raise
        attempt.succeeded()
        return code

    def _mark_used(self, code: str) -> None:
        """Remember a code as long as it would be accepted, or refuse it if it was used."""
        key = f"two-factor-code-{self.user.pk}-{normalize_user_code(code)}"
        seconds = (1 + 2 * mfa_settings.TOTP_TOLERANCE) * mfa_settings.TOTP_PERIOD
        if not cache.add(key, True, seconds):
            raise get_adapter().validation_error("incorrect_code")


class CodeForm(_CodeForm, AuthenticateForm):  # type: ignore[misc]  # as above
    """The code of two-factor authentication when signing in."""


class ReauthenticationCodeForm(_CodeForm, ReauthenticateForm):  # type: ignore[misc]  # as above
    """The code when reauthenticating."""


logger = logging.getLogger(__name__)

_SIGNUPS = rate_limit("signups", "20/hour;50/day", per="address", what="new accounts")
_ACCOUNT_MAILS = rate_limit(
    "account-mails",
    "3/hour;10/day",
    per="mail address and kind",
    what="account mails that anyone can request",
)
# Limits on forms of allauth, by the name of the page.
_BY_ADDRESS = {
    "account_signup": rate_limit(
        "signup-forms", "20/minute;200/hour", per="address", what="sign-up forms sent"
    ),
    "account_reset_password": rate_limit(
        "password-resets", "10/minute;60/hour", per="address", what="password resets requested"
    ),
    "account_reset_password_from_key": rate_limit(
        "password-reset-links", "20/minute", per="address", what="passwords set by a link"
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
# Mails that anyone can have sent to any address; others go to a user who has changed something.
_REQUESTED_MAILS = frozenset(
    f"account/email/{name}"
    for name in (
        "account_already_exists",
        "email_confirmation",
        "email_confirmation_signup",
        "password_reset_key",
        "unknown_account",
    )
)

_WITHOUT_ACCOUNT = {"account_login", "account_signup"}
_ACCOUNT_ONLY = {
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
    """allauth's adapter: a guest who signs up or signs in keeps their games."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address.

        Raises:
            PermissionDenied: the reverse proxy does not forward it.
        """
        address = address_of(request)
        if address is None:
            raise PermissionDenied("the client's address is unknown")
        return str(address)

    def new_user(self, request: HttpRequest) -> User:
        """Return the user to sign up: the guest, or a new one."""
        guest = current_user(request)
        return guest if guest is not None and guest.is_guest else User()

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return a valid name.

        Raises:
            ValidationError: it is not allowed, or looks like that of another account.
        """
        name: str = super().clean_username(username, shallow=True)
        if not shallow and User.objects.alike(name).exists():
            raise name_taken(name)
        return name

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        """Save an account, which may have been a guest.

        Raises:
            TooManyError: there were too many new accounts from this network.
            ImmediateHttpResponse: another request has just taken the name.
        """
        take_for_address(_SIGNUPS, request)
        user.is_guest = False
        try:
            with transaction.atomic():
                saved: User = super().save_user(request, user, form, commit)
        except IntegrityError:
            # Another request has taken the name since the form was checked.
            messages.error(request, name_taken(user.username).messages[0])
            raise ImmediateHttpResponse(redirect("account_signup")) from None
        return saved

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt to sign in.

        Raises:
            TooManyGuessesError: there were too many.
        """
        user, name = find_account(credentials)
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
        """Send a confirmation mail, or tell the owner of the address that they have an account.

        The page is the same, so that it does not show whether an address has an account.
        """
        address = emailconfirmation.email_address
        others = EmailAddress.objects.filter(email__iexact=address.email, verified=True)
        if others.exclude(pk=address.pk).exists():
            self.send_account_already_exists_mail(address.email)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def render_mail(self, *arguments: Any, **more: Any) -> Any:
        """Return a mail whose lines fit, in every language."""
        mail = super().render_mail(*arguments, **more)
        mail.body = broken(mail.body)
        return mail

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail whose links have the site's configured host, not that of the request.

        Requested mails are limited for each address. The page does not show that the limit is
        reached, since the links that were sent are still valid.
        """
        if template_prefix in _REQUESTED_MAILS:
            kind = template_prefix.rpartition("/")[2]
            try:
                take(_ACCOUNT_MAILS, f"{kind} {email.lower()} {_known_device(email) or ''}")
            except TooManyError:
                logger.info("account mail not sent: rate limit exceeded kind=%s", kind)
                return
        links = {key: _on_site(value) for key, value in context.items() if key.endswith("_url")}
        site = urlsplit(settings.SITE_URL)
        names = {"current_site": SimpleNamespace(domain=site.netloc, name=site.netloc)}
        super().send_mail(template_prefix, email, {**context, **names, **links})

    def login(self, request: HttpRequest, user: User) -> None:
        """Sign a user in and transfer the games of the guest that they were."""
        before = current_user(request)
        session = dict(request.session.items())
        super().login(request, user)
        if before is not None and before.is_guest and before.pk != user.pk:
            transfer_guest(before, user)
        visitor_signed_in.send(sender=User, account=user, session=session)


def _known_device(email: str) -> str | None:
    """Return the identifier of this browser if it is a known device of the address's owner."""
    request = allauth_context.request
    row = EmailAddress.objects.filter(email__iexact=email, verified=True).first()
    return None if row is None or request is None else device_of(request, row.user)


def _on_site(url: str) -> str:
    """Return a URL with the site's configured host."""
    return settings.SITE_URL.rstrip("/") + urlsplit(url)._replace(scheme="", netloc="").geturl()


class AccountMiddleware:
    """Redirects from account pages, rate limits on their forms, and the known-device cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response with the cookie of a known device."""
        response = self._get_response(request)
        set_cookie(request, response)
        return response

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        """Check the rate limits; redirect guests to the sign-up page, and accounts past it."""
        name = request.resolver_match.url_name if request.resolver_match else None
        user = current_user(request)
        if request.method == "POST":
            too_many = _check_limits(request, user, name or "")
            if too_many is not None:
                return too_many
        if user is None:
            return None
        if user.is_guest and name in _ACCOUNT_ONLY:
            return redirect("account_signup")
        if not user.is_guest and name in _WITHOUT_ACCOUNT:
            return redirect("account")
        return None


def _check_limits(request: HttpRequest, user: User | None, name: str) -> HttpResponse | None:
    """Count a form sent to a page; return a response if there were too many."""
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
    """Context processor: settings of the host."""
    return {
        "mail_is_sent": settings.MAIL_IS_SENT,
        "mail_stays_here": settings.MAIL_FOLDER is not None,
        "source_address": settings.SOURCE_URL,
        "docs_are_built": settings.DOCS_FOLDER is not None,
    }
