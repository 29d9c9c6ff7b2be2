"""Tokens in mail: whoever has one may stop that mail, without signing in."""

from __future__ import annotations

from django.core import signing

from antipodes.web.accounts.models import User

_SALT = "antipodes.notices.stop"


def token_for(user: User) -> str:
    """Return the token that stops mail to somebody; it never grows old."""
    return signing.Signer(salt=_SALT).sign(str(user.pk))


def user_of(token: str) -> User | None:
    """Return whose mail a token stops; ``None`` if it is not ours or they are gone.

    Raises:
        BadSignature: the token was not made here.
    """
    key = signing.Signer(salt=_SALT).unsign(token)
    return User.objects.filter(pk=int(key)).first()
