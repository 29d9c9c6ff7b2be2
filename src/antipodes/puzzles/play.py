"""Playing a puzzle: judge the solver's moves, and reply with the longest resistance.

A move is right if it still wins, in the turns that are left where the puzzle limits them, or if it
still draws or saves where that is the goal. The puzzle's proof decides the first move; later moves
are decided by an exact search, never by the puzzle's line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from antipodes.core import Move
from antipodes.errors import InputError
from antipodes.games.placement import is_connection_game
from antipodes.games.position import Game, Position
from antipodes.puzzles.connection_play import ConnectionReferee
from antipodes.puzzles.forced_wins import EffortSpent, ForcedWins, hardest_replies
from antipodes.puzzles.model import Puzzle
from antipodes.puzzles.rescue_play import RescueReferee

_EFFORT = 20_000_000  # positions of a search for forced wins


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of the solver's last move.

    Attributes:
        right: whether it reaches the goal; ``None`` if that could not be decided.
        solved: whether the puzzle is solved: the game is over, or nothing is left to find.
        reply: the opponent's reply to a right move, unless the puzzle is solved.
        refutation: moves that show why a move is wrong, the opponent's first.
        position: after the move and the reply.
    """

    right: bool | None
    solved: bool
    reply: Move | None
    refutation: tuple[Move, ...]
    position: Position


class Referee(Protocol):
    """Decides the positions of one game for one goal. Methods return ``None`` if undecided.

    "Wins" stands for reaching the goal.
    """

    def wins(self, after: Position, turns: int | None) -> bool | None:
        """Return whether the colour that has just moved still wins, within so many turns."""
        ...

    def is_clear(self, after: Position) -> bool:
        """Return whether the colour that has just moved has obviously won."""
        ...

    def reply(self, after: Position, turns: int | None) -> Move:
        """Return the longest resistance of a lost position."""
        ...

    def answer(self, position: Position, turns: int | None) -> Move | None:
        """Return a winning move."""
        ...

    def refutation(self, after: Position, turns: int | None) -> tuple[Move, ...]:
        """Return moves that show why the colour that has just moved does not win."""
        ...


class ForcedWinReferee:
    """The referee of puzzles with a number of turns."""

    def __init__(self, game: Game) -> None:
        self._search = ForcedWins(game)

    def wins(self, after: Position, turns: int | None) -> bool | None:
        """Return whether the colour that has just moved still wins, within so many turns."""
        self._search.effort = _EFFORT
        try:
            return not self._search.holds(after, turns or 0)
        except EffortSpent:
            return None

    def is_clear(self, after: Position) -> bool:
        """Return whether the game is over."""
        return after.outcome is not None

    def reply(self, after: Position, turns: int | None) -> Move:
        """Return the reply after which the win takes the most turns."""
        self._search.effort = _EFFORT
        try:
            return hardest_replies(self._search, after, turns or 0)[0]
        except EffortSpent:
            return after.legal_moves[0]

    def answer(self, position: Position, turns: int | None) -> Move | None:
        """Return a move that wins in the fewest turns."""
        self._search.effort = _EFFORT
        try:
            return self._search.attack(position, turns or 0)
        except EffortSpent:
            return None

    def refutation(self, after: Position, turns: int | None) -> tuple[Move, ...]:
        """Return a reply after which the win takes more turns."""
        self._search.effort = _EFFORT
        try:
            found = self._search.refutation(after, turns or 0)
        except EffortSpent:
            found = None
        return () if found is None else (found,)


def referee(game: Game, goal: str = "win") -> Referee:
    """Return a referee for the puzzles of a game with a goal."""
    if goal != "win":
        return RescueReferee(game, goal)
    return ConnectionReferee(game) if is_connection_game(game) else ForcedWinReferee(game)


def judge(puzzle: Puzzle, moves: Sequence[str], chosen: Referee | None = None) -> Judgement:
    """Judge the last of the moves that were played from a puzzle's position.

    Args:
        puzzle: the puzzle.
        moves: of both sides in turn; the last one is the solver's, and those before are right.
        chosen: a referee of the game; a new one by default.

    Raises:
        InputError: it is not the solver who made the last move.
        MoveError: a move is not one of the game, or not legal.
    """
    if len(moves) % 2 == 0:
        message = f"{len(moves)} moves end with the opponent's; name the solver's move as well"
        raise InputError.single("puzzle/turn", message)
    position = puzzle.position
    for text in moves[:-1]:
        position = position.play(position.parse_move(text))
    move = position.parse_move(moves[-1])
    after: Position = position.play(move)
    left = puzzle.turns_left((len(moves) + 1) // 2)
    if after.outcome is not None:
        right = puzzle.is_reached(after.outcome)
        return Judgement(right, right, None, (), after)
    ref = chosen or referee(puzzle.game, puzzle.goal)
    right_move = move == puzzle.solution if len(moves) == 1 else ref.wins(after, left)
    if not right_move:
        refutation = () if right_move is None else ref.refutation(after, left)
        return Judgement(right_move, False, None, refutation, after)
    if ref.is_clear(after):
        return Judgement(True, True, None, (), after)
    reply = _reply(puzzle, moves, after, ref, left)
    return Judgement(True, False, reply, (), after.play(reply))


def _reply(
    puzzle: Puzzle, moves: Sequence[str], after: Position, ref: Referee, left: int | None
) -> Move:
    """Return the opponent's reply: that of the puzzle's line as long as the moves follow it."""
    played = puzzle.line[: len(moves)]
    if tuple(moves) == played and len(puzzle.line) > len(moves):
        return after.parse_move(puzzle.line[len(moves)])
    return ref.reply(after, left)


def line_of(
    position: Position, solution: Move, turns: int | None, ref: Referee, most: int
) -> tuple[str, ...] | None:
    """Return a puzzle's line: the solution, resistance and answers until the win is clear.

    Args:
        position: of the puzzle.
        solution: the first move.
        turns: of the solver, or ``None``.
        ref: of the game.
        most: moves of the solver at most.

    Returns:
        ``None`` if an answer could not be found, or the line is longer.
    """
    line = [position.format_move(solution)]
    after: Position = position.play(solution)
    for number in range(1, most + 1):
        if ref.is_clear(after):
            return tuple(line)
        if number == most:
            break
        left = None if turns is None else turns - number
        reply = ref.reply(after, left)
        line.append(after.format_move(reply))
        then: Position = after.play(reply)
        answer = ref.answer(then, left) if then.outcome is None else None
        if answer is None:
            break
        line.append(then.format_move(answer))
        after = then.play(answer)
    return None
