"""The full-screen application: one screen for all games."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Button, Footer, Static

from antipodes.core import Color, Move
from antipodes.errors import AntipodesError, MoveError
from antipodes.games.position import Game
from antipodes.local_game import SeatPlayers
from antipodes.tui import files
from antipodes.tui.board import BoardView
from antipodes.tui.dialogs import Ask, Confirm, Help
from antipodes.tui.glyphs import glyphs, only_ascii
from antipodes.tui.layout import lay_out
from antipodes.tui.panel import PANEL_WIDTH, Panel, best_text, thoughts_text
from antipodes.tui.session import Session
from antipodes.tui.texts import help_text
from antipodes.tui.thinking import Failed, Progressed, Task, Thinker, Thought

if TYPE_CHECKING:
    from antipodes.records import Record
    from antipodes.search.players import Player

Players = Mapping[Color, str] | Sequence[str]

HINT_PLAYER = "computer"
_PACE = 0.4  # seconds a computer takes at least for a move when no person plays
_FRAME = 3  # rows of caption, prompt and keys


class BoardApp(App[int]):
    """Plays one game after another on one board.

    Args:
        game: the game with its options.
        players: ``human``, ``computer:LEVEL``, ``random`` or ``pairing`` for each colour (human
            where none is named) or for each seat.
        seed: makes the computer reproducible.
        session: goes on with a game instead of beginning one.
        save_path: a file that keeps the game after each move.
        make_player: makes players of texts; :func:`antipodes.search.players.make_player` if
            ``None``.
    """

    CSS_PATH = "app.tcss"
    TITLE = "Antipodes"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = "#board"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", "Undo"),
        Binding("h", "hint", "Hint"),
        Binding("t", "type_move", "Type move"),
        Binding("w", "swap", "Swap"),
        Binding("s", "save", "Save"),
        Binding("n", "new_game", "New"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "leave", "Quit"),
        Binding("ctrl+q,ctrl+c", "leave", "Quit", show=False),
        Binding("escape", "step_back", "Back", show=False),
        Binding("R", "resign", "Resign", show=False),
        Binding("v", "turn_view", "View", show=False),
        Binding("z", "zoom", "Zoom", show=False),
        Binding("p", "panel", "Panel", show=False),
    ]

    def __init__(
        self,
        game: Game,
        players: Players | None = None,
        *,
        seed: int | None = None,
        session: Session | None = None,
        save_path: Path | None = None,
        make_player: Callable[[str, int | None], Player] | None = None,
    ) -> None:
        """Prepare a game; nothing is shown or computed yet."""
        # Without this, textual honours NO_COLOR with shades of grey.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.session = session or Session(game, players)
        ascii_only = only_ascii()
        self._glyphs = glyphs(ascii_only=ascii_only)
        self.set_class(ascii_only, "-ascii")
        self._save_path = save_path
        self._keeps = save_path is not None  # whether every move is written at once
        self._thinker = Thinker(self.post_message, SeatPlayers(seed, make_player))
        self._thinking: Task | None = None
        self._zoom: bool | None = None  # None: as large as the screen allows
        self._panel_wanted: bool | None = None  # None: where there is room
        self._note = ""
        self._note_passes = False

    def compose(self) -> ComposeResult:
        """Lay out caption, board, panel, prompt and keys."""
        yield Static(id="caption", markup=False)
        with Horizontal(id="middle"):
            yield BoardView(self.session, self._glyphs, id="board")
            yield Panel(self._glyphs, id="panel")
        with Horizontal(id="bar"):
            yield Static(id="prompt", markup=False)
            yield Button("Play", id="play", compact=True)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Show the first picture at once, and let a computer begin that is to move."""
        self._panel.think("")
        self._renew()
        self.call_after_refresh(self._let_computer_move)

    def on_unmount(self) -> None:
        """Let no thread think on when the board is closed, however that happens."""
        if self._thinking is not None:
            self._thinking.cancelled.set()

    # The screen.

    @property
    def _board(self) -> BoardView:
        return self.query_one("#board", BoardView)

    @property
    def _panel(self) -> Panel:
        return self.query_one("#panel", Panel)

    def _renew(self, note: str = "", *, passing: bool = False) -> None:
        """Show the session as it is now, with a note instead of the prompt where there is one.

        A ``passing`` note goes away when the cursor moves.
        """
        self._note = note
        self._note_passes = passing
        self._board.redraw()
        self._tell()
        self.refresh_bindings()

    def _tell(self) -> None:
        """Show the session in words."""
        caption = self.session.caption
        self.query_one("#caption", Static).update(caption)
        self.query_one("#prompt", Static).update(self._note or self.session.prompt)
        self._panel.show(self.session, self._board.pointed_name)
        play = self.query_one("#play", Button)
        pending = self.session.turn.pending
        play.display = pending is not None
        if pending is not None:
            play.label = Content(f"Play {self.session.format(pending)}")

    def on_resize(self, event: events.Resize) -> None:
        """Fit board and panel to the screen."""
        self._fit(event.size.width, event.size.height)

    def _fit(self, width: int, height: int) -> None:
        """Choose the size of the cells, and whether there is room for the panel."""
        board = self.session.game.topology
        small, large = lay_out(board), lay_out(board, large=True)
        fits = large.width + PANEL_WIDTH <= width and large.height + _FRAME <= height
        is_large = fits if self._zoom is None else self._zoom
        shown = large if is_large else small
        room = shown.width + PANEL_WIDTH <= width
        self._panel.display = room if self._panel_wanted is None else self._panel_wanted
        self._board.make_large(large=is_large)

    def on_board_view_pointed(self) -> None:
        """Name the point under the cursor."""
        if self._note_passes:
            self._note, self._note_passes = "", False
            self._tell()
        self._panel.show(self.session, self._board.pointed_name)

    # Moves of people.

    def on_board_view_chosen(self, message: BoardView.Chosen) -> None:
        """Take the next step of the turn."""
        session = self.session
        proposed = session.turn.pending is not None and message.cell == session.turn.held[-1]
        move = session.confirm() if message.confirm and proposed else session.choose(message.cell)
        if move is not None:
            self._moved()
        elif session.human_to_move and message.cell not in session.turn.cells | set(
            session.turn.held
        ):
            self._renew(
                f"{self._board.pointed_name} cannot be chosen. {session.prompt}", passing=True
            )
        else:
            self._renew()

    def on_board_view_diagonal_wanted(self, message: BoardView.DiagonalWanted) -> None:
        """Propose a rod; in games without rods ``/`` begins the typing of a move."""
        if self.session.game.has_rods:
            self.session.lay(message.cell, message.diagonal)
            self._renew()
        elif message.diagonal == "/":
            self.action_type_move()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Play the proposed rod."""
        if event.button.id == "play" and self.session.confirm() is not None:
            self._moved()
        self._board.focus()

    def action_step_back(self) -> None:
        """Take one step of the turn back."""
        self.session.back()
        self._renew()

    def action_swap(self) -> None:
        """Swap where that is legal."""
        if self.session.human_to_move and self.session.swap() is not None:
            self._moved()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Show the key of a swap only where it is legal."""
        del parameters
        if action == "swap":
            return self.session.can_swap and self.session.human_to_move
        return True

    @work
    async def action_type_move(self) -> None:
        """Ask for a move as text."""
        if not self.session.human_to_move:
            return
        session = self.session
        played: list[Move] = []

        def check(text: str) -> str | None:
            try:
                played.append(session.play_text(text))
            except MoveError as error:
                return str(error)
            return None

        if await self.push_screen_wait(Ask("Your move:", check=check)) is not None and played:
            self._moved()

    def _moved(self) -> None:
        """Go on after a move."""
        self._stop_thinking()
        self._renew(self._kept())
        self._let_computer_move()

    def _kept(self) -> str:
        """Write the game where every move is kept; return what went wrong, or nothing."""
        if not self._keeps or self._save_path is None:
            return ""
        return self._write(self._save_path)

    def _write(self, path: Path) -> str:
        """Write the game; return what went wrong, or nothing."""
        try:
            files.save(self.session, path)
        except (OSError, AntipodesError) as error:
            return f"Not saved: {error}"
        return ""

    # Moves of the computer, and hints.

    def _let_computer_move(self) -> None:
        """Set the player to move thinking, if it is none of the people."""
        session = self.session
        if session.is_over or session.human_to_move:
            return
        self._think(
            Task(
                session.player_to_move,
                session.position.seat_to_move,
                session.position,
                pause=0.0 if session.has_people else _PACE,
            )
        )

    def _think(self, task: Task) -> None:
        self._stop_thinking()
        self._thinking = task
        self._panel.think("Thinking ...")
        self._think_in_thread(task)

    @work(thread=True, group="thinking", exit_on_error=True)
    def _think_in_thread(self, task: Task) -> None:
        self._thinker.run(task)

    def _stop_thinking(self) -> bool:
        """Cancel what is being thought about; return whether there was anything."""
        task, self._thinking = self._thinking, None
        if task is not None:
            task.cancelled.set()
            self._panel.think("")
        return task is not None

    def _is_wanted(self, task: Task) -> bool:
        """Return whether a message about a task still counts.

        A message of a thread may come while the board is closed and widgets are already gone.
        """
        return task is self._thinking and self.is_running

    def on_progressed(self, message: Progressed) -> None:
        """Show how far a search has come."""
        if self._is_wanted(message.task):
            self._panel.think(thoughts_text(self.session, message.progress))
            if not self._panel.display:
                text = f"Thinking: best {best_text(self.session, message.progress)}"
                self.query_one("#prompt", Static).update(text)

    def on_thought(self, message: Thought) -> None:
        """Play a computer's move, or show it as a hint."""
        if not self._is_wanted(message.task):
            return
        self._stop_thinking()
        if message.task.is_hint:
            self.session.hint = message.move
            self._renew(f"Hint: {self.session.format(message.move)}.")
            return
        text = self.session.format(message.move)
        color = self.session.position.to_move.title
        self.session.play(message.move)
        note = "" if self.session.is_over else f"{color} played {text}. {self.session.prompt}"
        self._renew(self._kept() or note)
        self._let_computer_move()

    def on_failed(self, message: Failed) -> None:
        """Let a person go on where a computer player cannot."""
        if self._is_wanted(message.task):
            self._stop_thinking()
            if not message.task.is_hint:
                self.session.hand_over(message.task.seat)
            self._renew(message.reason)

    def action_hint(self) -> None:
        """Ask the computer what it would play."""
        if self.session.human_to_move:
            position = self.session.position
            self._think(Task(HINT_PLAYER, position.seat_to_move, position, is_hint=True))
            self._renew("Looking for a hint; u stops it.")

    def action_undo(self) -> None:
        """Stop thinking, take back moves until a person is to move."""
        stopped = self._stop_thinking()
        if stopped and self.session.human_to_move:
            self._renew("No hint then.")
            return
        count = self.session.undo()
        note = f"Took back {count} move{'' if count == 1 else 's'}." if count else ""
        self._renew(self._kept() or note)
        self._let_computer_move()

    # The game as a whole.

    @work
    async def action_resign(self) -> None:
        """Give the game up, after a confirmation."""
        session = self.session
        question = f"Does {session.position.to_move} resign?"
        if session.human_to_move and await self.push_screen_wait(
            Confirm(question, "Resign", "Play on")
        ):
            session.resign()
            self._renew(self._kept())

    @work
    async def action_new_game(self) -> None:
        """Begin another game of the same players."""
        question = "This game is not finished. Begin a new one?"
        if self.session.unfinished and not await self.push_screen_wait(Confirm(question)):
            return
        self._stop_thinking()
        self.session = self.session.another()
        self._thinker.players.forget()
        self._board.show(self.session)
        # The file keeps the game that was played; the new one needs another.
        self._keeps = False
        self._save_path = None
        self._renew("A new game.")
        self._let_computer_move()

    @work
    async def action_save(self) -> None:
        """Ask for a file name and write the record."""
        proposed = self._save_path or files.proposed_name(self.session)
        name = await self.push_screen_wait(Ask("Save as:", str(proposed), files.fault_in_name))
        if name is None:
            return
        path = files.path_of(name)
        question = f"{path.name} exists already. Replace it?"
        ours = path == self._save_path and self.session.saved_plies >= 0
        if path.exists() and not ours and not await self.push_screen_wait(Confirm(question)):
            return
        fault = self._write(path)
        if fault:
            self._renew(fault)
            return
        self._save_path = path
        self._renew(f"Saved as {path}.")

    def action_help(self) -> None:
        """Show keys and marks."""
        self.push_screen(Help(help_text(self.session, self._glyphs)))

    @work
    async def action_leave(self) -> None:
        """Leave, after a confirmation where a game would be lost."""
        question = "This game is not finished. Leave it?"
        if self.session.unfinished and not await self.push_screen_wait(Confirm(question)):
            return
        self._stop_thinking()
        self.exit(0)

    # How it is seen.

    def action_turn_view(self) -> None:
        """See the board from the next seat's side."""
        if self.session.turn_view():
            color = self.session.game.color_of(self.session.seat_view)
            self._renew(f"Seen from seat {self.session.seat_view + 1} ({color}).")

    def action_zoom(self) -> None:
        """Switch between large and small cells."""
        self._zoom = not self._board.large
        self._fit(self.size.width, self.size.height)

    def action_panel(self) -> None:
        """Show or hide the panel."""
        self._panel_wanted = not self._panel.display
        self._fit(self.size.width, self.size.height)


def run(
    game: Game,
    players: Players,
    seed: int | None = None,
    record: Record | None = None,
    save_path: str | Path | None = None,
) -> int:
    """Open the full-screen board and return the exit code when it is closed.

    Args:
        game: the game with its options.
        players: ``human``, ``computer:LEVEL``, ``random`` or ``pairing`` for each colour (human
            where none is named) or for each seat.
        seed: makes the computer reproducible.
        record: a record to go on with, from its last position.
        save_path: a file that keeps the game after each move.
    """
    session = None if record is None else files.continued(record, players)
    path = None if save_path is None else Path(save_path)
    app = BoardApp(game, players, seed=seed, session=session, save_path=path)
    return app.run() or 0
