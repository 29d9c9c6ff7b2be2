"""Addresses from which letters come back: after some of them, nothing is sent there any more.

What comes back for good is counted once a day and letter; the mailroom says what that is. Nobody
ever hears that a letter has arrived, so what is not followed by more is forgotten after a month.
"""

from __future__ import annotations

from typing import TypedDict

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from django.db import transaction
from django.dispatch import receiver
from django.urls import reverse

from antipodes.mail.deliveries import means_no_mailbox
from antipodes.web.accounts.models import User
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.models import EmailRow, UndeliverableAddressRow
from antipodes.web.notifications.services import tell
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every

# On so many different days letters have to come back, before no more are sent.
MOST_DAYS = 3
MOST_DAYS_WITHOUT_MAILBOX = 2
REMEMBERED = 30  # days

_DAY = 86_400_000  # milliseconds


class Failure(TypedDict):
    """A letter that has come back.

    Attributes:
        day: on which it did, in days since 1970.
        status: what the other server said, such as ``5.1.1``.
        letter: its key.
    """

    day: int
    status: str
    letter: int


def note_failure(letter: EmailRow, status: str) -> None:
    """Note that a letter has come back for good.

    Nothing is noted of letters to addresses that are no longer those of the account.

    Args:
        letter: the letter.
        status: what the other server said, such as ``5.1.1``.
    """
    user, address = letter.user, letter.to.lower()
    if user is None or not EmailAddress.objects.filter(user=user, email__iexact=address).exists():
        return
    at = now()
    with transaction.atomic():
        UndeliverableAddressRow.objects.get_or_create(
            user=user, address=address, defaults={"changed_at": at}
        )
        row = UndeliverableAddressRow.objects.select_for_update().get(user=user, address=address)
        if row.stopped_at is not None or letter.made_at < row.tried_anew_at:
            return
        today = at // _DAY
        known: list[Failure] = [one for one in row.failures if one["day"] > today - REMEMBERED]
        if any(one["letter"] == letter.pk for one in known):
            return
        row.failures = [*known, Failure(day=today, status=status, letter=letter.pk)]
        row.changed_at = at
        row.stopped_at = at if _is_enough(row.failures) else None
        row.save()
        if row.stopped_at is not None:
            _stop(row)


def _is_enough(failures: list[Failure]) -> bool:
    days = {one["day"] for one in failures}
    without = {one["day"] for one in failures if means_no_mailbox(one["status"])}
    return len(days) >= MOST_DAYS or len(without) >= MOST_DAYS_WITHOUT_MAILBOX


def _stop(row: UndeliverableAddressRow) -> None:
    """Send nothing more, not even what waits, and say so on the site."""
    waiting = EmailRow.objects.filter(user=row.user, to__iexact=row.address, due_at__gt=0)
    waiting.filter(claim="").update(due_at=None, trouble="mail to this address comes back")
    tell(
        row.user,
        Kind.MAIL_FAILS,
        key=f"mail fails {row.pk} {row.stopped_at}",
        path=reverse("notice-choices"),
        address=row.address,
    )


def stopped_addresses(user: User) -> frozenset[str]:
    """Return the addresses of somebody to which nothing is sent, in small letters."""
    rows = UndeliverableAddressRow.objects.filter(user=user, stopped_at__gt=0)
    return frozenset(rows.values_list("address", flat=True))


class Stopped(TypedDict):
    """What pages say of an address to which nothing is sent.

    Attributes:
        address: in small letters.
        stopped_at: milliseconds since 1970.
        status: what the other server said last.
    """

    address: str
    stopped_at: int
    status: str


def stopped(user: User) -> Stopped | None:
    """Return to which address of somebody nothing is sent; ``None`` if there is no such one."""
    for row in UndeliverableAddressRow.objects.filter(user=user, stopped_at__gt=0).order_by("pk"):
        if EmailAddress.objects.filter(user=user, email__iexact=row.address).exists():
            assert row.stopped_at is not None
            last: Failure = row.failures[-1]
            return Stopped(address=row.address, stopped_at=row.stopped_at, status=last["status"])
    return None


def try_anew(user: User, address: str = "") -> bool:
    """Let mail go again to somebody's addresses, or to one; return whether it did not before.

    What was sent before counts no more, even if it comes back later.
    """
    rows = UndeliverableAddressRow.objects.filter(user=user)
    if address:
        rows = rows.filter(address=address.lower())
    count = rows.filter(stopped_at__gt=0).count()
    at = now()
    rows.update(failures=[], stopped_at=None, changed_at=at, tried_anew_at=at)
    return count > 0


@receiver(email_confirmed, dispatch_uid="antipodes.notices.failures")
def _confirmed(email_address: EmailAddress, **_: object) -> None:
    """Send mail again to an address that was confirmed: a letter has arrived."""
    try_anew(email_address.user, email_address.email)


@every(3_600)
def forget_failures() -> None:
    """Forget letters that came back long ago, where that was not enough to send no more."""
    old = UndeliverableAddressRow.objects.filter(changed_at__lt=now() - REMEMBERED * _DAY)
    old.filter(stopped_at=None).delete()
