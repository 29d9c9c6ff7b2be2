"""The GTP engine: lines of text in, answers out; it reads and writes no stream."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import antipodes
from antipodes.core import Color
from antipodes.engine import dialect
from antipodes.engine.commands import COMMANDS, command
from antipodes.engine.counting import count_positions, read_depth
from antipodes.engine.gtp_analysis import MENU
from antipodes.engine.gtp_time import Clocks
from antipodes.engine.wire import (
    MAX_LINE,
    GtpError,
    read_request,
    write_failure,
    write_success,
)
from antipodes.errors import AntipodesError, IllegalMoveError, InvalidOptionsError
from antipodes.games.base import BoardGame
from antipodes.games.position import BoardPosition
from antipodes.notation.text import shorten
from antipodes.search.players import Player, SearchPlayer, make_player

logger = logging.getLogger(__name__)


# What is said while the opponent thinks. Anything else ends the thinking in the opponent's time.
_PONDERED_THROUGH = ("play", "time_left", "showboard", "to_move", "winner", "known_command")
_MANY = 64  # words: repositions may be written with spaces, options may be set together


class GtpEngine:
    """A game that is played and asked about by commands of GTP 2.

    Attributes:
        position: the position on the board.
        quit_requested: whether the client has said ``quit``.
        clocks: how much time the players have.
    """

    def __init__(
        self,
        game: BoardGame[Any, Any],
        player_factory: Callable[[], Player] | None = None,
    ) -> None:
        """Start with an empty board.

        Args:
            game: the game and its options; ``set_option`` and ``boardsize`` can change options.
            player_factory: makes the player for ``genmove`` when it is first needed; without it
                the computer plays at its usual level.
        """
        self.quit_requested = False
        self.clocks = Clocks()
        self._chosen = dict(game.options.changed())
        self._history: list[BoardPosition[Any]] = [game.initial()]
        self._player_factory = player_factory or (lambda: make_player("computer"))
        self._player: Player | None = None
        self._ponders = False
        # HexGUI sets positions up stone by stone, in any order of colours.
        self._stones_in_any_order = False
        self._send: Callable[[str], object] | None = None
        self._is_line_waiting: Callable[[], bool] = lambda: False
        self._beginning = ""  # of the answer, until it is sent ahead

    @property
    def position(self) -> BoardPosition[Any]:
        """The position on the board."""
        return self._history[-1]

    @property
    def game(self) -> BoardGame[Any, Any]:
        """The game with its options."""
        game: BoardGame[Any, Any] = self.position.game
        return game

    def connect(self, send: Callable[[str], object], is_line_waiting: Callable[[], bool]) -> None:
        """Let commands answer piece by piece, until the client says something else.

        Args:
            send: takes a piece that ends with a line, at once.
            is_line_waiting: whether the client has said something else.
        """
        self._send = send
        self._is_line_waiting = is_line_waiting

    def wants_to_speak(self) -> bool:
        """Return whether the client has said something else while a command is carried out."""
        return self._is_line_waiting()

    def tell(self, text: str) -> bool:
        """Send a line of the answer ahead; return ``False`` if nobody takes it."""
        if self._send is None:
            return False
        self._send(f"{self._beginning}{text}\n")
        self._beginning = ""
        return True

    def handle_line(self, text: str) -> str | None:
        """Carry out one line and return the answer, without the empty line that ends it.

        The answer begins with ``=`` or, when nothing was changed, with ``?``, and with the number
        of the command if it had one; of an answer that was told piece by piece only the last piece
        is returned. Empty lines and comments have no answer. Nothing is raised except what asks
        the whole program to stop.
        """
        request = read_request(text)
        if request is None:
            return None
        if len(text) > MAX_LINE:
            return write_failure(request.number, "the line is too long")
        self._beginning = f"={request.number} \n"
        try:
            answer = self._run(request.name, request.arguments)
            return write_success(request.number, answer) if self._beginning else answer
        except InvalidOptionsError as error:
            return write_failure(request.number, dialect.write_faults(error))
        except (GtpError, AntipodesError) as error:
            return write_failure(request.number, str(error))
        except Exception as error:
            logger.exception("command %r failed", text)
            return write_failure(request.number, f"internal error: {type(error).__name__}")

    def _run(self, name: str, arguments: tuple[str, ...]) -> str:
        if not name:
            raise GtpError("there is no command after the number")
        known = COMMANDS.get(name)
        if known is None:
            # Clients look for these two words.
            raise GtpError(f"unknown command {shorten(name)}; list_commands tells all")
        if not known.least <= len(arguments) <= known.most:
            raise GtpError(f"syntax error; write {known.usage}")
        if isinstance(self._player, SearchPlayer) and name not in _PONDERED_THROUGH:
            self._player.rest()
        return known.run(self, arguments)

    # About the engine.

    @command("protocol_version")
    def _protocol_version(self, _: tuple[str, ...]) -> str:
        return "2"

    @command("name")
    def _name(self, _: tuple[str, ...]) -> str:
        return "Antipodes"

    @command("version")
    def _version(self, _: tuple[str, ...]) -> str:
        return antipodes.__version__

    @command("known_command NAME", 1)
    def _known_command(self, arguments: tuple[str, ...]) -> str:
        return "true" if arguments[0] in COMMANDS else "false"

    @command("list_commands")
    def _list_commands(self, _: tuple[str, ...]) -> str:
        return "\n".join(sorted(COMMANDS))

    @command("quit")
    def _quit(self, _: tuple[str, ...]) -> str:
        self.quit_requested = True
        return ""

    # The board and the options.

    @command("boardsize WIDTH [HEIGHT]", 1, 2)
    def _boardsize(self, arguments: tuple[str, ...]) -> str:
        options = dialect.board_size_options(self.game, arguments)
        try:
            self._start_anew({**self._chosen, **options})
        except InvalidOptionsError as error:
            raise GtpError(f"unacceptable size: {dialect.write_faults(error)}") from None
        return ""

    @command("clear_board")
    def _clear_board(self, _: tuple[str, ...]) -> str:
        self._history = [self.game.initial()]
        self.clocks.start_anew()
        return ""

    @command("set_option KEY VALUE [KEY VALUE]...", 0, _MANY)
    def _set_option(self, arguments: tuple[str, ...]) -> str:
        if not arguments:
            return dialect.write_options(self.game)
        if len(arguments) % 2:
            raise GtpError(f"{shorten(arguments[-1])} has no value; write set_option KEY VALUE")
        if len(self._history) > 1:
            raise GtpError("options are set before the first move; clear_board starts anew")
        chosen = {**self._chosen}
        known = {info.name for info in self.game.option_table()}
        for key, value in zip(arguments[::2], arguments[1::2], strict=True):
            chosen[key] = value
            if value == "default" and key in known:
                del chosen[key]
        self._start_anew(chosen)
        return ""

    @command("list_options")
    def _list_options(self, _: tuple[str, ...]) -> str:
        return dialect.write_options(self.game)

    def _start_anew(self, chosen: Mapping[str, object]) -> None:
        """Begin the game that has the options in ``chosen``, the others by default.

        Raises:
            InvalidOptionsError: there is no such game; nothing has changed.
        """
        game = type(self.game)(type(self.game.options).read(chosen))
        self._chosen = dict(chosen)
        self._history = [game.initial()]
        self.clocks.start_anew()

    # Moves.

    @command("play COLOR MOVE", 2, _MANY)
    def _play(self, arguments: tuple[str, ...]) -> str:
        before = self.with_turn(dialect.read_color(self.game, arguments[0]))
        try:
            after = before.play(dialect.read_move(before, " ".join(arguments[1:])))
        except IllegalMoveError as error:
            raise GtpError(f"illegal move: {error}") from None
        if before is not self.position:
            after = _composed(after, after.to_move)
        self._history.append(after)
        return ""

    @command("genmove COLOR", 1)
    def _genmove(self, arguments: tuple[str, ...]) -> str:
        before = self.with_turn(dialect.read_color(self.game, arguments[0]))
        if self._player is None:
            self._player = self._player_factory()
        player = self._player
        with self.clocks.thinking(self, player):
            move = player.choose(before)
        if move not in before.legal_moves:
            raise RuntimeError(f"{player.name} chose {move!r}, which is not legal")
        self._history.append(before.play(move))
        if self._ponders and isinstance(player, SearchPlayer):
            player.ponder(self.position)
        return dialect.write_move(before, move)

    @command("ponder [SWITCH]", 0, 1)
    def _ponder(self, arguments: tuple[str, ...]) -> str:
        if not arguments:
            return "on" if self._ponders else "off"
        if arguments[0] not in ("on", "off"):
            raise GtpError(f"{shorten(arguments[0])} is neither on nor off")
        self._ponders = arguments[0] == "on"
        return ""

    @command("undo")
    def _undo(self, _: tuple[str, ...]) -> str:
        if len(self._history) == 1:
            raise GtpError("cannot undo: this is the start")
        self._history.pop()
        return ""

    def with_turn(self, color: Color) -> BoardPosition[Any]:
        """Return the position with ``color`` to move.

        Raises:
            GtpError: the game is over, or the other colour is to move.
        """
        position = self.position
        if position.outcome is not None:
            raise GtpError(f"game over: {position.outcome}")
        if color is position.to_move:
            return position
        if self._stones_in_any_order:
            return _composed(position, color)
        raise GtpError(f"it is not {color}'s turn: {position.to_move} is to move")

    # Questions about the position.

    @command("showboard")
    def _showboard(self, _: tuple[str, ...]) -> str:
        return f"\n{self.position.picture()}\n{self.position.caption()}"

    @command("all_legal_moves")
    def _all_legal_moves(self, _: tuple[str, ...]) -> str:
        position = self.position
        return " ".join(dialect.write_move(position, move) for move in position.legal_moves)

    @command("to_move")
    def _to_move(self, _: tuple[str, ...]) -> str:
        return "none" if self.position.outcome is not None else str(self.position.to_move)

    @command("winner")
    def _winner(self, _: tuple[str, ...]) -> str:
        outcome = self.position.outcome
        if outcome is None:
            return "none"
        return "draw" if outcome.winner is None else str(outcome.winner)

    @command("winning_chain")
    def _winning_chain(self, _: tuple[str, ...]) -> str:
        name = self.game.topology.name
        return " ".join(name(cell) for cell in self.position.winning_chain())

    @command("perft DEPTH", 1)
    def _perft(self, arguments: tuple[str, ...]) -> str:
        return str(count_positions(self.position, read_depth(arguments[0])))

    # Graphical clients.

    @command("gogui-analyze_commands")
    def _gogui_analyze_commands(self, _: tuple[str, ...]) -> str:
        return "\n".join((*_MENU, *MENU))

    @command("hexgui-analyze_commands")
    def _hexgui_analyze_commands(self, _: tuple[str, ...]) -> str:
        # Only HexGUI asks this, when it connects. It tells a swap or a position that was set up by
        # clearing the board and playing all stones row by row, whoever's turn that makes it.
        self._stones_in_any_order = self.game.id == "hex"
        return "\n".join(("move/Generate a move/genmove %m", *_MENU, *MENU))


_MENU = (
    "string/Winner/winner",
    "plist/Winning chain/winning_chain",
    "string/Legal moves/all_legal_moves",
    "string/Board/showboard",
    "string/Perft/perft %s",
    "param/Options/set_option",
)


def _composed(position: BoardPosition[Any], color: Color) -> BoardPosition[Any]:
    """Return the position as one that was set up, with ``color`` to move."""
    setup = replace(position.to_setup(), to_move=color.value, composed=True)
    composed: BoardPosition[Any] = position.game.position(setup)
    return composed
