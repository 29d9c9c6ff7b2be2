"""What lists of notices show."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import QuerySet
from django.urls import reverse

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import seated
from antipodes.web.notifications.messages import words
from antipodes.web.notifications.models import NotificationRow

MOST_COUNTED = 99


@dataclass(frozen=True)
class Line:
    """A notice in a list.

    Attributes:
        row: the notice.
        words: what it says.
        target: the page that it is about; empty where there is none.
    """

    row: NotificationRow
    words: str
    target: str

    @property
    def made_at(self) -> datetime:
        """When it was told."""
        return datetime.fromtimestamp(self.row.made_at / 1000, UTC)


def notices_of(user: User) -> QuerySet[NotificationRow]:
    """Return what somebody was told on the site, the latest first."""
    return with_people(NotificationRow.objects.filter(user=user, is_shown=True)).order_by(
        "-made_at", "-pk"
    )


def with_people(rows: QuerySet[NotificationRow]) -> QuerySet[NotificationRow]:
    """Fetch with notices what their words need."""
    return rows.select_related("match", "by").prefetch_related(seated("match__seats"))


def line(row: NotificationRow) -> Line:
    """Return what a list shows of a notice."""
    return Line(row=row, words=words(row), target=target_of(row))


def target_of(row: NotificationRow) -> str:
    """Return the address of the page that a notice is about; empty where there is none."""
    return reverse("match", args=[row.match.slug]) if row.match is not None else row.path


def unseen(user: User) -> int:
    """Return how many notices are new to somebody on the site; more than 99 are not counted."""
    rows = NotificationRow.objects.filter(user=user, seen_at=None, is_shown=True)
    return len(rows.values_list("pk", flat=True)[: MOST_COUNTED + 1])


def newest(user: User) -> Line | None:
    """Return the latest notice that is new to somebody."""
    row = notices_of(user).filter(seen_at=None).first()
    return None if row is None else line(row)
