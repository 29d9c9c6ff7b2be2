"""The key by which services for pushes know this site (VAPID, RFC 8292).

A browser's subscription is bound to it, so all machines of a site share one, and copies of the
database have it.
"""

from __future__ import annotations

import base64
from functools import cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured
from py_vapid import Vapid02  # type: ignore[import-untyped]

from antipodes.web.platform.config import env
from antipodes.web.platform.outages import outage_of
from antipodes.web.platform.site_secrets import shared_secret

_WIDTH = 32  # bytes of a private key


def _written(number: int) -> str:
    return base64.urlsafe_b64encode(number.to_bytes(_WIDTH, "big")).rstrip(b"=").decode()


def _made() -> str:
    return _written(ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value)


def _given() -> str:
    found: str = env.str("VAPID_PRIVATE_KEY", default="").strip()
    return found


def is_given() -> bool:
    """Return whether the environment has the key."""
    return bool(_given())


@cache
def private_key() -> Vapid02:
    """Return the key: ``VAPID_PRIVATE_KEY``, or one made once and kept in the database.

    Raises:
        ImproperlyConfigured: what is given is no key.
    """
    key = _read(_given() or shared_secret("vapid-key", _made))
    # Services want an address of whoever runs a site; ours is the site itself.
    key.conf = {"no-strict": True}
    return key


def public_key() -> str:
    """Return the public key as browsers want it.

    It is empty where the host has given a wrong one, and where a new one cannot be stored because
    the disk is full.
    """
    try:
        key = private_key().public_key
    except ImproperlyConfigured:
        return ""
    except Exception as error:
        outage = outage_of(error)
        if outage is None or not outage.is_of_disk:
            raise
        return ""
    point = key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def claims() -> dict[str, str | int]:
    """Return who says that they push."""
    return {"sub": settings.SITE_URL}


def _read(text: str) -> Vapid02:
    try:
        return Vapid02.from_string(text)
    except (ValueError, TypeError) as error:
        message = f"VAPID_PRIVATE_KEY is no private key of the curve P-256: {error}"
        raise ImproperlyConfigured(message) from error


@register()
def check_key(**_: object) -> list[CheckMessage]:
    """Tell the host when the key in the environment is none."""
    given = _given()
    try:
        if given:
            _read(given)
    except ImproperlyConfigured as error:
        return [Error(str(error), id="antipodes.E020")]
    return []
