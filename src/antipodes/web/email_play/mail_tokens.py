"""Mail tokens: the word that stands for somebody in commands by mail, never their password.

Mail travels through many hands, so a token is worth little: it plays games, and can be revoked on
the account's page.
"""

from __future__ import annotations

import base64
import re
import secrets

from django.db.models import QuerySet

from antipodes.web.accounts.models import User
from antipodes.web.accounts.tokens import TokenKind
from antipodes.web.email_play.models import MailTokenRow

MOST = 20  # tokens of one account
_BYTES = 15  # of chance; 24 letters and digits


def _chance() -> str:
    return base64.b32encode(secrets.token_bytes(_BYTES)).decode().lower()


KIND = TokenKind(rows=MailTokenRow, prefix="mt-", chance=_chance, most=MOST)
PATTERN = re.compile(rf"{KIND.prefix}[a-z2-7]{{24}}", re.IGNORECASE)


def make_token(user: User, name: str) -> str:
    """Make a token and return it; it is never shown again.

    Args:
        user: for whom it will stand.
        name: what its owner calls it.

    Raises:
        InputError: a guest asks, the name is empty or too long, or there are too many tokens.
    """
    return KIND.make(user, name)[1]


def user_of(token: str) -> User | None:
    """Return for whom a token stands, or ``None``; that it was used is noted once an hour."""
    if not PATTERN.fullmatch(token):
        return None
    row = KIND.find(token.lower())  # phones write the first letter large
    if row is None:
        return None
    KIND.note_use(row)
    return row.user


def tokens_of(user: User) -> QuerySet[MailTokenRow]:
    """Return somebody's tokens, the newest first."""
    return KIND.of(user)


def revoke(user: User, key: int) -> bool:
    """End one of somebody's tokens at once; return whether there was one."""
    return KIND.revoke(user, key)
