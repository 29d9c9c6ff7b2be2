"""An exercise: a learner's answers to one step, judged by the rules and the search.

An answer is a move, or in tasks of kind ``select`` a set of points or moves. A right move may be
followed by the opponent's reply, and then another move is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from antipodes.core import Color, Move
from antipodes.errors import IllegalMoveError, InputError, MoveError, Phrase
from antipodes.games.antipalos import AntipalosPosition
from antipodes.games.pairing_strategy import pairing_reply
from antipodes.games.placement import PlacementPosition, is_connection_game
from antipodes.games.position import Position
from antipodes.games.winning import winning_move
from antipodes.learn import properties
from antipodes.learn.joining import cuts
from antipodes.learn.model import Step
from antipodes.learn.race import Race, RaceReferee, RaceUndecidedError
from antipodes.puzzles.play import ForcedWinReferee, Referee, referee

_MAX_MOVES = 40  # of a learner in one exercise
# Why a move is wrong where neither the course nor a refutation says it.
_WHY = {"win": Phrase("This does not win yet."), "hold": Phrase("This move loses the game.")}
_USUAL_WHY = Phrase("This move does not do what the task asks for.")


@dataclass(frozen=True, slots=True)
class Feedback:
    """The judgement of an answer.

    Attributes:
        right: whether the answer is right; ``None`` if that could not be decided.
        solved: whether the task is solved.
        phrases: sentences for the learner.
        refutation: moves that show why a wrong move fails, the opponent's first.
        reply: the opponent's reply to a right move.
        instead: the move of a printed line that is on the board in place of the learner's, which
            is as good.
        unrefuted: whether the refutation of a wrong move was left out.
        turns: of the learner, in which it must not win after that; ``None`` if the opponent must.
        position: of the board afterwards; after a wrong move, the one with that move on it.
    """

    right: bool | None
    solved: bool
    position: Position
    phrases: tuple[Phrase, ...] = ()
    refutation: tuple[Move, ...] = ()
    reply: Move | None = None
    instead: Move | None = None
    unrefuted: bool = False
    turns: int | None = None

    @property
    def message(self) -> str:
        """The sentences in English."""
        return " ".join(map(str, self.phrases))

    def saying(self, text: str) -> Feedback:
        """Return the judgement with a text of the course as its only sentence."""
        return replace(self, phrases=_said(text))


class Exercise:
    """A step while a learner works on it."""

    def __init__(
        self, step: Step, referee_of_game: Referee | None = None, *, refutes: bool = True
    ) -> None:
        """Set up the position.

        Args:
            step: the step.
            referee_of_game: decides who wins; by default one that searches for some seconds.
            refutes: whether to search for the refutations of wrong moves, where nothing else does.
        """
        self.step = step
        self.position = step.position
        self.learner: Color = self.position.to_move
        self.kind = str(step.task["kind"])
        self._count = 0
        turns = step.task.get("turns")
        self._turns: int | None = turns if isinstance(turns, int) else None
        self._referee = referee_of_game
        self._refutes = refutes
        self.opening: tuple[Move, ...] = ()  # of the opponent, before the first answer
        if self.kind == "pair":
            self.opening = (_unpaired(self.position),)
            self.position = self.position.play(self.opening[0])
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
            return Feedback(False, False, self.position, _faults(error))
        name = self.position.format_move(move)
        before = self.position
        after: Position = before.play(move)
        self._count += 1
        feedback = getattr(self, f"_judge_{self.kind}")(before, move, after)
        assert isinstance(feedback, Feedback)
        if feedback.right:
            self.position = feedback.position
            if feedback.solved and not feedback.phrases:
                return feedback.saying(self.step.done)
            return feedback
        self._count -= 1
        return self._explained(feedback, name)

    def _explained(self, found: Feedback, name: str) -> Feedback:
        """Return the judgement of a wrong move with a reason: that of the course, if it has one."""
        wrong = self.step.wrong
        if name in wrong:
            return found.saying(wrong[name])
        if not found.phrases and "*" in wrong:
            return found.saying(wrong["*"])
        if found.phrases or found.refutation or found.unrefuted or found.right is None:
            return found
        return replace(found, phrases=(_WHY.get(self.kind, _USUAL_WHY),))

    def resume(self, moves: Sequence[str]) -> None:
        """Go on after moves of both sides in turn, which were judged before.

        Raises:
            MoveError: they cannot be played.
        """
        for text in moves:
            self.position = self.position.play(self.position.parse_move(text))
        self._count += (len(moves) + 1) // 2

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
        return left != 0 and bool(self._ref.wins(after, left))

    def _select(self, text: str) -> Feedback:
        wanted = properties.selection(self.position, self.step.task, self._ref)
        given = properties.read_selection(self.position, self.step.task, text)
        if given == wanted:
            return Feedback(True, True, self.position, _said(self.step.done))
        few, many = len(wanted - given), len(given - wanted)
        phrases = [Phrase("Not yet.")]
        if many:
            phrases.append(Phrase("Marked, but wrong: {count}.", {"count": many}))
        if few:
            phrases.append(Phrase("Still missing: {count}.", {"count": few}))
        why = self.step.wrong.get(" ".join(sorted(text.split()))) or self.step.wrong.get("*", "")
        return Feedback(False, False, self.position, (*phrases, *_said(why)))

    @property
    def _ref(self) -> Referee:
        if self._referee is None:
            border = self.step.task.get("border")
            if border is None or self.kind != "win":
                self._referee = referee(self.position.game)
            else:
                self._referee = RaceReferee(self._race(self.learner))
        return self._referee

    def _race(self, runner: Color) -> Race:
        assert isinstance(self.position, AntipalosPosition)
        return Race(self.position, runner, str(self.step.task["border"]))

    def _judge_win(self, _before: Position, _move: Move, after: Position) -> Feedback:
        if after.outcome is not None:
            won = after.outcome.winner is self.learner
            return Feedback(won, won, after)
        left = None if self._turns is None else self._turns - self._count
        if left == 0:
            return Feedback(False, False, after)
        right = self._ref.wins(after, left)
        if right is None:
            return Feedback(None, False, after)
        if not right:
            return self._refuted(after, left)
        if self._ref.is_clear(after):
            return Feedback(True, True, after)
        reply = self._ref.reply(after, left)
        return Feedback(True, False, after.play(reply), reply=reply)

    def _refuted(self, after: Position, turns: int | None) -> Feedback:
        """Return the judgement of a wrong move, with its refutation unless that is left out."""
        if self._refutes or isinstance(self._ref, RaceReferee):
            return Feedback(False, False, after, refutation=self._ref.refutation(after, turns))
        left = None if is_connection_game(after.game) else turns
        return Feedback(False, False, after, unrefuted=True, turns=left)

    def _judge_hold(self, _before: Position, _move: Move, after: Position) -> Feedback:
        if after.outcome is not None:
            held = after.outcome.winner in (self.learner, None)
            return Feedback(held, held, after)
        if is_connection_game(after.game):
            right = self._ref.wins(after, None)
            if right is False:
                return self._refuted(after, None)
            return Feedback(right, bool(right), after)
        if "border" in self.step.task:
            return self._held_up(after, int(self._turns or 1))
        if self._turns in (None, 1):
            move = winning_move(after)
        else:
            move = ForcedWinReferee(after.game).answer(after, self._turns)
        line = () if move is None else (move,)
        return Feedback(move is None, move is None, after, refutation=line)

    def _held_up(self, after: Position, turns: int) -> Feedback:
        """Judge whether the opponent is kept from a border for so many turns."""
        assert isinstance(after, AntipalosPosition)
        race = self._race(after.to_move)
        try:
            line = race.line(after, turns)
        except RaceUndecidedError:
            return Feedback(None, False, after)
        return Feedback(not line, not line, after, refutation=line)

    def _judge_fork(self, _before: Position, _move: Move, after: Position) -> Feedback:
        if after.outcome is not None:
            return Feedback(False, False, after)
        threats = properties.threats_of(after)
        reply = properties.reply_to_threats(after) if threats else None
        line = () if reply is None else (reply,)
        if len(threats) < 2:
            phrase = Phrase("Threats to win after this move: {count}.", {"count": len(threats)})
            return Feedback(False, False, after, (phrase,), line)
        return Feedback(reply is None, reply is None, after, refutation=line)

    def _judge_connect(self, _before: Position, _move: Move, after: Position) -> Feedback:
        assert isinstance(after, PlacementPosition)
        task = self.step.task
        here, there = task["between"]
        found = cuts(after, self.learner, (here, there), str(task.get("area", "")).split())
        line = (Move(min(found)),) if found else ()
        return Feedback(found is None, found is None, after, refutation=line)

    def _judge_play(self, before: Position, move: Move, after: Position) -> Feedback:
        lack = properties.missing(before, move, after, self.step.task)
        return Feedback(lack is None, lack is None, after, () if lack is None else (lack,))

    def _judge_line(self, before: Position, move: Move, after: Position) -> Feedback:
        """Judge a move of a printed line, or one that is as good."""
        moves = str(self.step.task["moves"]).split()
        place = 2 * (self._count - 1)
        printed = before.parse_move(moves[place])
        phrases = _said(self.step.notes.get(moves[place], ""))
        instead = None
        if move != printed:
            feedback = self._as_good(after)
            if not feedback.right:
                return feedback
            instead = printed
            values = {"move": before.format_move(printed)}
            phrases = (Phrase("This is as good. The printed move is {move}.", values), *phrases)
            after = before.play(printed)
        solved = place + 2 >= len(moves)
        if solved:
            phrases = (*phrases, *_said(self.step.done))
        if place + 1 >= len(moves):
            return Feedback(True, True, after, phrases, instead=instead)
        reply = after.parse_move(moves[place + 1])
        then: Position = after.play(reply)
        return Feedback(True, solved, then, phrases, reply=reply, instead=instead)

    def _as_good(self, after: Position) -> Feedback:
        """Judge a move that is not the printed one: whether it stops the opponent's race."""
        task = self.step.task
        if "border" not in task:
            return Feedback(False, False, after)
        number = self._count - 1
        feedback = self._held_up(after, int(task["turns"][number]))
        if not feedback.right or not task["passes"][number]:
            return feedback
        assert isinstance(after, AntipalosPosition)
        try:
            late = self._race(after.to_move).gets_through(
                after, int(task["turns"][number]), int(task["passes"][number])
            )
        except RaceUndecidedError:
            return Feedback(None, False, after)
        if not late:
            return feedback
        phrase = Phrase("This leaves no time to spare: if you lose a turn, it is too late.")
        return Feedback(False, False, after, (phrase,))

    def _judge_pair(self, before: Position, move: Move, after: Position) -> Feedback:
        wanted = pairing_reply(before)
        if after.outcome is not None:
            won = after.outcome.winner is self.learner
            return Feedback(won, won, after)
        if move != wanted:
            # Where the opponent has no forced win, it takes the other point of the pair.
            feedback = self._refuted(after, None)
            line = feedback.refutation or (wanted,)
            return feedback if feedback.unrefuted else replace(feedback, refutation=line)
        if self._count >= int(self.step.task.get("rounds", _MAX_MOVES)):
            return Feedback(True, True, after)
        reply = _unpaired(after)
        return Feedback(True, False, after.play(reply), reply=reply)


def _said(text: str) -> tuple[Phrase, ...]:
    """Return a text of the course as a sentence; none if it is empty."""
    return (Phrase(text),) if text else ()


def _faults(error: InputError) -> tuple[Phrase, ...]:
    """Return an error's faults as sentences."""
    found = []
    for fault in error.faults:
        template = fault.template or fault.message.replace("{", "{{").replace("}", "}}")
        found.append(Phrase("{fault}.", {"fault": Phrase(template, fault.values)}))
    return tuple(found)


def _unpaired(position: Position) -> Move:
    """Return a move of the pairing strategy's opponent.

    The opponent's moves are spread over the board by the number of the turn.
    """
    legal = position.legal_moves
    found = legal[(7 * position.ply + 5) % len(legal)]
    if position.play(found).outcome is not None:
        raise InputError.single("learn/pairing", "the pairing strategy lost: its position is wrong")
    return found
