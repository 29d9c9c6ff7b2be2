"""The stream of one match: how it stands, then each change."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from antipodes.web.accounts.models import User
from antipodes.web.api.matches import find_standing
from antipodes.web.api.problems import InterfaceError
from antipodes.web.api.streams import ALIVE, LOOK, Ear, Line, alive, look
from antipodes.web.matches import chat, snapshots
from antipodes.web.matches.services import group_of
from antipodes.web.matches.snapshot_json import match_json
from antipodes.web.matches.snapshots import MatchSnapshot
from antipodes.web.platform.clock import now


@dataclass
class MatchStream:
    """What one listener is told of a match.

    Attributes:
        slug: the match.
        viewer: who listens; ``None`` for anybody.
        version: what the listener knows already; only what is newer is told.
        only_new_moves: leave out moves that were told before; ``from`` says how many still stand.
        follows: go on after the end, for a rematch and for the chat.
    """

    slug: str
    viewer: User | None
    version: int = -1
    only_new_moves: bool = False
    follows: bool = False
    _told: MatchSnapshot | None = field(default=None, init=False)

    async def lines(self) -> AsyncGenerator[Line | str, None]:
        """Tell how the match stands, and what changes; ends with the match unless it follows."""
        ear = Ear()
        try:
            # Whoever listens first and looks then misses nothing.
            await ear.listen_to([group_of(self.slug)])
            standing = await look(self._find)
            for line in await look(lambda: self._begin(standing)):
                yield line
            async for line in self._changes(ear):
                yield line
        except InterfaceError:
            yield {"type": "gone"}
        finally:
            await ear.close()

    def _find(self) -> MatchSnapshot:
        return find_standing(self.slug, self.viewer)

    @property
    def _key(self) -> int | None:
        return self.viewer.pk if self.viewer else None

    def _begin(self, standing: MatchSnapshot) -> list[Line | str]:
        lines: list[Line | str] = []
        if standing.version > self.version:
            lines.append(self._tell(standing))
        self._told = standing
        return [*lines, {"type": "chat", "lines": chat.history(standing, self._key)}]

    def _tell(self, standing: MatchSnapshot) -> str:
        known = 0
        if self.only_new_moves and self._told is not None:
            known = snapshots.common(self._told.moves, standing.moves)
        self._told = standing
        view = match_json(standing, self._key, now=now(), known=known)
        return f'{{"type":"match","match":{view}}}'

    async def _changes(self, ear: Ear) -> AsyncIterator[Line | str]:
        looked = time.monotonic()
        while not self._is_over():
            message = await ear.hear(ALIVE)
            if message is None and time.monotonic() - looked < LOOK:
                yield alive()
                continue
            if message is None:
                looked = time.monotonic()
                message = {"type": "match.changed"}
                yield alive()
            for line in await self._heard(message):
                yield line

    def _is_over(self) -> bool:
        assert self._told is not None
        return self._told.match.result is not None and not self.follows

    async def _heard(self, message: dict[str, Any]) -> list[Line | str]:
        """Return what is to be told after a message to those who watch."""
        told = self._told
        assert told is not None
        kind = message["type"]
        if kind in {"match.changed", "match.guarded"}:
            if kind == "match.changed" and message.get("version", told.version + 1) <= told.version:
                return []
            return await look(self._look_again)
        if kind == "chat.said":
            line = message["line"]
            if self._key in message.get("deaf", ()):
                return []
            if not chat.may_read(told, self._key, line["room"]):
                return []
            return [{"type": "chat", "lines": chat.line_views([line], self._key)}]
        if kind == "chat.hidden":
            return [{"type": "chat-hidden", "id": message["id"]}]
        # Who looks on, and how far the computer has thought, is for people.
        return []

    def _look_again(self) -> list[Line | str]:
        standing, told = self._find(), self._told
        if told is None or (standing.version, standing.next) == (told.version, told.next):
            return []
        has_ended = told.match.result is None and standing.match.result is not None
        lines: list[Line | str] = [self._tell(standing)]
        if has_ended:
            # From now on everybody reads both rooms.
            lines.append({"type": "chat", "lines": chat.history(standing, self._key)})
        return lines
