"""WebSocket consumer: receives players' commands, broadcasts match updates."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar
from urllib.parse import parse_qs
from weakref import WeakSet

from channels.db import database_sync_to_async
from django.db import IntegrityError

from antipodes.web.accounts.models import User
from antipodes.web.connections.commands import Call, in_slow_thread
from antipodes.web.connections.consumers import NOT_FOUND, CommandSocket
from antipodes.web.connections.registry import Ending
from antipodes.web.matches import (
    absences,
    access,
    chat,
    computer_moves,
    messages,
    page_moves,
    presence,
    snapshots,
    viewer_state,
)
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.schemas import ChatMessageOut, LeftMessage, WatchingMessage
from antipodes.web.matches.services import carry_out, group_of
from antipodes.web.matches.snapshots import MatchSnapshot, match_json
from antipodes.web.platform import metrics
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import optional_write


class MatchSocket(CommandSocket):
    """WebSocket of one client that watches a match; commands are checked against its own seats.

    With ``?moves=new`` in the address a client receives only the moves that it does not have yet;
    ``from`` in a message says how many of the moves before them still stand.
    """

    open_here: ClassVar[WeakSet[MatchSocket]] = WeakSet()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve the client until it disconnects, then always remove it from the counts."""
        self.slug: str = scope["url_route"]["kwargs"]["slug"]
        self.seats: tuple[int, ...] = ()
        self.sent: MatchSnapshot | None = None
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()

    async def connect(self) -> None:
        """Join the match's group, and send the match, the chat and the audience."""
        self.prepare()
        self._telling: asyncio.Task[None] | None = None
        self.offered: set[int] = set()  # ids of chat lines broadcast here, readable or not
        self.viewer: int | None = self.user.pk if self.user else None
        query = parse_qs(self.scope.get("query_string", b"").decode("latin-1"))
        self.wants_new_moves_only = query.get("moves") == ["new"]
        # Subscribe before reading the match, so that no change is missed.
        await self.join(group_of(self.slug))
        try:
            snapshot, self.seen, lines, left = await database_sync_to_async(self._arrive)()
        except MatchRow.DoesNotExist:
            await self.accept()
            await self.close(NOT_FOUND)
            return
        self.seats = snapshot.seats_of(self.viewer)
        if not self.seats:
            self.connection.watch(self.slug)
        await self.accept()
        await self._send_match(snapshot)
        self.offered.update(line["id"] for line in lines)
        await self.send_object({"type": "chat", "lines": lines})
        self.watching: WatchingMessage | None = None
        presence.join(self.slug, self.seats, self, self._send_audience)
        if any(message["seat"] in self.seats for message in left):
            absences.note_back_soon(self.slug, self.seats)
        self.open_here.add(self)
        metrics.note_sockets(1)
        # A player may be connected to another process, whose answer comes a moment later.
        audience = presence.audience_of(self.slug)
        if audience.is_known:
            self.watching = audience.view()
            await self.send_object(self.watching)
        for message in left:
            await self.send_object(message)  # who is back learns that they were away

    def _arrive(
        self,
    ) -> tuple[MatchSnapshot, int | None, list[ChatMessageOut], list[LeftMessage]]:
        snapshot = snapshots.look_up(self.slug)
        if not access.may_watch(snapshot.row, self.user):
            raise MatchRow.DoesNotExist
        own = snapshot.seats_of(self.viewer)
        seen = viewer_state.seen_by(snapshot.row, self.user) if own else None
        left = absences.absent_seats(snapshot)
        return snapshot, seen, chat.history(snapshot, self.viewer), left

    async def disconnect(self, code: int) -> None:
        """Store how many moves a player has seen; a signed-out user may have been deleted."""
        if self.sent is None or code == Ending.SIGNED_OUT.value:
            return
        ply = self.sent.match.ply
        if self.user is not None and self.seats and ply != self.seen:
            # Not in the thread of moves: thousands of sockets may be lost together.
            with suppress(IntegrityError):  # the match or the user was deleted at this moment
                await in_slow_thread(self._note_seen)(self.sent.row, self.user, ply)

    @staticmethod
    def _note_seen(row: MatchRow, user: User, ply: int) -> None:
        with optional_write("how many moves a player has seen"):
            viewer_state.note_seen(row, user, ply)

    def _leave(self) -> None:
        if self in self.open_here:
            self.open_here.discard(self)
            metrics.note_sockets(-1)
            presence.leave(self.slug, self.seats, self)
            if self.seats and self.sent is not None and absences.can_leave(self.sent):
                absences.note_soon(self.slug, self.seats)

    def call_of(self, data: dict[str, Any]) -> Call:
        """Return the function that executes a command."""
        return partial(self._execute, messages.read_message(data))

    def _execute(self, message: messages.ClientMessage) -> None:
        if isinstance(message, messages.SayMessage):
            line = message.model_dump(exclude_none=True)
            chat.say(snapshots.look_up(self.slug), self.reload_user(), line)
            return
        snapshot = snapshots.kept(self.slug) or snapshots.look_up(self.slug)
        if isinstance(message, messages.PageEngineMessage):
            page_moves.check(snapshot, self.viewer)
            change = computer_moves.leave_to_page if message.on else computer_moves.take_back
            change(snapshot.row)
        elif isinstance(message, messages.ComputerMoveMessage):
            page_moves.make_move(snapshot, self.viewer, message.command_in(snapshot.match))
        else:
            carry_out(self.slug, messages.command_of(message, snapshot, self.viewer))

    async def match_changed(self, message: dict[str, Any]) -> None:
        """Send the match to the client, unless it has this version already."""
        version = message["version"]
        if self.sent is None or self.sent.version >= version:
            return
        snapshot = snapshots.kept(self.slug)
        if snapshot is None or snapshot.version < version:
            snapshot = await database_sync_to_async(snapshots.look_up)(self.slug)
            # Another message may have sent this version while the thread read it.
            if self.sent.version >= snapshot.version:
                return
        has_ended = self.sent.match.result is None and snapshot.match.result is not None
        await self._send_match(snapshot)
        if has_ended:
            # From now on both rooms are open to everybody.
            lines = await database_sync_to_async(chat.history)(snapshot, self.viewer)
            await self.send_object({"type": "chat", "lines": lines})

    async def match_guarded(self, _message: dict[str, Any]) -> None:
        """Check again whether this client may watch; a user who left the club may not."""
        if self.sent is None:
            return
        if not await database_sync_to_async(access.may_watch)(self.sent.row, self.user):
            await self.close(NOT_FOUND)

    async def match_left(self, message: dict[str, Any]) -> None:
        """Tell that a player has left or is back; this client's own player is still here."""
        if message["seat"] in self.seats and message["at"] is not None:
            absences.note_back_soon(self.slug, self.seats)
        else:
            await self.send_object({**message, "type": "left"})

    async def match_thinking(self, message: dict[str, Any]) -> None:
        """Send the progress of the computer's search."""
        await self.send_object({**message, "type": "thinking"})

    def _send_audience(self, view: WatchingMessage) -> None:
        """Send the audience, unless it is unchanged or the last message is still being sent."""
        # A slow client misses counts instead of queueing them; `presence` repeats the latest one.
        if view != self.watching and (self._telling is None or self._telling.done()):
            self.watching = view
            self._telling = asyncio.ensure_future(self.send_object(view))

    async def chat_said(self, message: dict[str, Any]) -> None:
        """Send a new chat line, if this client may read it."""
        line = message["line"]
        # Noted even if this client may not read it, or each `resync` would look for it.
        self.offered.add(line["id"])
        if self.viewer is not None and self.viewer in message["deaf"]:
            return
        if self.sent is not None and chat.may_read(self.sent, self.viewer, line["room"]):
            await self.send_object({"type": "chat", "lines": chat.line_views([line], self.viewer)})

    async def chat_hidden(self, message: dict[str, Any]) -> None:
        """Tell the client that a chat line was deleted."""
        await self.send_object({"type": "chat-hidden", "id": message["id"]})

    def has_missed(self, version: int, recent: set[int]) -> bool:
        """Return whether the client lacks a version of the match or recent chat lines."""
        return self.sent is not None and (self.sent.version < version or not recent <= self.offered)

    async def catch_up_with_chat(self, recent: set[int]) -> None:
        """Send the chat again if some recent lines (given by id) were never broadcast here."""
        if self.sent is None or recent <= self.offered:
            return
        self.offered |= recent
        lines = await database_sync_to_async(chat.history)(self.sent, self.viewer)
        await self.send_object({"type": "chat", "lines": lines})

    async def _send_match(self, snapshot: MatchSnapshot) -> None:
        known = 0
        if self.wants_new_moves_only and self.sent is not None:
            known = snapshots.common(self.sent.moves, snapshot.moves)
        # Set before the message waits for a slow client: later changes are compared with this one.
        self.sent = snapshot
        view = match_json(snapshot, self.viewer, now=now(), seen=self.seen, known=known)
        await self.send(f'{{"type":"match","match":{view}}}')
