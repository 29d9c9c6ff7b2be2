"""A GTP session: the game with its moves, the player, the clocks and the connected client."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from antipodes.core import Color
from antipodes.engine import columns
from antipodes.engine.clock import Clocks
from antipodes.engine.wire import GtpError
from antipodes.games.position import Game, Position
from antipodes.search.players import Player, make_player


class GtpSession:
    """A game that a client plays and asks about.

    Attributes:
        history: the positions from the start of the game to the one on the board.
        clocks: how much time each colour has.
        ponders: whether the player searches in the opponent's time.
        any_color_may_play: whether ``play`` and ``genmove`` accept a colour that is not to move.
        skips_i: whether the columns of points have no letter i.
        resigned: the colour that has resigned, or ``None``.
        quit_requested: whether the client has sent ``quit``.
    """

    def __init__(
        self,
        game: Game,
        player_factory: Callable[[], Player] | None = None,
        *,
        skips_i: bool = False,
    ) -> None:
        """Start with an empty board.

        Args:
            game: the game and its options; ``set_option`` and ``boardsize`` can change options.
            player_factory: makes the player for ``genmove`` when it is first needed; by default
                the computer at its usual level.
            skips_i: whether the columns of points have no letter i, as in programs for Go.
        """
        self.skips_i = skips_i
        self.history: list[Position] = [game.initial()]
        self.clocks = Clocks()
        self.ponders = False
        self.any_color_may_play = False
        self.resigned: Color | None = None
        self.quit_requested = False
        self._chosen_options: dict[str, object] = dict(game.options.changed())
        self._player_factory = player_factory or (lambda: make_player("computer"))
        self._player: Player | None = None
        self._send: Callable[[str], object] | None = None
        self._is_input_waiting: Callable[[], bool] = lambda: False
        self._answer_head = ""  # of the current answer, until a part of it has been sent

    # The game.

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.history[-1]

    @property
    def game(self) -> Game:
        """The game with its options."""
        return self.position.game

    @property
    def chosen_options(self) -> dict[str, object]:
        """The options that the client or the command line has set; a copy."""
        return dict(self._chosen_options)

    def start_game(self, chosen: Mapping[str, object]) -> None:
        """Start the game with the options in ``chosen``, the others at their defaults.

        Raises:
            InvalidOptionsError: these options are not allowed; nothing has changed.
        """
        game = type(self.game)(type(self.game.options).read(chosen))
        self._chosen_options = dict(chosen)
        self.clear_board(game)

    def clear_board(self, game: Game | None = None) -> None:
        """Go back to the start position and reset the clocks."""
        self.set_history([(game or self.game).initial()])

    def set_history(self, history: list[Position]) -> None:
        """Begin a game that has come as far as the last of these positions; reset the clocks."""
        self.history = history
        self.resigned = None
        self.clocks.reset()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by the rules or by resignation."""
        return self.resigned is not None or self.position.outcome is not None

    def with_turn(self, color: Color) -> Position:
        """Return the position with ``color`` to move.

        Raises:
            GtpError: the game is over, or the other colour is to move.
        """
        position = self.position
        if self.resigned is not None:
            raise GtpError(f"game over: {self.resigned} has resigned")
        if position.outcome is not None:
            raise GtpError(f"game over: {position.outcome}")
        if color is position.to_move:
            return position
        if self.any_color_may_play:
            return composed(position, color)
        raise GtpError(f"it is not {color}'s turn: {position.to_move} is to move")

    # The player.

    @property
    def player(self) -> Player:
        """The player for ``genmove``, made when it is first needed."""
        if self._player is None:
            self._player = self._player_factory()
        return self._player

    @property
    def active_player(self) -> Player | None:
        """The player, or ``None`` if it has not been needed yet."""
        return self._player

    @contextmanager
    def timed(self, player: Player) -> Iterator[None]:
        """Allot time to the player for a move, and deduct what it used from its clock."""
        position = self.position
        with self.clocks.timed(
            position.to_move, position.ply, position.game.max_plies, len(position.game.colors)
        ) as seconds:
            player.allot(seconds)
            yield

    # The client.

    def connect(self, send: Callable[[str], object], is_input_waiting: Callable[[], bool]) -> None:
        """Let commands send their answers in parts until the client sends another line.

        Args:
            send: sends a part of an answer, which ends with a line break, at once.
            is_input_waiting: whether the client has sent another line.
        """
        self._send = send
        self._is_input_waiting = is_input_waiting

    def is_input_waiting(self) -> bool:
        """Return whether the client has sent another line while a command runs."""
        return self._is_input_waiting()

    def send_part(self, text: str) -> bool:
        """Send one line of the answer ahead of the rest; ``False`` without a connected client."""
        if self._send is None:
            return False
        part = columns.without_i(text) if self.skips_i else text
        self._send(f"{self._answer_head}{part}\n")
        self._answer_head = ""
        return True


def composed(position: Position, color: Color) -> Position:
    """Return the position as a composed one, with ``color`` to move."""
    setup = replace(position.to_setup(), to_move=color.value, composed=True)
    return position.game.position(setup)
