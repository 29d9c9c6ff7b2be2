"""Undeliverable addresses: after repeated bounces, no more e-mails are sent to an address.

Permanent bounces count once for each e-mail; ``email_play`` and the outbox report them. Since
successful delivery is never reported, bounces are forgotten after a month.
"""

from __future__ import annotations

from typing import TypedDict

from allauth.account.models import EmailAddress
from django.db import transaction
from django.urls import reverse

from antipodes.clocks import DAY
from antipodes.mail.deliveries import means_no_mailbox
from antipodes.web.accounts.models import User
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.models import EmailRow, UndeliverableAddressRow
from antipodes.web.notifications.services import notify
from antipodes.web.platform.clock import now

# Number of different days with bounces after which nothing more is sent.
MOST_DAYS = 3
MOST_DAYS_WITHOUT_MAILBOX = 2
REMEMBERED = 30  # days


class Bounce(TypedDict):
    """A permanent bounce.

    Attributes:
        day: in days since 1970.
        status: status code of the other server, such as ``5.1.1``.
        email: primary key of the e-mail.
    """

    day: int
    status: str
    email: int


def record_bounce(email: EmailRow, status: str) -> None:
    """Record that an e-mail bounced permanently.

    Bounces from addresses that no longer belong to the account are ignored.

    Args:
        email: the e-mail.
        status: status code of the other server, such as ``5.1.1``.
    """
    user, address = email.user, email.to.lower()
    if user is None or not EmailAddress.objects.filter(user=user, email__iexact=address).exists():
        return
    at = now()
    with transaction.atomic():
        UndeliverableAddressRow.objects.get_or_create(
            user=user, address=address, defaults={"changed_at": at}
        )
        row = UndeliverableAddressRow.objects.select_for_update().get(user=user, address=address)
        # Bounces of e-mails from before delivery was resumed prove nothing about the address now.
        if row.stopped_at is not None or email.made_at < row.resumed_at:
            return
        today = at // DAY
        recent: list[Bounce] = [one for one in row.failures if one["day"] > today - REMEMBERED]
        if any(one["email"] == email.pk for one in recent):
            return
        row.failures = [*recent, Bounce(day=today, status=status, email=email.pk)]
        row.changed_at = at
        row.stopped_at = at if _is_enough(row.failures) else None
        row.save()
        if row.stopped_at is not None:
            _stop(row)


def _is_enough(failures: list[Bounce]) -> bool:
    days = {one["day"] for one in failures}
    without_mailbox = {one["day"] for one in failures if means_no_mailbox(one["status"])}
    return len(days) >= MOST_DAYS or len(without_mailbox) >= MOST_DAYS_WITHOUT_MAILBOX


def _stop(row: UndeliverableAddressRow) -> None:
    """Cancel pending e-mails to the address, and notify the user on the site."""
    waiting = EmailRow.objects.filter(user=row.user, to__iexact=row.address, due_at__gt=0)
    waiting.filter(claim="").update(due_at=None, trouble="e-mails to this address bounce")
    notify(
        row.user,
        NotificationKind.MAIL_FAILS,
        key=f"mail fails {row.pk} {row.stopped_at}",
        path=reverse("notification-preferences"),
        address=row.address,
    )


def stopped_addresses(user: User) -> frozenset[str]:
    """Return the user's undeliverable addresses, in lower case."""
    rows = UndeliverableAddressRow.objects.filter(user=user, stopped_at__gt=0)
    return frozenset(rows.values_list("address", flat=True))


class Stopped(TypedDict):
    """An undeliverable address, as pages show it.

    Attributes:
        address: in lower case.
        stopped_at: milliseconds since 1970.
        status: last status code of the other server.
    """

    address: str
    stopped_at: int
    status: str


def stopped_address(user: User) -> Stopped | None:
    """Return an undeliverable address of the user; ``None`` if there is none."""
    for row in UndeliverableAddressRow.objects.filter(user=user, stopped_at__gt=0).order_by("pk"):
        if EmailAddress.objects.filter(user=user, email__iexact=row.address).exists():
            assert row.stopped_at is not None
            last: Bounce = row.failures[-1]
            return Stopped(address=row.address, stopped_at=row.stopped_at, status=last["status"])
    return None


def resume_delivery(user: User, address: str = "") -> bool:
    """Resume mail to all addresses of a user, or to one; return whether any was stopped.

    Later bounces of e-mails that were sent before do not count.
    """
    rows = UndeliverableAddressRow.objects.filter(user=user)
    if address:
        rows = rows.filter(address=address.lower())
    count = rows.filter(stopped_at__gt=0).count()
    at = now()
    rows.update(failures=[], stopped_at=None, changed_at=at, resumed_at=at)
    return count > 0


def resume_to_confirmed(email_address: EmailAddress, **_: object) -> None:
    """Resume mail to an address that was confirmed, which proves that mail arrives."""
    resume_delivery(email_address.user, email_address.email)


def delete_old_bounces() -> None:
    """Delete old bounces of addresses that still receive mail."""
    old = UndeliverableAddressRow.objects.filter(changed_at__lt=now() - REMEMBERED * DAY)
    old.filter(stopped_at=None).delete()
