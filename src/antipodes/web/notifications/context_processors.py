"""What every page needs to know for its bell."""

from __future__ import annotations

from functools import cached_property

from django.http import HttpRequest

from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import known_user
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.selectors import MOST_COUNTED
from antipodes.web.notifications.services import see_match, see_path
from antipodes.web.platform.outages import optional_write


class Bell:
    """The bell of somebody's page; it counts when it is first asked.

    A page that is shown is seen: what was told about it no longer counts.
    """

    def __init__(self, user: User, path: str) -> None:
        """Belong to a user, on the page with an address."""
        self._user = user
        self._path = path

    @cached_property
    def count(self) -> int:
        """How many notices are unseen."""
        rows = NotificationRow.objects.filter(user=self._user, seen_at=None).order_by("-made_at")
        found = rows.values_list("match", "match__slug", "path", "is_shown")[: MOST_COUNTED + 1]
        left = 0
        for match, slug, path, is_shown in found:
            if self._path == f"/m/{slug}/":
                with optional_write("which notices were seen"):
                    see_match(self._user, match)
            elif path and path == self._path:
                with optional_write("which notices were seen"):
                    see_path(self._user, path)
            else:
                left += is_shown
        return left

    @property
    def text(self) -> str:
        """The count as it is shown: more than 99 are not counted."""
        return f"{MOST_COUNTED}+" if self.count > MOST_COUNTED else str(self.count)


def bell(request: HttpRequest) -> dict[str, object]:
    """Give templates the bell of whoever is known; nobody is asked for before it is shown."""
    # A request that was refused at the door has no user, and its page no bell.
    user = known_user(request) if hasattr(request, "user") else None
    return {} if user is None else {"bell": Bell(user, request.path)}
