"""The referee of puzzles to draw, or to save a position from a forced loss."""

from __future__ import annotations

from antipodes.core import Move
from antipodes.games.position import Game, Position
from antipodes.puzzles.forced_wins import EffortSpent, ForcedWins, hardest_replies
from antipodes.puzzles.rescues import holds, turns_to_end

_EFFORT = 20_000_000  # positions of a search
_ENOUGH = 2  # moves that hold: then the solver has a choice, and nothing is left to find


class RescueReferee:
    """The referee of one game and goal; see :class:`antipodes.puzzles.play.Referee`.

    Turns are the opponent's, in which it must not win; ``None`` for those until the end of the
    game.
    """

    def __init__(self, game: Game, goal: str) -> None:
        self._search = ForcedWins(game)
        self._goal = goal

    def _turns(self, position: Position, turns: int | None) -> int:
        self._search.effort = _EFFORT
        found = turns_to_end(position) if turns is None else turns
        if found is None:
            raise EffortSpent
        return found

    def wins(self, after: Position, turns: int | None) -> bool | None:
        """Return whether the colour that has just moved still holds."""
        try:
            return not self._search.wins(after, self._turns(after, turns))
        except EffortSpent:
            return None

    def is_clear(self, after: Position) -> bool:
        """Return whether the position is saved, or no reply leaves a single move that draws."""
        if after.outcome is not None or self._goal == "save":
            return True
        return self._narrowest(after)[0] >= _ENOUGH

    def reply(self, after: Position, turns: int | None) -> Move:  # noqa: ARG002 - of all referees
        """Return the first reply that leaves the fewest moves that hold."""
        return self._narrowest(after)[1]

    def _narrowest(self, after: Position) -> tuple[int, Move]:
        """Return the fewest moves that hold after a reply, and that reply."""
        counts = []
        for reply in after.legal_moves:
            then: Position = after.play(reply)
            counts.append((_ENOUGH if then.outcome else self._holding(then), reply))
            if counts[-1][0] == 1:
                break
        return min(counts)

    def _holding(self, position: Position) -> int:
        """Return the number of moves that hold, up to ``_ENOUGH``."""
        turns = self._turns(position, None)
        count = 0
        for move in position.legal_moves:
            count += holds(self._search, position, move, turns)
            if count == _ENOUGH:
                break
        return count

    def answer(self, position: Position, turns: int | None) -> Move | None:
        """Return a move that holds."""
        try:
            most = self._turns(position, turns)
            moves = position.legal_moves
            return next((m for m in moves if holds(self._search, position, m, most)), None)
        except EffortSpent:
            return None

    def refutation(self, after: Position, turns: int | None) -> tuple[Move, ...]:
        """Return how the opponent wins, against the longest resistance."""
        line: list[Move] = []
        try:
            left = self._turns(after, turns)
            while after.outcome is None:
                move = self._search.attack(after, left)
                if move is None:
                    break
                line.append(move)
                after = after.play(move)
                left -= 1
                if after.outcome is None:
                    line.append(hardest_replies(self._search, after, left)[0])
                    after = after.play(line[-1])
        except EffortSpent:
            pass
        return tuple(line)
