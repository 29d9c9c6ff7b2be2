"""Limits on guessing passwords and codes, which do not lock an account's owner out.

Attempts from unknown devices are counted for the account together with the network, for the
network, and for the account. A known device of the account is spared all of these, until it has
failed too often itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.mfa.base.forms import AuthenticateForm, BaseAuthenticateForm, ReauthenticateForm
from django import forms
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

HERE = rate_limit(
    "sign-ins",
    "5/5 minutes;20/hour;50/day",
    per="account and address",
    what="attempts to sign in on an unknown device",
)
OF_ADDRESS = rate_limit(
    "sign-ins-of-address",
    "60/10 minutes;500/day",
    per="address",
    what="attempts to sign in to all accounts",
)
OF_ACCOUNT = rate_limit(
    "sign-ins-of-account",
    "100/hour;500/day",
    per="account",
    what="attempts to sign in on all unknown devices",
)
ON_DEVICE = rate_limit(
    "wrong-passwords-on-device",
    "30/day",
    per="account and known device",
    what="wrong passwords before a device is unknown",
)


class TooManyGuessesError(TooManyError):
    """Too many attempts to sign in to an account on devices that are not known."""

    def __init__(self, seconds: int) -> None:
        """Tell how long to wait, and what helps at once."""
        message = _(
            "There were too many attempts to sign in. Try again in %(seconds)s seconds, or sign in"
            " on a device that you have used before. A device on which you have set a new password"
            " by mail is one, too."
        )
        super().__init__(seconds, message)


class Attempt:
    """An attempt to sign in, by a password or a code."""

    def __init__(self, request: HttpRequest, user: User | None, *, name: str = "") -> None:
        """Count the attempt.

        Args:
            request: sent by whoever signs in.
            user: the account, if there is one.
            name: what stands for the account where there is none.

        Raises:
            TooManyGuessesError: there were too many attempts on unknown devices.
        """
        self._request = request
        self._account = f"user {user.pk}" if user is not None else f"name {_digest(name)}"
        self._device = device_of(request, user)
        if self._device is None or is_used_up(ON_DEVICE, self._on_device()):
            self._device = None
            self._count_stranger()

    def succeeded(self) -> None:
        """Forget how often this account was tried from this network or device."""
        for who, multiple in self._networks():
            reset(HERE, who, multiple=multiple)
        if self._device is not None:
            reset(ON_DEVICE, self._on_device())

    def failed(self) -> None:
        """Count that the password or code was wrong."""
        if self._device is not None:
            with suppress(TooManyError):
                take(ON_DEVICE, self._on_device())

    def _on_device(self) -> str:
        return f"{self._account} {self._device}"

    def _count_stranger(self) -> None:
        try:
            for who, multiple in self._networks():
                take(HERE, who, multiple=multiple)
            take_for_address(OF_ADDRESS, self._request)
            take(OF_ACCOUNT, self._account)
        except TooManyError as error:
            raise TooManyGuessesError(error.seconds) from None

    def _networks(self) -> list[tuple[str, int]]:
        address = address_of(self._request)
        if address is None or address.is_loopback:
            return []
        return [(f"{self._account} {one}", multiple) for one, multiple in networks(address)]


def account_of(credentials: Mapping[str, Any]) -> tuple[User | None, str]:
    """Return the account that somebody wants to sign in to, and how it was named."""
    email, name = credentials.get("email") or "", credentials.get("username") or ""
    found: User | None = get_user_by_username(name) if name else None
    if found is None and email:
        found = next(iter(filter_users_by_email(email, prefer_verified=True)), None)
    return found, (name or email).strip().casefold()


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:32]


class _CodeForm(BaseAuthenticateForm):  # type: ignore[misc]  # allauth has no types
    """A form for a code of two-factor authentication, whose attempts are counted."""

    def clean_code(self) -> str:
        """Return a right code.

        Raises:
            TooManyGuessesError: there were too many attempts on unknown devices.
            ValidationError: the code is wrong.
        """
        from allauth.core import context

        attempt = Attempt(context.request, self.user)
        try:
            code: str = super().clean_code()
        except forms.ValidationError:
            attempt.failed()
            raise
        attempt.succeeded()
        return code


class CodeForm(_CodeForm, AuthenticateForm):  # type: ignore[misc]  # as above
    """The second step of signing in."""


class CodeAgainForm(_CodeForm, ReauthenticateForm):  # type: ignore[misc]  # as above
    """A code that is asked for again before something important."""
