"""The second step when signing in: how its secrets are kept."""

from __future__ import annotations

import base64
import hashlib

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

_PURPOSE = b"antipodes second step"


def _box(key: str) -> Fernet:
    derived = hashlib.blake2b(_PURPOSE, key=key.encode()[:64], digest_size=32).digest()
    return Fernet(base64.urlsafe_b64encode(derived))


class SecondStepAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """Keeps secrets so that who steals the database alone cannot use them."""

    def encrypt(self, text: str) -> str:
        """Lock a secret with the site's key."""
        return _box(settings.SECRET_KEY).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Unlock a secret; keys that were in use before (``SECRET_KEY_FALLBACKS``) do too.

        Raises:
            InvalidToken: no key fits.
        """
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
            try:
                return _box(key).decrypt(encrypted_text.encode()).decode()
            except InvalidToken:
                continue
        raise InvalidToken
