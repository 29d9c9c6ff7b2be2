"""The stream of somebody's own events: matches, turns, challenges, notices."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils import translation
from pydantic import BaseModel

from antipodes.web.accounts.models import User
from antipodes.web.api.challenges import challenge_shape, challenges
from antipodes.web.api.matches import match_line
from antipodes.web.api.notifications import notice_shape
from antipodes.web.api.stream_wakeups import person_group
from antipodes.web.api.streams import ALIVE, LOOK, Ear, Line, alive, look
from antipodes.web.matches.access import played_by
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.services import group_of
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.selectors import with_people
from antipodes.web.notifications.services import bell_group
from antipodes.web.platform.clock import now

_RECENT = 60_000  # milliseconds: matches that ended before the stream began are old news
_MOST = 500  # running matches that are watched
_MOST_NOTICES = 100  # at once; the latest of those that are not seen
_LOOK_AGAIN: Line = {"type": "person.news"}


@dataclass
class Known:
    """What a listener was told: it is compared with how everything stands now.

    Attributes:
        matches: of each running match its version, and its ply if it is the listener's turn.
        ended: matches whose end was told.
        challenges: of each challenge its shape as JSON.
        notices: keys of those that were told and are not seen.
    """

    matches: dict[str, tuple[int, int | None]] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)
    challenges: dict[str, str] = field(default_factory=dict)
    notices: set[int] = field(default_factory=set)


class EventStream:
    """What one listener is told of their own affairs."""

    def __init__(self, user: User) -> None:
        """Begin with nothing told."""
        self._user = user
        self._known = Known()
        self._since = now() - _RECENT
        self._language = translation.get_language()

    async def lines(self) -> AsyncGenerator[Line, None]:
        """Tell what there is, ``ready``, then what changes."""
        ear = Ear()
        try:
            await ear.listen_to(self._groups())
            for line in await look(self._everything):
                yield line
            await ear.listen_to(self._groups())
            # What happened between the look and the listening.
            for line in [*await look(self._everything), {"type": "ready"}]:
                yield line
            async for line in self._changes(ear):
                yield line
        finally:
            await ear.close()

    async def _changes(self, ear: Ear) -> AsyncIterator[Line]:
        looked = time.monotonic()
        while True:
            message = await ear.hear(ALIVE)
            if message is None:
                yield alive()
            if time.monotonic() - looked > LOOK:
                looked, message = time.monotonic(), _LOOK_AGAIN
            for line in await self._heard(message) if message else ():
                yield line
            await ear.listen_to(self._groups())

    def _groups(self) -> list[str]:
        return [
            person_group(self._user.pk),
            bell_group(self._user.pk),
            *map(group_of, self._known.matches),
        ]

    def _everything(self) -> list[Line]:
        """Return all that is not told yet, and note it as told."""
        return [
            *self._match_news(),
            *self._recent_ends(),
            *self._challenge_news(),
            *self._notice_news(),
        ]

    async def _heard(self, message: Line) -> list[Line]:
        """Return what is to be told after a message; chat and thinking are nobody's events."""
        if message["type"] == "match.changed":
            return await look(self._match_news)
        if message["type"] == "notices.changed":
            return await look(self._notice_news)
        return await look(self._everything) if message["type"] == "person.news" else []

    def _match_news(self) -> list[Line]:
        """Return what is new in matches; only those that have changed are looked at closely."""
        known = self._known.matches
        running = MatchRow.objects.filter(pk__in=played_by(self._user), ended_at=None)
        urgent = F("deadline").asc(nulls_last=True)
        found = dict(running.order_by(urgent, "pk").values_list("slug", "version")[:_MOST])
        changed = [
            slug for slug, one in found.items() if slug not in known or one != known[slug][0]
        ]
        lines = [line for row in _rows(slug__in=changed) for line in self._news_of(row)]
        gone = [slug for slug in known if slug not in found]
        return [*lines, *self._ends(_rows(slug__in=gone))]

    def _news_of(self, row: MatchRow) -> list[Line]:
        if row.ended_at is not None:
            return self._ends([row])
        shape = match_line(row, self._user)
        before = self._known.matches.get(row.slug)
        turn = snapshot_of(row).match.ply if row.seat_to_move in shape.own else None
        self._known.matches[row.slug] = (row.version, turn)
        lines = [] if before else [_line("match", match=shape)]
        # An offer in one's turn does not make it another turn.
        if turn is not None and (before is None or before[1] != turn):
            lines.append(_line("your-turn", match=shape))
        return lines

    def _recent_ends(self) -> list[Line]:
        """Return the ends of matches that began and ended between two looks."""
        own = played_by(self._user)
        return self._ends(_rows(ended_at__gte=self._since, pk__in=own))

    def _ends(self, rows: Iterable[MatchRow]) -> list[Line]:
        lines = []
        for row in rows:
            self._known.matches.pop(row.slug, None)
            if row.ended_at is not None and row.slug not in self._known.ended:
                self._known.ended.add(row.slug)
                lines.append(_line("match-ended", match=match_line(row, self._user)))
        return lines

    def _challenge_news(self) -> list[Line]:
        user, known = self._user, self._known.challenges
        condition = Q(by=user) | Q(joins__user=user) | Q(invited=user)
        rows = challenges().filter(condition).distinct().order_by("made_at", "pk")
        found = {row.slug: challenge_shape(row, user) for row in rows}
        lines: list[Line] = []
        for slug, shape in found.items():
            text = shape.model_dump_json()
            if known.get(slug) != text:
                lines.append(_line("challenge", challenge=shape))
                known[slug] = text
        for slug in [slug for slug in known if slug not in found]:
            del known[slug]
            lines.append({"type": "challenge-gone", "slug": slug})
        return lines

    def _notice_news(self) -> list[Line]:
        """Return notices that are new, the earliest first, and which were seen meanwhile."""
        known = self._known.notices
        unseen = NotificationRow.objects.filter(user=self._user, is_shown=True, seen_at=None)
        left = set(unseen.filter(pk__in=known).values_list("pk", flat=True))
        lines: list[Line] = [{"type": "notice-seen", "id": key} for key in sorted(known - left)]
        new = with_people(unseen.exclude(pk__in=left)).order_by("-made_at", "-pk")
        with translation.override(self._language):
            told = [notice_shape(row) for row in reversed(new[:_MOST_NOTICES])]
        self._known.notices = left | {one.id for one in told}
        return [*lines, *(_line("notice", notice=one) for one in told)]


def _rows(**wanted: Any) -> QuerySet[MatchRow]:
    rows = MatchRow.objects.filter(**wanted).select_related("series")
    return rows.prefetch_related(seated()).order_by("changed_at", "pk")


def _line(kind: str, **shapes: BaseModel) -> Line:
    told = {name: one.model_dump(by_alias=True, mode="json") for name, one in shapes.items()}
    return {"type": kind, **told}
