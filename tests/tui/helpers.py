"""Helpers of the tests of the application: players without an engine, an app to drive."""

import threading
import time
from contextlib import asynccontextmanager

from antipodes.errors import Fault, InvalidPositionError
from antipodes.games.registry import make_game
from antipodes.tui.app import BoardApp
from antipodes.tui.board import BoardView


class Progress:
    """Progress of a search, without a search."""

    def __init__(self, visits, best):
        self.visits = visits
        self.share = visits / 1000
        self.best = best
        self.value = 0.625
        self.seconds = 1.5


class FirstMove:
    """Plays the first legal move at once."""

    def choose(self, position, progress=None):
        return next(iter(position.legal_moves))


class Endless:
    """Thinks until it is stopped."""

    def __init__(self):
        self.stopped = threading.Event()

    def choose(self, position, progress=None):
        best = max(position.legal_moves)
        try:
            while True:
                progress(Progress(500, best))
                time.sleep(0.02)
        finally:
            self.stopped.set()


class Unable:
    """Cannot play at all."""

    def choose(self, position, progress=None):
        raise InvalidPositionError([Fault("player/unable", "the strategy does not apply here")])


class RunningApp:
    """An app that is running, with a pilot."""

    def __init__(self, app, pilot):
        self.app = app
        self.pilot = pilot

    @property
    def session(self):
        return self.app.session

    @property
    def board(self):
        return self.app.query_one("#board", BoardView)

    @property
    def moves(self):
        return self.session.move_texts()

    def text(self, widget):
        """The text of a line or the panel."""
        return str(self.app.screen_stack[0].query_one(widget).render())

    @property
    def screen_text(self):
        """All that is on the screen, open windows included."""
        lines = self.app.screen._compositor.render_strips()
        return "\n".join(line.text for line in lines)

    @property
    def picture(self):
        """The board as characters."""
        return "\n".join("".join(s.text for s in row).rstrip() for row in self.board._rows)

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def point(self, name):
        """Put the cursor on a point."""
        self.board.point_at(self.session.game.topology.cell(name))
        await self.pilot.pause()

    async def click(self, name, *, twin=False):
        """Click a point, or the other place of a rim point."""
        cell = self.session.game.topology.cell(name)
        index = self.board.layout_shown.spots_of(cell)[1 if twin else 0]
        await self.pilot.click("#board", offset=self.board.screen_offset(index))
        await self.pilot.pause()

    async def hover(self, name):
        cell = self.session.game.topology.cell(name)
        index = self.board.layout_shown.spots_of(cell)[0]
        await self.pilot.hover("#board", offset=self.board.screen_offset(index))
        await self.pilot.pause()

    async def type(self, text):
        """Type into the window that is open, and accept."""
        for char in text:
            await self.pilot.press(char)
        await self.press("enter")

    async def until(self, condition):
        """Wait until a thread has made a condition true."""
        for _ in range(400):
            if condition():
                await self.pilot.pause()
                return
            await self.pilot.pause(0.01)
        raise AssertionError("it did not come about")


@asynccontextmanager
async def table(game_id, options=None, players=None, *, size=(80, 24), player=FirstMove, **more):
    """Open the board of a game."""
    app = BoardApp(
        make_game(game_id, options or {}),
        players,
        make_player=lambda spec, seed: player(),
        **more,
    )
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield RunningApp(app, pilot)
        if app.is_running:
            app.screen._compositor.render_strips()  # each test can draw its last screen
