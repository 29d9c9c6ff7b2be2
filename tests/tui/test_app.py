"""The full-screen board: what all games share."""

import asyncio
from typing import Any

import pytest
from textual.widget import Widget
from textual.widgets import Input

from antipodes import records
from antipodes.core import Move
from antipodes.games.registry import make_game
from antipodes.search.chances import chance_text
from antipodes.tui.app import BoardApp, run
from antipodes.tui.dialogs import Ask, Confirm, Help
from antipodes.tui.glyphs import only_ascii
from antipodes.tui.thinking import Failed, Progressed, Thought
from tests.tui.helpers import Endless, Progress, Unable, table

HEX = ("hex", {"size": 5, "swap": "off"})


def against_computer(**more):
    return table(*HEX, ("human", "computer:1"), **more)


async def test_a_computer_answers():
    async with against_computer() as seen:
        await seen.click("c3")
        await seen.until(lambda: len(seen.moves) == 2)
        assert seen.moves == ["c3", "a1"]
        assert "White played a1" in seen.text("#prompt")


async def test_a_computer_that_moves_first_begins():
    async with table(*HEX, ("random", "human")) as seen:
        await seen.until(lambda: seen.moves == ["a1"])
        assert seen.session.human_to_move


async def test_computers_play_on_between_themselves(monkeypatch):
    monkeypatch.setattr("antipodes.tui.app._PACE", 0.0)
    async with table("hex", {"size": 2, "swap": "off"}, ("random", "random")) as seen:
        await seen.until(lambda: seen.session.is_over)


async def test_thinking_is_shown_and_does_not_block_the_cursor():
    async with against_computer(player=Endless) as seen:
        await seen.click("c3")
        await seen.until(lambda: "500 visits" in seen.text("#thoughts"))
        game, mover = seen.session.game, seen.session.position.to_move
        assert f"Best e5 ({chance_text(game, mover, 0.625)})" in seen.text("#thoughts")
        await seen.press("up")
        assert seen.board.pointed_name == "c2"
        await seen.click("a1")
        assert seen.moves == ["c3"]


async def test_undo_stops_the_thinking_and_takes_back():
    players = []

    def player():
        players.append(Endless())
        return players[-1]

    async with against_computer(player=player) as seen:
        await seen.click("c3")
        await seen.until(lambda: players)
        await seen.press("u")
        assert seen.moves == []
        assert players[0].stopped.wait(2)
        assert not seen.app.query_one("#thoughts").display


async def test_quitting_stops_the_thinking():
    players = []

    def player():
        players.append(Endless())
        return players[-1]

    async with against_computer(player=player) as seen:
        await seen.click("c3")
        await seen.until(lambda: players)
        await seen.press("q", "y")
    assert players[0].stopped.wait(2)
    assert seen.app.return_code == 0


class LastWords(Widget):
    """Posts the messages of threads while the app closes and has no prompt any more."""

    async def on_unmount(self):
        app: Any = self.app
        task = app._thinking
        progress: Any = Progress(500, 20)
        assert not app.query("#prompt")
        app.post_message(Progressed(task, progress))
        app.post_message(Thought(task, Move(20)))
        app.post_message(Failed(task, "too late"))
        await asyncio.sleep(0.05)


async def test_messages_of_threads_do_no_harm_while_the_app_closes():
    async with against_computer(player=Endless) as seen:
        await seen.click("c3")
        await seen.app.query_one("#panel").mount(LastWords())
        seen.app.query_one("#panel").display = False
    assert seen.moves == ["c3"]


async def test_undo_takes_back_both_moves_against_a_computer():
    async with against_computer() as seen:
        await seen.click("c3")
        await seen.until(lambda: len(seen.moves) == 2)
        await seen.press("u")
        assert seen.moves == []
        assert "Took back 2 moves" in seen.text("#prompt")


async def test_a_player_that_cannot_play_hands_over_to_a_person():
    async with against_computer(player=Unable) as seen:
        await seen.click("c3")
        await seen.until(lambda: seen.session.human_to_move)
        assert "does not apply" in seen.text("#prompt")
        await seen.click("b2")
        assert seen.moves == ["c3", "b2"]


async def test_a_hint_is_shown_and_not_played():
    async with table(*HEX) as seen:
        await seen.press("h")
        await seen.until(lambda: seen.session.hint is not None)
        assert "Hint: a1" in seen.text("#prompt")
        assert seen.picture.count("?") == 4
        assert seen.moves == []
        await seen.click("c3")
        assert "?" not in seen.picture


async def test_a_hint_can_be_stopped():
    async with table(*HEX, player=Endless) as seen:
        await seen.click("c3")
        await seen.press("h", "u")
        assert seen.moves == ["c3"]
        assert seen.session.hint is None


@pytest.mark.parametrize("key", ["t", "slash"])
async def test_moves_can_be_typed(key):
    async with table(*HEX) as seen:
        await seen.press(key)
        assert isinstance(seen.app.screen, Ask)
        await seen.type("z9")
        assert "not a move of Hex" in str(seen.app.screen.query_one("#fault").render())
        seen.app.screen.query_one(Input).value = ""
        await seen.type("c3")
        assert seen.moves == ["c3"]
        await seen.press(key, "escape")
        assert seen.moves == ["c3"]


async def test_a_game_is_saved_and_a_file_is_not_replaced_unasked(tmp_path):
    path = tmp_path / "game.json"
    path.write_text("mine")
    async with table(*HEX) as seen:
        await seen.click("c3")
        await seen.press("s")
        seen.app.screen.query_one(Input).value = str(path)
        await seen.press("enter")
        assert isinstance(seen.app.screen, Confirm)
        await seen.press("n")
        assert path.read_text() == "mine"
        await seen.press("s")
        seen.app.screen.query_one(Input).value = str(path)
        await seen.press("enter", "y")
        assert "Saved as" in seen.text("#prompt")
        await seen.click("a1")
        await seen.press("s", "enter")  # its own file needs no second question
        assert [node.text for node in records.load(path).main_line()] == ["c3", "a1"]


async def test_a_file_that_cannot_be_written_is_explained(tmp_path):
    async with table(*HEX) as seen:
        await seen.press("s")
        seen.app.screen.query_one(Input).value = str(tmp_path / "no" / "game.json")
        await seen.press("enter")
        assert "There is no folder" in str(seen.app.screen.query_one("#fault").render())


async def test_every_move_is_kept_in_the_file_that_was_asked_for(tmp_path):
    path = tmp_path / "kept.json"
    async with against_computer(save_path=path) as seen:
        await seen.click("c3")
        await seen.until(lambda: len(seen.moves) == 2)
        assert records.load(path).moves() == seen.session.moves
        await seen.press("u")
        assert records.load(path).moves() == []
        assert not seen.session.unfinished


async def test_an_unfinished_game_is_left_only_after_a_confirmation():
    async with table(*HEX) as seen:
        await seen.click("c3")
        await seen.press("q")
        assert isinstance(seen.app.screen, Confirm)
        await seen.press("n")
        assert seen.app.is_running
        await seen.press("q", "y")
    assert seen.app.return_code == 0


async def test_a_game_that_has_not_begun_is_left_at_once():
    async with table(*HEX) as seen:
        await seen.press("q")
    assert seen.app.return_code == 0


async def test_a_new_game_begins_after_a_confirmation():
    async with table(*HEX) as seen:
        await seen.click("c3")
        await seen.press("n", "n")
        assert seen.moves == ["c3"]
        await seen.press("n", "y")
        assert seen.moves == []


async def test_resigning_ends_the_game():
    async with table(*HEX) as seen:
        await seen.press("R")
        assert isinstance(seen.app.screen, Confirm)
        await seen.press("y")
        assert "Black resigns; White wins." in seen.text("#caption")
        await seen.click("c3")
        assert seen.moves == []


@pytest.mark.parametrize("game_id", ["antipod", "antipalos", "antipode", "hex"])
async def test_help_shows_keys_and_marks(game_id):
    async with table(game_id) as seen:
        await seen.press("question_mark")
        assert isinstance(seen.app.screen, Help)
        await seen.press("escape")
        assert not isinstance(seen.app.screen, Help)


async def test_large_screens_get_large_cells_and_z_changes_them():
    async with table("antipod", size=(130, 40)) as seen:
        assert seen.board.large
        await seen.click("c5")
        assert seen.moves == ["c5"]
        await seen.press("z")
        assert not seen.board.large
        await seen.click("d5")
        assert seen.moves == ["c5", "d5"]


async def test_the_panel_can_be_shown_and_hidden():
    async with table(*HEX) as seen:
        await seen.press("p")
        assert not seen.app._panel.display
        await seen.press("p")
        assert seen.app._panel.display


async def test_ascii_is_enough_where_the_terminal_has_no_more(monkeypatch):
    monkeypatch.setenv("ANTIPODES_ASCII", "1")
    async with table("antipod") as seen:
        assert seen.picture.isascii()
        await seen.press("up", "enter")
        assert "x" in seen.picture
        assert "o" in seen.picture
        assert seen.screen_text.isascii()
        for key in ("question_mark", "t", "q"):
            await seen.press(key)
            assert seen.app.screen is not seen.app.screen_stack[0]
            assert seen.screen_text.isascii()
            await seen.press("escape")


@pytest.mark.parametrize(
    ("told", "terminal", "encoding", "expected"),
    [
        ("1", "xterm", "utf-8", True),
        ("0", "linux", "ascii", False),
        ("", "linux", "utf-8", True),
        ("", "xterm", "utf-8", False),
        ("", "xterm", "iso-8859-1", True),
        ("", "xterm", "no-such-encoding", True),
    ],
)
def test_the_terminal_decides_about_ascii(monkeypatch, told, terminal, encoding, expected):
    monkeypatch.setenv("ANTIPODES_ASCII", told)
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setattr("sys.stdout", type("Out", (), {"encoding": encoding})())
    assert only_ascii() is expected


async def test_no_color_leaves_no_color(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with table(*HEX) as seen:
        await seen.click("c3")
        lines = seen.app.screen._compositor.render_strips()
        filtered = [
            line.apply_filter(f, seen.app.screen.styles.background)
            for line in lines
            for f in seen.app._filters[-1:]
        ]
        colors = {
            str(segment.style.color) + str(segment.style.bgcolor)
            for line in filtered
            for segment in line
            if segment.style is not None
        }
        assert all("default" in color or color == "NoneNone" for color in colors)


def test_run_takes_players_by_color_and_returns_the_exit_code(monkeypatch):
    from antipodes.core import Color

    seen = []
    monkeypatch.setattr(BoardApp, "run", lambda self: seen.append(self.session.players))
    assert run(make_game("hex"), {Color.WHITE: "computer:2"}, seed=1) == 0
    assert seen == [("human", "computer:2")]


def test_run_goes_on_with_a_record(monkeypatch):

    game = make_game("hex", {"size": 4})
    record = records.Record.from_moves(game, ["a1", "b2"])
    seen = []
    monkeypatch.setattr(BoardApp, "run", lambda self: seen.append(self.session.move_texts()))
    assert run(game, {}, record=record) == 0
    assert seen == [["a1", "b2"]]
