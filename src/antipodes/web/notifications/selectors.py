"""Queries for the notifications page and the unread count."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import QuerySet
from django.urls import reverse

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import seated
from antipodes.web.notifications.messages import text_of
from antipodes.web.notifications.models import NotificationRow

MOST_COUNTED = 99


@dataclass(frozen=True)
class Line:
    """A notification in a list.

    Attributes:
        row: the notification.
        words: its text.
        target: path of the page it is about; empty if there is none.
    """

    row: NotificationRow
    words: str
    target: str

    @property
    def made_at(self) -> datetime:
        """The time of the notification."""
        return datetime.fromtimestamp(self.row.made_at / 1000, UTC)


def notifications_of(user: User) -> QuerySet[NotificationRow]:
    """Return the user's notifications that are shown on the site, latest first."""
    return with_people(NotificationRow.objects.filter(user=user, is_shown=True)).order_by(
        "-made_at", "-pk"
    )


def with_people(rows: QuerySet[NotificationRow]) -> QuerySet[NotificationRow]:
    """Select the related rows that texts of notifications need."""
    return rows.select_related("match", "by").prefetch_related(seated("match__seats"))


def line_of(row: NotificationRow) -> Line:
    return Line(row=row, words=text_of(row), target=target_of(row))


def target_of(row: NotificationRow) -> str:
    """Return the path of the page that a notification is about; empty if there is none."""
    return reverse("match", args=[row.match.slug]) if row.match is not None else row.path


def unread_count(user: User) -> int:
    """Return the number of unread notifications on the site, at most one more than 99."""
    rows = NotificationRow.objects.filter(user=user, seen_at=None, is_shown=True)
    return len(rows.values_list("pk", flat=True)[: MOST_COUNTED + 1])


def newest_unread(user: User) -> Line | None:
    """Return the latest unread notification."""
    row = notifications_of(user).filter(seen_at=None).first()
    return None if row is None else line_of(row)
