"""Mail tokens: the word that stands for somebody in commands by mail, never their password.

Mail travels through many hands, so a token is worth little: it plays games, and can be revoked on
the account's page. Only its hash is kept.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.records.texts import clean_line
from antipodes.web.mailroom.models import MailTokenRow
from antipodes.web.matches.services import now
from antipodes.web.people.models import User

PREFIX = "mt-"  # so that people, and programs that look for secrets, know one when they see it
PATTERN = re.compile(r"mt-[a-z2-7]{24}", re.IGNORECASE)
MOST = 20  # tokens of one account
LONGEST_LABEL = 60  # characters

_BYTES = 15  # of chance; 24 letters and digits
_SHOWN = 4  # characters at the end by which a token is told from others
_HOUR = 3_600_000  # milliseconds


def make_token(user: User, label: str) -> str:
    """Make a token and return it; it is never shown again.

    Args:
        user: for whom it will stand.
        label: what its owner calls it.

    Raises:
        InputError: a guest asks, the label is empty or too long, or there are too many tokens.
    """
    if user.is_guest or user.is_computer:
        raise InputError.single("mail/no-account", _("Tokens need an account: sign up first."))
    shown = clean_line(label)
    if not 0 < len(shown) <= LONGEST_LABEL:
        message = _("A name has 1 to %(most)s characters; %(name)s has %(count)s.")
        told = {"most": LONGEST_LABEL, "name": shorten(shown), "count": len(shown)}
        raise InputError([Fault("mail/token-label", message % told, "label")])
    if MailTokenRow.objects.filter(user=user).count() >= MOST:
        message = _("You have %(count)s tokens; revoke one that you no longer need.")
        raise InputError.single("mail/too-many-tokens", message % {"count": MOST})
    text = PREFIX + base64.b32encode(secrets.token_bytes(_BYTES)).decode().lower()
    MailTokenRow.objects.create(
        user=user, label=shown, digest=_digest(text), ending=text[-_SHOWN:], made_at=now()
    )
    return text


def user_of(token: str) -> User | None:
    """Return for whom a token stands, or ``None``; that it was used is noted once an hour."""
    if not PATTERN.fullmatch(token):
        return None
    row = MailTokenRow.objects.select_related("user").filter(digest=_digest(token)).first()
    if row is None or not row.user.is_active:
        return None
    at = now()
    hour = at - at % _HOUR
    if row.used_at != hour:
        MailTokenRow.objects.filter(pk=row.pk).update(used_at=hour)
    return row.user


def tokens_of(user: User) -> QuerySet[MailTokenRow]:
    """Return somebody's tokens, the newest first."""
    return MailTokenRow.objects.filter(user=user)


def revoke(user: User, key: int) -> bool:
    """End one of somebody's tokens at once; return whether there was one."""
    count, _rows = MailTokenRow.objects.filter(user=user, pk=key).delete()
    return count > 0


def _digest(token: str) -> str:
    return hashlib.sha256(token.lower().encode()).hexdigest()
