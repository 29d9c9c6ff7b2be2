"""The loop of the line mode: lines of a person, moves of programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from antipodes.cli.line_mode.commands import COMMANDS, Conversation
from antipodes.errors import AntipodesError
from antipodes.local_game import HUMAN, LocalGame, SeatPlayers

if TYPE_CHECKING:
    from antipodes.cli.terminal import Terminal

_OVER = "The game is over (save FILE, undo, again, help, quit): "


def play(
    game: LocalGame, terminal: Terminal, seed: int | None = None, save_path: str | None = None
) -> int:
    """Play a game in lines of text until it ends or the person quits; return the exit code.

    Args:
        game: the game.
        terminal: where input comes from and text goes to.
        seed: makes the choices of programs the same each time.
        save_path: file that is written after each move, or ``None``.
    """
    talk = Conversation(game, SeatPlayers(seed), terminal, save_path)
    terminal.say(_greeting(game))
    talk.show_board()
    try:
        while not (talk.left or (game.is_over and not game.has_people)):
            if game.is_over or game.human_to_move:
                _hear(talk)
            else:
                _let_program_play(talk)
    except KeyboardInterrupt:
        terminal.say()
        talk.leave()
        raise
    return 0


def _greeting(game: LocalGame) -> str:
    return f"{game.game.title}. {game.game.summary}\n{game.player_sentence()}\n"


def _prompt(game: LocalGame) -> str:
    if game.is_over:
        return _OVER
    whose = f"{game.position.to_move.title}'s" if game.players.count(HUMAN) > 1 else "Your"
    return f"{whose} move (help for help): "


def _hear(talk: Conversation) -> None:
    """Ask for a line and do what it says."""
    line = talk.terminal.ask(_prompt(talk.game))
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
    game = talk.game
    if game.is_over:
        talk.terminal.say("The game is over; undo takes moves back.")
        return
    game.play(game.position.parse_move(line, talk.side))
    talk.moved()


def _let_program_play(talk: Conversation) -> None:
    game = talk.game
    player = talk.players.at(game.position.seat_to_move, game.player_to_move)
    game.play(talk.think(player))
    talk.moved()
