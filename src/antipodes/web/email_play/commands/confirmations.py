"""Slips: letters of ours that are not about a board, and are answered by a reply.

The reply address of a slip is signed, not stored: what is signed are its number and the generation
of the user, so that revoking all reply addresses revokes these too.
"""

from __future__ import annotations

import hmac
from typing import Any

from django.conf import settings

from antipodes.web.email_play.models import ConfirmationRow, MailPlayRow
from antipodes.web.email_play.reply_addresses import signed_address, signed_part
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every

DAY = 86_400_000  # milliseconds
KEPT = 3 * DAY  # in which something has to be confirmed

_PURPOSE = b"antipodes slip address"
_NUMBER, _MARK = 6, 10  # bytes of the number, and of the signature


def make_slip(kind: ConfirmationRow.Kind, *, lasts: int = KEPT, **about: Any) -> ConfirmationRow:
    """Keep what a reply to a letter will do.

    Args:
        kind: what it does.
        lasts: milliseconds in which it can be answered.
        about: what the row has besides.
    """
    at = now()
    return ConfirmationRow.objects.create(kind=kind, made_at=at, expires_at=at + lasts, **about)


def slip_address(slip: ConfirmationRow) -> str:
    """Return the address by which a slip is answered; empty if the site receives no mail."""
    number = slip.pk.to_bytes(_NUMBER, "big")
    return signed_address(
        number + _signature(settings.SECRET_KEY, number, _generation(slip.user_id))
    )


def confirmation_of(address: str) -> ConfirmationRow | None:
    """Return the slip that an address answers; ``None`` if it is none of ours, or revoked.

    Whether it has run out or was answered is for whoever carries it out to ask.
    """
    signed = signed_part(address, _NUMBER + _MARK)
    if signed is None:
        return None
    number, mark = signed[:_NUMBER], signed[_NUMBER:]
    rows = ConfirmationRow.objects.select_related("user", "challenge", "reply_to")
    slip = rows.filter(pk=int.from_bytes(number, "big")).first()
    if slip is None or (slip.user is not None and not slip.user.is_active):
        return None
    generation = _generation(slip.user_id)
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if not any(hmac.compare_digest(mark, _signature(key, number, generation)) for key in keys):
        return None
    return slip


def take(slip: ConfirmationRow) -> bool:
    """Note that a slip is answered; return whether it could still be, and nobody was faster."""
    at = now()
    open_one = ConfirmationRow.objects.filter(pk=slip.pk, answered_at=None, expires_at__gt=at)
    return open_one.update(answered_at=at) == 1


def _generation(user: int | None) -> int:
    if user is None:
        return 0
    return MailPlayRow.objects.filter(user=user).values_list("generation", flat=True).first() or 0


def _signature(key: str, number: bytes, generation: int) -> bytes:
    told = b"\0".join([_PURPOSE, number, b"%d" % generation])
    return hmac.digest(key.encode(), told, "sha256")[:_MARK]


@every(3_600)
def forget_slips() -> None:
    """Delete slips that nobody can answer any more."""
    ConfirmationRow.objects.filter(expires_at__lt=now() - DAY).delete()
