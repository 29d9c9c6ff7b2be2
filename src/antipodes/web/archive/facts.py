"""What is told of a finished match: who won and how, how long it was, how it began."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from antipodes.records import Reason, Result
from antipodes.records.json_format import record_data
from antipodes.web.archive.openings import key_of, turned
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.records import nameless_record
from antipodes.web.ratings.classes import board_class_of, speed_of

# Where nobody has moved, or nobody knows what happened, there is nothing to be learnt.
ABORTED = (Reason.VOID.value, Reason.ABANDONED.value, Reason.UNKNOWN.value)
_BY_RULES = tuple(reason.value for reason in Reason if reason.termination is not None)


class Ending(StrEnum):
    """How a match ended, as searches ask for it."""

    BOARD = "board"
    RESIGNATION = "resignation"
    TIME = "time"
    FORFEIT = "forfeit"
    DRAW = "draw"
    ABORT = "abort"

    @property
    def words(self) -> Promise:
        """What people call it."""
        return _ENDING_WORDS[self]

    @property
    def condition(self) -> Q:
        """What shelves with such games have."""
        return _ENDINGS[self]

    @classmethod
    def of(cls, winner: str, reason: str) -> Ending:
        """Return how a game ended that somebody has won, or with an empty colour nobody."""
        if not winner:
            return cls.ABORT if reason in ABORTED else cls.DRAW
        return cls.BOARD if reason in _BY_RULES else _WON_BY[reason]


_ENDING_WORDS: dict[Ending, Promise] = {
    Ending.BOARD: _("won on the board"),
    Ending.RESIGNATION: _("resignation"),
    Ending.TIME: _("time ran out"),
    Ending.FORFEIT: _("forfeit"),
    Ending.DRAW: _("draw"),
    Ending.ABORT: _("aborted"),
}
_ENDINGS: dict[Ending, Q] = {
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
    """All that the archive keeps of a match.

    Attributes:
        speed: class of its clock.
        board_class: how large the board is.
        options: key of the option set.
        winner: the winning colour; empty if nobody won.
        reason: why it ended.
        moves: how many there are.
        swapped: whether a swap was played.
        opening: the first moves, turned.
        colors: what each seat played at the end.
        record: its record without names, as one line of JSON.
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
        """The opening as it is kept."""
        return key_of(self.opening)

    def won(self, seat: int) -> bool | None:
        """Return whether a seat has won; ``None`` where nobody has."""
        return self.colors[seat] == self.winner if self.winner else None


def options_key(options: dict[str, object]) -> str:
    """Write options that are not the usual ones as a key, such as ``size=13,swap=off``."""
    return ",".join(f"{name}={value}" for name, value in sorted(options.items()))


def facts_of(row: MatchRow) -> Facts:
    """Return what is told of a match that has ended, from its events."""
    match = row.match()
    result = match.result or Result()
    game = match.terms.game
    moves = [made.move for made in match.moves]
    data = record_data(nameless_record(row, match))
    return Facts(
        speed=str(speed_of(match.terms.control)),
        board_class=str(board_class_of(game)),
        options=options_key(dict(game.options.changed())),
        winner="" if result.winner is None else result.winner.value,
        reason=result.reason.value,
        moves=len(moves),
        swapped=match.position.swapped,
        opening=turned(game, moves),
        colors=tuple(match.color_of(seat).value for seat in range(game.seats)),
        record=json.dumps(data, separators=(",", ":"), ensure_ascii=False),
    )
