"""Signed tokens in e-mails that unsubscribe their recipient without signing in."""

from __future__ import annotations

from django.core import signing

from antipodes.web.accounts.models import User
from antipodes.web.notifications.kinds import Kind

_SALT = "antipodes.notices.stop"


def token_for(user: User, kind: Kind | None = None) -> str:
    """Return a user's unsubscribe token, which does not expire.

    Args:
        user: the recipient of the e-mail.
        kind: the kind of mail that the token stops; ``None`` for all mail.
    """
    signed = str(user.pk) if kind is None else f"{user.pk} {kind.value}"
    return signing.Signer(salt=_SALT).sign(signed.replace(" ", "."))


def read_token(token: str) -> tuple[User | None, Kind | None]:
    """Return the user and the kind of a token; no user if the account was deleted.

    Raises:
        BadSignature: the token was not signed by this site.
        ValueError: it is for a kind of mail that no longer exists.
    """
    key, _, kind = signing.Signer(salt=_SALT).unsign(token).partition(".")
    return User.objects.filter(pk=int(key)).first(), Kind(kind) if kind else None
