"""Bounces: letters of ours that come back because they cannot be delivered.

The sender of a letter's envelope is ``play+b-TOKEN@HOST``, made for this one letter and signed. So
it is known whose mail does not arrive, whatever a server says, and nobody else can say so. Nothing
that comes to such an address is ever answered or carried out.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from django.conf import settings

from antipodes.mail.deliveries import read_report
from antipodes.web.email_play.reply_addresses import SIGN, is_personal, signed_part, written
from antipodes.web.notifications.models import EmailRow
from antipodes.web.notifications.outbox import BOUNCE_HEADER
from antipodes.web.notifications.undeliverable import record_bounce

_MARKED = "b-"  # before the token; no reply address has a hyphen

_PURPOSE = b"antipodes bounce address"
_NUMBER, _MARK = 6, 10  # bytes of the number, and of the signature


def return_address(letter: EmailRow) -> str:
    """Return the address to which a letter comes back; empty if the site receives no mail."""
    number = letter.pk.to_bytes(_NUMBER, "big")
    return written(number + _signature(settings.SECRET_KEY, number, letter.to), _MARKED)


def is_return_address(address: str) -> bool:
    """Return whether an address has the form of one to which letters come back, good or not."""
    box = address.strip().lower().rpartition("@")[0]
    return is_personal(address) and box.partition(SIGN)[2].startswith(_MARKED)


def letter_of(address: str) -> EmailRow | None:
    """Return the letter that comes back to an address; ``None`` if it is forged, or too old."""
    signed = signed_part(address, _NUMBER + _MARK, _MARKED)
    if signed is None:
        return None
    number, mark = signed[:_NUMBER], signed[_NUMBER:]
    rows = EmailRow.objects.select_related("user").filter(pk=int.from_bytes(number, "big"))
    letter = rows.first()
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if letter is None or not any(
        hmac.compare_digest(mark, _signature(key, number, letter.to)) for key in keys
    ):
        return None
    return letter


def take_back(raw: bytes, recipients: Iterable[str]) -> bool:
    """Note that a letter has come back; return whether the mail was for an address of bounces.

    Old servers send reports to whom the letter is from. Such a report counts if the letter that it
    quotes says which one it is; otherwise it is left to those who keep still about reports.
    """
    bounced = [one for one in recipients if is_return_address(one)]
    report = read_report(raw)
    failure = report.failure if report is not None else ""
    if failure:
        assert report is not None
        named = bounced or [report.original.raw(BOUNCE_HEADER.lower())]
        for letter in {found.pk: found for one in named if (found := letter_of(one))}.values():
            record_bounce(letter, failure)
    return bool(bounced)


def _signature(key: str, number: bytes, to: str) -> bytes:
    told = b"\0".join([_PURPOSE, number, to.lower().encode()])
    return hmac.digest(key.encode(), told, "sha256")[:_MARK]
