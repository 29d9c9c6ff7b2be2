"""Two-factor authentication: encryption of its secrets."""

from __future__ import annotations

import base64
import hashlib

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

_PURPOSE = b"antipodes second step"


def _fernet(key: str) -> Fernet:
    derived = hashlib.blake2b(_PURPOSE, key=key.encode()[:64], digest_size=32).digest()
    return Fernet(base64.urlsafe_b64encode(derived))


class TwoFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """Encrypts secrets with a key that is not in the database."""

    def encrypt(self, text: str) -> str:
        """Encrypt a secret with ``SECRET_KEY``."""
        return _fernet(settings.SECRET_KEY).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a secret with ``SECRET_KEY`` or one of ``SECRET_KEY_FALLBACKS``.

        Raises:
            InvalidToken: it was encrypted with another key.
        """
        for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
            try:
                return _fernet(key).decrypt(encrypted_text.encode()).decode()
            except InvalidToken:
                continue
        raise InvalidToken
