"""Context processor for the notification bell."""

from __future__ import annotations

from functools import cached_property

from django.http import HttpRequest

from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.selectors import MOST_COUNTED
from antipodes.web.notifications.services import mark_match_seen, mark_path_seen
from antipodes.web.platform.outages import optional_write


class NotificationBell:
    """Unread notifications of the user, counted when the template first asks.

    Notifications about the page that is shown are marked as seen and not counted.
    """

    def __init__(self, user: User, path: str) -> None:
        """Count for a user who views the page at a path."""
        self._user = user
        self._path = path

    @cached_property
    def count(self) -> int:
        """The number of unread notifications."""
        rows = NotificationRow.objects.filter(user=self._user, seen_at=None).order_by("-made_at")
        unread = rows.values_list("match", "match__slug", "path", "is_shown")[: MOST_COUNTED + 1]
        left = 0
        for match, slug, path, is_shown in unread:
            if self._path == f"/m/{slug}/":
                with optional_write("which notifications were seen"):
                    mark_match_seen(self._user, match)
            elif path and path == self._path:
                with optional_write("which notifications were seen"):
                    mark_path_seen(self._user, path)
            else:
                left += is_shown
        return left

    @property
    def text(self) -> str:
        """The count as shown, at most ``99+``."""
        return f"{MOST_COUNTED}+" if self.count > MOST_COUNTED else str(self.count)


def bell(request: HttpRequest) -> dict[str, object]:
    """Add the bell of the signed-in user; it runs no query before a template shows it."""
    # Requests that the middleware rejects early have no user.
    user = current_user(request) if hasattr(request, "user") else None
    return {} if user is None else {"bell": NotificationBell(user, request.path)}
