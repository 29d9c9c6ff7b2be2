"""A course at the terminal: texts, tasks, and answers in lines."""

from __future__ import annotations

import re
import textwrap

from antipodes.cli.terminal import Terminal
from antipodes.errors import InputError
from antipodes.games.position import Position
from antipodes.learn.exercise import Exercise, Feedback
from antipodes.learn.model import Course, Step
from antipodes.learn.progress import LearningProgress
from antipodes.search.analysis_result import line_texts

_WORDS = "hint, solution, board, next, back, skip, quit"
_WIDTH = 80
_EMPHASIS = re.compile(r"\b_(\w[^_]*)_\b")


class Lesson:
    """The dialogue about the steps of one course."""

    def __init__(self, course: Course, terminal: Terminal, progress: LearningProgress) -> None:
        self._course = course
        self._terminal = terminal
        self._progress = progress
        self._step: Step = course.steps[0]
        self._exercise = Exercise(self._step)
        self._hints = 0
        self._shown = 0  # moves of the demonstration that are on the board

    def run(self, first: int) -> bool:
        """Ask for answers from a step to the last one; return whether the learner got there."""
        for number in range(first, len(self._course.steps)):
            if not self._do(number):
                return False
        self._say(f"That was the last step of {self._course.title}.")
        return True

    def _say(self, text: str) -> None:
        for paragraph in _EMPHASIS.sub(r"\1", text).replace("`", "").split("\n\n"):
            self._terminal.say(textwrap.fill(paragraph, _WIDTH))

    def _do(self, number: int) -> bool:
        """Work on a step; return ``False`` when the learner quits."""
        step = self._course.steps[number]
        self._step, self._exercise = step, Exercise(step)
        self._hints = self._shown = 0
        total = len(self._course.steps)
        self._terminal.say()
        self._terminal.say(f"{self._course.title}, step {number + 1} of {total}: {step.title}")
        self._terminal.say(self._exercise.position.picture())
        self._say(step.text)
        if step.show:
            self._say(f"Look at {', '.join(step.show)}.")
        if step.demonstration:
            self._say("Type next and back to replay an example.")
        while True:
            line = self._terminal.ask("Answer> ")
            word = "quit" if line is None else line.strip().lower()
            if word == "quit":
                return False
            if word == "skip":
                return True
            if line is not None and word and self._react(word, line.strip()):
                self._progress.add(self._course, step)
                return True

    def _react(self, word: str, line: str) -> bool:
        """React to a word or an answer; return whether the step is solved."""
        match word:
            case "hint":
                hints = self._step.hints
                self._say(hints[min(self._hints, len(hints) - 1)])
                self._hints += 1
            case "solution":
                suggestion = self._exercise.suggestion()
                self._say(
                    "The computer knows none here." if suggestion is None else f"Try {suggestion}."
                )
            case "board":
                self._terminal.say(self._exercise.position.picture())
            case "next" | "back":
                self._replay(1 if word == "next" else -1)
            case _:
                return self._answer(line)
        return False

    def _replay(self, by: int) -> None:
        """Show the demonstration one move further or less far."""
        moves = self._step.demonstration
        self._shown = min(max(self._shown + by, 0), len(moves))
        position = self._step.position
        for text in moves[: self._shown]:
            position = position.play(position.parse_move(text))
        self._terminal.say(position.picture())
        self._say(f"Move {self._shown} of {len(moves)}: {' '.join(moves[: self._shown])}")

    def _answer(self, text: str) -> bool:
        """Judge an answer; return whether the step is solved."""
        before = self._exercise.position
        try:
            answer = self._exercise.answer(text)
        except InputError as error:
            self._say(f"{error}. (Words: {_WORDS})")
            return False
        if answer.solved:
            if not self._exercise.selects:
                self._terminal.say(answer.position.picture())
            self._say(f"Right! {answer.message}".strip())
            return True
        if answer.right:
            self._continue(answer, text, before)
        elif answer.right is None:
            self._say("The computer could not decide whether this is right. Try another move.")
        else:
            self._say(f"Not right. {answer.message}".strip())
            self._refute(answer)
        return False

    def _continue(self, found: Feedback, text: str, before: Position) -> None:
        """Show the opponent's reply to a right move."""
        reply = ""
        if found.reply is not None:
            after = before.play(before.parse_move(text))
            name = after.format_move(found.reply)
            reply = f" {after.to_move.title} replies {name}."
        self._terminal.say(found.position.picture())
        self._say(f"Right.{reply} {found.message}".strip())

    def _refute(self, found: Feedback) -> None:
        """Show the moves that refute a wrong answer."""
        if not found.refutation:
            return
        position = found.position
        texts = line_texts(position, found.refutation)
        for move in found.refutation:
            position = position.play(move)
        self._say(f"The game would go on: {' '.join(texts)}.")
        self._terminal.say(position.picture())
