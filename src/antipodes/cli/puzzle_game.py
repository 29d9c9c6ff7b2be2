"""A puzzle at the terminal: the solver types moves, and the program judges them and replies."""

from __future__ import annotations

from antipodes.cli.terminal import Terminal
from antipodes.errors import MoveError
from antipodes.games.position import Position
from antipodes.learn.move_words import line_in_words
from antipodes.puzzles.model import Puzzle
from antipodes.puzzles.play import Judgement, judge, referee
from antipodes.search.analysis_result import line_texts

_WORDS = "hint, solution, board, quit"


class PuzzleGame:
    """The dialogue about one puzzle."""

    def __init__(self, puzzle: Puzzle, terminal: Terminal, task: str) -> None:
        """Prepare the dialogue; ``task`` is a sentence that says what to do."""
        self._puzzle = puzzle
        self._terminal = terminal
        self._task = task
        self._referee = referee(puzzle.game, puzzle.goal)
        self._position: Position = puzzle.position
        self._moves: list[str] = []

    def run(self) -> bool:
        """Ask for moves until the puzzle is solved; return whether the player solved it."""
        say = self._terminal.say
        say(self._position.picture())
        say(f"Puzzle {self._puzzle.id}. {self._task}")
        while True:
            line = self._terminal.ask(f"{self._position.to_move.title}> ")
            word = "quit" if line is None else line.strip().lower()
            if word == "quit":
                return False
            if word == "solution":
                say(f"Solution: {' '.join(self._puzzle.line)}")
                for sentence in line_in_words(self._puzzle.position, self._puzzle.line):
                    say(str(sentence))
                return False
            if word == "board":
                say(self._position.picture())
            elif word == "hint":
                say(self._hint())
            elif word and line is not None and self._play(line):
                return True

    def _hint(self) -> str:
        themes = ", ".join(self._puzzle.themes)
        return f"Themes: {themes}." if themes else "This puzzle has no theme."

    def _play(self, text: str) -> bool:
        """Judge a move; return whether it solves the puzzle."""
        say = self._terminal.say
        try:
            move = self._position.parse_move(text)
        except MoveError as error:
            say(f"{error}. (Words: {_WORDS})")
            return False
        name = self._position.format_move(move)
        verdict = judge(self._puzzle, [*self._moves, name], self._referee)
        if verdict.solved:
            say(verdict.position.picture())
            say("Solved!")
            return True
        if not verdict.right:
            say(self._why_wrong(name, verdict))
            for sentence in line_in_words(verdict.position, verdict.refutation):
                say(str(sentence))
            return False
        assert verdict.reply is not None
        after: Position = self._position.play(move)
        reply = after.format_move(verdict.reply)
        self._moves += [name, reply]
        self._position = verdict.position
        say(f"{name} is right. {after.to_move.title} replies {reply}.")
        say(self._position.picture())
        return False

    def _why_wrong(self, name: str, found: Judgement) -> str:
        goal = self._puzzle.goal
        if found.right is None:
            return f"{name}: the computer could not decide whether this is right. Try another move."
        line = " ".join(line_texts(found.position, found.refutation))
        return f"{name} does not {goal}{': ' if line else ''}{line}. Try again."
