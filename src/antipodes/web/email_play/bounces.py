"""Bounces: e-mails of the site that come back as undeliverable.

The envelope sender of each e-mail is its own signed address ``play+b-TOKEN@HOST``. So a bounce
identifies the undeliverable address whatever the mail server writes, and cannot be forged. Mail to
such an address is never answered, nor read for commands.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable

from django.conf import settings

from antipodes.mail.deliveries import read_report
from antipodes.web.email_play.reply_addresses import (
    SEPARATOR,
    is_personal,
    signed_address,
    signed_part,
)
from antipodes.web.notifications.models import EmailRow
from antipodes.web.notifications.outbox import BOUNCE_HEADER
from antipodes.web.notifications.undeliverable import record_bounce

_PREFIX = "b-"  # of the token; tokens of reply addresses contain no hyphen

_PURPOSE = b"antipodes bounce address"
_NUMBER, _SIGNATURE = 6, 10  # bytes


def return_address(email: EmailRow) -> str:
    """Return the address for bounces of an e-mail; empty if the site receives no mail."""
    number = email.pk.to_bytes(_NUMBER, "big")
    return signed_address(number + _signature(settings.SECRET_KEY, number, email.to), _PREFIX)


def is_return_address(address: str) -> bool:
    """Return whether an address has the form of a bounce address, valid or not."""
    local = address.strip().lower().rpartition("@")[0]
    return is_personal(address) and local.partition(SEPARATOR)[2].startswith(_PREFIX)


def bounced_email(address: str) -> EmailRow | None:
    """Return the e-mail that a bounce address belongs to; ``None`` if it is forged or too old."""
    signed = signed_part(address, _NUMBER + _SIGNATURE, _PREFIX)
    if signed is None:
        return None
    number, signature = signed[:_NUMBER], signed[_NUMBER:]
    rows = EmailRow.objects.select_related("user").filter(pk=int.from_bytes(number, "big"))
    email = rows.first()
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if email is None or not any(
        hmac.compare_digest(signature, _signature(key, number, email.to)) for key in keys
    ):
        return None
    return email


def process_bounce(raw: bytes, recipients: Iterable[str]) -> bool:
    """Record a bounce; return whether the mail was sent to a bounce address.

    Old mail servers send reports to the ``From`` address. Such a report counts if the e-mail that
    it quotes has a valid bounce header; other reports are ignored as automatic mail.
    """
    addresses = [address for address in recipients if is_return_address(address)]
    report = read_report(raw)
    failure = report.failure if report is not None else ""
    if failure:
        assert report is not None
        quoted = addresses or [report.original.raw(BOUNCE_HEADER.lower())]
        emails = {found.pk: found for one in quoted if (found := bounced_email(one)) is not None}
        for email in emails.values():
            record_bounce(email, failure)
    return bool(addresses)


def _signature(key: str, number: bytes, to: str) -> bytes:
    message = b"\0".join([_PURPOSE, number, to.lower().encode()])
    return hmac.digest(key.encode(), message, "sha256")[:_SIGNATURE]
