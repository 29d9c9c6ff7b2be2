"""Mail tokens authenticate users in commands by e-mail, in place of their passwords.

E-mail is not confidential, so a token is limited: it allows playing but no changes of the account,
and its owner can revoke it.
"""

from __future__ import annotations

import base64
import re
import secrets

from django.db.models import QuerySet

from antipodes.web.accounts.models import User
from antipodes.web.accounts.tokens import TokenKind
from antipodes.web.email_play.models import MailTokenRow

MAX_TOKENS = 20  # of one account
_BYTES = 15  # random; 24 letters and digits


def _random_text() -> str:
    return base64.b32encode(secrets.token_bytes(_BYTES)).decode().lower()


KIND = TokenKind(model=MailTokenRow, prefix="mt-", generate=_random_text, limit=MAX_TOKENS)
PATTERN = re.compile(rf"{KIND.prefix}[a-z2-7]{{24}}", re.IGNORECASE)


def make_token(user: User, name: str) -> str:
    """Create a token and return its text, which is not stored.

    Args:
        user: the owner.
        name: the owner's name for it.

    Raises:
        InputError: the user is a guest or has too many tokens, or the name is empty or too long.
    """
    return KIND.make(user, name)[1]


def user_of(token: str) -> User | None:
    """Return the owner of a token, or ``None``; store the hour of its use."""
    if not PATTERN.fullmatch(token):
        return None
    row = KIND.find(token.lower())  # phones capitalise the first letter
    if row is None:
        return None
    KIND.note_use(row)
    return row.user


def tokens_of(user: User) -> QuerySet[MailTokenRow]:
    """Return a user's tokens, the newest first."""
    return KIND.of(user)


def revoke(user: User, key: int) -> bool:
    """Revoke one of a user's tokens; return whether it existed."""
    return KIND.revoke(user, key)
