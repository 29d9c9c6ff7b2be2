"""Signed tokens in e-mails that unsubscribe their recipient without signing in."""

from __future__ import annotations

from django.core import signing

from antipodes.web.accounts.models import User

_SALT = "antipodes.notices.stop"


def token_for(user: User) -> str:
    """Return a user's unsubscribe token, which does not expire."""
    return signing.Signer(salt=_SALT).sign(str(user.pk))


def user_of(token: str) -> User | None:
    """Return the user of a token; ``None`` if the account was deleted.

    Raises:
        BadSignature: the token was not signed by this site.
    """
    key = signing.Signer(salt=_SALT).unsign(token)
    return User.objects.filter(pk=int(key)).first()
