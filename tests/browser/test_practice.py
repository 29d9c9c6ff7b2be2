"""Practice: a position is played out against the computer, by mouse, touch and keys."""

import pytest
from playwright.sync_api import expect

from antipodes.core import Setup
from antipodes.games.registry import game_ids, make_game
from antipodes.puzzles import store
from antipodes.web.analysis.position_queries import Line
from tests.browser.accessibility import violations
from tests.browser.test_analysis import open_board
from tests.browser.test_page_engine import HERE, MODULE, moves_in_the_middle, stopped

needs_engine = pytest.mark.skipif(not MODULE.exists(), reason="make setup builds the engine")
KINDS = ["desktop", "dark", "phone", "narrow"]


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("kind", KINDS)
def test_the_page_of_every_game_is_accessible(window, site, game_id, kind):
    player = window(site, kind)
    puzzle = store.puzzles(game_id)[0]
    player.open(f"/practice/?{Line.of(puzzle.game, puzzle.setup).query}")
    expect(player.page.get_by_role("button", name="Play")).to_be_visible()
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not player.page.evaluate(wide)
    assert violations(player.page) == []
    player.picture(f"practice-{game_id}-{kind}")


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_an_analysed_position_is_played_out(window, site, kind):
    player = window(site, kind)
    open_board(player, "/analysis/hex/?size=4&moves=c3")
    position = make_game("hex", {"size": 4}).initial().play("c3")
    position = player.play(position, "b2")
    player.page.get_by_role("link", name="Play it out against the computer").click()
    player.page.get_by_role("button", name="Play").click()
    player.wait_for_match()
    player.shows(position)
    assert [move["text"] for move in player.match["moves"]] == ["c3", "b2"]
    expect(player.page.get_by_role("button", name="Take back")).to_be_hidden()
    position = player.move(position, "c2")
    player.after_answer(position)
    player.page.get_by_role("button", name="Take back").click()
    player.shows(make_game("hex", {"size": 4}).initial().play("c3").play("b2"))
    player.picture(f"practice-match-{kind}")


def leave_analysis(player):
    """Play out an analysed position; return it."""
    start = make_game("antipod", {"side": 4}).initial()
    text = moves_in_the_middle(start)[0]
    open_board(player, f"/analysis/antipod/?side=4&moves={text}")
    return start.play(text)


def leave_puzzle(player):
    """Play out the position of a puzzle whose solution was shown; return it."""
    puzzle = store.puzzles("antipalos")[0]
    player.open(f"/puzzles/{puzzle.id}/")
    player.press("Show solution")
    return puzzle.position


@needs_engine
@pytest.mark.parametrize("leave", [leave_analysis, leave_puzzle])
def test_a_position_is_played_out_on_this_device(own_site, window, leave):
    player = window(own_site)
    with stopped(own_site):
        position = leave(player)
        player.page.get_by_role("link", name="Play it out").click()
        player.page.get_by_role("button", name="Play").click()
        player.wait_for_match()
        player.shows(position)
        expect(player.page.get_by_text(HERE)).to_be_visible()
        made = player.page.locator("ol.moves li")
        count = made.count()  # a puzzle is a setup, whose match begins without moves
        player.move(position, moves_in_the_middle(position)[0])
        expect(made).to_have_count(count + 2)
    assert [move["source"] for move in player.match["moves"][-2:]] == ["hand", "device"]


def test_a_setup_is_analysed_and_played_out_with_keys(window, site):
    game = make_game("hex", {"size": 4, "swap": "off"})
    setup = Setup(stones=(("b2", "black"), ("c3", "white")), to_move="black")
    line = Line.of(game, setup)
    player = window(site)
    open_board(player, f"/analysis/hex/?{line.query.removeprefix('game=hex&')}")
    player.shows(line.position)
    player.play(line.position, "c2")
    player.page.get_by_role("link", name="Play it out against the computer").focus()
    player.page.keyboard.press("Enter")
    player.page.get_by_role("combobox", name="You play").focus()
    player.page.keyboard.press("ArrowDown")
    player.page.get_by_role("button", name="Play").focus()
    player.page.keyboard.press("Enter")
    player.wait_for_match()
    assert player.match["setup"]["stones"] == dict(setup.stones)
    expect(player.page.locator("ol.moves li")).to_have_count(2, timeout=240_000)
    assert player.match["own"] == [0]
