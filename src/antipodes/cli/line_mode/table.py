"""One game at one table: who sits where, what was played, how it ended; no input or output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from antipodes.cli.seats import HUMAN
from antipodes.core import Color, Move

if TYPE_CHECKING:
    from antipodes.games.match_play import MatchPlay
    from antipodes.games.position import Position
    from antipodes.records import Record
    from antipodes.search.players import Player


class Table:
    """A game in progress.

    Attributes:
        positions: from the start to now; ``moves[i]`` was played in ``positions[i]``.
        moves: what was played.
        seats: who plays at each seat: ``human`` or the text of a computer's player.
        resigned: the colour that gave up, or ``None``.
        record: the record that was loaded to go on with, or ``None``.
        match: the standing of the match before this game, or ``None`` for single games.
    """

    def __init__(
        self,
        start: Position,
        seats: Sequence[str],
        *,
        seed: int | None = None,
        record: Record | None = None,
        match: MatchPlay | None = None,
    ) -> None:
        """Sit down.

        Args:
            start: where the game begins.
            seats: who plays at each seat.
            seed: makes the computers' choices the same each time.
            record: a record to go on with; it begins at ``start``, and its moves are played.
            match: the match that this game begins.
        """
        self.positions = [start]
        self.moves: list[Move] = []
        self.seats = tuple(seats)
        self.resigned: Color | None = None
        self._players: dict[int, Player] = {}
        self._seed = seed
        self.record = record
        self.match = match
        for move in record.moves() if record is not None else ():
            self.play(move)

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def over(self) -> bool:
        """Whether the game has ended, by its rules or by resignation."""
        return self.resigned is not None or self.position.outcome is not None

    @property
    def has_people(self) -> bool:
        """Whether anybody plays who is not a program."""
        return HUMAN in self.seats

    @property
    def human_to_move(self) -> bool:
        """Whether a person is to move."""
        return not self.over and self.seats[self.position.seat_to_move] == HUMAN

    @property
    def player(self) -> Player:
        """The program that is to move."""
        from antipodes.search.players import make_player

        seat = self.position.seat_to_move
        if seat not in self._players:
            seed = None if self._seed is None else self._seed + seat
            # A seed asks for the same moves each time, so then the compiler is waited for.
            self._players[seat] = make_player(self.seats[seat], seed, patient=seed is not None)
        return self._players[seat]

    def last_move(self, side: int) -> str:
        """Say the last move, such as ``Black plays d4.``, as a seat sees the board.

        Before the first move there is nothing to say.
        """
        return sentence(self.positions[-2], self.moves[-1], side) if self.moves else ""

    def play(self, move: int) -> None:
        """Play a move.

        Raises:
            IllegalMoveError: it is not legal; nothing has changed.
        """
        self.positions.append(self.position.play(move))
        self.moves.append(Move(move))

    def resign(self) -> None:
        """Let the colour to move give up."""
        self.resigned = self.position.to_move

    def undo(self) -> int:
        """Take back to the last turn of a person; return how many moves that were.

        A resignation is taken back alone. Where programs alone have moved since the start nothing
        is taken back.
        """
        if self.resigned is not None:
            self.resigned = None
            return 0
        kept = len(self.moves) - 1
        while kept >= 0 and self.seats[self.positions[kept].seat_to_move] != HUMAN:
            kept -= 1
        if kept < 0:
            return 0
        taken = len(self.moves) - kept
        del self.moves[kept:]
        del self.positions[kept + 1 :]
        return taken

    @property
    def standing(self) -> MatchPlay | None:
        """The standing of the match with this game, if it has ended; ``None`` without a match."""
        if self.match is None or not self.over:
            return self.match
        if self.position.outcome is not None:
            return self.match.after(self.position.outcome)
        winner = self.winner
        # Where two or three are left, the game ends without a winner and scores nothing.
        if winner is None:
            return self.match
        return self.match.after_resignation(winner, self.position.phase)

    def begin_again(self) -> None:
        """Set the board up for another game of the same players, who move on by some seats."""
        self.match = self.standing
        shift = self.position.seats_moved_on(self.winner)
        self.seats = self.seats[shift:] + self.seats[:shift]
        self._players = {
            (seat - shift) % len(self.seats): player for seat, player in self._players.items()
        }
        del self.positions[1:]
        self.moves.clear()
        self.resigned = None
        self.record = None

    def who_sits(self) -> str:
        """Say who plays which colour now, in one sentence."""
        parts = []
        for color in self.position.game.colors:
            names = dict.fromkeys(
                "a person" if self.seats[seat] == HUMAN else self.seats[seat]
                for seat in self.position.seat_of(color)
            )
            parts.append(f"{color.title}: {' and '.join(names)}")
        return ", ".join(parts) + "."

    def score(self) -> str:
        """Say how the match stands, in one sentence; empty without a match.

        Sides are named by their colours in this game, people first where a side has any.
        """
        standing = self.standing
        if self.match is None or standing is None:
            return ""
        parts = []
        for color in self.position.game.colors:
            points = standing.scores[self.match.side_of(color)]
            parts.append(f"{color.title} has {points}")
        text = f"Match to {standing.target} points: {', '.join(parts)}."
        if standing.winner is not None:
            return f"{text} {self.match.color_of(standing.winner).title} has won the match."
        return text

    def result(self) -> str:
        """Say how the game ended; empty while it goes on."""
        if self.position.outcome is not None:
            return f"{self.position.outcome}."
        if self.resigned is None:
            return ""
        winner = self.winner
        return f"{self.resigned.title} resigns{f'; {winner.title} wins' if winner else ''}."

    @property
    def winner(self) -> Color | None:
        """The colour that has won, by the rules or by a resignation; ``None`` if none has."""
        outcome = self.position.outcome
        if outcome is not None:
            return outcome.winner
        return None if self.resigned is None else self.position.game.opponent_of(self.resigned)


def sentence(position: Position, move: int, side: int = 0) -> str:
    """Say who plays what, as a seat sees the board."""
    text = position.format_move(move, side)
    action = "swaps" if text == "swap" else f"plays {text}"
    return f"{position.to_move.title} {action}."
