"""Crosstables and brackets of events, and the names of their tie-breaks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import localize
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from antipodes.tournaments import TieBreak
from antipodes.web.tournaments.models import EntryRow
from antipodes.web.tournaments.selectors import PairingLine, TableLine

_HALF = 0.5

TIE_BREAKS: Mapping[TieBreak, tuple[str | Promise, str | Promise]] = {
    TieBreak.BUCHHOLZ: (
        _("Buchholz"),
        _("The sum of the points of all opponents: who met stronger players is ahead."),
    ),
    TieBreak.BUCHHOLZ_CUT: (
        _("Buchholz cut 1"),
        _("The sum of the points of all opponents, without the one with the fewest."),
    ),
    TieBreak.MEDIAN_BUCHHOLZ: (
        _("Median Buchholz"),
        _("The same without the opponents with the fewest and with the most points."),
    ),
    TieBreak.SONNEBORN_BERGER: (
        _("Sonneborn-Berger"),
        _("The points of each opponent, times the points won against them."),
    ),
    TieBreak.DIRECT_ENCOUNTER: (
        _("Direct encounter"),
        _("The points among those who are equal, if all of them have met."),
    ),
    TieBreak.WINS: (_("Wins"), _("The number of pairings won by play.")),
}


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


@dataclass(frozen=True)
class CrossRow:
    """A player's row of a crosstable.

    Attributes:
        line: the player's place in the table.
        cells: the pairings with each player, in the order of the table; ``None`` on the diagonal.
    """

    line: TableLine
    cells: list[list[tuple[str, PairingLine]] | None]


def crosstable(lines: Sequence[TableLine], pairings: Sequence[PairingLine]) -> list[CrossRow]:
    """Return the points of each player against each other one."""
    met: defaultdict[tuple[int, int], list[PairingLine]] = defaultdict(list)
    for one in pairings:
        if one.row.second_id is not None:
            met[one.row.first_id, one.row.second_id].append(one)
            met[one.row.second_id, one.row.first_id].append(one)
    return [
        CrossRow(
            line,
            [
                None
                if other is line
                else [
                    (points_text(one.points_of(line.entry)), one)
                    for one in met[line.entry.pk, other.entry.pk]
                ]
                for other in lines
            ],
        )
        for line in lines
    ]


@dataclass(frozen=True)
class Slot:
    """A player's place in a pairing of a bracket.

    Attributes:
        entry: the player; ``None`` while they are unknown.
        points: of the games so far, or of the pairing.
        is_winner: whether the player goes on.
        is_loser: whether the player is out.
    """

    entry: EntryRow | None
    points: str = ""
    is_winner: bool = False
    is_loser: bool = False


@dataclass(frozen=True)
class BracketPairing:
    """A pairing of a bracket; without a line it is not paired yet."""

    slots: list[Slot]
    line: PairingLine | None = None


@dataclass(frozen=True)
class BracketRound:
    """A column of a bracket.

    Attributes:
        number: the round.
        left: the pairings until the final: 1 for the final, 2 for the semifinals.
        pairings: from top to bottom.
    """

    number: int
    left: int
    pairings: list[BracketPairing]


def bracket(pairings: Sequence[PairingLine], last_round: int) -> list[BracketRound]:
    """Return the rounds of a knockout, also those that are not paired yet."""
    rounds: defaultdict[int, list[PairingLine]] = defaultdict(list)
    for one in pairings:
        rounds[one.row.round].append(one)
    found = []
    place: dict[int, int] = {}  # of each player in the round before
    for number in range(1, last_round + 1):
        left = 2 ** (last_round - number)
        paired = [BracketPairing(_slots(one, place), one) for one in rounds[number]]
        place = {
            slot.entry.pk: at
            for at, pairing in enumerate(paired)
            for slot in pairing.slots
            if slot.entry is not None
        }
        known = paired or [BracketPairing([Slot(None), Slot(None)]) for _one in range(left)]
        found.append(BracketRound(number, left, known))
    return found


def _slots(line: PairingLine, place: Mapping[int, int]) -> list[Slot]:
    """Return both players of a pairing, the one from the upper pairing above."""
    row = line.row
    if row.second is None:
        return [Slot(row.first, is_winner=True)]
    scores = _game_scores(line)
    slots = []
    for entry, points, other, score in (
        (row.first, row.first_points, row.second_points, scores[0]),
        (row.second, row.second_points, row.first_points, scores[1]),
    ):
        lead = (points or 0) - (other or 0)
        slots.append(
            Slot(
                entry,
                points_text(score if line.games else points),
                is_winner=lead > 0,
                is_loser=lead < 0,
            )
        )
    return sorted(slots, key=lambda one: place.get(one.entry.pk, 0) if one.entry else 0)


def _game_scores(line: PairingLine) -> tuple[float | None, float | None]:
    known = [one.first_points for one in line.games if one.first_points is not None]
    if not known:
        return None, None
    return sum(known), len(known) - sum(known)
