"""The socket of a page's bell: it tells how much is unseen, and hears what is looked at."""

from __future__ import annotations

import json
import time
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings
from django.utils import translation

from antipodes.web.accounts.models import User
from antipodes.web.notifications import selectors, viewing
from antipodes.web.notifications.services import bell_of
from antipodes.web.platform import pubsub
from antipodes.web.platform.outages import optional_write

_NOBODY = 4401  # the code with which sockets of strangers are closed
_LONGEST = 200  # characters of a message
_PAUSE = 1.0  # seconds; what is said sooner after the last message is not heard


class BellSocket(AsyncWebsocketConsumer):
    """One page of somebody.

    It is told ``{"type": "bell", "unseen": 2, "words": ..., "address": ...}`` at the start and with
    each change; words and address are those of the latest notice. It may say
    ``{"looking": "slug of a match"}`` while that is in sight, at least once a minute, and
    ``{"looking": null}`` when it is not any more.
    """

    async def connect(self) -> None:
        """Tell how much is unseen."""
        pubsub.attach_event_loop()
        user: object = self.scope.get("user")
        self.user = user if isinstance(user, User) else None
        self.match: int | None = None
        self.heard_at = 0.0
        await self.accept()
        if self.user is None:
            await self.close(_NOBODY)
            return
        query = parse_qs(self.scope.get("query_string", b"").decode("latin-1"))
        asked = query.get("language", [""])[0]
        self.language = asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        await self.channel_layer.group_add(bell_of(self.user.pk), self.channel_name)
        await self.notices_changed({})

    async def disconnect(self, code: int) -> None:  # noqa: ARG002
        """Look away."""
        if self.user is None:
            return
        await self.channel_layer.group_discard(bell_of(self.user.pk), self.channel_name)
        await self._look(None)

    async def receive(
        self,
        text_data: str | None = None,
        bytes_data: bytes | None = None,  # noqa: ARG002
    ) -> None:
        """Hear what is in sight; what cannot be read means nothing."""
        slug = _looked_at(text_data)
        at = time.monotonic()
        if slug is None or at >= self.heard_at + _PAUSE:
            self.heard_at = at
            await self._look(slug)

    async def _look(self, slug: str | None) -> None:
        if self.user is None:
            return
        if slug is not None:
            await database_sync_to_async(self._note_look)(self.user, slug)
        elif self.match is not None:
            await database_sync_to_async(self._note_look_away)(self.user, self.match)
            self.match = None

    def _note_look(self, user: User, slug: str) -> None:
        with optional_write("who looks at a match"):
            self.match = viewing.look(user, slug)

    @staticmethod
    def _note_look_away(user: User, match: int) -> None:
        with optional_write("who looks at a match"):
            viewing.look_away(user, match)

    async def notices_changed(self, _message: dict[str, Any]) -> None:
        """Tell how much is unseen now."""
        told = await database_sync_to_async(self._bell)()
        await self.send(json.dumps({"type": "bell", **told}))

    def _bell(self) -> dict[str, Any]:
        assert self.user is not None
        count = selectors.unseen(self.user)
        latest = None
        if count:
            with translation.override(self.language):
                latest = selectors.newest(self.user)
        if latest is None:
            return {"unseen": count}
        return {"unseen": count, "words": latest.words, "address": f"/notices/{latest.row.pk}/"}


def _looked_at(text: str | None) -> str | None:
    """Return the match that a message names."""
    if text is None or len(text) > _LONGEST:
        return None
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    slug = said.get("looking") if isinstance(said, dict) else None
    return slug if isinstance(slug, str) else None
