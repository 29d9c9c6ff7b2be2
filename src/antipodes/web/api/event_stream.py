"""The event stream of an account: its matches, turns, challenges and notifications."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, QuerySet
from django.utils import translation
from pydantic import BaseModel

from antipodes.clocks import MINUTE
from antipodes.web.accounts.models import User
from antipodes.web.api.challenges import challenge_out, challenges, own
from antipodes.web.api.matches import match_summary
from antipodes.web.api.notifications import notification_out
from antipodes.web.api.stream_wakeups import USER_CHANGED, user_group
from antipodes.web.api.streams import GroupListener, Line, in_database_thread
from antipodes.web.matches.access import played_by
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.services import group_of
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.selectors import with_people
from antipodes.web.notifications.services import bell_group
from antipodes.web.platform.clock import now

_RECENT = MINUTE  # milliseconds: the ends of earlier matches are not sent
_MAX_MATCHES = 500  # in progress
_MAX_NOTIFICATIONS = 100  # at once: the latest unread ones


@dataclass
class SentState:
    """The state that the client knows from the lines sent so far.

    Attributes:
        matches: for each match in progress its version, and its ply if it is the user's turn.
        ended: slugs of matches whose end was sent.
        challenges: for each challenge its JSON.
        notifications: primary keys of the unread notifications that were sent.
    """

    matches: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    challenges: dict[str, str] = field(default_factory=dict)
    notifications: set[int] = field(default_factory=set)


class EventStream:
    """The event stream of one connection.

    Each message of the channel layer, and a timer, makes the stream compare the database with the
    state that the client knows.
    """

    def __init__(self, user: User) -> None:
        """Start without any state sent."""
        self._user = user
        self._sent = SentState()
        self._since = now() - _RECENT
        self._language = translation.get_language()

    async def lines(self) -> AsyncGenerator[Line, None]:
        """Yield the current state, ``ready``, then changes."""
        listener = GroupListener()
        try:
            await listener.subscribe(self._groups())
            for line in await in_database_thread(self._all_changes):
                yield line
            await listener.subscribe(self._groups())
            # Changes between the first query and the subscription to its matches.
            for line in [*await in_database_thread(self._all_changes), {"type": "ready"}]:
                yield line

            async def changes(message: Line) -> list[Line]:
                lines = await self._lines_for(message)
                await listener.subscribe(self._groups())
                return lines

            async for line in listener.lines(changes, USER_CHANGED):
                yield line
        finally:
            await listener.close()

    def _groups(self) -> list[str]:
        return [
            user_group(self._user.pk),
            bell_group(self._user.pk),
            *map(group_of, self._sent.matches),
        ]

    async def _lines_for(self, message: Line) -> list[Line]:
        """Return the lines to send after a message; chat and thinking are not events."""
        if message["type"] == "match.changed":
            return await in_database_thread(self._match_changes)
        if message["type"] == "notifications.changed":
            return await in_database_thread(self._notification_changes)
        if message["type"] == USER_CHANGED["type"]:
            return await in_database_thread(self._all_changes)
        return []

    def _all_changes(self) -> list[Line]:
        """Return the lines for everything that the client does not know yet."""
        return [
            *self._match_changes(),
            *self._recent_ends(),
            *self._challenge_changes(),
            *self._notification_changes(),
        ]

    def _match_changes(self) -> list[Line]:
        """Return lines for changed matches; only these are loaded in full."""
        sent = self._sent.matches
        running = MatchRow.objects.filter(pk__in=played_by(self._user), ended_at=None)
        urgent = F("deadline").asc(nulls_last=True)
        versions = dict(
            running.order_by(urgent, "pk").values_list("slug", "version")[:_MAX_MATCHES]
        )
        changed = [
            slug
            for slug, version in versions.items()
            if slug not in sent or version != sent[slug][0]
        ]
        lines = [line for row in _rows(slug__in=changed) for line in self._match_lines(row)]
        gone = [slug for slug in sent if slug not in versions]
        return [*lines, *self._end_lines(_rows(slug__in=gone))]

    def _match_lines(self, row: MatchRow) -> list[Line]:
        if row.ended_at is not None:
            return self._end_lines([row])
        summary = match_summary(row, self._user)
        before = self._sent.matches.get(row.slug)
        turn = snapshot_of(row).match.ply if row.seat_to_move in summary.own else None
        self._sent.matches[row.slug] = (row.version, turn)
        lines = [] if before else [_line("match", match=summary)]
        # An offer during the turn changes the version, but it is the same turn.
        if turn is not None and (before is None or before[1] != turn):
            lines.append(_line("your-turn", match=summary))
        return lines

    def _recent_ends(self) -> list[Line]:
        """Return the ends of matches that began and ended between two queries."""
        return self._end_lines(_rows(ended_at__gte=self._since, pk__in=played_by(self._user)))

    def _end_lines(self, rows: Iterable[MatchRow]) -> list[Line]:
        lines = []
        for row in rows:
            self._sent.matches.pop(row.slug, None)
            if row.ended_at is not None and row.slug not in self._sent.ended:
                self._sent.ended.add(row.slug)
                lines.append(_line("match-ended", match=match_summary(row, self._user)))
        return lines

    def _challenge_changes(self) -> list[Line]:
        user, sent = self._user, self._sent.challenges
        rows = challenges().filter(own(user)).distinct().order_by("made_at", "pk")
        current = {row.slug: challenge_out(row, user) for row in rows}
        lines: list[Line] = []
        for slug, challenge in current.items():
            text = challenge.model_dump_json()
            if sent.get(slug) != text:
                lines.append(_line("challenge", challenge=challenge))
                sent[slug] = text
        for slug in [slug for slug in sent if slug not in current]:
            del sent[slug]
            lines.append({"type": "challenge-gone", "slug": slug})
        return lines

    def _notification_changes(self) -> list[Line]:
        """Return lines for notifications that were read, then for new ones, the oldest first."""
        sent = self._sent.notifications
        unread = NotificationRow.objects.filter(user=self._user, is_shown=True, seen_at=None)
        still_unread = set(unread.filter(pk__in=sent).values_list("pk", flat=True))
        lines: list[Line] = [
            {"type": "notice-seen", "id": key} for key in sorted(sent - still_unread)
        ]
        new = with_people(unread.exclude(pk__in=still_unread)).order_by("-made_at", "-pk")
        with translation.override(self._language):
            notifications = [notification_out(row) for row in reversed(new[:_MAX_NOTIFICATIONS])]
        self._sent.notifications = still_unread | {one.id for one in notifications}
        return [*lines, *(_line("notice", notice=one) for one in notifications)]


def _rows(**conditions: Any) -> QuerySet[MatchRow]:
    rows = MatchRow.objects.filter(**conditions).select_related("series")
    return rows.prefetch_related(seated()).order_by("changed_at", "pk")


def _line(kind: str, **data: BaseModel) -> Line:
    fields = {name: one.model_dump(by_alias=True, mode="json") for name, one in data.items()}
    return {"type": kind, **fields}
