"""The first game at the terminal: a coach names good moves, and less often as the game goes on."""

from __future__ import annotations

from antipodes.cli.terminal import Terminal
from antipodes.errors import MoveError
from antipodes.games.position import Position
from antipodes.learn.first_game import CoachedGame
from antipodes.learn.move_words import move_in_words


class CoachedGameDialogue:
    """The dialogue of one game."""

    def __init__(self, game_id: str, terminal: Terminal) -> None:
        self._game = CoachedGame(game_id)
        self._terminal = terminal

    def run(self) -> bool:
        """Ask for moves until the game is over; return whether it was finished."""
        say = self._terminal.say
        position = self._game.position
        color = position.to_move
        say(f"Your first game of {position.game.title}. You are {color.title}.")
        say(f"{color.title}: {position.game.goals_in_words[color]}.")
        self._show()
        while self._game.position.outcome is None:
            line = self._terminal.ask(f"{color.title}> ")
            word = "quit" if line is None else line.strip().lower()
            if word == "quit":
                return False
            if word == "hint":
                self._advise(asked=True)
            elif word == "board":
                say(self._game.position.picture())
            elif line is not None and word:
                self._play(line)
        won = self._game.won
        say("A draw." if won is None else "You have won!" if won else "The computer has won.")
        return True

    def _show(self) -> None:
        self._terminal.say(self._game.position.picture())
        self._advise()

    def _advise(self, *, asked: bool = False) -> None:
        """Name good moves, if the coach still does."""
        position: Position = self._game.position
        advised = self._game.advice(asked=asked)
        if len(advised) > 1:
            self._terminal.say("One of these is good:")
        for move in advised:
            self._terminal.say(
                f"{position.format_move(move)}: {move_in_words(position, move, is_advice=True)}"
            )

    def _play(self, text: str) -> None:
        """Play a move and show the reply."""
        before: Position = self._game.position
        try:
            reply = self._game.play(text)
        except MoveError as error:
            self._terminal.say(f"{error}. (Words: hint, board, quit)")
            return
        if reply is not None:
            after: Position = before.play(before.parse_move(text))
            self._terminal.say(str(move_in_words(after, reply)))
        if self._game.position.outcome is None:
            self._show()
        else:
            self._terminal.say(self._game.position.picture())
