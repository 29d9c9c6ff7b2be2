"""Facts about a finished match: result, length, options and opening."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from antipodes.records import Reason
from antipodes.records.json_format import record_data
from antipodes.web.archive.openings import canonical_opening, opening_key
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.records import nameless_record
from antipodes.web.ratings.classes import board_class_of, speed_of

# Reasons of games without a meaningful result; searches and statistics leave them out.
ABORTED = (Reason.VOID.value, Reason.ABANDONED.value, Reason.UNKNOWN.value)
_BY_RULES = tuple(reason.value for reason in Reason if reason.termination is not None)


class Ending(StrEnum):
    """Kind of ending, as searches and statistics distinguish it."""

    BOARD = "board"
    RESIGNATION = "resignation"
    TIME = "time"
    FORFEIT = "forfeit"
    DRAW = "draw"
    ABORT = "abort"

    @property
    def label(self) -> Promise:
        """The translated name."""
        return _LABELS[self]

    @property
    def condition(self) -> Q:
        """The condition on buckets with such games."""
        return _CONDITIONS[self]

    @classmethod
    def of(cls, winner: str, reason: str) -> Ending:
        """Return the ending of a game from the winning colour, or an empty text, and the reason."""
        if not winner:
            return cls.ABORT if reason in ABORTED else cls.DRAW
        return cls.BOARD if reason in _BY_RULES else _WON_BY[reason]


_LABELS: dict[Ending, Promise] = {
    Ending.BOARD: _("won on the board"),
    Ending.RESIGNATION: _("resignation"),
    Ending.TIME: _("timeout"),
    Ending.FORFEIT: _("forfeit"),
    Ending.DRAW: _("draw"),
    Ending.ABORT: _("aborted"),
}
_CONDITIONS: dict[Ending, Q] = {
    Ending.BOARD: Q(reason__in=_BY_RULES) & ~Q(winner=""),
    Ending.RESIGNATION: Q(reason=Reason.RESIGNATION.value) & ~Q(winner=""),
    Ending.TIME: Q(reason=Reason.TIME.value) & ~Q(winner=""),
    Ending.FORFEIT: Q(reason=Reason.FORFEIT.value) & ~Q(winner=""),
    Ending.DRAW: Q(winner="") & ~Q(reason__in=ABORTED),
    Ending.ABORT: Q(winner="", reason__in=ABORTED),
}
_WON_BY = {
    Reason.RESIGNATION.value: Ending.RESIGNATION,
    Reason.TIME.value: Ending.TIME,
    Reason.FORFEIT.value: Ending.FORFEIT,
}


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that the archive stores of a match.

    Attributes:
        speed: speed class of the clock.
        board_class: class of the board.
        options: key of the option set.
        winner: the winning colour; empty without a winner.
        reason: reason of the result.
        moves: number of moves.
        swapped: whether a swap was played.
        opening: the first moves in canonical orientation; none if the match began from a position.
        colors: colour of each seat at the end.
        record: the game record without names, as one line of JSON.
    """

    speed: str
    board_class: str
    options: str
    winner: str
    reason: str
    moves: int
    swapped: bool
    opening: tuple[int, ...]
    colors: tuple[str, ...]
    record: str

    @property
    def opening_key(self) -> str:
        return opening_key(self.opening)

    def won(self, seat: int) -> bool | None:
        """Return whether a seat has won; ``None`` without a winner."""
        return self.colors[seat] == self.winner if self.winner else None


def options_key(options: dict[str, object]) -> str:
    """Return a key for options that differ from the defaults, such as ``size=13,swap=off``."""
    return ",".join(f"{name}={value}" for name, value in sorted(options.items()))


def facts_of(row: MatchRow) -> Facts:
    """Return the facts about a finished match, from its events."""
    match = row.match()
    game = match.terms.game
    moves = [move.move for move in match.moves]
    data = record_data(nameless_record(row, match))
    return Facts(
        speed=str(speed_of(match.terms.control)),
        board_class=str(board_class_of(game)),
        options=options_key(dict(game.options.changed())),
        winner=row.winner,
        reason=row.reason,
        moves=len(moves),
        swapped=match.position.swapped,
        opening=canonical_opening(game, moves) if row.start is None else (),
        colors=tuple(match.color_of(seat).value for seat in range(game.seats)),
        record=json.dumps(data, separators=(",", ":"), ensure_ascii=False),
    )
