"""The engine in the page: the computer's moves are found on the visitor's device."""

import contextlib
import random
from pathlib import Path

import pytest
from playwright.sync_api import expect

import antipodes.web
from antipodes.games.registry import make_game
from tests.live.processes import WORKER, running, suspended

MODULE = Path(antipodes.web.__file__).parent / "static/antipodes/engine/placement.wasm"

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="make setup builds the engine")


@contextlib.contextmanager
def stopped(site):
    """Stop the processes that make the computer's moves."""
    pids = running(site.pid, WORKER)
    assert pids
    with suspended(*pids):
        yield


def moves_in_the_middle(position):
    """Return the legal moves, those that are useful in a game with few cells first."""
    chance = random.Random(1)
    moves = [position.format_move(move) for move in position.legal_moves]
    chance.shuffle(moves)
    return [text for text in moves if not text.lower().startswith("swap")]


def begin(player, level, **options):
    """Begin a game against the computer, whose page has the engine ready."""
    player.play_computer("hex", level=level, seat=0, swap="off", **options)
    expect(player.page.get_by_text("The computer thinks on this device")).to_be_visible()
    return make_game("hex", {"swap": "off", **options}).initial()


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_a_whole_game_needs_no_worker_of_the_server(own_site, window, kind):
    player = window(own_site, kind)
    with stopped(own_site):
        position = begin(player, 2, size=5)
        while position.outcome is None:
            text = moves_in_the_middle(position)[0]
            position = player.move(position, text)
            if position.outcome is None:
                position = player.after_answer(position)
        player.says("You" if position.outcome.winner == "black" else "Computer")
    sources = [move["source"] for move in player.match["moves"]]
    assert set(sources[1::2]) == {"device"}
    player.picture(f"page-engine-{kind}")


def test_the_server_takes_over_from_a_page_that_cannot_load_the_engine(window, site):
    player = window(site)
    player.expect_errors("placement.wasm")
    player.page.route("**/placement.wasm*", lambda route: route.abort())
    player.play_computer("hex", level=1, seat=0, swap="off", size=4)
    told = "The engine in this page has failed; the computer thinks on the server."
    expect(player.page.get_by_text(told)).to_be_visible()
    position = player.move(make_game("hex", {"swap": "off", "size": 4}).initial(), "b2")
    player.after_answer(position)
    assert [move["source"] for move in player.match["moves"]] == ["hand", "hand"]


def test_the_server_takes_over_from_an_engine_that_dies(window, site):
    player = window(site)
    position = begin(player, 1, size=4)
    position = player.after_answer(player.move(position, "b2"))
    [worker] = player.page.workers
    worker.evaluate("() => self.close()")
    reply = moves_in_the_middle(position)[0]
    player.after_answer(player.move(position, reply))
    assert [move["source"] for move in player.match["moves"]] == ["hand", "device", "hand", "hand"]


def test_the_computer_thinks_where_the_player_wants_it(window, site):
    player = window(site)
    player.open("/")
    player.page.evaluate("localStorage.setItem('antipodes-board', '{\"engine\": \"server\"}')")
    player.play_computer("hex", level=1, seat=0, swap="off", size=4)
    position = player.move(make_game("hex", {"swap": "off", "size": 4}).initial(), "b2")
    player.after_answer(position)
    assert player.page.workers == []
    assert [move["source"] for move in player.match["moves"]] == ["hand", "hand"]
