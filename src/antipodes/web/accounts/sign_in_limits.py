"""Limits on guessing passwords and codes, which do not lock an account's owner out.

Attempts from unknown devices are counted by account and network, by network, and by account. A
known device of the account is exempt, until it has failed too often itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings as mfa_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django import forms
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _

from antipodes.web.accounts.known_devices import device_of
from antipodes.web.accounts.models import User
from antipodes.web.platform.client_addresses import address_of, networks
from antipodes.web.platform.limits import (
    TooManyError,
    is_used_up,
    rate_limit,
    reset,
    take,
    take_for_address,
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
        """Set the message, with the seconds to wait."""
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
