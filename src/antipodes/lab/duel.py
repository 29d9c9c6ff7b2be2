"""One game: sides at the seats of a game, from an opening to a result."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from antipodes.core import Color, Move
from antipodes.engine.gtp_client import ProgramError, ProgramFailure
from antipodes.games.position import Game, Position
from antipodes.lab.contestants import Contestant
from antipodes.lab.openings import Opening
from antipodes.notation.text import shorten
from antipodes.records import Reason, Result

SIDES = 2


@dataclass(frozen=True, slots=True)
class Fixture:
    """A game that is to be played.

    Attributes:
        number: of the game, from 1.
        pair: of the two games from one opening, from 0.
        sides: for each seat which side sits there; contests have sides 0 and 1.
        opening: the moves that are made already.
        seeds: for each side the seed of its player.
    """

    number: int
    pair: int
    sides: tuple[int, ...]
    opening: Opening
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Effort:
    """Effort of one side on its own moves in a game.

    Attributes:
        moves: how many it made.
        seconds: on the wall.
        cpu: seconds of processors, 0 if that cannot be told.
    """

    moves: int = 0
    seconds: float = 0.0
    cpu: float = 0.0

    def __add__(self, other: Effort) -> Effort:
        """Return what both together are."""
        return Effort(self.moves + other.moves, self.seconds + other.seconds, self.cpu + other.cpu)


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played.

    Attributes:
        fixture: the game as it was scheduled.
        moves: all moves, those of the opening included.
        result: how it ended.
        points: of side 0: 1 for a win, 1/2 for a draw, 0.
        efforts: what each side spent.
        colors: for each colour the side that had it in the end; after a swap of seats that is
            another one than at the start.
        failing: how the losing side failed, or ``None`` if the game ended by its rules.
    """

    fixture: Fixture
    moves: tuple[Move, ...]
    result: Result
    points: float
    efforts: tuple[Effort, ...]
    colors: Mapping[Color, int]
    failing: ProgramFailure | None = None


class _Failed(Exception):  # noqa: N818 - the end of a game, not an error of the program
    """A side cannot go on."""

    def __init__(self, side: int, failing: ProgramFailure, message: str) -> None:
        super().__init__(message)
        self.side = side
        self.failing = failing


_REASONS = {ProgramFailure.HUNG: Reason.TIME, ProgramFailure.RESIGNED: Reason.RESIGNATION}


def seats_of(game: Game, alone: int, side: int) -> tuple[int, ...]:
    """Return which side sits at each seat: one colour's seats have ``side``, the rest the other.

    Exchanging the sides gives the other game of a pair. With two colours that is the usual exchange
    of seats; with three or four a side plays one colour against all others, and then all others
    against that one, so that equal sides share the points of a pair.
    """
    colors = len(game.colors)
    return tuple(side if seat % colors == alone else 1 - side for seat in range(game.seats))


def play_duel(game: Game, fixture: Fixture, contestants: Sequence[Contestant]) -> Played:
    """Play a game; a side that crashes, hangs or makes an illegal move loses it."""
    position: Position = game.initial()
    moves: list[Move] = []
    efforts = [Effort() for _ in contestants]
    try:
        for side, contestant in enumerate(contestants):
            _guarded(side, contestant.begin, game, fixture.seeds[side])
        for move in fixture.opening:
            for side, contestant in enumerate(contestants):
                _guarded(side, contestant.tell, position, move)
            moves.append(move)
            position = position.play(move)
        while position.outcome is None:
            side = fixture.sides[position.seat_to_move]
            move, effort = _turn(contestants[side], side, position, efforts[side])
            efforts[side] = effort
            moves.append(move)
            after = position.play(move)
            # The end needs no telling; some programs refuse moves that end the game.
            if after.outcome is None:
                for other, contestant in enumerate(contestants):
                    if other != side:
                        _guarded(other, contestant.tell, position, move)
            position = after
    except _Failed as failed:
        return _forfeited(game, fixture, position, moves, efforts, failed)
    outcome = position.outcome
    return Played(
        fixture,
        tuple(moves),
        Result.of(outcome),
        _points(fixture, position, outcome.winner),
        tuple(efforts),
        _sides_of_colors(game, fixture, position),
    )


def _turn(
    contestant: Contestant, side: int, position: Position, effort: Effort
) -> tuple[Move, Effort]:
    """Return a side's legal move, and what it has spent so far."""
    began, used = time.perf_counter(), contestant.cpu_seconds()
    move = _guarded(side, contestant.choose, position)
    spent, now = time.perf_counter() - began, contestant.cpu_seconds()
    if move not in position.legal_moves:
        message = f"played {_shown(position, move)}, which is not legal"
        raise _Failed(side, ProgramFailure.ILLEGAL, message)
    cpu = 0.0 if used is None or now is None else max(now - used, 0.0)
    return move, Effort(effort.moves + 1, effort.seconds + spent, effort.cpu + cpu)


def _shown(position: Position, move: object) -> str:
    """Return what a side has played as text, whatever it is."""
    if isinstance(move, int) and not isinstance(move, bool):
        return position.describe_move(move)
    return shorten(repr(move))


def _guarded(side: int, do: Any, *arguments: Any) -> Any:
    """Call a side; whatever it raises is its failure."""
    try:
        return do(*arguments)
    except ProgramError as error:
        raise _Failed(side, error.failing, str(error)) from error
    except Exception as error:
        message = f"crashed: {type(error).__name__}: {error}"
        raise _Failed(side, ProgramFailure.CRASHED, message) from error


def _forfeited(
    game: Game,
    fixture: Fixture,
    position: Position,
    moves: list[Move],
    efforts: list[Effort],
    failed: _Failed,
) -> Played:
    """Return the game that a side has lost by failing; of several other sides none has won."""
    sides = _sides_of_colors(game, fixture, position)
    # Where a side has several colours, the first one stands for it.
    loser = next(color for color in game.colors if sides[color] == failed.side)
    others = [color for color in game.colors if sides[color] != failed.side]
    winner = others[0] if len(efforts) == SIDES else None
    reason = _REASONS.get(failed.failing, Reason.FORFEIT)
    return Played(
        fixture,
        tuple(moves),
        Result(winner, reason, f"{loser.title} {failed}"),
        float(failed.side != 0),
        tuple(efforts),
        sides,
        failed.failing,
    )


def _sides_of_colors(game: Game, fixture: Fixture, position: Position) -> dict[Color, int]:
    """Return for each colour which side plays it now."""
    return {color: fixture.sides[position.seat_of(color)[0]] for color in game.colors}


def _points(fixture: Fixture, position: Position, winner: Color | None) -> float:
    if winner is None:
        return 0.5
    return float(fixture.sides[position.seat_of(winner)[0]] == 0)
