"""The site's key pair for push services (VAPID, RFC 8292).

Browsers bind their subscription to it, so all machines of a site share one key. It is part of
database backups.
"""

from __future__ import annotations

import base64
from functools import cache

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured
from py_vapid import Vapid02  # type: ignore[import-untyped]

from antipodes.web.platform.config import env
from antipodes.web.platform.outages import outage_of
from antipodes.web.platform.site_secrets import shared_secret

_KEY_BYTES = 32  # of a private key


def _encode(number: int) -> str:
    return base64.urlsafe_b64encode(number.to_bytes(_KEY_BYTES, "big")).rstrip(b"=").decode()


def _generate() -> str:
    return _encode(ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value)


def _configured_key() -> str:
    found: str = env.str("VAPID_PRIVATE_KEY", default="").strip()
    return found


def is_configured() -> bool:
    """Return whether the environment has a key."""
    return bool(_configured_key())


@cache
def private_key() -> Vapid02:
    """Return the key: ``VAPID_PRIVATE_KEY``, or one generated once and stored in the database.

    Raises:
        ImproperlyConfigured: ``VAPID_PRIVATE_KEY`` is not a valid key.
    """
    key = _read(_configured_key() or shared_secret("vapid-key", _generate))
    # Push services want a contact address; we pass the URL of the site.
    key.conf = {"no-strict": True}
    return key


def public_key() -> str:
    """Return the public key in the format of browsers.

    It is empty if the configured key is invalid, or if a new key cannot be stored because the disk
    is full.
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
    """Return the VAPID claims."""
    return {"sub": settings.SITE_URL}


def _read(text: str) -> Vapid02:
    try:
        return Vapid02.from_string(text)
    except (ValueError, TypeError) as error:
        message = f"VAPID_PRIVATE_KEY is not a private key of the curve P-256: {error}"
        raise ImproperlyConfigured(message) from error


def check_key(**_: object) -> list[CheckMessage]:
    """Report an invalid key in the environment."""
    configured = _configured_key()
    try:
        if configured:
            _read(configured)
    except ImproperlyConfigured as error:
        return [Error(str(error), id="antipodes.E020")]
    return []
