"""E-mails that are not about a board and that the recipient answers by replying.

The reply address is signed, not stored. The signature covers the number of the confirmation and
the user's generation, so revoking all reply addresses revokes these too.
"""

from __future__ import annotations

import hmac
from typing import Any

from django.conf import settings

from antipodes.clocks import DAY
from antipodes.web.email_play.models import ConfirmationRow, MailPlayRow
from antipodes.web.email_play.reply_addresses import signed_address, signed_part
from antipodes.web.platform.clock import now

LIFETIME = 3 * DAY  # for changes of an account

_PURPOSE = b"antipodes confirmation address"
_NUMBER, _SIGNATURE = 6, 10  # bytes


def create_confirmation(
    kind: ConfirmationRow.Kind, *, lifetime: int = LIFETIME, **fields: Any
) -> ConfirmationRow:
    """Store what a reply to an e-mail will do.

    Args:
        kind: what it does.
        lifetime: milliseconds in which it can be answered.
        fields: further fields of the row.
    """
    at = now()
    return ConfirmationRow.objects.create(kind=kind, made_at=at, expires_at=at + lifetime, **fields)


def confirmation_address(row: ConfirmationRow) -> str:
    """Return the reply address of a confirmation; empty if the site receives no mail."""
    number = row.pk.to_bytes(_NUMBER, "big")
    signature = _signature(settings.SECRET_KEY, number, _generation(row.user_id))
    return signed_address(number + signature)


def confirmation_of(address: str) -> ConfirmationRow | None:
    """Return the confirmation with a reply address; ``None`` if it is forged or revoked.

    The row may have expired or been answered already.
    """
    signed = signed_part(address, _NUMBER + _SIGNATURE)
    if signed is None:
        return None
    number, signature = signed[:_NUMBER], signed[_NUMBER:]
    rows = ConfirmationRow.objects.select_related("user", "challenge", "reply_to")
    found = rows.filter(pk=int.from_bytes(number, "big")).first()
    if found is None or (found.user is not None and not found.user.is_active):
        return None
    generation = _generation(found.user_id)
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if not any(hmac.compare_digest(signature, _signature(key, number, generation)) for key in keys):
        return None
    return found


def mark_answered(row: ConfirmationRow) -> bool:
    """Note that a confirmation is answered; return false if it was before, or has expired."""
    at = now()
    unanswered = ConfirmationRow.objects.filter(pk=row.pk, answered_at=None, expires_at__gt=at)
    return unanswered.update(answered_at=at) == 1


def _generation(user: int | None) -> int:
    if user is None:
        return 0
    return MailPlayRow.objects.filter(user=user).values_list("generation", flat=True).first() or 0


def _signature(key: str, number: bytes, generation: int) -> bytes:
    signed = b"\0".join([_PURPOSE, number, b"%d" % generation])
    return hmac.digest(key.encode(), signed, "sha256")[:_SIGNATURE]


def delete_expired_confirmations() -> None:
    """Delete confirmations a day after they have expired."""
    ConfirmationRow.objects.filter(expires_at__lt=now() - DAY).delete()
