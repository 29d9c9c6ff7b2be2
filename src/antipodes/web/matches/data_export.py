"""Export a user's matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.urls import reverse

from antipodes.records import write_record
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.records import record_of
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.platform.queries import in_batches


def matches_of(user: User, address_of: Callable[[str], str]) -> Iterator[str]:
    """Yield the records of all matches of a user, oldest first."""
    matches = MatchRow.objects.filter(seats__user=user).distinct()
    for row in in_batches(matches.select_related("series")):
        address = address_of(reverse("match", args=[row.slug]))
        yield write_record(record_of(snapshot_of(row), address)).rstrip()
