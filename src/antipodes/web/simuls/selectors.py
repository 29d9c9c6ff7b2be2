"""Simuls as lines of lists, with their boards and the host's score."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from antipodes.clocks import MINUTE, Pace
from antipodes.web.accounts.models import User
from antipodes.web.archive.crosstable import Score
from antipodes.web.matches.labels import control_words, pace_of
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.selectors import MatchLine, match_line
from antipodes.web.matches.snapshots import shown_all
from antipodes.web.notifications.match_events import outcome_for
from antipodes.web.platform.clock import now
from antipodes.web.platform.translations import game_label
from antipodes.web.ratings.classes import board_class_of, speed_of_text
from antipodes.web.ratings.selectors import ratings_in_pools
from antipodes.web.simuls.models import SimulBoardRow, SimulRow

_MOST = 30  # simuls of each list
_ARRIVAL = MINUTE  # milliseconds after the beginning in which its host needs no news of it
_SCORES = {"won": Score(won=1), "drawn": Score(drawn=1), "lost": Score(lost=1)}


@dataclass(frozen=True, slots=True)
class SimulLine:
    """A simul in a list.

    Attributes:
        row: the simul.
        title: the game, with options that differ from the defaults.
        clock: label of the time control.
        count: the number of its players.
    """

    row: SimulRow
    title: str
    clock: str
    count: int = 0

    @classmethod
    def of(cls, row: SimulRow, count: int = 0) -> SimulLine:
        return cls(row, game_label(row.game_id, row.options), control_words(row.control), count)


@dataclass(frozen=True, slots=True)
class Lists:
    """All simuls that can be joined or watched, and the latest results."""

    waiting: list[SimulLine]
    in_progress: list[SimulLine]
    finished: list[SimulLine]


def simul_lists() -> Lists:
    rows = SimulRow.objects.select_related("by")
    joined = Count("players", filter=Q(players__is_removed=False))
    open_boards = SimulBoardRow.objects.filter(simul=OuterRef("pk"), match__ended_at=None)
    begun = rows.filter(begun_at__gt=0).annotate(count=Count("boards"))
    return Lists(
        waiting=_lines(rows.filter(begun_at=None).annotate(count=joined)),
        in_progress=_lines(begun.filter(Exists(open_boards))),
        finished=_lines(begun.exclude(Exists(open_boards))),
    )


def _lines(rows: QuerySet[Any]) -> list[SimulLine]:
    return [SimulLine.of(row, row.count) for row in rows[:_MOST]]


@dataclass(frozen=True, slots=True)
class Place:
    """A player who has joined, with the rating in the game of the simul; empty without games."""

    user: User
    rating: str


def places_of(row: SimulRow) -> list[Place]:
    """Return the players who have joined a simul, in that order."""
    users = [one.user for one in row.players.filter(is_removed=False).select_related("user")]
    ratings = ratings_in_pools(user.pk for user in users)
    pool = row.game_id, str(speed_of_text(row.control)), str(board_class_of(row.game))
    found = ((user, ratings.get((user.pk, *pool))) for user in users)
    return [Place(user, rating.text if rating else "") for user, rating in found]


def was_removed(row: SimulRow, user: User | None) -> bool:
    """Return whether the host has removed a player."""
    return user is not None and row.players.filter(user=user, is_removed=True).exists()


@dataclass(frozen=True, slots=True)
class Board:
    """A board of a simul.

    Attributes:
        number: counted from 1.
        player: the host's opponent.
        line: the match as the viewer sees it.
        is_hosts_turn: whether the host is to move.
        outcome: for the host, ``won``, ``drawn``, ``lost`` or ``void``; empty while it lasts.
    """

    number: int
    player: User
    line: MatchLine
    is_hosts_turn: bool
    outcome: str


@dataclass(frozen=True, slots=True)
class Standings:
    """The boards of a simul that has begun, and the host's score."""

    boards: list[Board]

    @property
    def score(self) -> Score:
        """The host's score; aborted games do not count."""
        return sum((_SCORES.get(one.outcome, Score()) for one in self.boards), Score())

    @property
    def in_progress(self) -> int:
        """The number of boards in progress."""
        return sum(not one.line.is_over for one in self.boards)

    @property
    def hosts_turns(self) -> int:
        """The number of boards on which the host is to move."""
        return sum(one.is_hosts_turn for one in self.boards)


def standings(row: SimulRow, viewer: User | None) -> Standings:
    """Return the boards of a simul as a viewer sees them."""
    rows = list(
        _boards(row).select_related("match__series").prefetch_related(seated("match__seats"))
    )
    ended = [one.match for one in rows if one.match.ended_at is not None]
    snapshots = shown_all(ended)
    outcomes = {
        match.pk: outcome_for(snapshot, row.by_id, result)
        for match in ended
        for snapshot in [snapshots[match.pk]]
        if (result := snapshot.match.result) is not None
    }
    return Standings([_board(row, one, viewer, outcomes.get(one.match.pk, "")) for one in rows])


def _boards(row: SimulRow) -> QuerySet[SimulBoardRow]:
    return SimulBoardRow.objects.filter(simul=row).order_by("number")


def _board(row: SimulRow, board: SimulBoardRow, viewer: User | None, outcome: str) -> Board:
    seats = {seat.number: seat.user for seat in board.match.seats.all()}
    own = row.seat_on(board.number)
    return Board(
        number=board.number,
        player=seats[1 - own],
        line=match_line(board.match, viewer),
        is_hosts_turn=board.match.ended_at is None and board.match.seat_to_move == own,
        outcome=outcome,
    )


def next_board(row: SimulRow) -> MatchRow | None:
    """Return the board on which the host's opponent has waited longest, if there is one."""
    boards = [one for one in standings(row, None).boards if one.is_hosts_turn]
    matches = [one.line.row for one in boards]
    return min(matches, key=lambda one: one.changed_at, default=None)


def board_of(match: MatchRow) -> SimulBoardRow | None:
    """Return the board of a simul that a match is, if it is one."""
    rows = SimulBoardRow.objects.filter(match=match).select_related("simul__by")
    return rows.annotate(count=Count("simul__boards")).first()


def overseen(matches: Collection[int]) -> Iterable[tuple[int, int]]:
    """Yield pairs of a match and the host who sees its turns in the list of boards.

    These are all boards of live simuls, and in others those that have just begun.
    """
    rows = SimulBoardRow.objects.filter(match__in=matches)
    found = rows.values_list("match", "simul__by", "simul__control", "simul__begun_at")
    for match, host, control, begun_at in found:
        if pace_of(control) is Pace.LIVE or (begun_at or 0) > now() - _ARRIVAL:
            yield match, host
