"""A turn that is being put together on the board, step by step.

A turn knows no rules: which steps are possible comes from the legal moves of the position alone.
Turns are immutable; a step gives a new turn, or the finished move.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from antipodes.core import Color, Move
from antipodes.games.antipalos import AntipalosPosition
from antipodes.games.antipode import AntipodePosition
from antipodes.games.position import Position
from antipodes.notation.scene import Rod, Scene

DIAGONALS = "/\\"


class Turn(ABC):
    """The turn at a position, as far as it has been put together.

    Attributes:
        position: where the turn began; it does not change before the turn is finished.
    """

    position: Position

    @property
    @abstractmethod
    def cells(self) -> frozenset[int]:
        """The cells that the next step may choose; empty when the game is over."""

    @property
    @abstractmethod
    def prompt(self) -> str:
        """The next step, in a few words."""

    @abstractmethod
    def choose(self, cell: int) -> Turn | Move:
        """Take the next step, or return this turn itself where ``cell`` cannot be chosen."""

    @abstractmethod
    def touched(self, move: int) -> tuple[int, ...]:
        """Return the cells that a move names, in the order of its steps."""

    @property
    def held(self) -> tuple[int, ...]:
        """The cells chosen so far."""
        return ()

    @property
    def pending(self) -> Move | None:
        """The move that waits for a confirmation."""
        return None

    def back(self) -> Turn | None:
        """Return the turn one step before, or ``None`` at its beginning."""
        return None

    def lay(self, cell: int, diagonal: str) -> Turn:  # noqa: ARG002 - only rods have diagonals
        """Propose a rod on ``cell``; the same turn where that cannot be."""
        return self

    def scene(self) -> Scene:
        """Return the picture with the steps taken so far."""
        return self.position.scene()

    def flips(self, cell: int) -> frozenset[int]:  # noqa: ARG002 - most games flip nothing
        """Return the cells whose tokens flip when ``cell`` is chosen next."""
        return frozenset()


def begin(position: Position) -> Turn:
    """Return the turn at a position with no step taken."""
    if isinstance(position, AntipodePosition):
        return AntipodeTurn(position)
    if isinstance(position, AntipalosPosition):
        return AntipalosTurn(position, _choices(position))
    return StoneTurn(position)


@dataclass(frozen=True, eq=False)
class StoneTurn(Turn):
    """Antipod and the Hexes: one stone on an empty point."""

    position: Position

    @cached_property
    def cells(self) -> frozenset[int]:
        """The empty points."""
        return frozenset(self.position.legal_moves) - {self.position.game.swap_move}

    @property
    def prompt(self) -> str:
        """Ask for a point."""
        return "Choose a point."

    def choose(self, cell: int) -> Turn | Move:
        """Return the move on an empty point."""
        return Move(cell) if cell in self.cells else self

    def touched(self, move: int) -> tuple[int, ...]:
        """Return the stone's point; nothing for a swap."""
        return self.position.steps(move)


@dataclass(frozen=True, eq=False)
class AntipodeTurn(Turn):
    """Antipode: first a token, then a pawn's slide."""

    position: AntipodePosition
    token: int | None = None

    @cached_property
    def _rests(self) -> dict[int, frozenset[int]]:
        """Each cell for the token, with the cells where the pawn may then come to rest."""
        found: dict[int, set[int]] = {}
        for move in self.position.legal_moves:
            cell, rest = self.touched(move)
            found.setdefault(cell, set()).add(rest)
        return {cell: frozenset(rests) for cell, rests in found.items()}

    def touched(self, move: int) -> tuple[int, ...]:
        """Return the cell of the token and the cell where the pawn comes to rest."""
        return self.position.steps(move)

    @cached_property
    def cells(self) -> frozenset[int]:
        """The cells for the token, then those for the pawn."""
        return frozenset(self._rests) if self.token is None else self._rests[self.token]

    @property
    def prompt(self) -> str:
        """Ask for the token, then for the pawn."""
        if self.token is None:
            return "Step 1 of 2: choose an empty cell for the token."
        return "Step 2 of 2: choose where the pawn rests (+). Esc takes the token back."

    @property
    def held(self) -> tuple[int, ...]:
        """The token's cell, once it is chosen."""
        return () if self.token is None else (self.token,)

    def choose(self, cell: int) -> Turn | Move:
        """Put the token, then slide the pawn."""
        if cell not in self.cells:
            return self
        if self.token is None:
            return AntipodeTurn(self.position, cell)
        return self.position.game.turn(self.token, cell)

    def back(self) -> Turn | None:
        """Take the token back."""
        return None if self.token is None else AntipodeTurn(self.position)

    def _tokens(self) -> dict[int, Color]:
        """Return the tokens after the steps taken so far."""
        if self.token is None:
            return self.position.tokens()
        return self.position.after_token(self.token) or self.position.tokens()

    def scene(self) -> Scene:
        """Return the picture, with the token and what it has flipped."""
        return replace(self.position.scene(), stones=self._tokens())

    def flips(self, cell: int) -> frozenset[int]:
        """Return what the token, or the slide to a cell, would flip."""
        if cell not in self.cells:
            return frozenset()
        before = self._tokens()
        if self.token is None:
            after = self.position.after_token(cell) or before
        else:
            after = self.position.play(self.position.game.turn(self.token, cell)).tokens()
        return frozenset(c for c, color in before.items() if after[c] is not color)


Choices = Mapping[int | None, Mapping[int, Mapping[int, Move]]]


def _split(position: AntipalosPosition, move: int) -> tuple[int | None, int, int]:
    """Return origin (``None`` in a placement), square and diagonal of a move."""
    *origin, square, diagonal = position.steps(move)
    return (origin[0] if origin else None), square, diagonal


def _choices(position: AntipalosPosition) -> Choices:
    """Sort the legal moves by their steps, once for all steps of a turn."""
    found: dict[int | None, dict[int, dict[int, Move]]] = {}
    for move in position.legal_moves:
        if move != position.game.swap_move:
            origin, square, diagonal = _split(position, move)
            found.setdefault(origin, {}).setdefault(square, {})[diagonal] = move
    return found


@dataclass(frozen=True, eq=False)
class AntipalosTurn(Turn):
    """Antipalos: a square and a diagonal; in Phase Two an own rod before them.

    Attributes:
        choices: the legal moves as origin (``None`` for a placement) -> square -> diagonal -> move.
        origin: square of the rod taken up in Phase Two.
        square: where a rod is proposed, waiting to be confirmed.
        diagonal: the proposed rod's diagonal, or the one that is proposed first: 0 is ``/``.
    """

    position: AntipalosPosition
    choices: Choices
    origin: int | None = None
    square: int | None = None
    diagonal: int = 0

    @property
    def _moves_rods(self) -> bool:
        return self.position.phase == 2

    def touched(self, move: int) -> tuple[int, ...]:
        """Return the square of a rod, after the square that it is moved from."""
        return self.position.steps(move)[:-1]

    @property
    def _targets(self) -> Mapping[int, Mapping[int, Move]]:
        """The squares for the rod that is placed or was taken up, with their moves."""
        if self._moves_rods and self.origin is None:
            return {}
        return self.choices.get(self.origin, {})

    @property
    def _origins(self) -> frozenset[int]:
        return frozenset(origin for origin in self.choices if origin is not None)

    @property
    def cells(self) -> frozenset[int]:
        """The own rods to take up, or the squares for the rod."""
        if self._moves_rods and self.origin is None:
            return self._origins
        return frozenset(self._targets)

    @property
    def prompt(self) -> str:
        """Ask for what comes next."""
        if self.square is not None:
            return r"Enter plays it; / \ or Space turns it; Esc takes it back."
        if self._moves_rods and self.origin is None:
            return "Phase Two, step 1 of 2: choose one of your rods to take up."
        if self._moves_rods:
            return r"Step 2 of 2: choose a square, / or \ for its diagonal. Esc steps back."
        return r"Choose a square, then its diagonal with / or \."

    @property
    def held(self) -> tuple[int, ...]:
        """Where the rod was taken up, and where it is proposed."""
        return tuple(cell for cell in (self.origin, self.square) if cell is not None)

    @property
    def pending(self) -> Move | None:
        """The move of the proposed rod."""
        return None if self.square is None else self._targets[self.square][self.diagonal]

    def choose(self, cell: int) -> Turn | Move:
        """Take up a rod, propose one, or turn the proposed one."""
        if cell in self._targets:
            turned = 1 - self.diagonal if cell == self.square else self.diagonal
            return self._proposing(cell, turned)
        if cell in self._origins:
            return replace(self, origin=cell, square=None)
        return self

    def _proposing(self, square: int, diagonal: int) -> AntipalosTurn:
        """Propose a rod with the wished diagonal, or with the only one that is legal."""
        diagonals = self._targets[square]
        return replace(
            self, square=square, diagonal=diagonal if diagonal in diagonals else min(diagonals)
        )

    def lay(self, cell: int, diagonal: str) -> Turn:
        """Propose a rod with this diagonal."""
        wished = DIAGONALS.index(diagonal)
        if wished not in self._targets.get(cell, ()):
            return self
        return self._proposing(cell, wished)

    def back(self) -> Turn | None:
        """Withdraw the proposed rod, then put back the one taken up."""
        if self.square is not None:
            return replace(self, square=None)
        return None if self.origin is None else replace(self, origin=None)

    def scene(self) -> Scene:
        """Return the picture with the proposed rod."""
        scene = self.position.scene()
        rods = dict(scene.rods)
        if self.origin is not None and self.square is not None:
            rods.pop(self.origin, None)
        if self.square is not None:
            rods[self.square] = Rod(self.position.to_move, DIAGONALS[self.diagonal])
        return replace(scene, rods=rods)
