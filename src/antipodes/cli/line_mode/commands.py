"""Commands of the line mode: the words that a person can type besides moves."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from antipodes.cli.games_command import option_lines
from antipodes.errors import Fault, InputError, InvalidMoveError
from antipodes.games.texts import short_rules
from antipodes.local_game import HUMAN, LocalGame, SeatPlayers, save
from antipodes.notation.ascii_pictures import legend
from antipodes.notation.text import clean, shorten
from antipodes.notation.words import point_name

if TYPE_CHECKING:
    from antipodes.cli.terminal import Terminal
    from antipodes.core import Move
    from antipodes.search.players import Player, SearchProgress

_WIDTH = 78
_MANY_MOVES = 200  # more are not listed at once
_HINT_LEVEL = "computer:4"


class Conversation:
    """A game in lines of text: the state that commands work on.

    Attributes:
        game: the game.
        players: the programs at its seats.
        terminal: where input comes from and text goes to.
        save_path: file that is written after each move, or ``None``.
        side: the seat from whose side the board is shown and moves are read and written.
        left: whether the person has quit.
    """

    def __init__(
        self,
        game: LocalGame,
        players: SeatPlayers,
        terminal: Terminal,
        save_path: str | None,
    ) -> None:
        self.game = game
        self.players = players
        self.terminal = terminal
        self.save_path = save_path
        self.side = own_side(game)
        self.left = False

    def show_board(self) -> None:
        """Print the picture, and who is to move or how the game ended."""
        position = self.game.position
        self.terminal.say(f"{position.picture(self.side)}\n\n{self._caption()}")
        if position.game.has_sides:
            self.terminal.say(self.view())

    def view(self) -> str:
        """Say from whose side the board is shown."""
        color = self.game.game.color_of(self.side)
        return f"Seen by seat {self.side + 1} ({color}): A1 is at its lower left."

    def _caption(self) -> str:
        score = self.game.score()
        return f"{self._game_caption()}\n{score}" if score else self._game_caption()

    def _game_caption(self) -> str:
        game = self.game
        if game.resigned is not None:
            return f"{game.game.title}: {game.result()}"
        caption = game.position.caption()
        scene = game.position.seen_from(self.side)
        if not scene.chain:
            return caption
        points = ", ".join(point_name(scene, cell) for cell in scene.chain)
        return f"{caption}\n{wrapped(f'The winning chain: {points}.')}"

    def moved(self) -> None:
        """Print the last move and the board, and save the game."""
        self.terminal.say(f"{self.game.last_move(self.side)}\n")
        self.show_board()
        self.keep()

    def keep(self) -> None:
        """Save the game to the file of ``--save``, if there is one."""
        if self.save_path is not None:
            save(self.game, self.save_path)

    def think(self, player: Player) -> Move:
        """Let a program choose a move, and show how far it is."""
        position = self.game.position
        if not player.name.startswith("computer"):
            return player.choose(position)
        self.terminal.remark("Computer thinks...")
        from antipodes.search.chances import chance_text

        def show(progress: SearchProgress) -> None:
            share = int(100 * progress.share)
            self.terminal.status(
                f"Computer thinks: {share} %, {progress.seconds:.0f} s, now"
                f" {position.format_move(progress.best, self.side)},"
                f" chances {chance_text(position.game, position.to_move, progress.value)}"
            )

        move = player.choose(position, show)
        self.terminal.end_status()
        return move

    def leave(self) -> None:
        """Quit, and say whether the game is saved."""
        self.left = True
        if not self.game.is_over:
            kept = f" It is saved in {self.save_path}." if self.save_path else ""
            self.terminal.say(f"The game is unfinished.{kept} Goodbye.")


def own_side(game: LocalGame) -> int:
    """Return the seat from whose side the board is shown first: that of the only person, or 0."""
    seats = [seat for seat, player in enumerate(game.players) if player == HUMAN]
    return seats[0] if len(seats) == 1 and game.game.has_sides else 0


def wrapped(text: str) -> str:
    """Break a long line between words."""
    return textwrap.fill(text, _WIDTH, break_long_words=False, break_on_hyphens=False)


# The commands. Each takes the conversation and the rest of the line.


@dataclass(frozen=True, slots=True)
class Command:
    """A word that is not a move.

    Attributes:
        usage: the word and what may follow it.
        help: one line for people.
        run: carries it out.
    """

    usage: str
    help: str
    run: Callable[[Conversation, str], None]


def _help(talk: Conversation, _rest: str) -> None:
    shown = {command.usage: command.help for command in COMMANDS.values()}
    lines = ["Type a move, or one of these words:"]
    lines += [f"  {usage:<12} {text}" for usage, text in shown.items()]
    lines.append(_how_moves_look(talk))
    symbols = legend(talk.game.position.seen_from(talk.side))
    if symbols:
        lines.append(wrapped(f"In the picture: {symbols}"))
    talk.terminal.say("\n".join(lines))


def _how_moves_look(talk: Conversation) -> str:
    position = talk.game.position
    text = next((position.format_move(move, talk.side) for move in position.legal_moves), None)
    return f"Moves look like {text}." if text else "The game is over."


def _board(talk: Conversation, _rest: str) -> None:
    talk.show_board()


def _moves(talk: Conversation, arguments: str) -> None:
    position = talk.game.position
    start = clean(arguments).lower().replace(" ", "")
    texts = [position.format_move(move, talk.side) for move in position.legal_moves]
    texts = [text for text in texts if text.lower().startswith(start)]
    beginning = f" that begin with {start}" if start else ""
    if not texts:
        talk.terminal.say(f"There are no legal moves{beginning}.")
        return
    lines = [f"{len(texts)} legal moves{beginning}:", wrapped(" ".join(texts[:_MANY_MOVES]))]
    if len(texts) > _MANY_MOVES:
        lines.append(
            f"... and {len(texts) - _MANY_MOVES} more; moves {texts[-1][:2]} lists those that"
            f" begin with {texts[-1][:2]}."
        )
    talk.terminal.say("\n".join(lines))


def _where(talk: Conversation, arguments: str) -> None:
    if not arguments:
        _read(talk, arguments)
        return
    scene = talk.game.position.seen_from(talk.side)
    board = scene.topology
    cell = board.cell(clean(arguments).strip("*+ ").lower())
    if cell is None:
        where = talk.game.game.point_names.where(clean(arguments))
        message = f"the board has no point {shorten(arguments)}; {where}"
        raise InvalidMoveError([Fault("move/out-of-range", message)], text=arguments)

    def content(point: int) -> str:
        if point in scene.rods:
            rod = scene.rods[point]
            return f"a {rod.color} {rod.diagonal} rod"
        if point in scene.pawns:
            return f"the {scene.pawns[point]} pawn on a {scene.stones[point]} token"
        return str(scene.stones[point]) if point in scene.stones else "empty"

    names = " or ".join(board.names[cell])
    near = ", ".join(f"{board.name(n)} {content(n)}" for n in board.neighbours[cell])
    talk.terminal.say(wrapped(f"{names}: {content(cell)}. Next to it: {near}."))


def _read(talk: Conversation, _rest: str) -> None:
    from antipodes.notation.words import describe

    talk.terminal.say(wrapped(describe(talk.game.position.seen_from(talk.side))))


def _undo(talk: Conversation, _rest: str) -> None:
    was_resigned = talk.game.resigned is not None
    count = talk.game.undo()
    if not count and not was_resigned:
        talk.terminal.say("There is nothing to take back.")
        return
    moves = "1 move" if count == 1 else f"{count} moves"
    talk.terminal.say(f"Taken back: {'the resignation' if was_resigned else moves}.\n")
    talk.show_board()
    talk.keep()


def _hint(talk: Conversation, _rest: str) -> None:
    from antipodes.search.players import make_player

    if talk.game.is_over:
        talk.terminal.say("The game is over.")
        return
    position = talk.game.position
    move = talk.think(make_player(_HINT_LEVEL))
    talk.terminal.say(f"The computer would play {position.format_move(move, talk.side)}.")


def _save(talk: Conversation, rest: str) -> None:
    path = rest or talk.save_path
    if not path:
        talk.terminal.say("Name a file: save FILE, such as save game.json or save game.sgf.")
        return
    save(talk.game, path)
    talk.terminal.say(f"Saved to {path}.")


def _resign(talk: Conversation, _rest: str) -> None:
    if talk.game.is_over:
        talk.terminal.say("The game is over.")
        return
    talk.game.resign()
    talk.terminal.say(f"{talk.game.result()} {talk.game.score()}".rstrip())
    talk.keep()


def _again(talk: Conversation, _rest: str) -> None:
    game = talk.game
    if not game.is_over:
        talk.terminal.say("The game is not over; resign or undo, or quit and start another.")
        return
    points = game.points
    if points is not None and points.winner is not None:
        talk.terminal.say("The match is over; quit, and start another.")
        return
    talk.players.move_on(game.shift, game.game.seats)
    game.begin_rematch()
    talk.side = own_side(game)
    number = "" if points is None else f"Game {points.games + 1}. "
    talk.terminal.say(f"{number}{game.player_sentence()}\n")
    talk.show_board()


def _view(talk: Conversation, arguments: str) -> None:
    game = talk.game.game
    if not game.has_sides:
        talk.terminal.say(f"All seats see the board of {game.title} alike.")
        return
    seats = {"own": own_side(talk.game), "first": 0, "": (talk.side + 1) % game.seats}
    seats |= {str(seat + 1): seat for seat in range(game.seats)}
    wanted = clean(arguments).lower()
    if wanted not in seats:
        known = f"own, first, or a seat from 1 to {game.seats}"
        message = f"the view can be {known}, not {shorten(arguments)}"
        raise InputError.single("view/unknown", message)
    talk.side = seats[wanted]
    talk.show_board()


def _options(talk: Conversation, _rest: str) -> None:
    game = talk.game.game
    lines = option_lines(game.option_table(), game.options.as_dict())
    talk.terminal.say("\n".join([f"{game.title} is played with", *(f"  {x}" for x in lines)]))


def _rules(talk: Conversation, _rest: str) -> None:
    talk.terminal.say(short_rules(talk.game.game.id).text)


def _quit(talk: Conversation, _rest: str) -> None:
    talk.leave()


COMMANDS: dict[str, Command] = {}


def _register(words: str, usage: str, text: str, run: Callable[[Conversation, str], None]) -> None:
    for word in words.split():
        COMMANDS[word] = Command(usage, text, run)


_register("help ? h", "help", "this list", _help)
_register("board b", "board", "show the board again", _board)
_register("moves", "moves [TEXT]", "list the legal moves, or those that begin with TEXT", _moves)
_register("where", "where POINT", "say what is on a point and next to it", _where)
_register("read", "read", "describe the whole position in words", _read)
_register(
    "view v",
    "view [SEAT]",
    "Antipalos: see the board from the next seat's side, or SEAT's; also own, first",
    _view,
)
_register("undo u", "undo", "take back to your last turn", _undo)
_register("hint", "hint", "ask the computer what it would play", _hint)
_register("save", "save FILE", "save the game to a file (.json, .sgf)", _save)
_register("resign", "resign", "resign the game", _resign)
_register("again", "again", "after the end: play a rematch, or the next game of a match", _again)
_register("options", "options", "show the options of this game", _options)
_register("rules", "rules", "say how the game is played", _rules)
_register("quit q exit", "quit", "leave", _quit)
