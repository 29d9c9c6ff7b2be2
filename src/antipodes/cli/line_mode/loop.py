"""The conversation: whose turn it is, what a person types, what a computer answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antipodes.cli.line_mode.commands import COMMANDS, Conversation
from antipodes.cli.seats import HUMAN
from antipodes.errors import AntipodesError

if TYPE_CHECKING:
    from antipodes.cli.line_mode.table import Table
    from antipodes.cli.terminal import Terminal

_OVER = "The game is over (save FILE, undo, again, help, quit): "


def play(table: Table, terminal: Terminal, save_path: str | None = None) -> int:
    """Play a game in lines of text until it ends or somebody leaves; return the exit code."""
    from antipodes.search.preparing import Preparation

    talk = Conversation(table, terminal, Preparation(table.position.game), save_path)
    terminal.say(_greeting(table))
    talk.show_board()
    if any(seat.startswith("computer") for seat in table.seats):
        talk.engine.start()
    try:
        while not (talk.left or (table.over and not table.has_people)):
            if table.over or table.human_to_move:
                _hear(talk)
            else:
                _let_program_play(talk)
    except KeyboardInterrupt:
        terminal.say()
        talk.leave()
        raise
    return 0


def _greeting(table: Table) -> str:
    game = table.position.game
    return f"{game.title}. {game.summary}\n{table.who_sits()}\n"


def _prompt(table: Table) -> str:
    if table.over:
        return _OVER
    whose = f"{table.position.to_move.title}'s" if table.seats.count(HUMAN) > 1 else "Your"
    return f"{whose} move (help for help): "


def _hear(talk: Conversation) -> None:
    """Ask for a line and do what it says."""
    line = talk.terminal.ask(_prompt(talk.table))
    if line is None:
        talk.leave()
        return
    words = line.split(maxsplit=1)
    if not words:
        return
    command = COMMANDS.get(words[0].lower())
    try:
        if command is None:
            _play_text(talk, line)
        else:
            command.run(talk, words[1].strip() if len(words) > 1 else "")
    except AntipodesError as error:
        kind = "played" if command is None else "done"
        talk.terminal.say(f"Not {kind}: {error}. The board is unchanged.")


def _play_text(talk: Conversation, line: str) -> None:
    table = talk.table
    if table.over:
        talk.terminal.say("The game is over; undo takes moves back.")
        return
    table.play(table.position.parse_move(line, talk.side))
    talk.moved()


def _let_program_play(talk: Conversation) -> None:
    talk.table.play(talk.think(talk.table.player))
    talk.moved()
