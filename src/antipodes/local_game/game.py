"""The state of a game at one terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from antipodes.core import Color, Move

if TYPE_CHECKING:
    from antipodes.games.match_play import MatchPlay
    from antipodes.games.position import Game, Position
    from antipodes.records import Record

HUMAN = "human"


class LocalGame:
    """A game in progress.

    Attributes:
        game: the game with its options.
        players: for each seat ``human`` or the text of a program, such as ``computer:3``.
        positions: from the start to now; ``moves[i]`` was played in ``positions[i]``.
        moves: the moves that stand.
        resigned: the colour that has resigned, or ``None``.
        record: the record that the game goes on from, or ``None``.
        match_play: points before this game, or ``None`` for single games.
    """

    def __init__(
        self,
        start: Position,
        players: Sequence[str],
        *,
        match_play: MatchPlay | None = None,
    ) -> None:
        """Begin a game.

        Args:
            start: where the game begins.
            players: who plays at each seat, in the order of the first turns.
            match_play: the match that this game belongs to.

        Raises:
            ValueError: there are more or fewer players than seats.
        """
        self.game: Game = start.game
        if len(players) != self.game.seats:
            raise ValueError(f"{players!r} are not the players of {self.game.seats} seats")
        # A swap of seats takes the players along, so they belong to seats and not to colours.
        self.players = tuple(players)
        self.positions = [start]
        self.moves: list[Move] = []
        self.resigned: Color | None = None
        self.record: Record | None = None
        self.match_play = match_play

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by its rules or by a resignation."""
        return self.resigned is not None or self.position.outcome is not None

    @property
    def winner(self) -> Color | None:
        """The colour that has won, by the rules or by a resignation; ``None`` if none has."""
        outcome = self.position.outcome
        if outcome is not None:
            return outcome.winner
        return None if self.resigned is None else self.game.opponent_of(self.resigned)

    @property
    def has_people(self) -> bool:
        """Whether at least one player is a person."""
        return HUMAN in self.players

    @property
    def player_to_move(self) -> str:
        """The player to move: ``human`` or the text of a program."""
        return self.players[self.position.seat_to_move]

    @property
    def human_to_move(self) -> bool:
        """Whether the game waits for a person."""
        return not self.is_over and self.player_to_move == HUMAN

    def players_of(self, color: Color) -> tuple[str, ...]:
        """Return who plays a colour now, each player once."""
        seats = self.position.seat_of(color)
        return tuple(dict.fromkeys(self.players[seat] for seat in seats))

    def play(self, move: int) -> Move:
        """Play a move.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        self.positions.append(self.position.play(move))
        self.moves.append(Move(move))
        return self.moves[-1]

    def resign(self) -> None:
        """Let the colour to move resign; do nothing after the end."""
        if not self.is_over:
            self.resigned = self.position.to_move

    def undo(self) -> int:
        """Take back to the last turn of a person; return how many moves that took.

        A resignation is taken back alone. Where no person plays one move is taken back; where none
        has moved yet, none is.
        """
        if self.resigned is not None:
            self.resigned = None
            return 0
        remaining = len(self.moves) - 1
        while remaining >= 0 and self.has_people and not self._is_of_person(remaining):
            remaining -= 1
        if remaining < 0:
            return 0
        taken = len(self.moves) - remaining
        del self.moves[remaining:]
        del self.positions[remaining + 1 :]
        return taken

    def _is_of_person(self, ply: int) -> bool:
        return self.players[self.positions[ply].seat_to_move] == HUMAN

    @property
    def shift(self) -> int:
        """By how many seats the players move on for a rematch; 0 before the end."""
        return self.position.seats_moved_on(self.winner) if self.is_over else 0

    def begin_rematch(self) -> None:
        """Begin another game of the same players from the same start."""
        shift = self.shift
        self.match_play = self.points
        self.players = self.players[shift:] + self.players[:shift]
        del self.positions[1:]
        self.moves.clear()
        self.resigned = None
        self.record = None

    def hand_over(self, seat: int) -> None:
        """Let a person play a seat from now on."""
        players = list(self.players)
        players[seat] = HUMAN
        self.players = tuple(players)

    # Match play.

    @property
    def points(self) -> MatchPlay | None:
        """The points with this game, if it has ended; ``None`` without match play."""
        if self.match_play is None or not self.is_over:
            return self.match_play
        if self.position.outcome is not None:
            return self.match_play.after(self.position.outcome)
        winner = self.winner
        # Where two or three players are left, the game has no winner and scores nothing.
        if winner is None:
            return self.match_play
        return self.match_play.after_resignation(winner, self.position.phase)

    # Text.

    def last_move(self, side: int) -> str:
        """Return a sentence on the last move, such as ``Black plays d4.``, as a seat sees it.

        It is empty before the first move.
        """
        return move_sentence(self.positions[-2], self.moves[-1], side) if self.moves else ""

    def player_sentence(self) -> str:
        """Return a sentence on who plays which colour now."""
        parts = []
        for color in self.game.colors:
            names = ("a person" if one == HUMAN else one for one in self.players_of(color))
            parts.append(f"{color.title}: {' and '.join(names)}")
        return ", ".join(parts) + "."

    def score(self) -> str:
        """Return a sentence on the points of match play; empty without it.

        Sides are named by their colours in this game.
        """
        points = self.points
        if self.match_play is None or points is None:
            return ""
        sides = [(color, self.match_play.side_of(color)) for color in self.game.colors]
        parts = [f"{color.title} has {points.scores[side]}" for color, side in sides]
        text = f"Match to {points.target} points: {', '.join(parts)}."
        if points.winner is not None:
            return f"{text} {self.match_play.color_of(points.winner).title} has won the match."
        return text

    def result(self) -> str:
        """Return a sentence on how the game ended; empty while it goes on."""
        if self.position.outcome is not None:
            return f"{self.position.outcome}."
        if self.resigned is None:
            return ""
        winner = self.winner
        return f"{self.resigned.title} resigns{f'; {winner.title} wins' if winner else ''}."


def move_sentence(position: Position, move: int, side: int = 0) -> str:
    """Return a sentence on who plays which move, as a seat sees the board."""
    text = position.format_move(move, side)
    action = "swaps" if text == "swap" else f"plays {text}"
    return f"{position.to_move.title} {action}."
