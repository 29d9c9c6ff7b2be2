"""Team match: two teams meet on boards, in the order of their players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from antipodes.errors import Phrase
from antipodes.games.options import whole
from antipodes.tournaments.formats import EventState, Format, Part, TeamTable
from antipodes.tournaments.history import History, Pairing, check_round
from antipodes.tournaments.standings import Column, Standing, TieBreak, ranked

HOME, GUESTS = 1, 2


def lineups(players: Sequence[int], teams: Mapping[int, int], boards: int) -> list[tuple[int, int]]:
    """Return who meets on each board, the player of the home team first.

    Args:
        players: pairing numbers; the stronger players of a team have the first boards.
        teams: of the players, `HOME` or `GUESTS`.
        boards: at most; fewer if a team has fewer players.
    """
    home, guests = (
        [one for one in sorted(players) if teams.get(one) == team] for team in (HOME, GUESTS)
    )
    return list(zip(home, guests, strict=False))[:boards]


def pair_teams(
    players: Sequence[int], teams: Mapping[int, int], boards: int, round_number: int, rounds: int
) -> list[Pairing]:
    """Return the pairings of a round by boards; each team has every second one the first seat.

    In the first round the home team has it on the first board. Seats are exchanged by rounds.

    Raises:
        InputError: no such round.
    """
    check_round(round_number, rounds)
    return [
        Pairing(round_number, *((home, guest) if (at + round_number) % 2 else (guest, home)))
        for at, (home, guest) in enumerate(lineups(players, teams, boards))
    ]


def team_points(teams: Mapping[int, int], pairings: Sequence[Pairing]) -> dict[int, float]:
    """Return the points of both teams: those of their players."""
    points = {HOME: 0.0, GUESTS: 0.0}
    for one in pairings:
        for player in (one.first, one.second):
            if player is not None and player in teams:
                points[teams[player]] += one.points_of(player)
    return points


@dataclass(frozen=True, kw_only=True)
class TeamMatch(Format):
    """Two clubs, whose players meet on boards."""

    name = "team-match"
    title = "Team match"
    summary = "The players of two clubs meet on boards, the strongest on the first one"
    has_teams = True

    boards: int = whole(8, 1, 50, "boards at most")
    cycles: int = whole(1, 1, 2, "how often two players meet, with seats exchanged")

    def rounds_for(self, count: int) -> int:  # noqa: ARG002
        """Return how many rounds are played."""
        return self.cycles

    def pair(self, event: EventState, round_number: int) -> list[Pairing]:
        """Return the pairings of a round by boards; opponents of players who withdrew win."""
        if round_number > self.cycles:
            return []
        return pair_teams(event.players, event.teams, self.boards, round_number, self.cycles)

    def table(self, event: EventState) -> list[Standing]:
        """Rank the players by the points of their teams, then by their own."""
        points, teams = History(event.pairings).points, team_points(event.teams, event.pairings)
        own = {one: points(one) for one in event.players}
        order = {one: (teams.get(event.teams.get(one, 0), 0.0), own[one]) for one in own}
        return ranked(order, {one: (own[one],) for one in own})

    def columns(self, tie_breaks: Sequence[TieBreak]) -> list[Column]:  # noqa: ARG002
        """Return none: the points of the teams decide, then those of the players."""
        return []

    def parts(self, event: EventState) -> list[Part]:
        """Return the score of both teams."""
        return [TeamTable(Phrase("Score"), team_points(event.teams, event.pairings))]

    def pairs_ahead(self, count: int, round_number: int) -> bool:  # noqa: ARG002
        """Return whether a round can be paired before the earlier ones are over: all can."""
        return round_number <= self.cycles
