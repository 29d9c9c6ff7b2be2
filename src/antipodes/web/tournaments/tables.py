"""Crosstables and brackets of events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from django.utils.formats import localize

from antipodes.tournaments import EMPTY, Bracket, Crosstable, Part, Place, Standing, TeamTable
from antipodes.web.platform.translations import phrase_text
from antipodes.web.tournaments.models import EntryRow
from antipodes.web.tournaments.selectors import PairingLine

_HALF = 0.5


def points_text(points: float | None) -> str:
    """Return points as tables show them, such as 2½; empty for none yet."""
    if points is None:
        return ""
    whole = int(points)
    if points == whole:
        return str(whole)
    if points - whole == _HALF:
        return f"{whole or ''}½"
    return str(localize(round(points, 2)))


def score_text(points: Iterable[float]) -> str:
    """Return the points of players of one game or pairing, such as 2½ : ½."""
    return " : ".join(map(points_text, points))


@dataclass(frozen=True)
class CrossRow:
    """A player's row of a crosstable.

    Attributes:
        standing: rank and points among the players of the crosstable.
        entry: the player.
        cells: points against each player, in the order of the table; ``None`` on the diagonal.
        goes_up: whether the player goes on to a final, or to a higher division.
        goes_down: whether the player goes to a lower division.
    """

    standing: Standing
    entry: EntryRow
    cells: list[list[str] | None]
    goes_up: bool = False
    goes_down: bool = False


@dataclass(frozen=True)
class Slot:
    """A player's place in a pairing of a bracket.

    Attributes:
        entry: the player; ``None`` while they are unknown.
        points: of the games so far, or of the pairing.
        outcome: ``won`` if the player goes on, ``lost``, or empty.
    """

    entry: EntryRow | None
    points: str = ""
    outcome: str = ""


@dataclass(frozen=True)
class Column:
    """A column of a bracket.

    Attributes:
        title: of the round.
        is_joined: whether two neighbours lead to one pairing of the next column.
        pairings: the places of each, from top to bottom; none for a pair without players.
    """

    title: str
    is_joined: bool
    pairings: list[list[Slot]]


@dataclass(frozen=True)
class PartView:
    """A part as pages show it.

    Attributes:
        title: of the part.
        crosstable: its rows.
        bracket: its columns.
        teams: name and points of each team.
    """

    title: str
    crosstable: list[CrossRow] = field(default_factory=list)
    bracket: list[Column] = field(default_factory=list)
    teams: list[tuple[str, str]] = field(default_factory=list)


_Lines = Mapping[tuple[int, frozenset[int]], PairingLine]


def part_views(
    parts: Sequence[Part],
    entries: Mapping[int, EntryRow],
    lines: Sequence[PairingLine],
    teams: Mapping[int, str],
) -> list[PartView]:
    """Return the parts of an event as pages show them.

    Args:
        parts: as the format of the event returns them.
        entries: the players by their pairing numbers.
        lines: the pairings of the brackets with their games.
        teams: their names.
    """
    known = {
        (line.row.round, frozenset((line.row.first.number or 0, line.row.second.number or 0))): line
        for line in lines
        if line.row.second is not None
    }
    views = []
    for part in parts:
        title = phrase_text(part.title)
        if isinstance(part, Crosstable):
            views.append(PartView(title, crosstable=_cross_rows(part, entries)))
        elif isinstance(part, TeamTable):
            score = [(teams.get(one, ""), points_text(part.points[one])) for one in part.points]
            views.append(PartView(title, teams=score))
        else:
            views.append(PartView(title, bracket=_columns(part, entries, known)))
    return views


def _cross_rows(part: Crosstable, entries: Mapping[int, EntryRow]) -> list[CrossRow]:
    """Return the points of each player against each other one."""
    met: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    for pairing in part.pairings:
        for player, other in permutations(pairing.players, 2):
            points = None if pairing.points is None else pairing.points_of(player)
            met[player, other].append(points_text(points))
    return [
        CrossRow(
            row,
            entries[row.player],
            [None if other is row else met[row.player, other.player] for other in part.rows],
            row.player in part.up,
            row.player in part.down,
        )
        for row in part.rows
    ]


def _columns(part: Bracket, entries: Mapping[int, EntryRow], lines: _Lines) -> list[Column]:
    lengths = [len(one.pairs) for one in part.rounds]
    return [
        Column(
            phrase_text(bracket_round.title),
            later < len(bracket_round.pairs),
            [_slots(bracket_round.number, pair, entries, lines) for pair in bracket_round.pairs],
        )
        for bracket_round, later in zip(part.rounds, [*lengths[1:], 0], strict=True)
    ]


def _slots(
    number: int, pair: tuple[Place, Place], entries: Mapping[int, EntryRow], lines: _Lines
) -> list[Slot]:
    players = [None if one is None else entries[one] for one in pair if one != EMPTY]
    line = lines.get((number, frozenset(one for one in pair if one)))
    if line is None:
        bye = "won" if len(players) == 1 else ""
        return [Slot(one, outcome=bye if one else "") for one in players]
    row, scores = line.row, line.score
    lead = (row.first_points or 0) - (row.second_points or 0)
    results = {
        row.first_id: (scores[0] if scores else row.first_points, lead),
        row.second_id: (scores[1] if scores else row.second_points, -lead),
    }
    slots = []
    for player in players:
        if player is not None:
            points, ahead = results[player.pk]
            outcome = "won" if ahead > 0 else "lost" if ahead < 0 else ""
            slots.append(Slot(player, points_text(points), outcome))
    return slots
