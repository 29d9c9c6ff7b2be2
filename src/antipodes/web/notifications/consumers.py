"""WebSocket consumer: sends the number of unread notifications, receives which match is viewed."""

from __future__ import annotations

import time
from typing import Any

from channels.db import database_sync_to_async
from django.db import IntegrityError, transaction
from django.utils import translation

from antipodes.errors import InputError
from antipodes.web.accounts.languages import language_of_scope
from antipodes.web.accounts.models import User
from antipodes.web.connections.consumers import SiteSocket
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.notifications import selectors, services
from antipodes.web.notifications.match_events import beginnings
from antipodes.web.notifications.models import ViewingRow
from antipodes.web.notifications.schemas import BeganMessage, BeginningOut, BellMessage
from antipodes.web.notifications.services import mark_match_seen
from antipodes.web.platform import pubsub
from antipodes.web.platform.client_json import read_object
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import optional_write

_LIFETIME = 90_000  # milliseconds; pages renew it every minute


def start_viewing(user: User, slug: str) -> int | None:
    """Mark a match as viewed by a user, and its notifications as seen.

    Returns:
        the key of the match, or ``None`` if the user does not play in it.
    """
    match = MatchRow.objects.filter(slug=slug).values_list("pk", flat=True).first()
    if match is None:
        return None
    mark_match_seen(user, match)
    if not SeatRow.objects.filter(match=match, user=user).exists():
        return None
    until = now() + _LIFETIME
    if not ViewingRow.objects.filter(user=user, match=match).update(until=until):
        try:
            with transaction.atomic():
                ViewingRow.objects.create(user=user, match_id=match, until=until)
        except IntegrityError:
            pass  # another page of the user was faster
    return match


def stop_viewing(user: User, match: int) -> None:
    """Remove the mark when the user stops viewing the match."""
    ViewingRow.objects.filter(user=user, match=match).delete()


_UNAUTHENTICATED = 4401  # close code
_LONGEST = 200  # characters of a message
_PAUSE = 1.0  # seconds; messages that follow the last one sooner are ignored


class NotificationConsumer(SiteSocket):
    """The notification socket of one page.

    Its messages are those of `antipodes.web.notifications.schemas`.
    """

    async def connect(self) -> None:
        """Accept the socket and send the unread count."""
        pubsub.attach_event_loop()
        user: object = self.scope.get("user")
        self.user = user if isinstance(user, User) else None
        self.match: int | None = None
        self.heard_at = 0.0
        self.told: set[str] = set()  # matches that begin, and of which the page tells
        await self.accept()
        if self.user is None:
            await self.close(_UNAUTHENTICATED)
            return
        self.language = language_of_scope(self.scope)
        await self.join(services.bell_group(self.user.pk))
        await self.notifications_changed({})
        await self.match_began({"slug": None})

    async def disconnect(self, code: int) -> None:  # noqa: ARG002
        """Stop viewing the match."""
        await self._set_viewed(None)

    async def receive(
        self,
        text_data: str | None = None,
        bytes_data: bytes | None = None,  # noqa: ARG002
    ) -> None:
        """Note which match is viewed; a malformed message counts as none."""
        slug = _viewed_match(text_data)
        at = time.monotonic()
        if slug is None or at >= self.heard_at + _PAUSE:
            self.heard_at = at
            await self._set_viewed(slug)

    async def _set_viewed(self, slug: str | None) -> None:
        if self.user is None:
            return
        if slug is not None:
            await database_sync_to_async(self._start_viewing)(self.user, slug)
        elif self.match is not None:
            await database_sync_to_async(self._stop_viewing)(self.user, self.match)
            self.match = None

    def _start_viewing(self, user: User, slug: str) -> None:
        with optional_write("who views a match"):
            self.match = start_viewing(user, slug)

    @staticmethod
    def _stop_viewing(user: User, match: int) -> None:
        with optional_write("who views a match"):
            stop_viewing(user, match)

    async def notifications_changed(self, _message: dict[str, Any]) -> None:
        """Send the unread count after a change."""
        state = await database_sync_to_async(self._bell)()
        await self.send_object(state)
        await self._withdraw_pushes()

    async def match_began(self, message: dict[str, Any]) -> None:
        """Send which live games of the user begin: one, or on connect all."""
        for about in await database_sync_to_async(self._beginnings)(message["slug"]):
            began: BeganMessage = {"type": "began", **about}
            await self.send_object(began)
            self.told.add(about["slug"])
        await self._withdraw_pushes()

    async def _withdraw_pushes(self) -> None:
        """Send no push of the matches of which the page tells, once they have a notification."""
        if self.told:
            await database_sync_to_async(self._withdraw)(self.told)

    def _withdraw(self, told: set[str]) -> None:
        assert self.user is not None
        with optional_write("which pushes an open page makes superfluous"):
            told -= services.withdraw_pushes_of_beginnings(self.user, told)

    def _beginnings(self, slug: str | None) -> list[BeginningOut]:
        assert self.user is not None
        with translation.override(self.language):
            return beginnings(self.user, slug)

    def _bell(self) -> BellMessage:
        assert self.user is not None
        count = selectors.unread_count(self.user)
        latest = None
        if count:
            with translation.override(self.language):
                latest = selectors.newest_unread(self.user)
        if latest is None:
            return {"type": "bell", "unseen": count}
        address = f"/notices/{latest.row.pk}/"
        return {"type": "bell", "unseen": count, "words": latest.words, "address": address}


def _viewed_match(text: str | None) -> str | None:
    """Return the slug in a message; ``None`` if there is none or the message is malformed."""
    try:
        slug = read_object(text, "notices/message", most=_LONGEST).get("looking")
    except InputError:
        return None
    return slug if isinstance(slug, str) else None
