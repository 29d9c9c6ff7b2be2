"""The base class of all positions: checking, copying and calling kernels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, Self, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np

from antipodes.core import Color, Illegality, Move, Outcome, Setup, Termination
from antipodes.core.move import move_number
from antipodes.errors import (
    Fault,
    IllegalMoveError,
    InvalidMoveError,
    MoveError,
    Phrase,
    UnknownPointError,
)
from antipodes.games.base import BoardGame
from antipodes.games.kernels import Array, header
from antipodes.notation import ascii_pictures
from antipodes.notation.scene import Rod, Scene
from antipodes.notation.sides import turned
from antipodes.notation.svg import render_svg
from antipodes.notation.text import clean, shorten

_BYTES_OF_OBJECTS = 256  # of a position and its array, besides the numbers in it
_BYTES_OF_MOVE = 88  # of a pair and a number
TERMINATIONS = {
    header.CONNECTION: Termination.CONNECTION,
    header.RING: Termination.RING,
    header.BLOCKED: Termination.BLOCKED,
    header.FULL_BOARD: Termination.FULL_BOARD,
    header.REPETITION: Termination.REPETITION,
    header.MOVE_LIMIT: Termination.MOVE_LIMIT,
    header.MISERE: Termination.MISERE,
}

# Any game and any position, for signatures.
Game: TypeAlias = "BoardGame[Any, Position]"
Position: TypeAlias = "BoardPosition[Game]"

# The moves played: the last one and the line before it. Positions of one game share their lines.
_Line: TypeAlias = "tuple[_Line, int] | None"

GameT_co = TypeVar("GameT_co", bound=BoardGame[Any, Any], covariant=True)


# Attributes that kernels and other parts of this package use, and that completion leaves out.
_INTERNAL = {
    "caption_phrases",
    "describe_move",
    "flipped_by",
    "flips",
    "kernel_state",
    "nbytes",
    "pieces",
    "searchable_state",
    "seats_moved_on",
    "seen_from",
    "steps",
}


class LegalMoves(Sequence[Move]):
    """The legal moves of a position: a sequence in rising order; ``in`` accepts texts as well."""

    __slots__ = ("_listed", "_position")

    def __init__(self, position: Position) -> None:
        """Keep the position; the moves are computed on demand."""
        self._position = position
        self._listed: Array | None = None

    def array(self) -> Array:
        """Return the moves as an array of numbers."""
        if self._listed is None:
            game = self._position.game
            out = np.empty(game.max_branching, np.int64)
            count = game.rules.moves(game.tables, self._position.kernel_state, game.work(), out)
            self._listed = out[:count].copy()
            self._listed.flags.writeable = False
        return self._listed

    @overload
    def __getitem__(self, index: SupportsIndex) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Move | tuple[Move, ...]:
        """Return a move by its index, or several."""
        if isinstance(index, slice):
            return tuple(map(Move, self.array()[index].tolist()))
        return Move(self.array()[index])

    def __iter__(self) -> Iterator[Move]:
        """Yield the moves in rising order."""
        return map(Move, self.array().tolist())

    def __len__(self) -> int:
        return len(self.array())

    def __contains__(self, move: object) -> bool:
        """Return whether a move, or the move that a text names, is legal."""
        if isinstance(move, str):
            try:
                return self._position.why_illegal(move) is None
            except MoveError:
                return False
        is_number = isinstance(move, int | np.integer) and not isinstance(move, bool)
        return is_number and self._position.why_illegal(int(move)) is None  # type: ignore[call-overload]

    def __repr__(self) -> str:
        """Return the first moves as text."""
        texts = [self._position.format_move(move) for move in self]
        return f"<LegalMoves: {', '.join(texts[:20])}{', ...' if len(texts) > 20 else ''}>"


class BoardPosition(Generic[GameT_co]):
    """Base of all positions: an immutable value around a read-only state array."""

    __slots__ = ("__weakref__", "_line", "game", "kernel_state")

    game: GameT_co
    kernel_state: Array  # the state for kernels, which must not be changed
    _line: _Line

    def __init__(self, game: GameT_co, state: Array, line: _Line = None) -> None:
        """Wrap a state; only games and ``play`` call this."""
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "kernel_state", state)
        object.__setattr__(self, "_line", line)

    def __dir__(self) -> list[str]:
        """Return the names for programs, without those of kernels and of other parts."""
        return sorted({*super().__dir__()} - _INTERNAL)

    def __setattr__(self, name: str, value: object) -> None:
        """Raise: positions are immutable."""
        raise AttributeError(f"positions are immutable; {name} cannot be set")

    @property
    def nbytes(self) -> int:
        """Its size in memory in bytes, with that of its objects and of the moves before it."""
        return self.kernel_state.nbytes + _BYTES_OF_OBJECTS + _BYTES_OF_MOVE * self.ply

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle game, state and moves."""
        return _restored, (self.game, self.kernel_state.tobytes(), tuple(map(int, self.moves)))

    def __copy__(self) -> Self:
        """Return the position itself, which never changes."""
        return self

    def __deepcopy__(self, memo: object) -> Self:
        """Return the position itself, which never changes."""
        return self

    def _identity(self) -> tuple[bytes, ...]:
        state = self.kernel_state
        return (
            state[[header.COLOR, header.SEAT, header.WINNER, header.REASON]].tobytes(),
            state[[header.SWAPPED, header.SWAP_OPEN, header.PHASE]].tobytes(),
            state[header.HEADER : header.HEADER + self.game.identity_size].tobytes(),
        )

    def __eq__(self, other: object) -> bool:
        """Return whether the rules treat both alike; history and counters are left out."""
        if not isinstance(other, BoardPosition) or self.game != other.game:
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash((self.game, self.key))

    def __repr__(self) -> str:
        """Return the game, the ply and the colour to move."""
        state = str(self.outcome) if self.outcome else f"{self.to_move} to move"
        return f"<{self.game!r} after {self.ply} plies, {state}>"

    def __str__(self) -> str:
        return self.picture()

    @property
    def state(self) -> Array:
        """The numbers for kernels, read-only; see ``games.kernels`` for their meaning."""
        view = self.kernel_state.view()
        view.flags.writeable = False
        return view

    # Turn, ply and outcome.

    @property
    def to_move(self) -> Color:
        """The colour to move; after the end, the one that would be next."""
        color: Color = self.game.kernel_colors[self.kernel_state[header.COLOR]]
        return color

    @property
    def seat_to_move(self) -> int:
        """The seat to move, counted from 0 in the order of the first turns."""
        return int(self.kernel_state[header.SEAT])

    @property
    def ply(self) -> int:
        """Moves made so far."""
        return int(self.kernel_state[header.PLY])

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves played since the start position, or since the one that was set up.

        They are no part of what makes positions equal.
        """
        played, line = [], self._line
        while line is not None:
            line, move = line
            played.append(Move(move))
        return tuple(reversed(played))

    @property
    def last_move(self) -> Move | None:
        """The move that led here; ``None`` in a start position or one that was set up."""
        return None if self._line is None else Move(self._line[1])

    @property
    def phase(self) -> int:
        """2 in Phase Two of Antipalos, in which rods are moved; 1 otherwise."""
        return 1 + int(self.kernel_state[header.PHASE])

    @property
    def swapped(self) -> bool:
        """Whether a swap was played."""
        return bool(self.kernel_state[header.SWAPPED])

    @property
    def outcome(self) -> Outcome | None:
        """The outcome by the rules, or ``None`` while the game is in progress."""
        winner = int(self.kernel_state[header.WINNER])
        if winner == 0:
            return None
        return Outcome(
            None if winner == header.DRAW else self.game.kernel_colors[winner - 1],
            TERMINATIONS[int(self.kernel_state[header.REASON])],
            int(self.kernel_state[header.POINTS]),
        )

    @property
    def key(self) -> int:
        """A 64-bit hash, the same on every machine; the side to move is part of it."""
        return int(self.kernel_state[header.KEY]) & 0xFFFFFFFFFFFFFFFF

    def seat_of(self, color: Color) -> tuple[int, ...]:
        """Return the seats that play a colour now."""
        return self.game.seats_of(color, exchanged=self._has_exchanged_seats)

    def color_of(self, seat: int) -> Color:
        """Return the colour that a seat plays now."""
        return self.game.color_of(seat, exchanged=self._has_exchanged_seats)

    @property
    def _has_exchanged_seats(self) -> bool:
        return self.swapped and self.game.swap_exchanges == "seats"

    def seats_moved_on(self, winner: Color | None) -> int:
        """Return by how many seats all players move on for the next game, after a finished one.

        Args:
            winner: the colour that has won, by the rules or otherwise; ``None`` if none has.
        """
        return self.game.seats_moved_on(None if winner is None else self.seat_of(winner)[0])

    # Points.

    def __getitem__(self, point: str) -> Color | Rod | None:
        """Return the colour of the stone or token at a point, or the rod on a square.

        Args:
            point: its name, such as ``"b4"``.

        Returns:
            ``None`` if the point is empty. A pawn stands on a token of its colour.

        Raises:
            UnknownPointError: the board has no such point.
            TypeError: ``point`` is not a text.
        """
        if not isinstance(point, str):
            raise TypeError(f"a point has a name such as 'b4'; {point!r} is not a text")
        cleaned = clean(point)
        cell = self._cell_named(cleaned)
        if cell is None:
            fault = Fault.of(
                "position/no-such-point",
                "the board has no point {point}; {help}",
                where=point,
                point=shorten(point),
                help=self.game.point_names.where(cleaned),
            )
            raise UnknownPointError([fault])
        return self._piece_on(cell)

    def _cell_named(self, name: str) -> int | None:
        return self.game.topology.cell(name)

    @abstractmethod
    def _piece_on(self, cell: int) -> Color | Rod | None:
        """Return the piece on a cell."""

    # Moves.

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves; empty if and only if there is an outcome."""
        return LegalMoves(self)

    def why_illegal(self, move: SupportsIndex | str) -> Illegality | None:
        """Return why ``move`` is not legal here, or ``None`` if it is.

        Raises:
            InvalidMoveError: ``move`` is a text that is not a move of this game.
            TypeError: ``move`` is neither a text nor a whole number.
        """
        number = self._number_of(move)
        if not 0 <= number < self.game.move_count:
            return Illegality.OUT_OF_RANGE
        game = self.game
        answer = game.rules.judge(game.tables, self.kernel_state, game.work(), number)
        return Illegality(answer) if answer else None

    def play(self, move: SupportsIndex | str) -> Self:
        """Return the position after ``move``, a number or a text such as ``"c3"``.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
            InvalidMoveError: ``move`` is a text that is not a move of this game.
            TypeError: ``move`` is neither a text nor a whole number.
        """
        number = self._number_of(move)
        reason = self.why_illegal(number)
        if reason is not None:
            raise self._illegal(reason, self.describe_move(number))
        game = self.game
        state = self._room_for_next()
        game.rules.play(game.tables, state, game.work(), number)
        return type(self)(game, state, (self._line, number))

    def _number_of(self, move: SupportsIndex | str) -> int:
        return self.read_move(move) if isinstance(move, str) else move_number(move)

    def _room_for_next(self) -> Array:
        return self.kernel_state.copy()

    def searchable_state(self, plies: int) -> Array:
        """Return a writeable copy of the state with room to play ``plies`` moves in place."""
        return self.kernel_state.copy()

    def _illegal(self, reason: Illegality, shown: str) -> IllegalMoveError:
        why = Phrase(reason.message)
        if reason is Illegality.GAME_OVER:
            why = Phrase("the game is over ({outcome})", {"outcome": self.outcome})
        fault = Fault.of(reason.code, "{move} is not legal: {reason}", move=shown, reason=why)
        return IllegalMoveError([fault], text=shown)

    def describe_move(self, move: int, seat: int | None = None) -> str:
        """Return a move's text, or its number where it has none."""
        in_range = 0 <= move < self.game.move_count
        return self.format_move(move, seat) if in_range else f"move {move}"

    def parse_move(self, text: str, seat: int | None = None) -> Move:
        """Read a legal move in the notation of a seat, by default the first one.

        Raises:
            InvalidMoveError: the text is not a move of this game.
            IllegalMoveError: the move is not legal in this position.
            AmbiguousMoveError: the text could mean several moves.
        """
        move = self.read_move(text, seat)
        reason = self.why_illegal(move)
        if reason is not None:
            raise self._illegal(reason, clean(text))
        return move

    def read_move(self, text: str, seat: int | None = None) -> Move:
        """Read a move without checking whether it is legal; see ``parse_move``.

        Raises:
            InvalidMoveError: the text is not a move of this game.
        """
        cleaned = clean(text)
        move = self._read(cleaned)
        if move is None:
            fault = Fault.of(
                "move/unreadable",
                "{text} is not a move of {game}; {help}",
                text=shorten(text),
                game=Phrase(self.game.title),
                help=self.game.point_names.outside(cleaned) or self._move_help(),
            )
            raise InvalidMoveError([fault], text=text)
        return move if seat is None else self.game.transform(move, self.game.reading(seat))

    @abstractmethod
    def _read(self, text: str) -> Move | None:
        """Read cleaned text as a move, or return ``None``."""

    @abstractmethod
    def _move_help(self) -> Phrase:
        """Return a description of the notation of moves, as the end of a sentence."""

    @abstractmethod
    def format_move(self, move: int, seat: int | None = None) -> str:
        """Write a move in the notation of a seat, by default the first one.

        Records and programs use that of the first seat. ``parse_move`` with the same seat reads it.
        """

    def steps(self, move: int) -> tuple[int, ...]:
        """Return the cells that a player selects one after another to make a move.

        They are the same in all positions. There are none for a swap. In Antipalos the last number
        is a rod's diagonal, 0 for ``/`` and 1 for the other one.
        """
        if move == self.game.swap_move:
            return ()
        base, strides = max(form for form in self.game.move_forms if form[0] <= move)
        steps, left = [], int(move) - base
        for stride in strides:
            step, left = divmod(left, stride)
            steps.append(step)
        return tuple(steps)

    def flipped_by(self, steps: Sequence[int]) -> dict[int, Color]:
        """Return the pieces that the first steps of a move change, with their new colours."""
        return {}

    def flips(self, move: int) -> tuple[tuple[int, ...], ...]:
        """Return the cells whose pieces each step of a legal move flips, in their order."""
        return ()

    # Pictures and setups.

    @property
    def pieces(self) -> Array:
        """The piece on each cell, as an index of ``game.pieces``; a pawn hides its token."""
        game = self.game
        out = np.empty(game.topology.cell_count, np.int64)
        game.rules.pieces(game.tables, self.kernel_state, game.work(), out)
        return out

    def winning_chain(self) -> tuple[int, ...]:
        """Return the cells of a shortest winning chain or ring; empty if there is none."""
        game = self.game
        out = np.empty(game.topology.cell_count + 8, np.int64)
        work = np.zeros(game.chain_work_size, np.int64)
        count = game.rules.chain(game.tables, self.kernel_state, work, out)
        return tuple(out[:count].tolist())

    @property
    def last_cell(self) -> int | None:
        """The cell of the last stone, rod or token; ``None`` if it is not known."""
        last = int(self.kernel_state[header.LAST])
        return None if last < 0 else last

    @abstractmethod
    def to_setup(self) -> Setup:
        """Describe the position; ``game.position`` reads it back as an equal one."""

    @abstractmethod
    def scene(self) -> Scene:
        """Return the scene of a picture of the position."""

    def seen_from(self, seat: int | None) -> Scene:
        """Return the scene as a seat sees it, by default the first one."""
        return turned(self.scene(), 0 if seat is None else -self.game.reading(seat))

    def picture(self, seat: int | None = None) -> str:
        """Return the picture in text as a seat sees it, by default the first one."""
        return ascii_pictures.draw(self.seen_from(seat))

    def caption(self) -> str:
        """Return a line with the game and the colour to move or the outcome."""
        return " ".join(map(str, self.caption_phrases()))

    def caption_phrases(self) -> tuple[Phrase, ...]:
        """Return the sentences of the caption as phrases."""
        game = Phrase(self.game.title)
        if self.outcome is not None:
            return (Phrase("{game}: {outcome}.", {"game": game, "outcome": self.outcome}),)
        values = {"game": game, "number": self.ply + 1, "colour": Phrase(self.to_move.title)}
        return (Phrase("{game}, move {number}: {colour} to move.", values),)

    def to_svg(self, numbers: Mapping[int, int] | None = None, seat: int | None = None) -> str:
        """Return the picture as SVG text.

        Args:
            numbers: move numbers to write on cells.
            seat: the seat that sees the picture, by default the first one.
        """
        turns = 0 if seat is None else -self.game.reading(seat)
        return render_svg(turned(self.scene().with_numbers(numbers or {}), turns))

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks."""
        return self.to_svg()


def _restored(game: Game, data: bytes, moves: Sequence[int] = ()) -> Position:
    line: _Line = None
    for move in moves:
        line = (line, move)
    position: Position = game.position_type(game, np.frombuffer(data, np.int64).copy(), line)
    return position
