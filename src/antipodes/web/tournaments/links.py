"""Links from a match to its event, and to the game that follows."""

from __future__ import annotations

from dataclasses import dataclass

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.tournaments.models import GameRow, TournamentRow
from antipodes.web.tournaments.selectors import PairingLine, pairing_of


@dataclass(frozen=True)
class MatchLinks:
    """A match in its event.

    Attributes:
        line: its pairing, with all games.
        number: of the game in the pairing, from 1.
        following: the next game: of the viewer in this event, or else of the pairing.
        is_player: whether the viewer plays the match.
    """

    line: PairingLine
    number: int
    following: MatchRow | None
    is_player: bool

    @property
    def tournament(self) -> TournamentRow:
        return self.line.row.tournament

    @property
    def opening(self) -> str:
        """The moves that are given in the game."""
        return self.line.row.opening_moves(self.number)


def match_links(match: MatchRow, user: User | None) -> MatchLinks | None:
    """Return the links of a match for a viewer; ``None`` if it belongs to no event."""
    line = pairing_of(match)
    if line is None:
        return None
    number = next(one.number for one in line.games if one.match_id == match.pk)
    of_pairing = (one.match for one in line.games if one.number == number + 1)
    is_player = user is not None and any(entry.user_id == user.pk for entry in line.row.players)
    own = _next_of(user, match, line.row.tournament) if user is not None and is_player else None
    return MatchLinks(line, number, own or next(of_pairing, None), is_player)


def _next_of(user: User, match: MatchRow, row: TournamentRow) -> MatchRow | None:
    """Return the first game that began after a match, and in which a player is still playing."""
    games = GameRow.objects.filter(
        pairing__tournament=row,
        match__pk__gt=match.pk,
        match__ended_at=None,
        match__seats__user=user,
    )
    game = games.select_related("match").order_by("match").first()
    return None if game is None else game.match
