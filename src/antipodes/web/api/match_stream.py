"""The stream of a match: its state, then each change."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

from antipodes.web.accounts.models import User
from antipodes.web.api.matches import find_snapshot
from antipodes.web.api.problems import ApiError
from antipodes.web.api.streams import GroupListener, Line, in_database_thread
from antipodes.web.matches import chat, snapshots
from antipodes.web.matches.services import group_of
from antipodes.web.matches.snapshots import MatchSnapshot, match_json
from antipodes.web.platform.clock import now


@dataclass
class MatchStream:
    """The stream of a match for one connection.

    Attributes:
        slug: slug of the match.
        viewer: the user; ``None`` without a token.
        version: the version that the client has; only newer ones are sent.
        only_new_moves: leave out moves that were sent before; ``from`` has their number.
        follows: continue after the end, with a rematch and the chat.
    """

    slug: str
    viewer: User | None
    version: int = -1
    only_new_moves: bool = False
    follows: bool = False
    _sent: MatchSnapshot | None = field(default=None, init=False)

    async def lines(self) -> AsyncGenerator[Line | str, None]:
        """Yield the current state, then changes; unless it follows, end with the match."""
        listener = GroupListener()
        try:
            # Subscribe before the query, so that no change between them is lost.
            await listener.subscribe([group_of(self.slug)])
            snapshot = await in_database_thread(self._find)
            for line in await in_database_thread(lambda: self._first_lines(snapshot)):
                yield line
            resync = {"type": "match.changed"}
            async for line in listener.lines(self._lines_for, resync, self._is_over):
                yield line
        except ApiError:
            yield {"type": "gone"}
        finally:
            await listener.close()

    def _find(self) -> MatchSnapshot:
        return find_snapshot(self.slug, self.viewer)

    @property
    def _viewer_key(self) -> int | None:
        return self.viewer.pk if self.viewer else None

    def _first_lines(self, snapshot: MatchSnapshot) -> list[Line | str]:
        lines: list[Line | str] = []
        if snapshot.version > self.version:
            lines.append(self._match_line(snapshot))
        self._sent = snapshot
        return [*lines, self._chat_history(snapshot)]

    def _match_line(self, snapshot: MatchSnapshot) -> str:
        known_moves = 0
        if self.only_new_moves and self._sent is not None:
            known_moves = snapshots.common(self._sent.moves, snapshot.moves)
        self._sent = snapshot
        text = match_json(snapshot, self._viewer_key, now=now(), known=known_moves)
        return f'{{"type":"match","match":{text}}}'

    def _chat_history(self, snapshot: MatchSnapshot) -> Line:
        return {"type": "chat", "lines": chat.history(snapshot, self._viewer_key)}

    def _is_over(self) -> bool:
        assert self._sent is not None
        return self._sent.match.result is not None and not self.follows

    async def _lines_for(self, message: dict[str, Any]) -> list[Line | str]:
        """Return the lines to send after a message to the group of the match."""
        sent = self._sent
        assert sent is not None
        kind = message["type"]
        if kind in {"match.changed", "match.guarded"}:
            if kind == "match.changed" and message.get("version", sent.version + 1) <= sent.version:
                return []
            return await in_database_thread(self._resync)
        if kind == "chat.said":
            line = message["line"]
            if self._viewer_key in message.get("deaf", ()):
                return []
            if not chat.may_read(sent, self._viewer_key, line["room"]):
                return []
            return [{"type": "chat", "lines": chat.line_views([line], self._viewer_key)}]
        if kind == "chat.hidden":
            return [{"type": "chat-hidden", "id": message["id"]}]
        # Numbers of spectators and the computer's progress are for pages only.
        return []

    def _resync(self) -> list[Line | str]:
        snapshot, sent = self._find(), self._sent
        if sent is None or (snapshot.version, snapshot.next) == (sent.version, sent.next):
            return []
        has_ended = sent.match.result is None and snapshot.match.result is not None
        lines: list[Line | str] = [self._match_line(snapshot)]
        if has_ended:
            # After the end everyone may read both rooms.
            lines.append(self._chat_history(snapshot))
        return lines
