"""Bounces: e-mails of the site that come back as undeliverable.

The envelope sender of each e-mail is its own signed address ``play+b-TOKEN@HOST``. So a bounce
identifies the undeliverable address whatever the mail server writes, and cannot be forged. Mail to
such an address is never answered, nor read for commands.
"""

from __future__ import annotations

from collections.abc import Iterable

from antipodes.mail.deliveries import read_report
from antipodes.web.email_play.reply_addresses import SEPARATOR, SignedAddress, is_personal
from antipodes.web.notifications.models import EmailRow
from antipodes.web.notifications.outbox import BOUNCE_HEADER
from antipodes.web.notifications.undeliverable import record_bounce

_PREFIX = "b-"  # of the token; tokens of reply addresses contain no hyphen

_ADDRESS = SignedAddress(b"antipodes bounce address", size=6, prefix=_PREFIX)


def return_address(email: EmailRow) -> str:
    """Return the address for bounces of an e-mail; empty if the site receives no mail."""
    return _ADDRESS.write(email.pk, _revocable(email))


def is_return_address(address: str) -> bool:
    """Return whether an address has the form of a bounce address, valid or not."""
    local = address.strip().lower().rpartition("@")[0]
    return is_personal(address) and local.partition(SEPARATOR)[2].startswith(_PREFIX)


def bounced_email(address: str) -> EmailRow | None:
    """Return the e-mail that a bounce address belongs to; ``None`` if it is forged or too old."""
    return _ADDRESS.find(EmailRow.objects.select_related("user"), address, _revocable)


def _revocable(email: EmailRow) -> bytes:
    return email.to.lower().encode()


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
