"""The stream of a tournament: its state and latest round, then each change."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from antipodes.web.accounts.models import User
from antipodes.web.api.problems import ApiError
from antipodes.web.api.schemas.tournaments import PairingEvent, TournamentEvent
from antipodes.web.api.streams import GroupListener, Line, in_database_thread
from antipodes.web.api.tournaments import find_tournament, tournament_out
from antipodes.web.tournaments import exports, selectors
from antipodes.web.tournaments.log import group_of
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.schemas import PairingOut


@dataclass
class TournamentStream:
    """The stream of a tournament for one connection.

    Attributes:
        slug: slug of the tournament.
        viewer: the user; ``None`` without a token.
    """

    slug: str
    viewer: User | None
    _version: int = field(default=-1, init=False)
    _is_over: bool = field(default=False, init=False)
    _round: int | None = field(default=None, init=False)
    _sent: dict[int, PairingOut] = field(default_factory=dict, init=False)

    async def lines(self) -> AsyncGenerator[Line, None]:
        """Yield the current state, ``ready``, then changes until the tournament is over."""
        listener = GroupListener()
        try:
            # Subscribe before the query, so that no change between them is lost.
            await listener.subscribe([group_of(self.slug)])
            for line in await in_database_thread(self._changes):
                yield line
            yield {"type": "ready"}
            resync = {"type": "tournament.changed"}
            async for line in listener.lines(self._lines_for, resync, lambda: self._is_over):
                yield line
        except ApiError:
            yield {"type": "gone"}
        finally:
            await listener.close()

    async def _lines_for(self, message: Line) -> list[Line]:
        if message.get("version", self._version + 1) <= self._version:
            return []
        return await in_database_thread(self._changes)

    def _changes(self) -> list[Line]:
        """Return the lines for everything that the client does not know yet."""
        row = find_tournament(self.slug, self.viewer)
        if row.version == self._version:
            return []
        self._version, self._is_over = row.version, row.is_over
        event = TournamentEvent(type="tournament", tournament=tournament_out(row))
        return [_line(event), *self._pairing_lines(row)]

    def _pairing_lines(self, row: TournamentRow) -> list[Line]:
        """Return lines for pairings that are new or have changed since they were sent.

        At the start these are those of the latest round, and all that are not decided.
        """
        first = row.round if self._round is None else self._round + 1
        self._round = row.round
        is_asked = Q(round__gte=first) | Q(first_points=None) | Q(pk__in=list(self._sent))
        lines = []
        for line in selectors.with_games(row.pairings.filter(is_asked)):
            key, pairing = line.row.pk, exports.pairing_data(line)
            if self._sent.get(key) != pairing:
                lines.append(_line(PairingEvent(type="pairing", pairing=pairing)))
            self._sent[key] = pairing
            if pairing["points"] is not None:
                del self._sent[key]  # later corrections are in the next state
        return lines


def _line(event: TournamentEvent | PairingEvent) -> dict[str, Any]:
    return event.model_dump(mode="json", by_alias=True)
