"""An exercise: a learner's answers to one step, judged by the rules and the search.

An answer is a move, or in tasks of kind ``select`` a set of points or moves. A right move may be
followed by the opponent's reply, and then another move is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

from antipodes.core import Color, Move
from antipodes.errors import IllegalMoveError, InputError, MoveError
from antipodes.games.pairing import pairing_reply
from antipodes.games.placement import PlacementGame, PlacementPosition
from antipodes.games.position import Position
from antipodes.learn import properties
from antipodes.learn.joining import is_joined
from antipodes.learn.model import Step
from antipodes.puzzles.play import ForcedWinReferee, Referee, referee
from antipodes.search.players import winning_moves
from antipodes.search.threats import null_move

_MAX_MOVES = 40  # of a learner in one exercise


@dataclass(frozen=True, slots=True)
class Feedback:
    """The judgement of an answer.

    Attributes:
        right: whether the answer is right; ``None`` if that could not be decided.
        solved: whether the task is solved.
        message: for the learner; may be empty.
        refutation: moves that show why a wrong move fails, the opponent's first.
        reply: the opponent's reply to a right move.
        position: of the board afterwards; after a wrong move, the one with that move on it.
    """

    right: bool | None
    solved: bool
    message: str
    position: Position
    refutation: tuple[Move, ...] = ()
    reply: Move | None = None


class Exercise:
    """A step while a learner works on it."""

    def __init__(self, step: Step) -> None:
        """Set up the position."""
        self.step = step
        self.position = step.position
        self.learner: Color = self.position.to_move
        self.kind = str(step.task["kind"])
        self._count = 0
        self._turns: int | None = step.task.get("turns")
        self._referee: Referee | None = None
        if self.kind == "pair":
            self.position = _unpaired(self.position)
            self.learner = Color.BLACK

    @property
    def selects(self) -> bool:
        """Whether answers are sets of points or moves."""
        return self.kind == "select"

    def answer(self, text: str) -> Feedback:
        """Judge an answer; a right move is played, and an illegal one is wrong.

        Raises:
            MoveError: it is not a move of the game.
            InputError: it names something that is not on the board.
        """
        if self.selects:
            return self._select(text)
        try:
            move = self.position.parse_move(text)
        except IllegalMoveError as error:
            return Feedback(False, False, f"{error}.", self.position)
        name = self.position.format_move(move)
        before = self.position
        after: Position = before.play(move)
        self._count += 1
        found = getattr(self, f"_judge_{self.kind}")(before, move, after)
        assert isinstance(found, Feedback)
        if found.right:
            self.position = found.position
            if found.solved and not found.message:
                return _with_message(found, self.step.done)
            return found
        self._count -= 1
        wrong = self.step.wrong
        why = wrong.get(name) or found.message or wrong.get("*", "")
        return _with_message(found, why)

    def suggestion(self) -> str | None:
        """Return an answer that is right now, or ``None`` if the computer knows none."""
        if self.selects:
            return self.step.right[0]
        if self.kind == "pair":
            return self.position.format_move(pairing_reply(self.position))
        if self._count < len(self.step.right):
            name = self.step.right[self._count]
            if self.kind != "win" or self._count == 0 or self._is_right(name):
                return name
        left = None if self._turns is None else self._turns - self._count
        move = self._ref.answer(self.position, left)
        return None if move is None else self.position.format_move(move)

    def _is_right(self, name: str) -> bool:
        """Return whether a move of the example is right after other replies than expected."""
        try:
            after: Position = self.position.play(self.position.parse_move(name))
        except MoveError:
            return False
        if after.outcome is not None:
            return after.outcome.winner is self.learner
        left = None if self._turns is None else self._turns - self._count - 1
        return left != 0 and bool(self._wins(after, left))

    def _select(self, text: str) -> Feedback:
        wanted = properties.selection(self.position, self.step.task, self._ref)
        given = properties.read_selection(self.position, self.step.task, text)
        if given == wanted:
            return Feedback(True, True, self.step.done, self.position)
        few, many = len(wanted - given), len(given - wanted)
        parts = [f"{many} of these do not belong" if many else "", f"{few} missing" if few else ""]
        counts = f"Not yet: {', '.join(part for part in parts if part)}."
        why = self.step.wrong.get(" ".join(sorted(text.split()))) or self.step.wrong.get("*", "")
        return Feedback(False, False, f"{counts} {why}".strip(), self.position)

    @property
    def _ref(self) -> Referee:
        if self._referee is None:
            self._referee = referee(self.position.game)
        return self._referee

    def _judge_win(self, _before: Position, _move: Move, after: Position) -> Feedback:
        if after.outcome is not None:
            won = after.outcome.winner is self.learner
            return Feedback(won, won, "", after)
        left = None if self._turns is None else self._turns - self._count
        if left == 0:
            return Feedback(False, False, "", after, self._refutation(after, 1))
        right = self._wins(after, left)
        if not right:
            line = () if right is None else self._refutation(after, left)
            return Feedback(right, False, "", after, line)
        if self._ref.is_clear(after):
            return Feedback(True, True, "", after)
        reply = self._ref.reply(after, left)
        return Feedback(True, False, "", after.play(reply), (), reply)

    def _wins(self, after: Position, left: int | None) -> bool | None:
        if left is not None and isinstance(after.game, PlacementGame):
            return properties.wins_within(after, self.learner, left)
        return self._ref.wins(after, left)

    def _refutation(self, after: Position, left: int | None) -> tuple[Move, ...]:
        if isinstance(after.game, PlacementGame) and left is not None:
            return ()
        return self._ref.refutation(after, left)

    def _judge_hold(self, _before: Position, _move: Move, after: Position) -> Feedback:
        if after.outcome is not None:
            held = after.outcome.winner in (self.learner, None)
            return Feedback(held, held, "", after)
        if isinstance(after.game, PlacementGame):
            right = self._ref.wins(after, None)
            line = self._ref.refutation(after, None) if right is False else ()
            return Feedback(right, bool(right), "", after, line)
        search = ForcedWinReferee(after.game)
        move = search.answer(after, self._turns or 1)
        line = () if move is None else (move,)
        return Feedback(move is None, move is None, "", after, line)

    def _judge_fork(self, _before: Position, _move: Move, after: Position) -> Feedback:
        if after.outcome is not None:
            return Feedback(False, False, "", after)
        passed = null_move(after)
        threats = [] if passed is None else winning_moves(passed)
        if len(threats) < 2:
            return Feedback(False, False, f"This makes {len(threats)} threats to win.", after)
        for reply in after.legal_moves:
            then: Position = after.play(reply)
            if then.outcome is not None or not winning_moves(then):
                return Feedback(False, False, "", after, (reply,))
        return Feedback(True, True, "", after)

    def _judge_connect(self, _before: Position, _move: Move, after: Position) -> Feedback:
        assert isinstance(after, PlacementPosition)
        task = self.step.task
        here, there = task["between"]
        right = is_joined(after, self.learner, (here, there), str(task.get("area", "")).split())
        return Feedback(right, right, "", after)

    def _judge_play(self, before: Position, move: Move, after: Position) -> Feedback:
        message = properties.missing(before, move, after, self.step.task)
        return Feedback(not message, not message, message, after)

    def _judge_line(self, before: Position, move: Move, after: Position) -> Feedback:
        moves = str(self.step.task["moves"]).split()
        place = 2 * (self._count - 1)
        if before.format_move(move) != before.format_move(before.parse_move(moves[place])):
            return Feedback(False, False, "", after)
        if place + 1 >= len(moves):
            return Feedback(True, True, "", after)
        reply = after.parse_move(moves[place + 1])
        then: Position = after.play(reply)
        return Feedback(True, place + 2 >= len(moves), "", then, (), reply)

    def _judge_pair(self, before: Position, move: Move, after: Position) -> Feedback:
        wanted = pairing_reply(before)
        if move != wanted:
            return Feedback(False, False, "", after)
        if after.outcome is not None:
            won = after.outcome.winner is self.learner
            return Feedback(won, won, "", after)
        if self._count >= int(self.step.task.get("rounds", _MAX_MOVES)):
            return Feedback(True, True, "", after)
        then = _unpaired(after)
        reply = next(m for m in after.legal_moves if after.play(m) == then)
        return Feedback(True, False, "", then, (), reply)


def _with_message(found: Feedback, message: str) -> Feedback:
    return Feedback(
        found.right, found.solved, message, found.position, found.refutation, found.reply
    )


def _unpaired(position: Position) -> Position:
    """Return the position after a move of the pairing strategy's opponent.

    The opponent's moves are spread over the board by the number of the turn.
    """
    legal = position.legal_moves
    found: Position = position.play(legal[(7 * position.ply + 5) % len(legal)])
    if found.outcome is not None:
        raise InputError.single("learn/pairing", "the pairing strategy lost: its position is wrong")
    return found
