"""Known devices: browsers in which an account has signed in before, by a signed cookie.

They are exempt from limits on wrong passwords, so that an attacker elsewhere cannot lock the
account's owner out. The cookie does not sign a user in.
"""

from __future__ import annotations

import secrets
from typing import Any

from django.core import signing
from django.http import HttpRequest, HttpResponse

from antipodes.web.accounts.models import User
from antipodes.web.platform.cookies import set_preference

COOKIE = "device"
_SALT = "antipodes known device"
_MAX_AGE = 365 * 24 * 3_600  # seconds; as long as browsers keep it
_MAX_ACCOUNTS = 10  # of one browser
_NEW = "_antipodes_known_to"  # attribute of a request: the account of a new known device


def device_of(request: HttpRequest, user: User | None) -> str | None:
    """Return the browser's identifier if it is a known device of an account, else ``None``."""
    identifier, accounts = _read(request)
    return identifier if user is not None and user.pk in accounts else None


def note_device(request: HttpRequest, user: User) -> None:
    """Make the browser a known device of an account, once the response is sent."""
    if not user.is_guest:
        setattr(request, _NEW, user.pk)


def set_cookie(request: HttpRequest, response: HttpResponse) -> None:
    """Set the cookie of a browser that has become a known device."""
    key = getattr(request, _NEW, None)
    if key is None:
        return
    identifier, accounts = _read(request)
    kept = [key, *(one for one in accounts if one != key)][:_MAX_ACCOUNTS]
    signed = signing.dumps([identifier or secrets.token_urlsafe(12), kept], salt=_SALT)
    set_preference(response, COOKIE, signed)


def _read(request: HttpRequest) -> tuple[str, list[int]]:
    try:
        identifier, accounts = signing.loads(
            request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=_MAX_AGE
        )
    except (signing.BadSignature, ValueError, TypeError):
        return "", []
    return str(identifier), list(accounts)


def note_sign_in(request: HttpRequest, user: Any, **_: Any) -> None:
    """Make a browser known in which a user signed in or reset the password by mail."""
    if isinstance(user, User):
        note_device(request, user)
