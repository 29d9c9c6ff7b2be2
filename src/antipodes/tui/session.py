"""A game on the board: the turn in progress and the view, without a screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from antipodes.core import Color, Move
from antipodes.games.antipalos import AntipalosPosition
from antipodes.games.position import Game, Position
from antipodes.local_game import HUMAN, LocalGame
from antipodes.notation.scene import Scene
from antipodes.tui.turns import Turn, begin


@dataclass(frozen=True)
class Picture:
    """Everything the board shows at one moment.

    Attributes:
        scene: the stones, with the steps of the turn in progress.
        legal: cells that can be chosen next; empty while a computer thinks.
        flips: tokens that flip if the pointed cell is chosen.
        held: cells chosen so far in this turn.
        hints: cells that a hint names.
    """

    scene: Scene
    legal: frozenset[int]
    flips: frozenset[int]
    held: tuple[int, ...]
    hints: tuple[int, ...]


class Session(LocalGame):
    """A game on the board: a local game with the turn in progress and the view.

    Attributes:
        turn: the turn in progress.
        hint: a proposed move, or ``None``.
        saved_plies: how many moves the last saved record has; -1 if none was saved.
        seat_view: the seat whose side the board is seen from (Antipalos).
    """

    def __init__(
        self,
        game: Game,
        players: Mapping[Color, str] | Sequence[str] | None = None,
        start: Position | None = None,
    ) -> None:
        """Begin a game.

        Args:
            game: the game with its options.
            players: who plays, such as ``human`` or ``computer:3``, for each colour (human where
                none is named) or for each seat.
            start: where it begins, if not at the game's start.
        """
        super().__init__(start or game.initial(), _by_seat(game, players or {}))
        self.turn: Turn = begin(self.position)
        self.hint: Move | None = None
        self.saved_plies = -1
        self.seat_view = 0

    @property
    def unfinished(self) -> bool:
        """Whether leaving would lose moves that were neither finished nor saved."""
        return bool(self.moves) and not self.is_over and self.saved_plies != len(self.moves)

    @property
    def caption(self) -> str:
        """One line: the game, who is to move or has won, the phase."""
        if self.resigned is not None:
            return f"{self.game.title}: {self.result()}"
        return self.position.caption()

    @property
    def prompt(self) -> str:
        """The next step of the person at the board."""
        if self.is_over:
            return "The game is over: n for a new one, u to take back, s to save, q to quit."
        if not self.human_to_move:
            return f"{self.position.to_move.title} ({self.player_to_move}) is thinking."
        if self.can_swap:
            return self.turn.prompt + " Or w to swap."
        return self.turn.prompt

    def picture(self, pointed: int | None = None) -> Picture:
        """Return what to show while the cursor is on a cell."""
        human = self.human_to_move
        return Picture(
            scene=self.turn.scene(),
            legal=self.turn.cells if human else frozenset(),
            flips=self.turn.flips(pointed) if human and pointed is not None else frozenset(),
            held=self.turn.held,
            hints=() if self.hint is None else self.turn.touched(self.hint),
        )

    # Moves.

    @property
    def can_swap(self) -> bool:
        """Whether swapping is legal now."""
        swap = self._swap_move
        return swap is not None and not self.is_over and swap in self.position.legal_moves

    @property
    def _swap_move(self) -> Move | None:
        return self.game.swap_move

    def swap(self) -> Move | None:
        """Swap where that is legal and return the move."""
        move = self._swap_move
        return self.play(move) if move is not None and self.can_swap else None

    def choose(self, cell: int) -> Move | None:
        """Take the next step of a person's turn; return the move if that finished it."""
        if self.human_to_move:
            step = self.turn.choose(cell)
            if isinstance(step, Move):
                return self.play(step)
            self.turn = step
        return None

    def lay(self, cell: int, diagonal: str) -> bool:
        """Propose a rod; return whether that was possible."""
        before = self.turn
        if self.human_to_move:
            self.turn = self.turn.lay(cell, diagonal)
        return self.turn is not before

    def confirm(self) -> Move | None:
        """Play the move that waits for a confirmation and return it."""
        move = self.turn.pending
        return None if move is None or not self.human_to_move else self.play(move)

    def back(self) -> bool:
        """Take one step of the turn back; return whether there was one."""
        before = self.turn.back()
        if before is None:
            return False
        self.turn = before
        return True

    def play(self, move: int) -> Move:
        """Play a whole move.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        played = super().play(move)
        self._renew()
        return played

    def play_text(self, text: str) -> Move:
        """Read a move, as seen from the side the board is seen from, and play it.

        Raises:
            MoveError: the text is no move, or the move is not legal; nothing has changed.
        """
        return self.play(self.position.parse_move(text, self.seat_view))

    def undo(self) -> int:
        """Take back to the last turn of a person; return how many moves that took."""
        count = super().undo()
        self._renew()
        return count

    def another(self) -> Session:
        """Return another game of the same players, who move on by some seats after an end."""
        return Session(self.game, self.players[self.shift :] + self.players[: self.shift])

    def _renew(self) -> None:
        """Begin the turn at the newest position."""
        self.turn = begin(self.position)
        self.hint = None

    # Text.

    def format(self, move: int, at: Position | None = None) -> str:
        """Write a move as seen from the side the board is seen from."""
        position = at if at is not None else self.position
        return position.format_move(move, self.seat_view)

    def move_texts(self) -> list[str]:
        return [self.format(move, at) for move, at in zip(self.moves, self.positions, strict=False)]

    def turn_view(self) -> bool:
        """See the board from the next seat's side, where the game has that; tell whether it has."""
        if not self.game.has_sides:
            return False
        self.seat_view = (self.seat_view + 1) % self.game.seats
        return True

    @property
    def quarter_turns(self) -> int:
        """How many quarter turns the board is seen turned."""
        return self.game.reading(self.seat_view)

    @property
    def points_named(self) -> bool:
        """Whether coordinates belong to the grid points between the squares."""
        position = self.position
        return isinstance(position, AntipalosPosition) and position.game.is_mail


def _by_seat(game: Game, players: Mapping[Color, str] | Sequence[str]) -> tuple[str, ...]:
    if not isinstance(players, Mapping):
        return tuple(players)
    return tuple(players.get(game.color_of(seat), HUMAN) for seat in range(game.seats))
